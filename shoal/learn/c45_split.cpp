// Gain ratio over all columns at one node (Quinlan 1993, chapter 2; the threshold's price of 1996). Only rows whose
// cell is known count towards a column's gain; the unknown weigh as one more branch (chapter 3). Numeric columns are
// counted by code, which ascends with the number, or sorted when the column has many more values than the node rows.
#include "shoal/learn/c45_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/learn/entropy.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// Differences below this are rounding, not reasons.
constexpr double kSame = 1e-6;

// A number strictly between two neighbours, or the lower one when there is none.
double between(double low, double high) {
  const double middle = low + (high - low) / 2;
  return middle < high ? middle : low;
}

}  // namespace

NodeRows all_rows(const Dataset& data) {
  NodeRows rows;
  rows.rows.resize(data.rows);
  std::iota(rows.rows.begin(), rows.rows.end(), 0U);
  rows.weights = data.weights;
  return rows;
}

std::vector<double> class_weights(const Dataset& data, const NodeRows& rows) {
  std::vector<double> weights(data.classes.size(), 0);
  for (size_t i = 0; i < rows.size(); ++i) weights[data.class_of[rows.rows[i]]] += rows.weights[i];
  return weights;
}

BranchLimits::BranchLimits(PathLimits& path, const Dataset& data, uint32_t attribute, double threshold, size_t branch)
    : limit_(path.limits[attribute]), saved_(limit_) {
  if (!data.attributes[attribute].numeric) {
    limit_.used = true;
  } else if (branch == 0) {
    limit_.high = std::min(limit_.high, threshold);
  } else {
    limit_.low = std::max(limit_.low, threshold);
  }
}

void branch_shares(const Attribute& attribute, uint32_t code, double threshold, const PathLimits::Limit& limit,
                   std::span<const double> branches, std::span<double> shares) {
  std::fill(shares.begin(), shares.end(), 0.0);
  if (code != Attribute::kMissing && attribute.numeric) {
    const Extent& extent = attribute.extents[code];
    if (extent.high <= threshold) {
      shares[0] = 1;
    } else if (extent.low > threshold) {
      shares[1] = 1;
    } else {
      const double low = std::max(extent.low, limit.low), high = std::min(extent.high, limit.high);
      shares[0] = high <= threshold ? 1 : low >= threshold ? 0 : (threshold - low) / (high - low);
      shares[1] = 1 - shares[0];
    }
    return;
  }
  if (code != Attribute::kMissing && attribute.known_category(code)) {
    shares[code] = 1;
    return;
  }
  if (code != Attribute::kMissing) {
    const auto& set = attribute.set(code);
    double sum = 0;
    for (uint32_t category : set) sum += branches[category];
    for (uint32_t category : set) {
      shares[category] = sum > 0 ? branches[category] / sum : 1.0 / static_cast<double>(set.size());
    }
    return;
  }
  const double sum = sum_of(branches);
  for (size_t branch = 0; branch < shares.size(); ++branch) {
    shares[branch] = sum > 0 ? branches[branch] / sum : 1.0 / static_cast<double>(shares.size());
  }
}

std::vector<NodeRows> split_rows(const Dataset& data, const C45Split& split, const NodeRows& rows,
                                 const PathLimits& path) {
  const Attribute& attribute = data.attributes[split.attribute];
  const auto& limit = path.limits[split.attribute];
  std::vector<NodeRows> parts(split.branches.size());
  std::vector<double> shares(split.branches.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t row = rows.rows[i], code = attribute.codes[row];
    if (code != Attribute::kMissing) {
      if (attribute.numeric) {
        const Extent& extent = attribute.extents[code];
        if (extent.high <= split.threshold || extent.low > split.threshold) {
          parts[extent.low > split.threshold ? 1 : 0].add(row, rows.weights[i]);
          continue;
        }
      } else if (attribute.known_category(code)) {
        parts[code].add(row, rows.weights[i]);
        continue;
      }
    }
    branch_shares(attribute, code, split.threshold, limit, split.branches, shares);
    for (size_t branch = 0; branch < parts.size(); ++branch) {
      const double weight = rows.weights[i] * shares[branch];
      if (weight > kSame) parts[branch].add(row, weight);
    }
  }
  return parts;
}

SplitSearch::SplitSearch(const Dataset& data, double min_objects)
    : data_(data), min_objects_(min_objects), classes_(data.classes.size()) {
  // Whole weights (no missing cells) need no logarithms.
  const bool whole = std::all_of(data.weights.begin(), data.weights.end(), [](double w) { return w == std::floor(w); });
  data_weight_ = data.total_weight();
  if (whole && data_weight_ < 1 << 22) {
    log_table_.resize(static_cast<size_t>(data_weight_) + 1);
    for (size_t x = 0; x < log_table_.size(); ++x) log_table_[x] = shoal::x_log2_x(static_cast<double>(x));
  }
  known_.resize(classes_);
  left_.resize(classes_);
  right_.resize(classes_);
}

inline double SplitSearch::x_log2_x(double x) const {
  const auto whole = static_cast<size_t>(x);
  if (whole < log_table_.size() && static_cast<double>(whole) == x) return log_table_[whole];
  return shoal::x_log2_x(x);
}

inline double SplitSearch::bag_entropy(const double* weights) const {
  double sum = 0, parts = 0;
  for (size_t c = 0; c < classes_; ++c) {
    sum += weights[c];
    parts += x_log2_x(weights[c]);
  }
  return x_log2_x(sum) - parts;
}

bool SplitSearch::begin(const NodeRows& rows) {
  const auto weights = class_weights(data_, rows);
  total_ = sum_of(weights);
  if (total_ < 2 * min_objects_ - kSame) return false;
  return *std::max_element(weights.begin(), weights.end()) <= total_ - kSame;
}

std::optional<C45Split> SplitSearch::of_column(uint32_t attribute, const NodeRows& rows, const PathLimits& path) {
  if (path.limits[attribute].used) return std::nullopt;
  return data_.attributes[attribute].numeric ? numeric(attribute, rows, path.limits[attribute])
                                             : categorical(attribute, rows);
}

std::optional<C45Split> SplitSearch::choose(std::vector<std::optional<C45Split>> splits) const {
  double gains = 0;
  size_t counted = 0;
  // Columns with very many categories would pull the average up: they do not count, unless all are such.
  const double many = 0.3 * data_weight_;
  auto few = [&](const Attribute& attribute) {
    return attribute.numeric || static_cast<double>(attribute.categories.size()) < many;
  };
  const bool all_many = std::none_of(data_.attributes.begin(), data_.attributes.end(), few);
  for (size_t j = 0; j < splits.size(); ++j) {
    if (!splits[j] || (!all_many && !few(data_.attributes[j]))) continue;
    gains += splits[j]->gain;
    ++counted;
  }
  const double average = counted > 0 ? gains / static_cast<double>(counted) : 0;
  std::optional<C45Split>* best = nullptr;
  double ratio = 0;
  for (std::optional<C45Split>& split : splits) {
    if (!split || split->gain < average - 1e-3 || split->gain_ratio <= ratio + kSame) continue;
    best = &split;
    ratio = split->gain_ratio;
  }
  if (best == nullptr) return std::nullopt;
  return std::move(*best);
}

std::optional<C45Split> SplitSearch::best(const NodeRows& rows, const PathLimits& path) {
  if (!begin(rows)) return std::nullopt;
  std::vector<std::optional<C45Split>> splits(data_.attributes.size());
  for (uint32_t j = 0; j < splits.size(); ++j) splits[j] = of_column(j, rows, path);
  return choose(std::move(splits));
}

std::optional<C45Split> SplitSearch::best(const NodeRows& rows, const PathLimits& path,
                                          std::span<SplitSearch> workers) {
  if (!begin(rows)) return std::nullopt;
  for (SplitSearch& worker : workers) worker.total_ = total_;
  std::vector<std::optional<C45Split>> splits(data_.attributes.size());
  run_tasks(splits.size(), static_cast<int>(workers.size()), [&](size_t worker, size_t j) {
    splits[j] = workers[worker].of_column(static_cast<uint32_t>(j), rows, path);
  });
  return choose(std::move(splits));
}

// Weight of the unknown, as one more branch, makes a split less informative and more costly to tell.
static double gain_ratio(const C45Split& split, double total) {
  double told = x_log2_x(total), known = 0;
  for (double branch : split.branches) {
    told -= x_log2_x(branch);
    known += branch;
  }
  told -= x_log2_x(std::max(0.0, total - known));
  return told > kSame ? split.gain / (told / total) : 0;
}

std::optional<C45Split> SplitSearch::categorical(uint32_t index, const NodeRows& rows) {
  const Attribute& attribute = data_.attributes[index];
  const size_t values = attribute.categories.size();
  if (values < 2) return std::nullopt;
  counts_.assign(values * classes_, 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t row = rows.rows[i], code = attribute.codes[row];
    if (attribute.known_category(code)) counts_[code * classes_ + data_.class_of[row]] += rows.weights[i];
  }
  C45Split split;
  split.attribute = index;
  std::fill(known_.begin(), known_.end(), 0.0);
  double after = 0;
  size_t large = 0;
  for (size_t value = 0; value < values; ++value) {
    const double* const at = counts_.data() + value * classes_;
    double weight = 0;
    for (size_t c = 0; c < classes_; ++c) {
      weight += at[c];
      known_[c] += at[c];
    }
    split.branches.push_back(weight);
    if (weight >= min_objects_ - kSame) ++large;
    if (weight > 0) after += bag_entropy(at);
  }
  if (large < 2) return std::nullopt;
  split.gain = (bag_entropy(known_.data()) - after) / total_;
  split.gain_ratio = gain_ratio(split, total_);
  return split;
}

// Neither side of a numeric split may have less than this: a tenth of an average class, at most 25.
double SplitSearch::least_branch(double known) const {
  const double tenth = 0.1 * known / static_cast<double>(classes_);
  return tenth <= min_objects_ + kSame ? min_objects_ : std::min(tenth, 25.0);
}

std::optional<C45Split> SplitSearch::numeric(uint32_t index, const NodeRows& rows, const PathLimits::Limit& limit) {
  const Attribute& attribute = data_.attributes[index];
  if (attribute.has_vague) return cut_extents(index, rows, limit);
  numbers_.clear();
  group_weights_.clear();
  if (attribute.extents.size() < 4 * rows.size()) {
    group_exact(attribute, rows);
  } else {
    group_by_sorting(attribute, rows);
  }
  return cut_groups(index);
}

// Few distinct numbers: one place for each.
void SplitSearch::group_exact(const Attribute& attribute, const NodeRows& rows) {
  const size_t values = attribute.extents.size();
  counts_.assign(values * classes_, 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t row = rows.rows[i], code = attribute.codes[row];
    if (code != Attribute::kMissing) counts_[code * classes_ + data_.class_of[row]] += rows.weights[i];
  }
  for (size_t value = 0; value < values; ++value) {
    const double* const at = counts_.data() + value * classes_;
    if (std::all_of(at, at + classes_, [](double weight) { return weight == 0; })) continue;
    numbers_.push_back(attribute.extents[value].low);
    group_weights_.insert(group_weights_.end(), at, at + classes_);
  }
}

// Many more distinct numbers than rows: sort the rows' codes.
void SplitSearch::group_by_sorting(const Attribute& attribute, const NodeRows& rows) {
  order_.clear();
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t code = attribute.codes[rows.rows[i]];
    if (code != Attribute::kMissing) order_.push_back(uint64_t{code} << 32 | i);
  }
  std::sort(order_.begin(), order_.end());
  uint64_t last = UINT64_MAX;
  for (uint64_t entry : order_) {
    const auto i = static_cast<uint32_t>(entry);
    if (entry >> 32 != last) {
      last = entry >> 32;
      numbers_.push_back(attribute.extents[last].low);
      group_weights_.resize(group_weights_.size() + classes_, 0);
    }
    group_weights_[group_weights_.size() - classes_ + data_.class_of[rows.rows[i]]] += rows.weights[i];
  }
}

// The best cut between two neighbouring groups.
std::optional<C45Split> SplitSearch::cut_groups(uint32_t index) {
  std::fill(known_.begin(), known_.end(), 0.0);
  std::fill(left_.begin(), left_.end(), 0.0);
  for (size_t i = 0; i < group_weights_.size(); i += classes_) {
    for (size_t c = 0; c < classes_; ++c) known_[c] += group_weights_[i + c];
  }
  const double known = sum_of(known_), least = least_branch(known);
  if (known < 2 * least - kSame) return std::nullopt;
  const double before = bag_entropy(known_.data());
  double best = 0, left = 0;
  size_t tried = 0, at = 0;
  for (size_t group = 0; group + 1 < numbers_.size(); ++group) {
    for (size_t c = 0; c < classes_; ++c) {
      const double weight = group_weights_[group * classes_ + c];
      left_[c] += weight;
      left += weight;
      right_[c] = known_[c] - left_[c];
    }
    if (left < least - kSame) continue;
    if (known - left < least - kSame) break;
    ++tried;
    const double gain = (before - bag_entropy(left_.data()) - bag_entropy(right_.data())) / total_;
    if (gain <= best + kSame) continue;
    best = gain;
    at = group;
    best_left_ = left_;
  }
  if (best <= 0) return std::nullopt;
  // The threshold is a value of the training table, so that it means what the data says.
  const auto& extents = data_.attributes[index].extents;
  const double middle = between(numbers_[at], numbers_[at + 1]);
  const auto above = std::upper_bound(extents.begin(), extents.end(), middle,
                                      [](double number, const Extent& extent) { return number < extent.low; });
  return numeric_split(index, (above - 1)->low, best, tried);
}

std::optional<C45Split> SplitSearch::numeric_split(uint32_t index, double threshold, double gain, size_t tried) {
  C45Split split;
  split.attribute = index;
  split.threshold = threshold;
  split.gain = gain - std::log2(static_cast<double>(tried)) / total_;
  if (split.gain <= kSame) return std::nullopt;
  const double left = sum_of(best_left_);
  split.branches = {left, sum_of(known_) - left};
  split.gain_ratio = gain_ratio(split, total_);
  return split;
}

// The best cut when numbers may be spread over ranges. The weight to the left of a cut is then piecewise linear, and
// the gain convex between the ends of ranges: it is enough to try the ends, and the middle of stretches that no
// range crosses.
std::optional<C45Split> SplitSearch::cut_extents(uint32_t index, const NodeRows& rows, const PathLimits::Limit& limit) {
  const Attribute& attribute = data_.attributes[index];
  struct Event {
    double at;
    double point, slope;  // weight that lies here; change of weight per unit from here on
    uint32_t of_class;
    int open;  // change of the number of ranges
  };
  std::vector<Event> events;
  std::fill(known_.begin(), known_.end(), 0.0);
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t row = rows.rows[i], code = attribute.codes[row], c = data_.class_of[row];
    if (code == Attribute::kMissing) continue;
    const Extent& extent = attribute.extents[code];
    const double low = std::max(extent.low, limit.low), high = std::min(extent.high, limit.high);
    const double weight = rows.weights[i];
    known_[c] += weight;
    if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) {
      events.push_back({std::min(low, high), weight, 0, c, 0});
      continue;
    }
    events.push_back({low, 0, weight / (high - low), c, 1});
    events.push_back({high, 0, -weight / (high - low), c, -1});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
  const double known = sum_of(known_), least = least_branch(known);
  if (known < 2 * least - kSame) return std::nullopt;
  std::fill(left_.begin(), left_.end(), 0.0);
  std::vector<double> slopes(classes_, 0);
  const double before = bag_entropy(known_.data());
  double best = 0, threshold = 0, tried_left = 0;
  size_t tried = 0;
  int open = 0;
  for (size_t i = 0; i < events.size();) {
    const double at = events[i].at;
    for (; i < events.size() && events[i].at == at; ++i) {
      left_[events[i].of_class] += events[i].point;
      slopes[events[i].of_class] += events[i].slope;
      open += events[i].open;
    }
    if (open == 0) std::fill(slopes.begin(), slopes.end(), 0.0);
    if (i == events.size()) break;
    const double left = sum_of(left_);
    if (left > tried_left + kSame && left >= least - kSame && known - left >= least - kSame) {
      ++tried;
      tried_left = left;
      for (size_t c = 0; c < classes_; ++c) right_[c] = std::max(0.0, known_[c] - left_[c]);
      const double gain = (before - bag_entropy(left_.data()) - bag_entropy(right_.data())) / total_;
      if (gain > best + kSame) {
        best = gain;
        threshold = open == 0 ? between(at, events[i].at) : at;
        best_left_ = left_;
      }
    }
    for (size_t c = 0; c < classes_; ++c) left_[c] += slopes[c] * (events[i].at - at);
  }
  if (best <= 0) return std::nullopt;
  return numeric_split(index, threshold, best, tried);
}

}  // namespace shoal
