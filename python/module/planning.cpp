#include "planning.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "jobs.h"
#include "looking.h"
#include "running.h"
#include "shoal/shoal.h"
#include "tables.h"

namespace shoal::python {
namespace {

namespace nb = nanobind;

struct InspectionHandle {
  Inspection inspection;
  std::string table;

  FileJob job() const {
    if (!inspection.job) {
      throw Error(ErrorKind::job,
                  "there is no job to suggest, since no column could be quasi; say which columns an attacker "
                  "may know",
                  Advice{Setting::quasi});
    }
    FileJob job;
    static_cast<Job&>(job) = *inspection.job;
    return job;
  }
};

InspectionHandle inspect_of(const InputTable& table, const std::vector<std::string>& missing, uint64_t k, uint64_t seed,
                            nb::object show, nb::object cancel) {
  if (k < 1) throw Error(ErrorKind::job, "k is 0; it must be at least 1");
  InspectionHandle result;
  result.table = table.table->name();
  run_watched(show, cancel, [&](Progress& progress) {
    result.inspection = inspect(*table.table, {.missing = missing, .k = k, .seed = seed}, progress);
  });
  return result;
}

// The job file's text, with comments, and the hierarchy files that it names, beside it: name and text.
using WrittenJob = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>;
WrittenJob written_job(const InspectionHandle& handle, const std::string& file_name) {
  FileJob job = handle.job();
  WrittenJob written;
  for (HierarchyText& file : hierarchies_beside(file_name, handle.inspection, job)) {
    written.second.emplace_back(std::move(file.path), std::move(file.text));
  }
  written.first = inspected_job_yaml(job, handle.inspection);
  return written;
}

struct CompareWords {
  std::vector<std::string> methods, learners;
  std::vector<uint64_t> ks;
  std::optional<uint64_t> sample;
  size_t folds;
};

struct ComparisonHandle {
  DocumentHandle page;
  std::optional<std::pair<std::string, std::optional<uint64_t>>> recommended;  // its method and k
  std::vector<std::pair<std::string, std::string>> params;                     // and the method's settings
  bool interrupted = false;
};

ComparisonHandle compare_of(const JobHandle& job, const InputTable& table, const CompareWords& words, nb::object show,
                            nb::object cancel) {
  ComparisonHandle result;
  run_watched(show, cancel, [&](Progress& progress) {
    CompareTableSettings settings;
    settings.compare.methods = words.methods;
    if (words.methods == std::vector<std::string>{"all"}) {
      settings.compare.methods.clear();
      for (const MethodEntry& entry : methods()) settings.compare.methods.push_back(entry.name);
    }
    settings.compare.ks = words.ks;
    settings.compare.sample = words.sample;
    settings.learners = words.learners;
    settings.folds = words.folds;
    ComparisonReport report = compare_table(job.job, settings, *table.table, progress);
    report.comparison.input = table.table->name();
    report.data_notices.insert(report.data_notices.end(), job.notices.begin(), job.notices.end());
    result.page.document = comparison_document(report);
    result.interrupted = report.comparison.interrupted;
    if (!report.recommendation) return;
    const ComparedRun& run = report.comparison.runs[report.recommendation->run];
    result.recommended.emplace(run.method, run.k);
    for (const auto& [name, value] : run.params) result.params.emplace_back(name, value);
  });
  return result;
}

}  // namespace

void bind_planning(nb::module_& module) {
  nb::class_<InspectionHandle>(module, "InspectionHandle")
      .def("page",
           [](const InspectionHandle& self, bool examples) {
             return DocumentHandle{inspect_document(self.table, self.inspection, examples)};
           })
      .def_prop_ro("has_job", [](const InspectionHandle& self) { return self.inspection.job.has_value(); })
      .def_prop_ro("comma_columns", [](const InspectionHandle& self) { return self.inspection.comma_columns; })
      .def("job_yaml", [](const InspectionHandle& self) { return inspected_job_yaml(self.job(), self.inspection); })
      .def("written_job", written_job);
  module.def("inspect", inspect_of, nb::arg("table"), nb::arg("missing"), nb::arg("k"), nb::arg("seed"),
             nb::arg("show").none(), nb::arg("cancel").none());
  nb::class_<CompareWords>(module, "CompareWords")
      .def(
          "__init__",
          [](CompareWords* self, std::vector<std::string> methods, std::vector<std::string> learners,
             std::vector<uint64_t> ks, std::optional<uint64_t> sample, size_t folds) {
            new (self) CompareWords{std::move(methods), std::move(learners), std::move(ks), sample, folds};
          },
          nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  nb::class_<ComparisonHandle>(module, "ComparisonHandle")
      .def_prop_ro("page", [](const ComparisonHandle& self) { return self.page; })
      .def_prop_ro("recommended", [](const ComparisonHandle& self) { return self.recommended; })
      .def_prop_ro("params", [](const ComparisonHandle& self) { return self.params; })
      .def_prop_ro("interrupted", [](const ComparisonHandle& self) { return self.interrupted; });
  module.def("compare", compare_of, nb::arg("job"), nb::arg("table"), nb::arg("words"), nb::arg("show").none(),
             nb::arg("cancel").none());
}

}  // namespace shoal::python
