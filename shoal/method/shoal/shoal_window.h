// A few hundred or thousand rows in some dozens of nearby groups, held so that moving a row is cheap to price, cheap
// to do and cheap to take back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "shoal/method/shoal/rules/row_kinds.h"
#include "shoal/method/shoal/shoal_floors.h"
#include "shoal/method/space/ncp_space.h"

namespace shoal {

// Every group keeps, per column, its least and greatest leaf, how many of its rows lie on each of these borders, and
// what that costs; per class, its rows. Rows and groups are numbered from 0 inside the window. Groups may be empty
// for a while; store() leaves empty ones out. Not safe to share between threads; memory is kept between loads.
//
// With a rule every group also keeps what the rule counts in it, and whether rows may leave and join is asked there.
class ShoalWindow {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

  ShoalWindow(const NcpSpace& space, uint64_t k) : ShoalWindow(space, k, nullptr) {}
  // Groups must have what the rule asks for (null: k rows alone). The rule must outlive the window.
  ShoalWindow(const NcpSpace& space, uint64_t k, const GroupRule* rule)
      : space_(space), width_(space.columns()), k_(k), rule_(rule), floors_(space) {}
  // What a group costs because it is there (average_risk.h); 0 unless set, and kept between loads.
  void set_group_price(double price) { group_price_ = price; }
  // Where the rule counts all rows of one of few kinds alike, its answers are remembered by kind until the group
  // changes. The kinds must be the rule's and outlive the window; kept between loads.
  void set_kinds(const RowKinds& kinds) {
    kinds_ = kinds.exact() && kinds.kinds() <= kRememberedKinds ? &kinds : nullptr;
  }
  // Whether asking if rows may leave and join costs next to nothing.
  bool answers_at_once() const { return !rule_ || kinds_; }
  double group_price() const { return group_price_; }

  // Takes these groups of the partition.
  void load(const RowGroups& partition, std::span<const uint32_t> groups);
  // Appends the window's groups to `partition`.
  void store(RowGroups& partition) const;

  const NcpSpace& space() const { return space_; }
  uint64_t k() const { return k_; }
  size_t rows() const { return group_of_.size(); }
  size_t groups() const { return members_.size(); }
  // Codes of a row, one per column of the space.
  const uint32_t* row(uint32_t row) const { return codes_.data() + size_t{row} * width_; }
  const uint32_t* codes() const { return codes_.data(); }
  // Where each row stands in the table.
  const uint32_t* table_rows() const { return table_rows_.data(); }
  const uint32_t* classes() const { return classes_.data(); }
  uint32_t group_of(uint32_t row) const { return group_of_[row]; }
  const std::vector<uint32_t>& members(uint32_t group) const { return members_[group]; }
  size_t size(uint32_t group) const { return members_[group].size(); }
  uint32_t lo(uint32_t group, size_t column) const { return box(group)[column].lo; }
  uint32_t hi(uint32_t group, size_t column) const { return box(group)[column].hi; }
  double column_price(uint32_t group, size_t column) const { return box(group)[column].cost; }
  // What each row of the group pays, mixing aside.
  double price(uint32_t group) const { return price_[group]; }
  // rows x price + mixing penalty + the price of having the group.
  double cost(uint32_t group) const {
    return double(size(group)) * price_[group] + mixing_penalty(space_.mixing(), double(size(group)), squares_[group]) +
           (members_[group].empty() ? 0 : group_price_);
  }
  double total_cost() const;
  // Counts changes of this group: grows whenever a row joins or leaves it.
  uint64_t stamp(uint32_t group) const { return stamp_[group]; }
  uint64_t clock() const { return clock_; }

  // By how much the group's cost grows when the row joins (exact). Requires a group that is not empty.
  double cost_to_add(uint32_t group, uint32_t row) const;
  // By how much its cost falls when the row leaves.
  double saved_by_removing(uint32_t group, uint32_t row) const;
  // True when the row alone holds one of its group's borders: without it the box is smaller.
  bool holds_border(uint32_t group, uint32_t row) const;

  // Null where groups need k rows and nothing else.
  const GroupRule* rule() const { return rule_; }
  // What the rule counts in the group. Requires a rule.
  const GroupTally& tally(uint32_t group) const { return tallies_[group]; }
  // Whether the group may be released as it is.
  bool holds(uint32_t group) const {
    return rule_ ? rule_->holds(tallies_[group]) : size(group) == 0 || size(group) >= k_;
  }
  // Whether the row's group may be released without it, and the group with it.
  bool may_leave(uint32_t row) {
    const uint32_t group = group_of_[row];
    if (!rule_) return size(group) > k_;
    return remembered(&Answers::leave, group, row,
                      [&] { return rule_->holds_after_removing(tallies_[group], table_rows_[row]); });
  }
  bool may_join(uint32_t group, uint32_t row) {
    if (!rule_) return true;
    return remembered(&Answers::join, group, row,
                      [&] { return rule_->holds_after_adding(tallies_[group], table_rows_[row]); });
  }

  struct Place {
    uint32_t group = kNone;
    double cost = 0;
  };
  // Of the groups that the row may join, `except` aside, the one where it adds least, if that is below `limit`; the
  // first such group in case of ties. Only groups changed after `since` are looked at.
  Place cheapest_place(uint32_t row, uint32_t except, double limit, uint64_t since = 0);

  // The groups other than `except` where the row would add less than `limit` besides their price per row, with what it
  // adds so; whether it may join them is not asked.
  void join_costs(uint32_t row, uint32_t except, double limit, std::vector<std::pair<double, uint32_t>>& found);
  // What making two groups one adds, mixing and the price of groups left out.
  double union_adds(uint32_t a, uint32_t b) const;

  void add(uint32_t group, uint32_t row);
  void remove(uint32_t row);
  void move(uint32_t row, uint32_t group) {
    remove(row);
    add(group, row);
  }
  // Many at once, in this order: as one by one, but boxes that become smaller are measured once.
  void remove(std::span<const uint32_t> rows);
  void move(std::span<const std::pair<uint32_t, uint32_t>> rows_and_groups);
  // An empty group.
  uint32_t empty_group();
  // Gives the rows of `groups` (in `line` order) new groups that end at `ends`; groups beyond these become empty.
  void replace(std::span<const uint32_t> groups, std::span<const uint32_t> line, std::span<const uint32_t> ends);

 private:
  struct Side {
    uint32_t lo, hi;        // least and greatest leaf
    uint32_t at_lo, at_hi;  // rows on them
    double cost;
  };
  static constexpr uint32_t kRememberedKinds = 64;
  // What the rule has said about one row more or less, a bit for every kind.
  struct Answers {
    struct Bits {
      uint64_t asked = 0, yes = 0;
    };
    uint64_t stamp = 0;  // of the group that was asked about
    Bits leave, join;
  };
  template <class Ask>
  bool remembered(Answers::Bits Answers::*question, uint32_t group, uint32_t row, const Ask& ask) {
    if (!kinds_) return ask();
    Answers& answers = answers_[group];
    if (answers.stamp != stamp_[group]) answers = {stamp_[group], {}, {}};
    Answers::Bits& bits = answers.*question;
    const uint64_t bit = uint64_t{1} << kinds_->of(table_rows_[row]);
    if ((bits.asked & bit) == 0) {
      bits.asked |= bit;
      if (ask()) bits.yes |= bit;
    }
    return (bits.yes & bit) != 0;
  }
  Side* box(uint32_t group) { return boxes_.data() + size_t{group} * width_; }
  const Side* box(uint32_t group) const { return boxes_.data() + size_t{group} * width_; }
  uint32_t class_count(uint32_t group, uint32_t row) const {
    return class_counts_[size_t{group} * space_.classes() + classes_[row]];
  }
  void set_groups(size_t groups);
  void set_members(uint32_t group, std::span<const uint32_t> rows);
  void measure_box(uint32_t group);
  void take_out(uint32_t row);
  void measure_shrunk(uint32_t group);
  void measure_touched();
  void count_members(uint32_t group);
  double price_without(uint32_t group, uint32_t row) const;
  double mixing_added(uint32_t group, uint32_t row) const;
  void touch(uint32_t group);
  void refresh_floors();

  const NcpSpace& space_;
  const size_t width_;
  const uint64_t k_;
  const GroupRule* const rule_;
  const RowKinds* kinds_ = nullptr;  // null: nothing is remembered
  double group_price_ = 0;
  std::vector<uint32_t> table_rows_;            // [row] in the table
  std::vector<uint32_t> codes_, classes_;       // [row * width], [row]
  std::vector<uint32_t> group_of_, place_of_;   // [row]; place among the group's members
  std::vector<std::vector<uint32_t>> members_;  // [group]
  std::vector<Side> boxes_;                     // [group * width + column]
  std::vector<double> price_, squares_;         // [group]
  std::vector<uint32_t> class_counts_;          // [group * classes + class]
  std::vector<uint64_t> stamp_;                 // [group]
  std::vector<GroupTally> tallies_;             // [group]; empty without a rule
  std::vector<Answers> answers_;                // [group]
  uint64_t clock_ = 0;
  JoinFloors floors_;
  std::vector<uint32_t> stale_;  // groups whose floors are out of date
  std::vector<uint8_t> is_stale_;
  std::vector<uint8_t> shrunk_;    // [group]: a border has lost its last row, and the box is not measured yet
  std::vector<uint32_t> touched_;  // groups that rows leave, while many move
  std::vector<uint32_t> counted_rows_;
};

}  // namespace shoal
