#include "shoal/verify/verify.h"

#include <fmt/format.h>

#include <future>
#include <memory>
#include <numeric>

#include "shoal/job/requirements.h"
#include "shoal/run/counted.h"
#include "shoal/table/share_of_rows.h"
#include "shoal/verify/kept_rows.h"
#include "shoal/verify/pair_as_sets.h"
#include "shoal/verify/pair_by_witness.h"
#include "shoal/verify/person_check.h"
#include "shoal/verify/population_check.h"
#include "shoal/verify/row_matcher.h"

namespace shoal {
namespace {

VerificationCheck passed(std::string name, std::string detail) {
  return {std::move(name), CheckResult::passed, std::move(detail)};
}
VerificationCheck failed(std::string name, std::string detail, std::string culprit = "") {
  return {std::move(name), CheckResult::failed, std::move(detail), std::move(culprit)};
}
VerificationCheck not_checked(std::string name, std::string detail) {
  return {std::move(name), CheckResult::not_checked, std::move(detail)};
}

VerificationCheck check_columns(const Promise& promise, const TableSource& release, const TableSource* original) {
  for (const std::string& name : promise.hidden) {
    if (release.find(name)) return failed("columns", fmt::format("the identifier '{}' is in the release", name));
  }
  for (const PromisedColumn& column : promise.columns) {
    if (!release.find(column.name)) {
      return failed("columns", fmt::format("the column '{}' is not in the release", column.name));
    }
    if (original && !original->find(column.name)) {
      return failed("columns", fmt::format("the column '{}' is not in the original", column.name));
    }
  }
  for (const std::string& name : release.columns()) {
    if (promise.find(name) || (promise.others && (!original || original->find(name)))) continue;
    return failed("columns",
                  fmt::format("the column '{}' of the release has no role that would let it be released", name));
  }
  return passed("columns", fmt::format("{}, each with a role that lets it be released",
                                       counted(release.columns().size(), "column")));
}

void check_requirements(const Promise& promise, const ReleaseToVerify& release, const Progress& progress,
                        Verification& verification) {
  for (const PromisedRequirement& requirement : promise.requirements) {
    progress.check();
    const PromiseStatement statement = count_groups_sql(requirement, release.names);
    const auto answer = release.engine.query(statement.sql);
    if (answer.size() != 1 || answer[0].size() != 3) {
      verification.checks.push_back(failed(statement.about, "the engine that counts groups gave no answer"));
      continue;
    }
    const std::string &groups = answer[0][0], &too_small = answer[0][2];
    const std::string smallest = answer[0][1].empty() ? "0" : answer[0][1];
    verification.smallest_groups.push_back(std::stoull(smallest));
    if (groups == "0") {
      verification.checks.push_back(failed(statement.about, "there are no rows: nothing was released"));
      continue;
    }
    verification.checks.push_back(
        too_small == "0" ? passed(statement.about, fmt::format("{} {}, the smallest has {} {}", groups,
                                                               groups == "1" ? "group" : "groups", smallest,
                                                               smallest == "1" ? "row" : "rows"))
                         : failed(statement.about, fmt::format("{} of {} {} {} smaller than {}; the smallest has {} {}",
                                                               too_small, groups, groups == "1" ? "group" : "groups",
                                                               too_small == "1" ? "is" : "are", requirement.k, smallest,
                                                               smallest == "1" ? "row" : "rows")));
  }
}

void check_models(const Promise& promise, const ReleaseToVerify& release, const Progress& progress,
                  Verification& verification) {
  for (const PromisedRequirement& requirement : promise.requirements) {
    for (const ModelSpec& model : requirement.models) {
      if (model.kind == ModelKind::persons || of_population(model)) continue;
      progress.check();
      const auto statement = broken_groups_sql(promise, requirement, model, release.names);
      if (!statement) {
        verification.checks.push_back(
            not_checked(fmt::format("requirement ({}) k={}: {}", fmt::join(requirement.columns, ", "), requirement.k,
                                    model_name(model)),
                        what_it_lacks(model)));
        continue;
      }
      const auto answer = release.engine.query(
          fmt::format("SELECT count(*), coalesce(sum(shoal_rows), 0) FROM ({}) AS broken_groups", statement->sql));
      if (answer.size() != 1 || answer[0].size() != 2) {
        verification.checks.push_back(failed(statement->about, "the engine that counts groups gave no answer"));
      } else if (answer[0][0] == "0") {
        verification.checks.push_back(passed(statement->about, "no group breaks it"));
      } else if (model.kind == ModelKind::average_risk) {
        verification.checks.push_back(failed(statement->about, "there are too many groups"));
      } else {
        verification.checks.push_back(failed(statement->about, broken_groups_text(answer[0][0], answer[0][1])));
      }
    }
  }
}

// Are there too many rows missing?
VerificationCheck check_rows(const Promise& promise, uint64_t released, uint64_t originals) {
  if (released > originals) {
    return failed("rows", fmt::format("{} {} released, and the original has {}", released,
                                      released == 1 ? "row was" : "rows were", originals));
  }
  const uint64_t missing = originals - released;
  const std::string found = fmt::format("{} of {} {} released", released, originals, noun_after(originals, "row"));
  if (released == 0) return failed("rows", fmt::format("no row of {} was released", originals));
  if (missing == 0) return passed("rows", found);
  const uint64_t limit = share_of_rows(promise.most_dropped, originals);
  if (missing <= limit) return passed("rows", found);
  return failed(
      "rows", fmt::format("{}: {} are missing, and the job lets {} be dropped (suppress_rows)", found, missing, limit));
}

class CellCheck {
 public:
  CellCheck(const Promise& promise, TableSource& release, const OriginalToVerify& original, const Progress& progress)
      : promise_(promise),
        row_of_release_(original.row_of_release),
        row_by_row_(original.row_by_row),
        kept_(original.kept),
        times_(original.times),
        kept_rows_(kept_ ? std::make_unique<KeptRows>(original.table, *kept_) : nullptr),
        tables_{columns_, release, {}, kept_rows_ ? *kept_rows_ : original.table, {}, progress} {
    std::set<std::string, std::less<>> missing(promise.missing.begin(), promise.missing.end());
    missing.insert("");
    for (size_t j = 0; j < release.columns().size(); ++j) {
      const PromisedColumn* column = promise.find(release.columns()[j]);
      columns_.push_back({release.columns()[j], std::nullopt});
      if (column && column->recoded) columns_.back().coverage.emplace(column->type, column->tree, missing);
      tables_.release_columns.push_back(j);
      tables_.original_columns.push_back(*original.table.find(release.columns()[j]));
    }
    for (const std::string& name : promise.means) {
      const size_t j = *release.find(name);
      alike_.push_back(j);
      averaged_.push_back({name, columns_[j].coverage->numeric()});
      if (columns_[j].coverage->numeric()) columns_[j].coverage->allow_means();
    }
  }

  // What was found, and whether it is known which original row each released row stands for.
  struct Findings {
    std::vector<VerificationCheck> checks;
    bool paired = false;
    std::optional<std::vector<uint32_t>> row_of_release = {};  // found here; nothing: as given, else in order
    bool one_of_many = false;                                  // it was chosen among several (SetPairing)
  };
  Findings run() {
    const bool sorted = row_of_release_ && std::is_sorted(row_of_release_->begin(), row_of_release_->end(),
                                                          [](uint32_t a, uint32_t b) { return a <= b; });
    MeanCheck means(averaged_);
    MeanCheck* wanted = alike_.empty() ? nullptr : &means;
    if (row_of_release_) {
      Pairing pairing = sorted && !row_of_release_->empty()
                            ? pair_in_order(*row_of_release_, wanted)
                            : pair_by_witness(tables_, *row_of_release_, wanted, alike_);
      if (!pairing.misfit) count_times(pairing);
      return {checks(pairing, wanted ? std::optional(means.result()) : std::nullopt), !pairing.misfit};
    }
    const Pairing in_order = pair_in_order({}, wanted);
    if (row_by_row_) {
      Pairing pairing = in_order;
      if (!pairing.misfit && pairing.released != pairing.originals) {
        pairing.misfit = Misfit{
            fmt::format("the release has {}, and the original {}", counted(pairing.released, "row"), pairing.originals),
            ""};
      }
      if (kept_ != nullptr) pairing.originals = kept_->size();
      return {checks(pairing, wanted ? std::optional(means.result()) : std::nullopt), !pairing.misfit};
    }
    // Where rows were dropped it is not known who, so that other pairs would do as well as the ones found.
    const bool all = in_order.released == in_order.originals;
    std::optional<VerificationCheck> result;
    if (!in_order.misfit && wanted) result = all ? means.result() : unknown_means("rows were dropped, and which ones");
    const std::optional<PersonsWanted> persons = wanted || (!in_order.misfit && all) ? std::nullopt : persons_wanted();
    if (!in_order.misfit && !persons) return {checks(in_order, result), all};
    SetPairing as_sets = pair_as_sets(tables_, wanted || persons, persons ? &*persons : nullptr);
    if (as_sets.row_of_release) {
      means = MeanCheck(averaged_);
      const Pairing pairing = pair_by_witness(tables_, *as_sets.row_of_release, wanted, alike_);
      return {checks(pairing, wanted ? std::optional(means.result()) : std::nullopt), !pairing.misfit,
              std::move(as_sets.row_of_release), as_sets.one_of_many};
    }
    if (!in_order.misfit) return {checks(in_order, result)};
    if (wanted) result = unknown_means("rows are in another order than in the original, and in which");
    if (as_sets.decided) {
      Pairing pairing = as_sets.pairing;
      if (pairing.misfit) pairing.misfit = both(*in_order.misfit, *pairing.misfit);
      return {checks(pairing, result)};
    }
    auto found = checks(as_sets.pairing, result);
    found[1] = not_checked("coverage",
                           "rows are in another order than in the original, and too much alike to find out "
                           "which could stand for which");
    return {found};
  }

 private:
  // Nothing: none are promised, or nobody can say who the rows are about.
  std::optional<PersonsWanted> persons_wanted() {
    PersonsWanted wanted;
    for (const PromisedRequirement& requirement : promise_.requirements) {
      for (const ModelSpec& model : requirement.models) {
        if (model.kind != ModelKind::persons) continue;
        wanted.groups.push_back({{}, model.k.numerator});
        for (const std::string& name : requirement.columns) {
          wanted.groups.back().columns.push_back(*tables_.release.find(name));
        }
      }
    }
    if (wanted.groups.empty() || !tables_.original.find(promise_.person)) return std::nullopt;
    wanted.person = persons_of(promise_, tables_.original, tables_.progress);
    return wanted;
  }

  // Rows of a pairing that stand for several, as these.
  void count_times(Pairing& pairing) const {
    if (times_.empty()) return;
    pairing.originals = std::accumulate(times_.begin(), times_.end(), uint64_t{0});
    pairing.released = 0;
    for (uint32_t row : *row_of_release_) pairing.released += times_[row];
  }

  // Starts again when the original turns out to need another way of reading after the release was begun.
  Pairing pair_in_order(std::span<const uint32_t> row_of_release, MeanCheck* means) {
    struct StartAgain {};
    const MeanCheck fresh = means ? *means : MeanCheck({});
    Pairing pairing;
    for (;;) {
      try {
        tables_.release.read(tables_.release_columns, tables_.progress, [&](TextStream& release) {
          bool begun = false;
          try {
            tables_.original.read(tables_.original_columns, tables_.progress, [&](TextStream& original) {
              if (begun) throw StartAgain{};
              begun = true;
              if (means) *means = fresh;
              RowMatcher matcher(columns_, release, original, row_of_release);
              matcher.feed(means, alike_);
              pairing = matcher.run();
            });
          } catch (const ReleaseStreamFailed& failure) {
            std::rethrow_exception(failure.why);
          }
        });
        return pairing;
      } catch (const StartAgain&) {
      }
    }
  }

  // Whoever looks for the mistake does not know either which order was meant.
  static Misfit both(const Misfit& in_order, const Misfit& as_sets) {
    return {in_order.detail + "; nor do the rows fit in another order: " + as_sets.detail,
            in_order.culprit + (in_order.culprit.empty() || as_sets.culprit.empty() ? "" : "; ") + as_sets.culprit};
  }

  static VerificationCheck unknown_means(const std::string& why) {
    return not_checked("means", why + " only the program that made the release knows");
  }

  std::vector<VerificationCheck> checks(const Pairing& pairing, const std::optional<VerificationCheck>& means) const {
    if (pairing.misfit) return {failed("coverage", pairing.misfit->detail, pairing.misfit->culprit)};
    std::vector<VerificationCheck> found{
        check_rows(promise_, pairing.released, pairing.originals),
        passed("coverage", fmt::format("{} released {}, {} {} dropped", pairing.released,
                                       pairing.released == 1 ? "row covers its original" : "rows cover their originals",
                                       pairing.originals - pairing.released,
                                       noun_after(pairing.originals - pairing.released, "row")))};
    if (means) found.push_back(*means);
    return found;
  }

  const Promise& promise_;
  const std::vector<uint32_t>* row_of_release_;
  const bool row_by_row_;
  const std::vector<bool>* const kept_;
  const std::span<const uint32_t> times_;
  const std::unique_ptr<KeptRows> kept_rows_;
  std::vector<ComparedColumn> columns_;
  ComparedTables tables_;
  std::vector<size_t> alike_;
  std::vector<MeanCheck::Column> averaged_;
};

}  // namespace

std::string to_string(CheckResult result) {
  if (result == CheckResult::passed) return "passed";
  return result == CheckResult::failed ? "failed" : "not checked";
}

Verification verify(const Promise& promise, const ReleaseToVerify& release, const OriginalToVerify* original,
                    bool side_by_side, const Progress& progress) {
  Verification verification;
  verification.checks.push_back(check_columns(promise, release.table, original ? &original->table : nullptr));
  if (!verification.checks.back().ok()) return verification;
  auto cells = std::async(side_by_side ? std::launch::async : std::launch::deferred, [&]() -> CellCheck::Findings {
    if (!original) return {};
    return CellCheck(promise, release.table, *original, progress).run();
  });
  check_requirements(promise, release, progress, verification);
  check_models(promise, release, progress, verification);
  CellCheck::Findings found = cells.get();
  std::vector<VerificationCheck> persons;
  if (!original) {
    persons = persons_not_checked(promise,
                                  "the release does not say who a row is about; name the table that it was made from");
  } else if (found.paired) {
    persons = check_persons(promise, release, original->table,
                            found.row_of_release ? &*found.row_of_release : original->row_of_release, progress);
    for (VerificationCheck& check : persons) {
      if (found.one_of_many)
        check.detail += " (rows could be paired with their originals in several ways; this is one)";
    }
  } else {
    persons = persons_not_checked(promise,
                                  "who a released row is about is not known: rows do not cover their originals in "
                                  "order, and some were dropped or could stand in more than one group; no way to pair "
                                  "them was found in which every group has enough persons");
  }
  std::vector<VerificationCheck> populations = check_population(promise, release, progress);
  for (auto* checks : {&persons, &populations, &found.checks}) {
    for (VerificationCheck& check : *checks) verification.checks.push_back(std::move(check));
  }
  return verification;
}

}  // namespace shoal
