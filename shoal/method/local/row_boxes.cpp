#include "shoal/method/local/row_boxes.h"

#include <numeric>

namespace shoal {
namespace {

// Halves rows first .. last-1, which are to become the parts first_part .. last_part-1.
class EvenSplit {
 public:
  EvenSplit(const RowCodes& codes, std::span<uint32_t> rows, size_t parts)
      : codes_(codes), rows_(rows), parts_(parts), box_(codes.width()) {}

  void run(size_t first_part, size_t last_part) {
    if (last_part - first_part < 2) return;
    const size_t middle = first_part + (last_part - first_part) / 2;
    const std::span<uint32_t> rows = rows_.subspan(end(first_part), end(last_part) - end(first_part));
    const size_t left = end(middle) - end(first_part);
    sort(rows, rows.size() <= kSplitSorted ? cheapest_column(rows, left) : dearest_column(rows));
    run(first_part, middle);
    run(middle, last_part);
  }
  size_t end(size_t part) const { return rows_.size() * part / parts_; }

 private:
  void sort(std::span<uint32_t> rows, size_t column) const {
    std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
      const uint32_t code_a = codes_.row(a)[column], code_b = codes_.row(b)[column];
      return code_a != code_b ? code_a < code_b : a < b;
    });
  }
  double penalty(std::span<const uint32_t> rows) {
    codes_.measure(rows, box_.data());
    return double(rows.size()) * box_price(codes_.space(), box_.data());
  }
  size_t cheapest_column(std::span<uint32_t> rows, size_t left) {
    size_t best = 0;
    double best_cost = 0;
    for (size_t j = 0; j < codes_.width(); ++j) {
      sort(rows, j);
      const double cost = penalty(rows.first(left)) + penalty(rows.subspan(left));
      if (j > 0 && cost >= best_cost) continue;
      best = j;
      best_cost = cost;
    }
    return best;
  }
  size_t dearest_column(std::span<uint32_t> rows) {
    codes_.measure(rows, box_.data());
    size_t best = 0;
    double best_cost = -1;
    for (size_t j = 0; j < codes_.width(); ++j) {
      const double cost = codes_.space().cost(j, box_[j].lo, box_[j].hi);
      if (cost > best_cost) best = j, best_cost = cost;
    }
    return best;
  }

  const RowCodes& codes_;
  std::span<uint32_t> rows_;
  size_t parts_;
  Box box_;
};

}  // namespace

RowCodes::RowCodes(const NcpSpace& space) : space_(space), width_(space.columns()) {
  std::vector<uint32_t> all(space.rows());
  std::iota(all.begin(), all.end(), 0u);
  codes_.resize(all.size() * width_);
  space.gather(all, codes_.data());
}

void RowCodes::measure(std::span<const uint32_t> rows, LeafSpan* box) const {
  const uint32_t* const first = row(rows.front());
  for (size_t j = 0; j < width_; ++j) box[j] = {first[j], first[j]};
  for (uint32_t other : rows.subspan(1)) grow_to_row(box, row(other), width_);
}

Box RowCodes::box(std::span<const uint32_t> rows) const {
  Box box(width_);
  measure(rows, box.data());
  return box;
}

double box_price(const NcpSpace& space, const LeafSpan* box) {
  double price = 0;
  for (size_t j = 0; j < space.columns(); ++j) price += space.cost(j, box[j].lo, box[j].hi);
  return price;
}

double price_with_row(const NcpSpace& space, const LeafSpan* box, const uint32_t* row) {
  double price = 0;
  for (size_t j = 0; j < space.columns(); ++j) {
    price += space.cost(j, std::min(box[j].lo, row[j]), std::max(box[j].hi, row[j]));
  }
  return price;
}

std::vector<uint32_t> split_evenly(const RowCodes& codes, std::span<uint32_t> rows, size_t parts) {
  EvenSplit split(codes, rows, parts);
  if (codes.width() > 0) split.run(0, parts);
  std::vector<uint32_t> ends;
  for (size_t part = 1; part <= parts; ++part) ends.push_back(static_cast<uint32_t>(split.end(part)));
  return ends;
}

}  // namespace shoal
