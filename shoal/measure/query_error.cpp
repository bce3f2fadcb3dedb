#include "shoal/measure/query_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shoal {
namespace {

// Leaves of a numeric column that are numbers: all but missing, which is the last.
uint32_t numbers_of(const Hierarchy& hierarchy) {
  return static_cast<uint32_t>(hierarchy.leaves()) - (hierarchy.missing() ? 1 : 0);
}

QueryCondition draw_node(const Hierarchy& hierarchy, size_t column, LongRandom& random) {
  std::vector<uint32_t> inner;
  for (uint32_t node = 0; node < hierarchy.nodes(); ++node) {
    if (!hierarchy.is_leaf(node)) inner.push_back(node);
  }
  if (inner.empty() || random.below(2) == 0) {
    const auto leaf = static_cast<uint32_t>(random.below(hierarchy.leaves()));
    return {column, leaf, leaf};
  }
  const Hierarchy::NodeInfo& node = hierarchy.node(inner[random.below(inner.size())]);
  return {column, node.first, node.last};
}

bool all_whole(const Hierarchy& hierarchy) {
  for (uint32_t leaf = 0; leaf < numbers_of(hierarchy); ++leaf) {
    if (hierarchy.number(leaf) != std::floor(hierarchy.number(leaf))) return false;
  }
  return true;
}

}  // namespace

Query draw_query(const std::vector<Hierarchy>& hierarchies, std::span<const size_t> columns, LongRandom& random) {
  Query query;
  for (size_t column : columns) {
    const Hierarchy& hierarchy = hierarchies[column];
    if (!hierarchy.numeric() || numbers_of(hierarchy) == 0) {
      query.push_back(draw_node(hierarchy, column, random));
      continue;
    }
    const auto a = static_cast<uint32_t>(random.below(numbers_of(hierarchy)));
    const auto b = static_cast<uint32_t>(random.below(numbers_of(hierarchy)));
    query.push_back({column, std::min(a, b), std::max(a, b)});
  }
  return query;
}

QueryFinder::QueryFinder(const Table& table, const std::vector<Hierarchy>& hierarchies,
                         std::span<const size_t> columns) {
  std::vector<GroupKey> keys;
  keys.reserve(columns.size());
  for (size_t column : columns) keys.push_back({&table.quasi[column].codes, hierarchies[column].leaves()});
  Tuples tuples = distinct_tuples(table.rows, keys);
  for (size_t j = 0; j < columns.size(); ++j) {
    Part part{
        columns[j], std::move(tuples.columns[j]), {}, std::vector<uint32_t>(hierarchies[columns[j]].leaves() + 1)};
    for (uint32_t leaf : part.leaf_of_tuple) ++part.starts[leaf + 1];
    std::partial_sum(part.starts.begin(), part.starts.end(), part.starts.begin());
    std::vector<uint32_t> next = part.starts;
    part.tuples.resize(part.leaf_of_tuple.size());
    for (uint32_t tuple = 0; tuple < part.tuples.size(); ++tuple)
      part.tuples[next[part.leaf_of_tuple[tuple]]++] = tuple;
    parts_.push_back(std::move(part));
  }
}

const QueryFinder::Part& QueryFinder::part(size_t column) const {
  return *std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return part.column == column; });
}

bool QueryFinder::any(const Query& query) const {
  std::span<const uint32_t> rarest;
  for (size_t i = 0; i < query.size(); ++i) {
    const Part& of = part(query[i].column);
    const size_t first = of.starts[query[i].first], last = of.starts[query[i].last + 1];
    if (i == 0 || last - first < rarest.size()) rarest = std::span(of.tuples).subspan(first, last - first);
  }
  return std::any_of(rarest.begin(), rarest.end(), [&](uint32_t tuple) {
    return std::all_of(query.begin(), query.end(), [&](const QueryCondition& condition) {
      const uint32_t leaf = part(condition.column).leaf_of_tuple[tuple];
      return condition.first <= leaf && leaf <= condition.last;
    });
  });
}

QueryEstimator::QueryEstimator(const std::vector<Hierarchy>& hierarchies, const ReleasedTable& released, size_t rows,
                               std::vector<size_t> columns, std::optional<size_t> sum)
    : hierarchies_(hierarchies) {
  for (const Hierarchy& hierarchy : hierarchies) whole_.push_back(hierarchy.numeric() && all_whole(hierarchy));
  if (sum) columns.push_back(*sum);
  std::vector<GroupKey> keys;
  for (size_t column : columns) keys.push_back({&released.quasi[column].codes, released.quasi[column].values.size()});
  const Groups groups = group_rows(rows, keys, released.dropped_rows);
  const bool dropped = !released.dropped_rows.empty();
  worth_.assign(groups.sizes.begin(), groups.sizes.end());
  if (dropped) worth_.push_back(double(released.dropped_rows.size()));
  for (size_t column : columns) {
    Part part{column, released.quasi[column].values, std::vector<uint32_t>(worth_.size())};
    for (size_t row = 0; row < rows; ++row) {
      const uint32_t group = groups.group_of_row[row];
      if (group != kNoGroup) part.value_of_tuple[group] = released.quasi[column].codes[row];
    }
    if (dropped) part.value_of_tuple.back() = static_cast<uint32_t>(part.values.size());
    part.values.push_back(released_node(hierarchies[column], Hierarchy::kRoot));
    parts_.push_back(std::move(part));
  }
  if (!sum) return;
  for (size_t tuple = 0; tuple < worth_.size(); ++tuple) {
    worth_[tuple] *= expected_number(parts_.back().values[parts_.back().value_of_tuple[tuple]], *sum);
  }
  parts_.pop_back();
}

double QueryEstimator::estimate(const Query& query) const {
  std::vector<double> shares, chance = worth_;
  for (const QueryCondition& condition : query) {
    const auto part = std::find_if(parts_.begin(), parts_.end(),
                                   [&](const Part& candidate) { return candidate.column == condition.column; });
    shares.clear();
    for (const Released& cell : part->values) shares.push_back(share(cell, condition));
    for (size_t tuple = 0; tuple < chance.size(); ++tuple) chance[tuple] *= shares[part->value_of_tuple[tuple]];
  }
  return std::accumulate(chance.begin(), chance.end(), 0.0);
}

double QueryEstimator::share(const Released& cell, const QueryCondition& condition) const {
  const Hierarchy& hierarchy = hierarchies_[condition.column];
  const uint32_t first = std::max(cell.first, condition.first), last = std::min(cell.last, condition.last);
  const double leaves = double(cell.last - cell.first) + 1;
  if (!hierarchy.numeric() || cell.first == cell.last) return first > last ? 0 : (double(last - first) + 1) / leaves;
  // A cell that may be missing is so with the weight of one value among those it covers.
  const bool with_missing = hierarchy.missing() && cell.last == *hierarchy.missing();
  const bool asks_missing = hierarchy.missing() && condition.first == *hierarchy.missing();
  if (asks_missing) return with_missing ? 1 / leaves : 0;
  const double known = with_missing ? 1 - 1 / leaves : 1;
  const uint32_t cell_last = with_missing ? cell.last - 1 : cell.last;
  const double low = hierarchy.number(cell.first), high = hierarchy.number(cell_last);
  if (low == high) return first > last ? 0 : known;
  const double from = std::max(low, hierarchy.number(condition.first));
  const double to = std::min(high, hierarchy.number(condition.last));
  if (from > to) return 0;
  // Whole numbers are equally likely each; between other numbers anything is.
  const double step = whole_[condition.column] ? 1 : 0;
  return known * (to - from + step) / (high - low + step);
}

double QueryEstimator::expected_number(const Released& cell, size_t column) const {
  const Hierarchy& hierarchy = hierarchies_[column];
  const bool with_missing = hierarchy.missing() && cell.last == *hierarchy.missing();
  if (with_missing && cell.first == cell.last) return 0;
  const double leaves = double(cell.last - cell.first) + 1;
  const double known = with_missing ? 1 - 1 / leaves : 1;
  const uint32_t last = with_missing ? cell.last - 1 : cell.last;
  return known * (hierarchy.number(cell.first) + hierarchy.number(last)) / 2;
}

QueryErrorSummary summarize_errors(std::vector<double> errors) {
  QueryErrorSummary summary;
  summary.queries = errors.size();
  if (errors.empty()) return summary;
  std::sort(errors.begin(), errors.end());
  const size_t count = errors.size();
  summary.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / double(count);
  summary.median = (errors[(count - 1) / 2] + errors[count / 2]) / 2;
  summary.percentile90 = errors[(count * 9 + 9) / 10 - 1];
  return summary;
}

}  // namespace shoal
