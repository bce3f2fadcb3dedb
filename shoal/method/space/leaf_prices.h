// Prices of one row with many others, and of a box that grows row by row, for the inner loops of searches. Two
// classes that give the same numbers, those of row_boxes.h to the last bit: TabledPrices where every column has few
// leaves, SpacePrices for any space. What they have in common:
//   Leaf         how a leaf position is stored
//   stride()     leaves per row; more than columns where whole instructions are filled up
//   pack()       writes the leaves of one row
//   FromRow      a row: set() to another, which must stay where it is; price_with() of the two together, price_below()
//                the same unless it is `limit` or more, least_with() any point of a box
//   GrowingBox   a box: start() with a row, price_with() the box if it took in a row, add() it
// Prices are immutable and safe to share between threads, rows and boxes belong to one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "shoal/method/space/ncp_space.h"

namespace shoal {

// Leaves of 16 bits, and for each column a table of all pairs of leaves in both orders: the places in all tables are
// found several columns at a time, and nothing is compared. Memory: 8 bytes per pair, 200 kB per column at most.
class TabledPrices {
 public:
  using Leaf = int16_t;
  static bool fits(const NcpSpace& space) {
    for (size_t j = 0; j < space.columns(); ++j) {
      if (space.leaves(j) > kMostLeaves) return false;
    }
    return true;
  }

  // Requires fits(space).
  explicit TabledPrices(const NcpSpace& space)
      : width_(space.columns()),
        leaves_((width_ + kLane - 1) / kLane * kLane, 1),
        tables_(leaves_.size(), std::vector<double>(1, 0.0)) {
    for (size_t j = 0; j < width_; ++j) {
      const uint32_t leaves = space.leaves(j);
      leaves_[j] = static_cast<Leaf>(leaves);
      tables_[j].resize(size_t{leaves} * leaves);
      for (uint32_t a = 0; a < leaves; ++a) {
        for (uint32_t b = a; b < leaves; ++b) {
          tables_[j][size_t{a} * leaves + b] = tables_[j][size_t{b} * leaves + a] = space.cost(j, a, b);
        }
      }
    }
  }

  size_t stride() const { return leaves_.size(); }
  // Columns that fill an instruction up have one leaf and cost nothing.
  void pack(const uint32_t* row, Leaf* leaves) const {
    for (size_t j = 0; j < width_; ++j) leaves[j] = static_cast<Leaf>(row[j]);
    std::fill(leaves + width_, leaves + stride(), Leaf{0});
  }

  class FromRow {
   public:
    explicit FromRow(const TabledPrices& prices) : prices_(prices), costs_(prices.stride()) {}
    void set(const Leaf* row) {
      row_ = row;
      for (size_t j = 0; j < costs_.size(); ++j) {
        costs_[j] = prices_.tables_[j].data() + ptrdiff_t{row[j]} * prices_.leaves_[j];
      }
    }
    double price_with(const Leaf* other) const {
      double price = 0;
      for (size_t first = 0; first < costs_.size(); first += kLane) {
        const double* const* const costs = costs_.data() + first;
        for (size_t j = 0; j < kLane; ++j) price += costs[j][static_cast<uint16_t>(other[first + j])];
      }
      return price;
    }

    double price_below(const Leaf* other, double /*limit*/) const { return price_with(other); }
    double least_with(const Leaf* lo, const Leaf* hi) const {
      double price = 0;
      for (size_t first = 0; first < costs_.size(); first += kLane) {
        const Lane nearest = greater(lane(lo + first), lesser(lane(hi + first), lane(row_ + first)));
        const double* const* const costs = costs_.data() + first;
        for (size_t j = 0; j < kLane; ++j) price += costs[j][static_cast<uint16_t>(nearest[j])];
      }
      return price;
    }

   private:
    const TabledPrices& prices_;
    const Leaf* row_ = nullptr;
    std::vector<const double*> costs_;  // [column]: of the row's leaf with every leaf
  };

  class GrowingBox {
   public:
    explicit GrowingBox(const TabledPrices& prices) : prices_(prices), lo_(prices.stride()), hi_(prices.stride()) {
      for (const auto& table : prices.tables_) tables_.push_back(table.data());
    }
    void start(const Leaf* row) {
      std::copy_n(row, lo_.size(), lo_.begin());
      std::copy_n(row, hi_.size(), hi_.begin());
    }
    double price_with(const Leaf* row) const {
      double price = 0;
      for (size_t first = 0; first < lo_.size(); first += kLane) {
        const Lane to = lane(row + first);
        const Lane place = lesser(lane(lo_.data() + first), to) * lane(prices_.leaves_.data() + first) +
                           greater(lane(hi_.data() + first), to);
        const double* const* const tables = tables_.data() + first;
        for (size_t j = 0; j < kLane; ++j) price += tables[j][static_cast<uint16_t>(place[j])];
      }
      return price;
    }
    void add(const Leaf* row) {
      for (size_t first = 0; first < lo_.size(); first += kLane) {
        const Lane to = lane(row + first);
        store(lesser(lane(lo_.data() + first), to), lo_.data() + first);
        store(greater(lane(hi_.data() + first), to), hi_.data() + first);
      }
    }

   private:
    const TabledPrices& prices_;
    std::vector<Leaf> lo_, hi_;
    std::vector<const double*> tables_;
  };

 private:
  static constexpr size_t kLane = 8;            // columns per instruction
  static constexpr uint32_t kMostLeaves = 160;  // so that places in a table fit into a Leaf
  static_assert(kMostLeaves * kMostLeaves <= INT16_MAX);
  // Written out, since no compiler at hand finds these instructions in a plain loop over the columns.
  using Lane = Leaf __attribute__((vector_size(kLane * sizeof(Leaf))));
  static Lane lane(const Leaf* leaves) {
    Lane result;
    std::memcpy(&result, leaves, sizeof(Lane));
    return result;
  }
  static void store(Lane lane, Leaf* leaves) { std::memcpy(leaves, &lane, sizeof(Lane)); }
  static Lane lesser(Lane a, Lane b) { return a < b ? a : b; }
  static Lane greater(Lane a, Lane b) { return a > b ? a : b; }

  size_t width_;
  std::vector<Leaf> leaves_;  // [column]
  std::vector<std::vector<double>> tables_;
};

class SpacePrices {
 public:
  using Leaf = uint32_t;
  explicit SpacePrices(const NcpSpace& space) : space_(space) {}

  size_t stride() const { return space_.columns(); }
  void pack(const uint32_t* row, Leaf* leaves) const { std::copy_n(row, stride(), leaves); }

  class FromRow {
   public:
    explicit FromRow(const SpacePrices& prices) : space_(prices.space_) {}
    void set(const Leaf* row) { row_ = row; }
    double price_with(const Leaf* other) const {
      double price = 0;
      for (size_t j = 0; j < space_.columns(); ++j) {
        price += space_.cost(j, std::min(row_[j], other[j]), std::max(row_[j], other[j]));
      }
      return price;
    }

    // Rows are mostly too far away, which the dearest columns tell.
    double price_below(const Leaf* other, double limit) const {
      double price = 0;
      for (size_t j = 0; j < space_.columns() && price < limit; ++j) {
        if (row_[j] != other[j]) price += space_.cost(j, std::min(row_[j], other[j]), std::max(row_[j], other[j]));
      }
      return price;
    }
    double least_with(const Leaf* lo, const Leaf* hi) const {
      double price = 0;
      for (size_t j = 0; j < space_.columns(); ++j) {
        if (row_[j] < lo[j]) price += space_.cost(j, row_[j], lo[j]);
        if (row_[j] > hi[j]) price += space_.cost(j, hi[j], row_[j]);
      }
      return price;
    }

   private:
    const NcpSpace& space_;
    const Leaf* row_ = nullptr;
  };

  class GrowingBox {
   public:
    explicit GrowingBox(const SpacePrices& prices)
        : space_(prices.space_), lo_(prices.stride()), hi_(prices.stride()), cost_(prices.stride()) {}
    void start(const Leaf* row) {
      std::copy_n(row, lo_.size(), lo_.begin());
      std::copy_n(row, hi_.size(), hi_.begin());
      std::fill(cost_.begin(), cost_.end(), 0.0);
    }
    // Where a row lies inside, the cost is known: looking it up takes longer than here to compare.
    double price_with(const Leaf* row) const {
      double price = 0;
      for (size_t j = 0; j < lo_.size(); ++j) {
        const bool inside = lo_[j] <= row[j] && row[j] <= hi_[j];
        price += inside ? cost_[j] : space_.cost(j, std::min(lo_[j], row[j]), std::max(hi_[j], row[j]));
      }
      return price;
    }
    void add(const Leaf* row) {
      for (size_t j = 0; j < lo_.size(); ++j) {
        if (lo_[j] <= row[j] && row[j] <= hi_[j]) continue;
        lo_[j] = std::min(lo_[j], row[j]);
        hi_[j] = std::max(hi_[j], row[j]);
        cost_[j] = space_.cost(j, lo_[j], hi_[j]);
      }
    }

   private:
    const NcpSpace& space_;
    std::vector<Leaf> lo_, hi_;
    std::vector<double> cost_;  // [column]
  };

 private:
  const NcpSpace& space_;
};

}  // namespace shoal
