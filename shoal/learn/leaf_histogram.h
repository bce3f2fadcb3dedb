// How the classes are spread over the leaves of one column that occur among some rows: what every split is judged by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shoal {

// Keeps its memory from one count to the next: one histogram per thread.
class LeafHistogram {
 public:
  explicit LeafHistogram(size_t classes) : classes_(classes) {}

  // Counts rows given by their leaves and classes, of equal length; `weights` too, or empty for one each. Cost: the
  // rows and the span of their leaves, or, where that is much wider than there are rows, sorting the rows.
  void count(std::span<const uint32_t> leaves, std::span<const uint32_t> classes, std::span<const uint32_t> weights) {
    leaves_.clear();
    weights_.clear();
    if (leaves.empty()) return;
    const auto [least, greatest] = std::minmax_element(leaves.begin(), leaves.end());
    const size_t range = size_t{*greatest} - *least + 1;
    if (range * classes_ > std::max<size_t>(256, leaves.size() * 4)) return sort(leaves, classes, weights);
    dense_.assign(range * classes_, 0);
    for (size_t i = 0; i < leaves.size(); ++i) {
      dense_[(leaves[i] - *least) * classes_ + classes[i]] += weights.empty() ? 1.0 : weights[i];
    }
    for (size_t i = 0; i < range; ++i) {
      const auto first = dense_.begin() + static_cast<ptrdiff_t>(i * classes_);
      const auto end = first + static_cast<ptrdiff_t>(classes_);
      if (std::all_of(first, end, [](double weight) { return weight == 0; })) continue;
      leaves_.push_back(static_cast<uint32_t>(*least + i));
      weights_.insert(weights_.end(), first, end);
    }
  }

  // The leaves that occur, ascending, and for the i-th of them the weight of each class.
  const std::vector<uint32_t>& leaves() const { return leaves_; }
  std::span<const double> weights(size_t i) const { return {weights_.data() + i * classes_, classes_}; }

 private:
  void sort(std::span<const uint32_t> leaves, std::span<const uint32_t> classes, std::span<const uint32_t> weights) {
    order_.clear();
    for (size_t i = 0; i < leaves.size(); ++i) order_.push_back(uint64_t{leaves[i]} << 32 | i);
    std::sort(order_.begin(), order_.end());
    for (uint64_t entry : order_) {
      const auto leaf = static_cast<uint32_t>(entry >> 32), i = static_cast<uint32_t>(entry);
      if (leaves_.empty() || leaves_.back() != leaf) {
        leaves_.push_back(leaf);
        weights_.resize(weights_.size() + classes_, 0);
      }
      weights_[weights_.size() - classes_ + classes[i]] += weights.empty() ? 1.0 : weights[i];
    }
  }

  size_t classes_;
  std::vector<uint32_t> leaves_;
  std::vector<double> weights_;  // [i * classes + class]
  std::vector<double> dense_;
  std::vector<uint64_t> order_;
};

}  // namespace shoal
