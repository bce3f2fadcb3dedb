// Finding "reveals": a released column tells what a recoded quasi column hides.
//
// Who knows the value p of the column P guesses the recoded cell of Q as the most frequent value, within what the cell
// covers, among the other rows with the same p. How often that is right follows from counts alone: of the T rows with p
// in the cover, the c that have the most frequent value are guessed right when, each left out of its own evidence, that
// value is still ahead. A value p that nobody else has tells nothing in this way (near-unique is a finding of its own).
// The same guess without p is what the release gives away anyway; P reveals Q when it takes away half of the doubt that
// is left then.
//
// A column that tells less may still leave few rows of a group to somebody who knows what does not go together
// (findings_narrowing.h): that is the same finding.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "shoal/examine/finding_parts.h"
#include "shoal/examine/findings_narrowing.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

constexpr size_t kSample = 50'000;
constexpr uint64_t kMostSteps = 100'000'000;
constexpr double kReveals = 0.5;
constexpr uint64_t kNarrowsOneIn = 400;  // rows: what fewer suffer is told, but does not stand in the way

struct Counted {
  uint32_t first = 0, second = 0;
  uint64_t rows = 0;
};

// Different pairs with how often each came, sorted.
std::vector<Counted> counted_values(std::vector<uint64_t> pairs) {
  std::sort(pairs.begin(), pairs.end());
  std::vector<Counted> result;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i] != pairs[i - 1]) {
      result.push_back({static_cast<uint32_t>(pairs[i] >> 32), static_cast<uint32_t>(pairs[i]), 0});
    }
    ++result.back().rows;
  }
  return result;
}
uint64_t pair_of(uint32_t first, uint32_t second) { return uint64_t{first} << 32 | second; }

// The share of rows of these, within the leaves first..last, that are guessed right.
double right_share(std::span<const Counted> values, const Released& cover, uint64_t& steps) {
  auto at = std::lower_bound(values.begin(), values.end(), cover.first,
                             [](const Counted& value, uint32_t leaf) { return value.second < leaf; });
  uint64_t all = 0, most = 0, next = 0;
  for (; at != values.end() && at->second <= cover.last; ++at) {
    all += at->rows;
    next = std::max(next, std::min(most, at->rows));
    most = std::max(most, at->rows);
    --steps;
  }
  if (all == 0 || most < 2 || most - 1 <= next) return 0;
  return static_cast<double>(most) / static_cast<double>(all);
}

struct Told {
  double recoded = 0;  // cells
  double told = 0;     // guessed right with the column
  double anyway = 0;   // and without
  double share() const { return recoded - anyway < 0.5 ? 0 : (told - anyway) / (recoded - anyway); }
};

class Teller {
 public:
  Teller(const FindingContext& context, size_t quasi) : context_(context), quasi_(quasi) {
    if (context.released) {
      covers_ = context.released->quasi[quasi].values;
    } else {
      covers_ = {released_node(context.hierarchies[quasi], Hierarchy::kRoot)};
    }
    for (const Released& cover : covers_) recoded_.push_back(cover.first < cover.last);
  }
  bool any_recoded() const { return std::find(recoded_.begin(), recoded_.end(), true) != recoded_.end(); }

  // Looks at every `step`-th row.
  Told told_by(const Codes& column, size_t step) const {
    const Codes& leaves = context_.table.quasi[quasi_].codes;
    std::vector<uint64_t> values, cells;
    for (size_t row = 0; row < context_.table.rows; row += step) {
      if (!context_.is_released(row)) continue;
      values.push_back(pair_of(column[row], leaves[row]));
      const uint32_t cell = context_.released ? context_.released->quasi[quasi_].codes[row] : 0;
      if (recoded_[cell]) cells.push_back(pair_of(column[row], cell));
    }
    Told told;
    const std::vector<Counted> by_value = counted_values(values);
    for (uint64_t& pair : values) pair &= UINT32_MAX;
    const std::vector<Counted> in_all = counted_values(std::move(values));
    uint64_t steps = kMostSteps;
    std::vector<double> anyway(covers_.size(), -1);
    size_t begin = 0, end = 0;
    for (const Counted& cell : counted_values(std::move(cells))) {
      if (steps > kMostSteps) break;                       // counted down below 0: the cells so far must do
      while (by_value[begin].first < cell.first) ++begin;  // every cell's value is among them
      end = std::max(end, begin);
      while (end < by_value.size() && by_value[end].first == cell.first) ++end;
      if (anyway[cell.second] < 0) anyway[cell.second] = right_share(in_all, covers_[cell.second], steps);
      const double rows = static_cast<double>(cell.rows);
      told.recoded += rows;
      told.told += rows * right_share(std::span(by_value).subspan(begin, end - begin), covers_[cell.second], steps);
      told.anyway += rows * anyway[cell.second];
    }
    return told;
  }

 private:
  const FindingContext& context_;
  const size_t quasi_;
  std::vector<Released> covers_;
  std::vector<bool> recoded_;
};

std::string cells_text(double cells) { return number_text(static_cast<uint64_t>(std::llround(cells))); }

using ToldCells = std::vector<std::pair<std::string, Told>>;

// What one released column gives away.
struct Revealing {
  const ExaminedColumn* column = nullptr;
  ToldCells told = {};
  Narrowing narrowing = {};
  std::optional<SmallGroups> narrowed = {};
};

bool narrows(const std::optional<SmallGroups>& narrowed) { return narrowed && narrowed->rows_below_k > 0; }
bool narrows_many(const FindingContext& context, const std::optional<SmallGroups>& narrowed) {
  return narrows(narrowed) && narrowed->rows_below_k * kNarrowsOneIn >= context.rows;
}

void add_small_groups(Finding& finding, const SmallGroups& small, const std::string& kind) {
  finding.numbers.emplace_back("rows_below_k" + kind, double(small.rows_below_k));
  finding.numbers.emplace_back("unique_rows" + kind, double(small.unique_rows));
}

std::string small_groups_text(const SmallGroups& small) {
  return fmt::format("{}, {} of them unique", counted(small.rows_below_k, "row"), number_text(small.unique_rows));
}

void add_told(const FindingContext& context, const ToldCells& told, std::vector<std::string>& parts, Finding& finding) {
  for (const auto& [quasi, cells] : told) {
    parts.push_back(context.released
                        ? fmt::format("it tells {} of the {} recoded cells of {} ({} could be guessed without it)",
                                      cells_text(cells.told), cells_text(cells.recoded), quasi,
                                      cells_text(cells.anyway))
                        : fmt::format("it tells {} in {} of {} rows ({} without it)", quasi, cells_text(cells.told),
                                      cells_text(cells.recoded), cells_text(cells.anyway)));
    finding.numbers.emplace_back("told_" + quasi, std::round(cells.told));
    finding.numbers.emplace_back("recoded_" + quasi, std::round(cells.recoded));
  }
}

std::vector<std::string> narrowed_columns(const FindingContext& context, std::span<const Narrowing* const> narrowings) {
  std::vector<std::string> names;
  for (size_t j = 0; j < context.table.quasi.size(); ++j) {
    const bool named = std::any_of(narrowings.begin(), narrowings.end(), [&](const Narrowing* narrowing) {
      return std::any_of(narrowing->pairs.begin(), narrowing->pairs.end(),
                         [&](const PairsRuledOut& pairs) { return pairs.quasi() == j; });
    });
    if (named) names.push_back(context.table.quasi[j].name);
  }
  return names;
}

std::string narrowed_text(const FindingContext& context, std::span<const Narrowing* const> narrowings,
                          const SmallGroups& small) {
  return fmt::format("what does not go with {} leaves {} among fewer than {} of their group, {} of them alone",
                     fmt::join(narrowed_columns(context, narrowings), ", "), counted(small.rows_below_k, "row"),
                     context.k, number_text(small.unique_rows));
}

Finding revealed(const FindingContext& context, const Revealing& one) {
  const bool much = !one.told.empty() || narrows_many(context, one.narrowed);
  Finding finding{"reveals", {one.column->name()}, "", "", much && !one.column->is_quiet()};
  std::vector<std::string> parts;
  add_told(context, one.told, parts, finding);
  std::string mended = one.told.empty() ? "" : one.told.front().first;
  if (narrows(one.narrowed)) {
    const Narrowing* narrowing = &one.narrowing;
    parts.push_back(narrowed_text(context, std::span(&narrowing, 1), *one.narrowed));
    add_small_groups(finding, *one.narrowed, "_narrowed");
    if (mended.empty())
      mended = fmt::format("{}", fmt::join(narrowed_columns(context, std::span(&narrowing, 1)), ", "));
  }
  if (context.released) {
    const SmallGroups small = small_groups_with(context, {&one.column->census.codes});
    parts.push_back(fmt::format("with it {} in groups below {}, {} of them unique",
                                counted(small.rows_below_k, "row is", "rows are"), context.k,
                                number_text(small.unique_rows)));
    add_small_groups(finding, small, "");
  }
  finding.evidence = fmt::format("{}", fmt::join(parts, "; "));
  finding.what_to_do = fmt::format("make it quasi or leave it out, or make {} coarser", mended);
  return finding;
}

// All plain columns that reveal something, used at once: goes to the last one's finding.
void add_together(const FindingContext& context, const std::vector<const Revealing*>& plain, Finding& last) {
  if (!context.released || plain.size() < 2) return;
  std::vector<const Codes*> all;
  std::vector<std::string> names;
  for (const Revealing* one : plain) {
    all.push_back(&one->column->census.codes);
    if (one != plain.back()) names.push_back(one->column->name());
  }
  const SmallGroups together = small_groups_with(context, all);
  last.evidence += fmt::format("; together with {} {}", fmt::join(names, ", "), small_groups_text(together));
  add_small_groups(last, together, "_together");
}

// Plain columns of which none narrows the groups enough alone, but all at once do.
void find_joint_narrowing(const FindingContext& context, const NarrowingSearch& search,
                          const std::vector<const Revealing*>& plain, const Progress& progress,
                          std::vector<Finding>& findings) {
  std::vector<const Narrowing*> narrowings;
  Finding finding{"reveals", {}, "", "", true};
  for (const Revealing* one : plain) {
    if (one->narrowing.pairs.empty()) continue;
    if (narrows_many(context, one->narrowed)) return;
    narrowings.push_back(&one->narrowing);
    finding.columns.push_back(one->column->name());
  }
  if (narrowings.size() < 2) return;
  const std::optional<SmallGroups> small = search.narrowed(narrowings, progress);
  if (!narrows_many(context, small)) return;
  finding.evidence = "together, " + narrowed_text(context, narrowings, *small);
  add_small_groups(finding, *small, "_narrowed");
  finding.what_to_do = "make one of them quasi or leave it out";
  findings.push_back(std::move(finding));
}

}  // namespace

void find_reveals(const FindingContext& context, Progress& progress, std::vector<Finding>& findings) {
  std::vector<Teller> tellers;
  for (size_t j = 0; j < context.table.quasi.size(); ++j) tellers.emplace_back(context, j);
  const size_t step = std::max<size_t>(context.table.rows / kSample, 1);
  std::optional<NarrowingSearch> search;
  if (context.released) search.emplace(context);
  std::vector<Revealing> all;
  for (const ExaminedColumn& column : context.columns) {
    if (!is_released(column.role) || column.census.counts.size() < 2) continue;
    Revealing& one = all.emplace_back(Revealing{&column});
    for (size_t j = 0; j < tellers.size(); ++j) {
      if (!tellers[j].any_recoded()) continue;
      progress.check();
      Told found = tellers[j].told_by(column.census.codes, step);
      if (found.share() < kReveals) continue;
      if (step > 1) found = tellers[j].told_by(column.census.codes, 1);
      one.told.emplace_back(context.table.quasi[j].name, found);
    }
    if (!search) continue;
    one.narrowing = search->by(column);
    const Narrowing* narrowing = &one.narrowing;
    if (!narrowing->pairs.empty()) one.narrowed = search->narrowed(std::span(&narrowing, 1), progress);
  }
  std::vector<const Revealing*> plain, revealing_plain;
  for (const Revealing& one : all) {
    const bool reveals = !one.told.empty() || narrows(one.narrowed);
    if (reveals) findings.push_back(revealed(context, one));
    if (one.column->is_quiet()) continue;
    plain.push_back(&one);
    if (!reveals || !findings.back().stands_in_the_way) continue;
    revealing_plain.push_back(&one);
    add_together(context, revealing_plain, findings.back());
  }
  if (search) find_joint_narrowing(context, *search, plain, progress, findings);
}

}  // namespace shoal
