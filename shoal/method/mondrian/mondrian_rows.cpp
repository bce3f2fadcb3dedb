#include "shoal/method/mondrian/mondrian_rows.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "shoal/run/tasks.h"

namespace shoal::mondrian {
namespace {

// kLanes codes a row, known to the compiler, so that a row is moved and compared in a few wide instructions; unused
// lanes are zero. 0: as many as there are columns, known only at run time.
template <typename Code, size_t kLanes>
class PackedRows final : public Rows {
 public:
  PackedRows(const Table& table, std::span<const size_t> columns, std::span<const uint32_t> order, int threads)
      : Rows(table), columns_(columns.size()), stride_(kLanes > 0 ? kLanes : columns.size()) {
    codes_ = std::make_unique_for_overwrite<Code[]>(size_ * stride_);
    const size_t parts = useful_threads(threads);
    run_tasks(parts, threads, [&](size_t, size_t part) {
      const size_t begin = size_ * part / parts, end = size_ * (part + 1) / parts;
      for (size_t i = begin; i < end; ++i) numbers_[i] = order.empty() ? static_cast<uint32_t>(i) : order[i];
      // By blocks that stay in the cache while one column after the other is laid in.
      for (size_t block = begin; block < end; block += kBlock) {
        lay_in(table, columns, block, std::min(block + kBlock, end));
      }
    });
  }

  void extents(Region region, std::span<uint32_t> least, std::span<uint32_t> greatest) const override {
    if constexpr (kLanes > 0) {
      // Several rows at once, so that a step fills whole vector registers.
      constexpr size_t kRows = std::max<size_t>(1, 32 / (kLanes * sizeof(Code)));
      std::array<Code, kRows * kLanes> low, high;
      for (size_t lane = 0; lane < low.size(); ++lane) low[lane] = high[lane] = row(region.begin)[lane % kLanes];
      size_t i = region.begin;
      for (; i + kRows <= region.end; i += kRows) {
        const Code* codes = row(i);
        for (size_t lane = 0; lane < low.size(); ++lane) {
          low[lane] = codes[lane] < low[lane] ? codes[lane] : low[lane];
          high[lane] = codes[lane] > high[lane] ? codes[lane] : high[lane];
        }
      }
      const size_t rest = (region.end - i) * kLanes;
      for (size_t lane = 0; lane < rest; ++lane) {
        low[lane] = std::min(low[lane], row(i)[lane]);
        high[lane] = std::max(high[lane], row(i)[lane]);
      }
      for (size_t column = 0; column < columns_; ++column) {
        least[column] = low[column];
        greatest[column] = high[column];
        for (size_t lane = column + kLanes; lane < low.size(); lane += kLanes) {
          least[column] = std::min<uint32_t>(least[column], low[lane]);
          greatest[column] = std::max<uint32_t>(greatest[column], high[lane]);
        }
      }
    } else {
      std::copy_n(row(region.begin), columns_, least.begin());
      std::copy_n(row(region.begin), columns_, greatest.begin());
      for (size_t i = region.begin + 1; i < region.end; ++i) {
        const Code* codes = row(i);
        for (size_t lane = 0; lane < columns_; ++lane) {
          least[lane] = std::min<uint32_t>(least[lane], codes[lane]);
          greatest[lane] = std::max<uint32_t>(greatest[lane], codes[lane]);
        }
      }
    }
  }

  void count(Region region, size_t column, uint32_t least, std::span<uint32_t> counts) const override {
    if (times_.empty()) {
      for (size_t i = region.begin; i < region.end; ++i) ++counts[row(i)[column] - least];
    } else {
      for (size_t i = region.begin; i < region.end; ++i) counts[row(i)[column] - least] += times_[numbers_[i]];
    }
  }

  void copy(Region region, size_t column, std::span<uint32_t> leaves) const override {
    for (size_t i = region.begin; i < region.end; ++i) leaves[i - region.begin] = row(i)[column];
  }

  void rows_with(Region region, size_t column, uint32_t leaf, std::vector<uint32_t>& numbers) const override {
    for (size_t i = region.begin; i < region.end; ++i) {
      if (row(i)[column] == leaf) numbers.push_back(numbers_[i]);
    }
  }

  size_t partition(Region region, const Cut& cut) override {
    // Every row is swapped to the border of the left side, and the border moves on only when it belongs there: no
    // branch depends on the data.
    const uint64_t last = uint64_t{cut.last_left} << 32 | cut.last_row;
    size_t border = region.begin;
    for (size_t i = region.begin; i < region.end; ++i) {
      const uint64_t place = uint64_t{row(i)[cut.column]} << 32 | numbers_[i];
      swap_rows(i, border);
      border += place <= last ? 1 : 0;
    }
    return border;
  }

 private:
  static constexpr size_t kBlock = 512;

  const Code* row(size_t i) const { return codes_.get() + i * stride(); }
  Code* row(size_t i) { return codes_.get() + i * stride(); }
  size_t stride() const {
    if constexpr (kLanes > 0) return kLanes;
    return stride_;
  }

  void lay_in(const Table& table, std::span<const size_t> columns, size_t begin, size_t end) {
    if (stride() > columns.size()) std::fill(row(begin), row(end), Code{0});
    for (size_t j = 0; j < columns.size(); ++j) {
      table.quasi[columns[j]].codes.visit([&](auto codes) {
        for (size_t i = begin; i < end; ++i) row(i)[j] = static_cast<Code>(codes[numbers_[i]]);
      });
    }
  }

  void swap_rows(size_t a, size_t b) {
    std::swap(numbers_[a], numbers_[b]);
    if constexpr (kLanes > 0) {
      std::array<Code, kLanes> first, second;
      std::memcpy(first.data(), row(a), sizeof first);
      std::memcpy(second.data(), row(b), sizeof second);
      std::memcpy(row(a), second.data(), sizeof second);
      std::memcpy(row(b), first.data(), sizeof first);
    } else if (a != b) {
      std::swap_ranges(row(a), row(a) + stride_, row(b));
    }
  }

  size_t columns_, stride_;
  std::unique_ptr<Code[]> codes_;
};

template <typename Code, typename... Arguments>
std::unique_ptr<Rows> pack_as(size_t columns, const Arguments&... arguments) {
  if (columns <= 8) return std::make_unique<PackedRows<Code, 8>>(arguments...);
  if (columns <= 16) return std::make_unique<PackedRows<Code, 16>>(arguments...);
  return std::make_unique<PackedRows<Code, 0>>(arguments...);
}

}  // namespace

std::unique_ptr<Rows> Rows::pack(const Table& table, std::span<const size_t> columns, std::span<const uint32_t> order,
                                 int threads) {
  size_t widest = 1;
  for (size_t column : columns) {
    widest = std::max(widest, table.quasi[column].codes.visit([](auto codes) { return sizeof(codes[0]); }));
  }
  if (widest == 1) return pack_as<uint8_t>(columns.size(), table, columns, order, threads);
  if (widest == 2) return pack_as<uint16_t>(columns.size(), table, columns, order, threads);
  return pack_as<uint32_t>(columns.size(), table, columns, order, threads);
}

uint64_t Rows::rows(Region region) const {
  if (times_.empty()) return region.size();
  uint64_t rows = 0;
  for (uint32_t number : numbers(region)) rows += times_[number];
  return rows;
}

size_t Rows::useful_threads(int threads) const {
  constexpr size_t kRowsWorthAThread = 1 << 12;
  return std::min<size_t>(static_cast<size_t>(std::max(threads, 1)), 1 + size_ / kRowsWorthAThread);
}

}  // namespace shoal::mondrian
