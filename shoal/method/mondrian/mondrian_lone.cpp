#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "shoal/method/mondrian/mondrian_rules.h"
#include "shoal/method/mondrian/mondrian_several.h"

namespace shoal::mondrian {
namespace {

// What rules count of each projection's rows.
struct ProjectedRules {
  // `all_times`: Rows::times.
  ProjectedRules(const std::vector<std::shared_ptr<const GroupRule>>& rules, std::span<const uint32_t> all_times)
      : tallies(pointers(rules)), of_projection(rules.size()), times(all_times) {}

  const GroupTally& tally(size_t r, uint32_t projection) const { return of_projection[r][projection]; }
  void add(size_t r, uint32_t projection, std::span<const uint32_t> rows) {
    while (of_projection[r].size() <= projection) of_projection[r].push_back(tallies.rule(r).tally());
    tallies.rule(r).merge(of_projection[r][projection], tallies.rule(r).tally(rows, times));
  }
  void take(size_t r, uint32_t projection, std::span<const uint32_t> rows) {
    tallies.rule(r).subtract(of_projection[r][projection], tallies.rule(r).tally(rows, times));
  }
  // The projection's rows without these.
  GroupTally rest(size_t r, uint32_t projection, std::span<const uint32_t> rows) const {
    GroupTally rest = tally(r, projection);
    tallies.rule(r).subtract(rest, tallies.rule(r).tally(rows, times));
    return rest;
  }
  bool rest_holds(size_t r, uint32_t projection, std::span<const uint32_t> rows) const {
    return tallies.rule(r).rows_only() || tallies.rule(r).holds(rest(r, projection, rows));
  }

  SideTallies tallies;                                 // of the region and column at hand, a rule per requirement
  std::vector<std::vector<GroupTally>> of_projection;  // [r][projection]
  std::span<const uint32_t> times;

 private:
  static std::vector<const GroupRule*> pointers(const std::vector<std::shared_ptr<const GroupRule>>& rules) {
    std::vector<const GroupRule*> result;
    for (const auto& rule : rules) result.push_back(rule.get());
    return result;
  }
};

class LoneCuts final : private Permission {
 public:
  LoneCuts(const Search& search, BoxedRegions& boxed)
      : search_(search),
        boxed_(boxed),
        width_(search.columns.size()),
        rule_(search.make_rule(search.columns, search.relaxed)),
        others_(search.requirements.size()) {
    for (const Requirement& requirement : search.requirements) projections_.emplace_back(requirement);
    if (!search.rules.empty()) rules_ = std::make_unique<ProjectedRules>(search.rules, boxed.rows->times());
    for (size_t region = 0; region < boxed.regions.size(); ++region) count(region);
  }

  void run() {
    std::vector<std::pair<size_t, uint64_t>> settled;  // region, cuts made until then
    for (size_t region = 0; region < boxed_.regions.size(); ++region) wait(region);
    while (!waiting_.empty() && !boxed_.out_of_time) {
      round(settled);
      for (const auto& [region, made] : settled) {
        if (made < boxed_.cuts_made) wait(region);
      }
      std::erase_if(settled, [&](const auto& entry) { return entry.second < boxed_.cuts_made; });
    }
    boxed_.cuts_tried += rule_->tried();
  }

 private:
  static constexpr size_t kLast = std::numeric_limits<size_t>::max();

  void wait(size_t region) { waiting_.push({rows_in(region), kLast - region}); }

  void round(std::vector<std::pair<size_t, uint64_t>>& settled) {
    uint64_t settled_rows = 0;
    while (!waiting_.empty()) {
      region_ = kLast - waiting_.top().second;
      region_rows_ = waiting_.top().first;
      waiting_.pop();
      search_.progress->check();
      if (search_.progress->out_of_time()) {
        boxed_.out_of_time = true;
        return;
      }
      const std::optional<Cut> cut = rule_->choose(*boxed_.rows, boxed_.regions[region_], *this);
      if (cut) {
        make(*cut);
        wait(region_);
        wait(boxed_.regions.size() - 1);
        continue;
      }
      settled.push_back({region_, boxed_.cuts_made});
      settled_rows += boxed_.regions[region_].size();
      search_.update_progress(0.5 + 0.5 * static_cast<double>(settled_rows) / static_cast<double>(boxed_.rows->size()));
    }
  }

  std::span<const Interval> box(size_t region) const { return {boxed_.boxes.data() + region * width_, width_}; }
  uint32_t& number(size_t region, size_t r) { return numbers_[region * projections_.size() + r]; }
  uint32_t number(size_t region, size_t r) const { return numbers_[region * projections_.size() + r]; }

  // Takes the region's rows into its projections.
  void count(size_t region) {
    numbers_.resize(std::max(numbers_.size(), (region + 1) * projections_.size()));
    const uint64_t rows = rows_in(region);
    for (size_t r = 0; r < projections_.size(); ++r) {
      number(region, r) = projections_[r].number_of(box(region));
      projections_[r].add_rows(number(region, r), rows);
      if (rules_) rules_->add(r, number(region, r), rows_of(region));
    }
  }
  uint64_t rows_in(size_t region) const { return boxed_.rows->rows(boxed_.regions[region]); }
  std::span<const uint32_t> rows_of(size_t region) const { return boxed_.rows->numbers(boxed_.regions[region]); }

  // The left side keeps the region's place, the right side becomes a new region.
  void make(const Cut& cut) {
    const Region whole = boxed_.regions[region_];
    for (size_t r = 0; r < projections_.size(); ++r) {
      projections_[r].take_rows(number(region_, r), region_rows_);
      if (rules_) rules_->take(r, number(region_, r), rows_of(region_));
    }
    const std::vector<Interval> old_box(box(region_).begin(), box(region_).end());
    const auto [left, right] = sides(*search_.columns[cut.column].hierarchy, old_box[cut.column], cut);
    const size_t middle = boxed_.rows->partition(whole, cut);
    const size_t added = boxed_.regions.size();
    boxed_.regions[region_].end = middle;
    boxed_.regions.push_back({middle, whole.end});
    boxed_.boxes.insert(boxed_.boxes.end(), old_box.begin(), old_box.end());
    boxed_.boxes[region_ * width_ + cut.column] = left;
    boxed_.boxes[added * width_ + cut.column] = right;
    count(region_);
    count(added);
    ++boxed_.cuts_made;
  }

  // Permission, for region_.
  std::optional<Scope> scope(size_t column) override {
    uint64_t enough = 0;
    for (size_t r = 0; r < projections_.size(); ++r) {
      if (!projections_[r].contains(column)) continue;
      const uint64_t k = projections_[r].requirement().k;
      const uint64_t rest = rows_of_others(r, number(region_, r));
      if (rest > 0 && rest < k) return std::nullopt;
      if (rules_ && rest > 0 && !rules_->rest_holds(r, number(region_, r), rows_of(region_))) return std::nullopt;
      enough = std::max(enough, k);
      others_[r] = projections_[r].hash_without(box(region_), column);
    }
    if (rules_) {
      rules_->tallies.start(*boxed_.rows, boxed_.regions[region_], column);
      enough = std::numeric_limits<uint64_t>::max();
    }
    return Scope{std::span(boxed_.regions).subspan(region_, 1), enough};
  }

  bool allows(const Cut& cut) override {
    const auto [left, right] = sides(*search_.columns[cut.column].hierarchy, box(region_)[cut.column], cut);
    const uint64_t right_rows = region_rows_ - cut.left_rows;
    for (size_t r = 0; r < projections_.size(); ++r) {
      if (!projections_[r].contains(cut.column)) continue;
      if (!reaches(r, cut.column, left, cut.left_rows) || !reaches(r, cut.column, right, right_rows)) return false;
    }
    return !rules_ || sides_hold(cut, left, right);
  }

  // Whether each side, with the rows of other regions that have its projection, holds under the rules.
  bool sides_hold(const Cut& cut, Interval left, Interval right) {
    rules_->tallies.move_to(cut.left_rows);
    for (size_t r = 0; r < projections_.size(); ++r) {
      if (!projections_[r].contains(cut.column)) continue;
      if (!side_holds(r, cut.column, left, rules_->tallies.left(r))) return false;
      if (!side_holds(r, cut.column, right, rules_->tallies.right(r))) return false;
    }
    return true;
  }
  bool side_holds(size_t r, size_t column, Interval interval, const GroupTally& side) const {
    const GroupRule& rule = rules_->tallies.rule(r);
    const uint32_t known = projections_[r].find(box(region_), column, interval, others_[r]);
    if (known == Projections::kNone || rows_of_others(r, known) == 0) return rule.holds(side);
    if (known != number(region_, r)) return rule.holds_union(side, rules_->tally(r, known));
    // The side has the projection that its region had (a dealt cut within one leaf): the others are the rest.
    GroupTally rest = rules_->rest(r, known, rows_of(region_));
    return rule.holds_union(side, rest);
  }

  // Whether one side of a cut has a projection of at least k rows on requirement r.
  bool reaches(size_t r, size_t column, Interval interval, uint64_t side_rows) const {
    const Projections& projections = projections_[r];
    if (side_rows >= projections.requirement().k) return true;
    const uint32_t side = projections.find(box(region_), column, interval, others_[r]);
    return side != Projections::kNone && rows_of_others(r, side) + side_rows >= projections.requirement().k;
  }

  // Rows of other regions with this projection.
  uint64_t rows_of_others(size_t r, uint32_t projection) const {
    const uint64_t own = number(region_, r) == projection ? region_rows_ : 0;
    return projections_[r].rows(projection) - own;
  }

  const Search& search_;
  BoxedRegions& boxed_;
  const size_t width_;
  const std::unique_ptr<CutRule> rule_;
  std::vector<Projections> projections_;                      // one per requirement
  std::vector<uint32_t> numbers_;                             // [region * requirements + r]: the box's projection
  std::priority_queue<std::pair<uint64_t, size_t>> waiting_;  // rows, kLast - region
  size_t region_ = 0;                                         // the region at hand
  uint64_t region_rows_ = 0;                                  // and its rows
  std::vector<uint64_t> others_;                              // [r]: hash of its box without the column at hand
  std::unique_ptr<ProjectedRules> rules_;                     // where a requirement asks for more than k rows
};

}  // namespace

void make_lone_cuts(const Search& search, BoxedRegions& boxed) { LoneCuts(search, boxed).run(); }

}  // namespace shoal::mondrian
