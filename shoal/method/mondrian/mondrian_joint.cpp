// What must be kept while cells of several requirements are cut: that every requirement's cells partition the rows into
// boxes of at least k rows. A cut on a column that several requirements have moves through all cells linked by common
// rows; it is tried on the histograms of all of them before a row is moved.
#include "shoal/method/mondrian/mondrian_joint.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <queue>
#include <tuple>
#include <utility>

#include "shoal/method/mondrian/mondrian_rules.h"

namespace shoal::mondrian {
namespace {

// Borders (a leaf each: between it and the next) that no cut may take, as disjoint stretches.
class BlockedBorders {
 public:
  void clear() { stretches_.clear(); }
  void add(uint32_t begin, uint32_t end) {
    if (begin < end) stretches_.push_back({begin, end});
  }
  // Sorts and joins what was added.
  void finish() {
    std::sort(stretches_.begin(), stretches_.end());
    size_t kept = 0;
    for (const auto& [begin, end] : stretches_) {
      if (kept > 0 && begin <= stretches_[kept - 1].second) {
        stretches_[kept - 1].second = std::max(stretches_[kept - 1].second, end);
      } else {
        stretches_[kept++] = {begin, end};
      }
    }
    stretches_.resize(kept);
  }
  // The first free border from `border` on.
  uint32_t free_from(uint32_t border) const {
    const auto after =
        std::upper_bound(stretches_.begin(), stretches_.end(), std::pair{border, std::numeric_limits<uint32_t>::max()});
    if (after == stretches_.begin()) return border;
    return std::max(border, std::prev(after)->second);
  }

 private:
  std::vector<std::pair<uint32_t, uint32_t>> stretches_;
};

// One requirement's cells while they are cut.
struct Part {
  Requirement requirement;
  std::unique_ptr<SideTallies> tallies;  // where the requirement asks for more than k rows
  std::vector<CutColumn> columns;
  std::unique_ptr<Rows> rows;  // packed from the requirement's columns; a cell is a region of it
  std::unique_ptr<CutRule> rule;
  std::vector<Region> regions;        // [cell]
  std::vector<Interval> boxes;        // [cell * columns + i]
  std::vector<uint32_t> cell_of_row;  // [row]
  std::vector<uint32_t> refused;      // [cell * columns + i]: the round in which no joint cut was allowable
  std::vector<uint32_t> seen;         // [cell]: the link search that came by
  size_t width() const { return columns.size(); }
};

class JointSearch final : private Permission {
 public:
  explicit JointSearch(const Search& search)
      : search_(search), parts_(search.requirements.size()), holders_(search.columns.size()), linked_(parts_.size()) {
    for (size_t r = 0; r < parts_.size(); ++r) {
      Part& part = parts_[r];
      part.requirement = search.requirements[r];
      if (!search.rules.empty() && !search.rules[r]->rows_only()) {
        part.tallies = std::make_unique<SideTallies>(std::vector<const GroupRule*>{search.rules[r].get()});
      }
      std::vector<size_t> quasi;
      for (size_t i = 0; i < part.requirement.columns.size(); ++i) {
        const size_t column = part.requirement.columns[i];
        holders_[column].push_back({r, i});
        part.columns.push_back(search.columns[column]);
        quasi.push_back(search.quasi[column]);
        part.boxes.push_back({0, static_cast<uint32_t>(part.columns.back().hierarchy->leaves() - 1)});
      }
      part.rows = Rows::pack(search.table, quasi, {}, search.threads);
      part.rule = search.make_rule(part.columns, false);
      part.cell_of_row.assign(search.table.rows, 0);
      part.regions.push_back({0, search.table.rows});
      part.refused.assign(part.width(), 0);
      part.seen.push_back(0);
    }
  }

  JointCuts run() {
    cut_all();
    if (search_.relaxed && !result_.out_of_time) {
      // Only when no strict cut is left: a dealt cut makes cells smaller and joint cuts harder.
      dealing_ = true;
      for (Part& part : parts_) {
        result_.cuts_tried += part.rule->tried();
        part.rule = search_.make_rule(part.columns, true);
      }
      cut_all();
    }
    for (Part& part : parts_) {
      result_.cuts_tried += part.rule->tried();
      result_.cells.push_back({std::move(part.cell_of_row), std::move(part.boxes)});
    }
    return std::move(result_);
  }

 private:
  static constexpr size_t kLast = std::numeric_limits<size_t>::max();

  uint64_t rows_in(size_t r, size_t cell) const { return parts_[r].rows->rows(parts_[r].regions[cell]); }
  void wait(size_t r, size_t cell) { waiting_.push({rows_in(r, cell), kLast - r, kLast - cell}); }

  // What links cells can fall apart by cuts on other columns, and then cuts become allowable that were not: rounds over
  // all cells until one makes no cut.
  void cut_all() {
    for (bool more = true; more;) {
      const uint64_t before = result_.cuts_made;
      more = round() && result_.cuts_made > before;
    }
  }

  // False when out of time.
  bool round() {
    ++round_;
    for (size_t r = 0; r < parts_.size(); ++r) {
      for (size_t cell = 0; cell < parts_[r].regions.size(); ++cell) wait(r, cell);
    }
    while (!waiting_.empty()) {
      const auto [rows, from_last_requirement, from_last_cell] = waiting_.top();
      waiting_.pop();
      requirement_ = kLast - from_last_requirement;
      cell_ = kLast - from_last_cell;
      Part& part = parts_[requirement_];
      if (rows_in(requirement_, cell_) != rows) continue;  // cut since, and waiting again
      search_.progress->check();
      if (search_.progress->out_of_time()) {
        result_.out_of_time = true;
        return false;
      }
      if (rows < 2 * part.requirement.k) continue;
      const std::optional<Cut> cut = part.rule->choose(*part.rows, part.regions[cell_], *this);
      if (cut) make(*cut);
    }
    return true;
  }

  // Permission, for cell_ of requirement_. Columns count within the requirement.
  std::optional<Scope> scope(size_t column) override {
    Part& part = parts_[requirement_];
    const auto& holders = holders_[part.requirement.columns[column]];
    if (holders.size() == 1) {
      const std::span<const Region> alone = std::span(part.regions).subspan(cell_, 1);
      if (!part.tallies) return Scope{alone, part.requirement.k};
      part.tallies->start(*part.rows, alone.front(), column);
      return Scope{alone, std::numeric_limits<uint64_t>::max()};
    }
    if (dealing_) return std::nullopt;
    if (part.refused[cell_ * part.width() + column] == round_) return std::nullopt;
    find_linked(column);
    if (!block_borders(holders)) {
      for (const auto& [r, i] : holders) {
        for (size_t cell : linked_[r]) parts_[r].refused[cell * parts_[r].width() + i] = round_;
      }
      return std::nullopt;
    }
    scope_.clear();
    for (size_t cell : linked_[requirement_]) scope_.push_back(part.regions[cell]);
    return Scope{scope_, std::numeric_limits<uint64_t>::max()};
  }

  bool allows(const Cut& cut) override {
    const Part& part = parts_[requirement_];
    if (holders_[part.requirement.columns[cut.column]].size() > 1) {
      return blocked_.free_from(cut.last_left) < cut.first_right;
    }
    return part.tallies && part.tallies->both_hold(cut.left_rows);
  }

  // linked_[r] becomes the cells of requirement r linked to the cell at hand on this column, for all that contain it.
  void find_linked(size_t column) {
    const auto& holders = holders_[parts_[requirement_].requirement.columns[column]];
    ++search_number_;
    for (const auto& [r, i] : holders) linked_[r].clear();
    auto reach = [&](size_t r, size_t cell) {
      if (parts_[r].seen[cell] == search_number_) return;
      parts_[r].seen[cell] = search_number_;
      linked_[r].push_back(cell);
      unfollowed_.push_back({r, cell});
    };
    reach(requirement_, cell_);
    while (!unfollowed_.empty()) {
      const auto [r, cell] = unfollowed_.back();
      unfollowed_.pop_back();
      for (const auto& [other, i] : holders) {
        if (other == r) continue;
        const std::vector<uint32_t>& cell_of_row = parts_[other].cell_of_row;
        for (uint32_t row : parts_[r].rows->numbers(parts_[r].regions[cell])) reach(other, cell_of_row[row]);
      }
    }
    // Whatever the order in which rows stand: cells are cut, and numbered, in this one.
    for (const auto& [r, i] : holders) std::sort(linked_[r].begin(), linked_[r].end());
  }

  // Blocks the borders that would leave a linked cell with fewer than k rows (or rows that break its rule), but some,
  // on a side. Returns whether a border that parts the rows is free. Requires find_linked.
  bool block_borders(const std::vector<std::pair<size_t, size_t>>& holders) {
    blocked_.clear();
    uint32_t least = std::numeric_limits<uint32_t>::max(), greatest = 0;
    for (const auto& [r, i] : holders) {
      const Part& part = parts_[r];
      for (size_t cell : linked_[r]) {
        if (part.tallies) {
          const auto [first, last] = block_borders_of(part, cell, i);
          least = std::min(least, first);
          greatest = std::max(greatest, last);
          continue;
        }
        // The k-th least and the k-th greatest leaf: borders before the one and from the other on leave too few rows.
        leaves_.resize(part.regions[cell].size());
        part.rows->copy(part.regions[cell], i, leaves_);
        const auto [first, last] = std::minmax_element(leaves_.begin(), leaves_.end());
        least = std::min(least, *first);
        greatest = std::max(greatest, *last);
        const uint32_t least_here = *first, greatest_here = *last;
        const auto [low, high] = middle_leaves(part, part.regions[cell]);
        blocked_.add(least_here, low);
        blocked_.add(high, greatest_here);
      }
    }
    blocked_.finish();
    return blocked_.free_from(least) < greatest;
  }

  // The k-th least and the k-th greatest of leaves_, which are those of the region, counted in rows of the input.
  std::pair<uint32_t, uint32_t> middle_leaves(const Part& part, Region region) {
    const std::span<const uint32_t> times = part.rows->times(), numbers = part.rows->numbers(region);
    if (times.empty()) {
      const auto k = static_cast<ptrdiff_t>(part.requirement.k);
      std::nth_element(leaves_.begin(), leaves_.begin() + k - 1, leaves_.end());
      const uint32_t low = leaves_[static_cast<size_t>(k - 1)];
      std::nth_element(leaves_.begin(), leaves_.end() - k, leaves_.end());
      return {low, *(leaves_.end() - k)};
    }
    counted_.clear();
    for (size_t i = 0; i < leaves_.size(); ++i) counted_.emplace_back(leaves_[i], times[numbers[i]]);
    std::sort(counted_.begin(), counted_.end());
    const auto leaf_at = [&](auto from) {
      for (uint64_t rows = 0; (rows += from->second) < part.requirement.k;) ++from;
      return from->first;
    };
    return {leaf_at(counted_.cbegin()), leaf_at(counted_.crbegin())};
  }

  // The same for one cell of a requirement with a rule: every border between its leaves is tried. Returns the least and
  // the greatest leaf.
  std::pair<uint32_t, uint32_t> block_borders_of(const Part& part, size_t cell, size_t column) {
    part.tallies->start(*part.rows, part.regions[cell], column);
    const std::span<const uint64_t> order = part.tallies->order();
    uint64_t left_rows = 0;
    for (size_t left = 1; left < order.size(); ++left) {
      left_rows += part.tallies->times(left - 1);
      const auto last_left = static_cast<uint32_t>(order[left - 1] >> 32);
      const auto first_right = static_cast<uint32_t>(order[left] >> 32);
      if (last_left < first_right && !part.tallies->both_hold(left_rows)) blocked_.add(last_left, first_right);
    }
    return {static_cast<uint32_t>(order.front() >> 32), static_cast<uint32_t>(order.back() >> 32)};
  }

  void make(Cut cut) {
    const size_t column = parts_[requirement_].requirement.columns[cut.column];
    const auto& holders = holders_[column];
    if (holders.size() == 1) {
      part_cell(requirement_, cell_, cut);
    } else {
      find_linked(cut.column);
      block_borders(holders);
      uint32_t end = border(*search_.columns[column].hierarchy, cut.last_left, cut.first_right);
      if (blocked_.free_from(end) != end) end = blocked_.free_from(cut.last_left);
      for (const auto& [r, i] : holders) {
        for (size_t cell : linked_[r]) part_cell(r, cell, {i, end, end + 1, Cut::kEveryRow, 0});
      }
    }
    ++result_.cuts_made;
    const auto rows = static_cast<double>(parts_[requirement_].regions[cell_].size());
    search_.update_progress(0.5 - 0.5 * rows / static_cast<double>(search_.table.rows));
    wait(requirement_, cell_);
  }

  // The left side stays the cell, the right side becomes a new one; without rows on one side only the box shrinks.
  void part_cell(size_t r, size_t cell, const Cut& cut) {
    Part& part = parts_[r];
    const Region whole = part.regions[cell];
    const size_t middle = part.rows->partition(whole, cut);
    Interval& interval = part.boxes[cell * part.width() + cut.column];
    const auto [left, right] = sides(*part.columns[cut.column].hierarchy, interval, cut);
    interval = middle == whole.begin ? right : left;
    if (middle == whole.begin || middle == whole.end) return;
    const size_t added = part.regions.size();
    part.regions[cell].end = middle;
    part.regions.push_back({middle, whole.end});
    for (uint32_t row : part.rows->numbers(part.regions.back())) part.cell_of_row[row] = static_cast<uint32_t>(added);
    for (size_t i = 0; i < part.width(); ++i) {
      part.boxes.push_back(Interval(part.boxes[cell * part.width() + i]));
      part.refused.push_back(uint32_t{part.refused[cell * part.width() + i]});
    }
    part.boxes[added * part.width() + cut.column] = right;
    part.seen.push_back(0);
    if (r != requirement_ || cell != cell_) wait(r, cell);
    wait(r, added);
  }

  const Search& search_;
  std::vector<Part> parts_;                                      // [requirement]
  std::vector<std::vector<std::pair<size_t, size_t>>> holders_;  // [column]: requirements that contain it, and where
  std::priority_queue<std::tuple<uint64_t, size_t, size_t>> waiting_;  // rows, kLast - requirement, kLast - cell
  size_t requirement_ = 0, cell_ = 0;                                  // the cell at hand
  bool dealing_ = false;  // strict cuts are over: columns of one requirement are cut by dealing equal values
  uint32_t round_ = 0, search_number_ = 0;
  std::vector<std::vector<size_t>> linked_;  // [requirement]: cells, for the column at hand
  std::vector<std::pair<size_t, size_t>> unfollowed_;
  BlockedBorders blocked_;  // for the column at hand
  std::vector<Region> scope_;
  std::vector<uint32_t> leaves_;
  std::vector<std::pair<uint32_t, uint32_t>> counted_;  // leaf, rows
  JointCuts result_;
};

}  // namespace

JointCuts make_joint_cuts(const Search& search) { return JointSearch(search).run(); }

}  // namespace shoal::mondrian
