#include "shoal/plan/cut_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr double kLeastShare = 0.2;
constexpr size_t kRouteBlock = 1 << 14;  // rows

double entropy(double share) { return -share * std::log2(share) - (1 - share) * std::log2(1 - share); }

}  // namespace

void CutTree::cut(uint32_t leaf, size_t column, uint32_t first_right) {
  const auto left = static_cast<uint32_t>(nodes_.size());
  nodes_[leaf] = {column, first_right, left, left + 1};
  nodes_.resize(nodes_.size() + 2);
}

// Node by node, not row by row: a column's codes are unpacked once per node that cuts it.
std::vector<uint32_t> CutTree::route(const Table& table, int threads) const {
  std::vector<uint32_t> leaf_of_row(table.rows, 0);
  run_tasks((table.rows + kRouteBlock - 1) / kRouteBlock, threads, [&](size_t, size_t block) {
    const size_t first = block * kRouteBlock, last = std::min(table.rows, first + kRouteBlock);
    // Children have higher numbers than their parent.
    std::vector<std::vector<uint32_t>> rows(nodes_.size());
    for (size_t row = first; row < last; ++row) rows[0].push_back(static_cast<uint32_t>(row));
    for (uint32_t node = 0; node < nodes_.size(); ++node) {
      const Node& here = nodes_[node];
      if (rows[node].empty()) continue;
      if (here.is_leaf()) {
        for (uint32_t row : rows[node]) leaf_of_row[row] = node;
      } else {
        table.quasi[here.column].codes.visit([&](auto codes) {
          for (uint32_t row : rows[node]) rows[codes[row] < here.first_right ? here.left : here.right].push_back(row);
        });
      }
      rows[node] = {};
    }
  });
  return leaf_of_row;
}

CutGrower::CutGrower(const PilotGroups& pilot, size_t least_rows)
    : pilot_(pilot), least_rows_(std::max<size_t>(least_rows, 1)), rows_of_node_(1), uncut_{true} {
  for (uint32_t row = 0; row < pilot.table->rows; ++row) rows_of_node_[0].push_back(row);
  for (const std::vector<uint32_t>& groups : pilot.groups) {
    const size_t count = groups.empty() ? 0 : size_t{*std::max_element(groups.begin(), groups.end())} + 1;
    total_.emplace_back(count, 0);
    left_of_.emplace_back(count, 0);
  }
}

void CutGrower::grow(size_t leaves) {
  while (tree_.leaves() < leaves) {
    std::optional<uint32_t> largest;
    for (uint32_t node = 0; node < rows_of_node_.size(); ++node) {
      if (!uncut_[node]) continue;
      if (!largest || rows_of_node_[node].size() > rows_of_node_[*largest].size()) largest = node;
    }
    if (!largest) return;
    cut(*largest);
  }
}

bool CutGrower::cut(uint32_t leaf) {
  if (!uncut_[leaf]) return false;
  uncut_[leaf] = false;
  const std::vector<uint32_t> rows = std::move(rows_of_node_[leaf]);
  const std::optional<Choice> choice = best_cut(rows);
  if (!choice) {
    rows_of_node_[leaf] = rows;
    return false;
  }
  tree_.cut(leaf, choice->column, choice->first_right);
  rows_of_node_[leaf].clear();
  rows_of_node_.resize(tree_.nodes().size());
  uncut_.resize(tree_.nodes().size(), true);
  const CutTree::Node& node = tree_.nodes()[leaf];
  pilot_.table->quasi[choice->column].codes.visit([&](auto codes) {
    for (uint32_t row : rows) {
      rows_of_node_[codes[row] < choice->first_right ? node.left : node.right].push_back(row);
    }
  });
  return true;
}

std::optional<CutGrower::Choice> CutGrower::best_cut(const std::vector<uint32_t>& rows) {
  for (size_t r = 0; r < pilot_.groups.size(); ++r) {
    for (uint32_t row : rows) ++total_[r][pilot_.groups[r][row]];
  }
  std::optional<Choice> best;
  const auto fifth = static_cast<size_t>(std::ceil(kLeastShare * double(rows.size())));
  for (size_t least : {std::max(fifth, least_rows_), least_rows_}) {
    for (size_t column : pilot_.columns) try_column(column, rows, least, best);
    if (best) break;
  }
  for (size_t r = 0; r < pilot_.groups.size(); ++r) {
    for (uint32_t row : rows) total_[r][pilot_.groups[r][row]] = 0;
  }
  return best;
}

// Rows change sides one after the other, in the order of their codes; what a group adds to the crossed rows changes by
// one each time.
void CutGrower::try_column(size_t column, const std::vector<uint32_t>& rows, size_t least,
                           std::optional<Choice>& best) {
  std::vector<std::pair<uint32_t, uint32_t>> by_code;
  by_code.reserve(rows.size());
  pilot_.table->quasi[column].codes.visit([&](auto codes) {
    for (uint32_t row : rows) by_code.emplace_back(codes[row], row);
  });
  std::sort(by_code.begin(), by_code.end());
  int64_t crossed = 0;
  for (size_t i = 0; i + least < by_code.size(); ++i) {
    for (size_t r = 0; r < pilot_.groups.size(); ++r) {
      const uint32_t group = pilot_.groups[r][by_code[i].second], rows_in = total_[r][group];
      uint32_t& left = left_of_[r][group];
      crossed -= std::min(left, rows_in - left);
      ++left;
      crossed += std::min(left, rows_in - left);
    }
    if (i + 1 < least || by_code[i].first == by_code[i + 1].first) continue;
    const double evenness = entropy(double(i + 1) / double(by_code.size()));
    const Choice choice{double(crossed) / evenness, evenness, column, by_code[i + 1].first};
    if (!best || choice.score < best->score || (choice.score == best->score && choice.evenness > best->evenness)) {
      best = choice;
    }
  }
  for (size_t r = 0; r < pilot_.groups.size(); ++r) {
    for (const auto& [code, row] : by_code) left_of_[r][pilot_.groups[r][row]] = 0;
  }
}

}  // namespace shoal
