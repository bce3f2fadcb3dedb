// The loop of tdr.txt section 3.3: score all live candidates, do the best, count again what it changed. Scores are read
// from the cut (gain) and the indexes (anonymity), so that a step costs the candidates plus the rows of the value that
// was refined, whatever the size of the table.
#include "shoal/method/refine/top_down_refinement.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <stdexcept>

#include "shoal/method/rules.h"
#include "shoal/run/counted.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// Starting a thread takes as long as refining some thousand rows.
constexpr size_t kRowsWorthAThread = 100000;

bool clearly_better(double score, double best) { return score > best + kSameScore * std::max(score, best); }

}  // namespace

TopDownRefinement::TopDownRefinement(const Problem& problem, const RefinementRules& rules, const Progress& progress)
    : problem_(problem),
      rules_(rules),
      progress_(progress),
      cut_(problem, rules.flat_columns),
      requirements_(problem.requirements) {
  indexes_.reserve(requirements_.size());
  for (const Requirement& requirement : requirements_) {
    progress_.check();
    indexes_.emplace_back(problem.table, requirement, cut_);
  }
  for (size_t i = 0; i < requirements_.size(); ++i) {
    auto rule = problem.rule(i);
    if (rule->rows_only()) continue;
    progress_.check();
    group_rules_.push_back(std::move(rule));
    rule_indexes_.emplace_back(problem.table, requirements_[i], *group_rules_.back(), cut_);
  }
}

TopDownRefinement::Scored TopDownRefinement::scored(uint32_t candidate) const {
  const uint32_t column = cut_.cells()[cut_.candidates()[candidate].cell].column;
  double loss = 0;
  uint32_t indexes = 0;
  for (const AnonymityIndex& index : indexes_) {
    if (!index.has_column(column)) continue;
    loss += static_cast<double>(index.anonymity() - index.anonymity_after(candidate));
    ++indexes;
  }
  loss /= indexes;
  const double gain = cut_.candidates()[candidate].info_gain;
  return {candidate, gain, loss, rules_.score(gain, loss)};
}

bool TopDownRefinement::best(Scored& best) const {
  bool found = false;
  std::pair<uint32_t, uint32_t> best_place;
  for (uint32_t id = 0; id < cut_.candidates().size(); ++id) {
    if (!cut_.live(id)) continue;
    const Candidate& candidate = cut_.candidates()[id];
    const Cell& cell = cut_.cells()[candidate.cell];
    const std::pair place{cell.column, cell.one_by_one ? cell.children[candidate.part - 1].first : cell.release.first};
    const Scored own = scored(id);
    if (found && clearly_better(best.score, own.score)) continue;
    if (found && !clearly_better(own.score, best.score) && best_place < place) continue;
    best = own;
    best_place = place;
    found = true;
  }
  return found;
}

bool TopDownRefinement::refine(const Scored& chosen) {
  const uint32_t column = cut_.cells()[cut_.candidates()[chosen.candidate].cell].column;
  steps_.push_back({cut_.describe(chosen.candidate),
                    {{"info_gain", chosen.info_gain}, {"anony_loss", chosen.anonymity_loss}, {"score", chosen.score}}});
  const Refined refined = cut_.refine(chosen.candidate);
  std::vector<AnonymityIndex*> touched;
  for (AnonymityIndex& index : indexes_) {
    if (index.has_column(column)) touched.push_back(&index);
  }
  std::vector<RuleIndex*> ruled;
  for (RuleIndex& index : rule_indexes_) {
    if (index.has_column(column)) ruled.push_back(&index);
  }
  // Indexes share nothing but the candidates they kill, and a candidate ends up dead whoever is first.
  const bool large = problem_.table.rows >= kRowsWorthAThread;
  std::atomic<bool> in_time{true};
  run_tasks(touched.size() + ruled.size(), large ? problem_.threads : 1, [&](size_t, size_t i) {
    const bool counted = i < touched.size() ? touched[i]->refine(refined, progress_)
                                            : ruled[i - touched.size()]->refine(refined, progress_);
    if (!counted) in_time = false;
  });
  return in_time;
}

// ---- the debug check ----

std::string TopDownRefinement::recount_fault() const {
  const Table& table = problem_.table;
  for (size_t r = 0; r < requirements_.size(); ++r) {
    const auto& columns = requirements_[r].columns;
    std::map<std::vector<uint32_t>, std::vector<uint32_t>> groups;  // masked values: rows
    for (uint32_t row = 0; row < table.rows; ++row) {
      std::vector<uint32_t> masked;
      masked.reserve(columns.size());
      for (size_t j : columns) masked.push_back(cut_.cell_of_leaf(j)[table.quasi[j].codes[row]]);
      groups[masked].push_back(row);
    }
    uint64_t anonymity = table.input_rows();
    for (const auto& [masked, rows] : groups) {
      uint64_t size = 0;
      for (uint32_t row : rows) size += table.times_of(row);
      anonymity = std::min(anonymity, size);
    }
    if (anonymity != indexes_[r].anonymity() || groups.size() != indexes_[r].groups()) {
      return fmt::format("requirement {}: {} of at least {} kept, {} of {} counted", r,
                         counted(indexes_[r].groups(), "group"), indexes_[r].anonymity(), groups.size(), anonymity);
    }
    for (uint32_t id = 0; id < cut_.candidates().size(); ++id) {
      const Candidate& candidate = cut_.candidates()[id];
      const uint32_t column = cut_.cells()[candidate.cell].column;
      if (!cut_.live(id) || !indexes_[r].has_column(column)) continue;
      uint64_t after = anonymity;
      for (const auto& [masked, rows] : groups) {
        std::map<uint32_t, uint64_t> parts;
        for (uint32_t row : rows) {
          const uint32_t leaf = table.quasi[column].codes[row];
          if (cut_.cell_of_leaf(column)[leaf] != candidate.cell) continue;
          const uint32_t part = cut_.part_of_leaf(column)[leaf];
          parts[cut_.cells()[candidate.cell].one_by_one ? part == candidate.part : part] += table.times_of(row);
        }
        for (const auto& [part, size] : parts) after = std::min(after, size);
      }
      if (after != indexes_[r].anonymity_after(id) || after < requirements_[r].k) {
        return fmt::format("requirement {}, {}: {} kept, {} counted, {} asked for", r, cut_.describe(id),
                           indexes_[r].anonymity_after(id), after, requirements_[r].k);
      }
    }
  }
  return "";
}

// ---- the whole search ----

Parameter check_parameter() {
  return {
      "check", "count all groups again after each refinement and compare (slow; for the careful)", "no", {"no", "yes"}};
}

bool check_setting(const Params& params) { return setting(params, "check") == "yes"; }

SearchResult refine_top_down(const Problem& problem, const RefinementRules& rules, Progress& progress) {
  if (!problem.table.target) {
    throw Error(ErrorKind::job, "no target column; this method keeps what tells the classes apart: name one",
                Advice{Setting::target});
  }
  SearchResult result;
  if (problem.has_models()) {
    if (std::string reason = whole_table_breaks(problem); !reason.empty()) {
      result.answer = NoAnswer{std::move(reason)};
      return result;
    }
  }
  TopDownRefinement refinement(problem, rules, progress);
  bool in_time = true;
  for (TopDownRefinement::Scored chosen; in_time && refinement.best(chosen);) {
    if (progress.out_of_time()) {
      in_time = false;
      break;
    }
    in_time = refinement.refine(chosen);
    const auto done = static_cast<double>(refinement.steps().size());
    progress.update(done / (done + 20));  // nobody knows how many there will be
    if (!rules.recount || !in_time) continue;
    if (const std::string fault = refinement.recount_fault(); !fault.empty()) {
      throw std::logic_error("top-down refinement lost count: " + fault);
    }
  }
  if (!in_time) {
    result.notices.push_back("stopped by the time budget: the release keeps every requirement but could be finer");
  }
  result.answer = refinement.cut().recoding();
  result.grown_trees = refinement.cut().grown_trees();
  result.stats.generated = refinement.cut().candidates().size();
  result.stats.expanded = refinement.steps().size();
  result.stats.pruned = refinement.cut().invalid();
  result.stats.steps = refinement.steps();
  return result;
}

}  // namespace shoal
