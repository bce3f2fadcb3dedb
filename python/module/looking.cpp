#include "looking.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "jobs.h"
#include "running.h"
#include "second_engine.h"
#include "shoal/shoal.h"
#include "tables.h"

namespace shoal::python {
namespace {

namespace nb = nanobind;

// What is asked of a table beside the risks of its rows.
struct RiskWords {
  double threshold;
  std::optional<uint64_t> population_size;
  std::string weight_column;
  bool suda;
};

// A table in memory hides nothing that has to be found out by looking; readers find the same keys as of files.
const Notices kNothingFound;

DocumentHandle risk_of(const JobHandle& job, const InputTable& table, const std::optional<InputTable>& population,
                       const RiskWords& words, nb::object show, nb::object cancel) {
  DocumentHandle result;
  run_watched(show, cancel, [&](Progress& progress) {
    check_columns(job.job);
    if (job.job.k || !job.job.requirements.empty()) check_requirements(job.job);
    check_method_name(job.job);
    const RiskSettings settings{.threshold = words.threshold,
                                .population_size = words.population_size,
                                .weight_column = words.weight_column,
                                .population = population ? population->table.get() : nullptr,
                                .suda = words.suda};
    const RiskReport report = risk_report(job.job, *table.table, settings, progress);
    std::vector<std::string> quasi;
    for (const std::string& name : table.table->columns()) {
      const ColumnJob* column = job.job.find_column(name);
      if (column && column->role == Role::quasi) quasi.push_back(name);
    }
    result.document = risk_document(table.table->name(), quasi, report);
    add_notices(result.document, kNothingFound);
  });
  return result;
}

bool asks_about_population(const Job& job) {
  const auto models = all_models(job);
  return std::any_of(models.begin(), models.end(), of_population);
}

DocumentHandle measure_of(const JobHandle& job, const InputTable& release, const InputTable& original,
                          const std::optional<InputTable>& population, nb::object show, nb::object cancel) {
  DocumentHandle result;
  run_watched(show, cancel, [&](Progress& progress) {
    check_columns(job.job);
    const MatchedRelease matched = match_release(job.job, *original.table, *release.table, progress);
    MeasureReport report = measure_release(job.job, matched, progress);
    if (asks_about_population(job.job)) {
      measure_population(job.job, {*original.table, *release.table, population ? population->table.get() : nullptr},
                         report, progress);
    }
    result.document = measure_document(release.table->name(), original.table->name(), report);
    add_notices(result.document, kNothingFound);
  });
  return result;
}

// A verification, and what it comes to.
struct VerificationHandle {
  DocumentHandle page;
  std::string verdict;  // "kept", "broken", "not checked", "finding"
  std::string words;
};

void conclude(const Verification& verification, const std::optional<std::vector<Finding>>& findings,
              VerificationHandle& result) {
  const auto failed = std::count_if(verification.checks.begin(), verification.checks.end(),
                                    [](const VerificationCheck& check) { return check.result == CheckResult::failed; });
  if (failed > 0) {
    result.verdict = "broken";
    result.words = "the release does NOT keep its promise: " + std::to_string(failed) + " of " +
                   std::to_string(verification.checks.size()) + " checks failed";
  } else if (!verification.ok()) {
    result.verdict = "not checked";
    result.words = "whether the release keeps its promise could not be checked in full";
  } else if (findings && any_stands_in_the_way(*findings)) {
    result.verdict = "finding";
    result.words =
        "the release keeps its promise, but a finding stands in the way: " + what_stands_in_the_way(*findings);
  } else {
    result.verdict = "kept";
  }
}

// What a release is verified beside; the original and the population where they are known. `counted`: columns of an
// original that is not at hand, each with a table of its values and how many rows have them.
struct VerifyTables {
  InputTable release;
  std::optional<InputTable> original, population;
  std::vector<InputTable> earlier;
  std::vector<std::pair<std::string, InputTable>> counted;
};

VerificationHandle verify_of(const JobHandle& job, const VerifyTables& tables, nb::object make_engine, nb::object show,
                             nb::object cancel) {
  const auto& [release, original, population, earlier, counted] = tables;
  VerificationHandle result;
  run_watched(show, cancel, [&, make = std::move(make_engine)](Progress& progress) {
    check_columns(job.job);
    check_requirements(job.job);
    check_method_name(job.job);
    SecondEngine engine;
    {
      nb::gil_scoped_acquire acquired;
      engine = second_engine(make, progress);
    }
    std::optional<OriginalToVerify> against;
    if (original) against.emplace(OriginalToVerify{*original->table});
    TableSource* people = population && asks_about_population(job.job) ? population->table.get() : nullptr;
    std::vector<Domain> domains;
    for (const auto& [name, table] : counted) domains.push_back(read_domain(name, *table.table, progress));
    const Verification verification =
        verify_release(job.job, *release.table, {against ? &*against : nullptr, people, domains}, engine, progress);
    std::optional<std::vector<Finding>> findings;
    Remarks remarks{.path = "notices", .readers = kMachines};
    const bool broken = std::any_of(verification.checks.begin(), verification.checks.end(),
                                    [](const VerificationCheck& check) { return check.result == CheckResult::failed; });
    if (!broken) {
      try {
        findings = release_findings(job.job, *release.table, original ? original->table.get() : nullptr,
                                    sources_of(earlier), progress);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        remarks.remarks.push_back(Value::text(std::string("findings could not be looked for: ") + error.what()));
      }
    }
    Document& document = result.page.document;
    document =
        verification_document(release.table->name(), original ? std::optional(original->table->name()) : std::nullopt,
                              verification, findings);
    document.sections.push_back({.blocks = {remarks}, .readers = kMachines});
    conclude(verification, findings, result);
  });
  return result;
}

DocumentHandle attack_of(const JobHandle& job, const InputTable& release, const InputTable& original,
                         const std::vector<InputTable>& earlier, const std::optional<InputTable>& outsiders,
                         size_t sample, nb::object show, nb::object cancel) {
  DocumentHandle result;
  run_watched(show, cancel, [&](Progress& progress) {
    check_columns(job.job);
    if (job.job.k || !job.job.requirements.empty()) check_requirements(job.job);
    check_method_name(job.job);
    const AttackTables tables{*release.table, *original.table, sources_of(earlier),
                              outsiders ? outsiders->table.get() : nullptr};
    result.document = attack_document(release.table->name(), original.table->name(),
                                      attack_release(job.job, tables, sample, progress));
    add_notices(result.document, kNothingFound);
  });
  return result;
}

struct EvaluateWords {
  std::vector<std::string> methods, learners;
  std::vector<uint64_t> ks;
  std::string protocol;
  size_t folds;
  bool five_by_two;
};

DocumentHandle evaluate_of(const JobHandle& job, const InputTable& table, const EvaluateWords& words, nb::object show,
                           nb::object cancel) {
  DocumentHandle result;
  run_watched(show, cancel, [&](Progress& progress) {
    EvaluateSettings settings;
    settings.methods = words.methods;
    settings.learners = words.learners;
    settings.ks = words.ks;
    if (words.protocol != "joint" && words.protocol != "train-only") {
      throw Error(ErrorKind::job, "unknown protocol '" + words.protocol + "'; protocols are joint, train-only");
    }
    settings.protocol = words.protocol == "joint" ? Protocol::joint : Protocol::train_only;
    settings.folds = words.folds;
    settings.five_by_two = words.five_by_two;
    const std::vector<Evaluation> evaluations{evaluate(job.job, settings, *table.table, nullptr, progress)};
    result.document = evaluation_document(evaluations, compare(evaluations), true);
  });
  return result;
}

}  // namespace

void bind_looking(nb::module_& module) {
  nb::class_<DocumentHandle>(module, "DocumentHandle")
      .def("json", [](const DocumentHandle& self) { return json_text(self.document); })
      .def("html", [](const DocumentHandle& self) { return html_page(self.document); })
      .def("text", [](const DocumentHandle& self) { return terminal_text(self.document); });
  nb::class_<EvaluateWords>(module, "EvaluateWords")
      .def("__init__", [](EvaluateWords* self, std::vector<std::string> methods, std::vector<std::string> learners,
                          std::vector<uint64_t> ks, std::string protocol, size_t folds, bool five_by_two) {
        new (self) EvaluateWords{std::move(methods), std::move(learners), std::move(ks), std::move(protocol), folds,
                                 five_by_two};
      });
  nb::class_<RiskWords>(module, "RiskWords")
      .def(
          "__init__",
          [](RiskWords* self, double threshold, std::optional<uint64_t> population_size, std::string weight_column,
             bool suda) {
            new (self) RiskWords{threshold, population_size, std::move(weight_column), suda};
          },
          nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
  nb::class_<VerifyTables>(module, "VerifyTables")
      .def(
          "__init__",
          [](VerifyTables* self, const InputTable& release, std::optional<InputTable> original,
             std::optional<InputTable> population, std::vector<InputTable> earlier,
             std::vector<std::pair<std::string, InputTable>> counted) {
            new (self) VerifyTables{release, std::move(original), std::move(population), std::move(earlier),
                                    std::move(counted)};
          },
          nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(),
          nb::arg("counted") = std::vector<std::pair<std::string, InputTable>>());
  module.def("risk", risk_of, nb::arg("job"), nb::arg("table"), nb::arg("population").none(), nb::arg("words"),
             nb::arg("show").none(), nb::arg("cancel").none());
  module.def("measure", measure_of, nb::arg("job"), nb::arg("release"), nb::arg("original"),
             nb::arg("population").none(), nb::arg("show").none(), nb::arg("cancel").none());
  nb::class_<VerificationHandle>(module, "VerificationHandle")
      .def_prop_ro("page", [](const VerificationHandle& self) { return self.page; })
      .def_prop_ro("verdict", [](const VerificationHandle& self) { return self.verdict; })
      .def_prop_ro("words", [](const VerificationHandle& self) { return self.words; });
  module.def("verify", verify_of, nb::arg("job"), nb::arg("tables"), nb::arg("engine"), nb::arg("show").none(),
             nb::arg("cancel").none());
  module.def("attack", attack_of, nb::arg("job"), nb::arg("release"), nb::arg("original"), nb::arg("earlier"),
             nb::arg("outsiders").none(), nb::arg("sample"), nb::arg("show").none(), nb::arg("cancel").none());
  module.def("evaluate", evaluate_of, nb::arg("job"), nb::arg("table"), nb::arg("words"), nb::arg("show").none(),
             nb::arg("cancel").none());
  module.def("methods", [] { return DocumentHandle{methods_document()}; });
  module.def("method_names", [] {
    std::vector<std::pair<std::string, std::string>> names;
    for (const MethodEntry& method : methods()) names.emplace_back(method.name, to_string(method.shape));
    return names;
  });
  module.def("takes_counted_rows", [](const std::string& name) {
    const MethodEntry* method = find_method(name);
    return method != nullptr && method->alike_rows != nullptr;
  });
  module.def("method", [](const std::string& name) {
    const MethodEntry* method = find_method(name);
    if (method == nullptr) throw Error(ErrorKind::job, "there is no method '" + name + "'; shoal.methods() lists them");
    return DocumentHandle{method_document(*method)};
  });
}

}  // namespace shoal::python
