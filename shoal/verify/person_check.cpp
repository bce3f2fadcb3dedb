#include "shoal/verify/person_check.h"

#include <fmt/format.h>

#include <set>

#include "shoal/table/dictionary.h"
#include "shoal/verify/rows_with_numbers.h"

namespace shoal {
namespace {

// Calls visit(requirement, model) for the persons that are asked for.
template <class Visit>
void each_persons(const Promise& promise, Visit visit) {
  for (const PromisedRequirement& requirement : promise.requirements) {
    for (const ModelSpec& model : requirement.models) {
      if (model.kind == ModelKind::persons) visit(requirement, model);
    }
  }
}

VerificationCheck persons_check(const PromiseStatement& statement, uint64_t k,
                                const std::vector<std::vector<std::string>>& answer) {
  if (answer.size() != 1 || answer[0].size() != 3) {
    return {statement.about, CheckResult::failed, "the engine that counts persons gave no answer"};
  }
  const std::string &groups = answer[0][0], &fewest = answer[0][1], &too_few = answer[0][2];
  if (too_few == "0") {
    return {statement.about, CheckResult::passed,
            fmt::format("{} {}, the one with fewest persons has {}", groups, groups == "1" ? "group" : "groups",
                        fewest.empty() ? "0" : fewest)};
  }
  return {statement.about, CheckResult::failed,
          fmt::format("{} of {} {} {} fewer than {} persons; one has {}", too_few, groups,
                      groups == "1" ? "group" : "groups", too_few == "1" ? "has" : "have", k, fewest)};
}

}  // namespace

std::vector<uint32_t> persons_of(const Promise& promise, TableSource& original, const Progress& progress) {
  std::vector<uint32_t> persons;
  original.read(std::vector{*original.find(promise.person)}, progress, [&](TextStream& stream) {
    Dictionary known;
    persons.clear();
    while (stream.next()) {
      for (size_t row = 0; row < stream.size(); ++row) persons.push_back(known.code(stream.cell(0, row)));
    }
  });
  return persons;
}

std::vector<VerificationCheck> check_persons(const Promise& promise, const ReleaseToVerify& release,
                                             TableSource& original, const std::vector<uint32_t>* row_of_release,
                                             const Progress& progress) {
  std::vector<VerificationCheck> checks;
  std::set<std::string> columns;
  each_persons(promise, [&](const PromisedRequirement& requirement, const ModelSpec&) {
    columns.insert(requirement.columns.begin(), requirement.columns.end());
  });
  if (columns.empty()) return checks;
  if (!original.find(promise.person)) {
    return persons_not_checked(promise, fmt::format("the original has no column '{}'", promise.person));
  }
  const std::vector<uint32_t> persons = persons_of(promise, original, progress);
  std::vector<std::string> names(columns.begin(), columns.end());
  std::vector<size_t> places;
  for (const std::string& name : names) places.push_back(*release.table.find(name));
  names.push_back(promise.person);
  const std::string table(kPersonsTable);
  release.table.read(places, progress, [&](TextStream& rows) {
    RowsWithNumbers both(rows, places.size(), persons, row_of_release);
    release.engine.create_table(table, names, both);
  });
  each_persons(promise, [&](const PromisedRequirement& requirement, const ModelSpec& model) {
    const PromiseStatement statement = count_persons_sql(requirement, model, {sql_quoted_name(table), {}});
    checks.push_back(persons_check(statement, model.k.numerator, release.engine.query(statement.sql)));
  });
  return checks;
}

std::vector<VerificationCheck> persons_not_checked(const Promise& promise, const std::string& why) {
  std::vector<VerificationCheck> checks;
  each_persons(promise, [&](const PromisedRequirement& requirement, const ModelSpec& model) {
    checks.push_back({count_persons_sql(requirement, model, {}).about, CheckResult::not_checked, why});
  });
  return checks;
}

}  // namespace shoal
