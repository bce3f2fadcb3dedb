#include "plans.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "jobs.h"
#include "releases.h"
#include "running.h"
#include "second_engine.h"
#include "shoal/shoal.h"
#include "tables.h"

namespace shoal::python {
namespace {

namespace nb = nanobind;

// Shared by a plan and the planner that is made from it.
struct PlanHandle {
  FileJob job;
  std::shared_ptr<const PlannedTable> table;
};

PlanHandle plan_of(const JobHandle& job, TablePlan plan) {
  return {job.job, std::make_shared<const PlannedTable>(job.job, std::move(plan))};
}

// `counted`: for each quasi and sensitive column, in the table's order, its name and a table of values and counts.
PlanHandle counted_plan(const JobHandle& job, const std::vector<std::string>& columns, uint64_t rows,
                        const std::vector<std::pair<std::string, InputTable>>& counted) {
  PlanHandle handle;
  run_watched(nb::none(), nb::none(), [&](Progress& progress) {
    TablePlan plan;
    plan.rows = rows;
    plan.columns = columns;
    for (const auto& [name, table] : counted) plan.domains.push_back(read_domain(name, *table.table, progress));
    handle = plan_of(job, std::move(plan));
  });
  return handle;
}

template <typename Number>
nb::bytes numbers_as_bytes(const std::vector<Number>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

nb::bytes text_as_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

OutputTable keys_of(const PlanHandle& plan, const InputTable& rows) {
  std::vector<ArrowColumn> columns;
  columns.push_back(ArrowColumn::of_texts("key"));
  run_watched(nb::none(), nb::none(), [&](Progress& progress) {
    for (const std::string& key : plan.table->keys(*rows.table, progress)) columns[0].add_text(key);
  });
  return {ArrowColumns(std::move(columns))};
}

template <typename Number, typename Work>
nb::bytes numbers_from(const Work& work) {
  std::vector<Number> numbers;
  run_watched(nb::none(), nb::none(), [&](Progress& progress) { numbers = work(progress); });
  return numbers_as_bytes(numbers);
}

// `stored`: "text", "number" or "other" for each key column.
std::optional<std::string> fragments_sql(const PlanHandle& plan, const std::vector<std::string>& stored, size_t most) {
  std::vector<PlannedTable::Stored> kinds;
  for (const std::string& word : stored) {
    kinds.push_back(word == "text"     ? PlannedTable::Stored::text
                    : word == "number" ? PlannedTable::Stored::whole_number
                                       : PlannedTable::Stored::other);
  }
  return plan.table->fragments_sql(kinds, most);
}

// A plan for each family of requirements that is searched for by itself.
std::vector<PlanHandle> by_family(const PlanHandle& plan) {
  std::vector<PlanHandle> plans;
  for (TablePlan& of_family : plan.table->by_family()) {
    plans.push_back({plan.job, std::make_shared<const PlannedTable>(plan.job, std::move(of_family))});
  }
  return plans;
}

// The rows of a fragment, and what they are released as on columns of families that were searched for before.
struct FragmentRows {
  size_t number;
  InputTable rows;
  std::optional<InputTable> found;
};

ReleaseHandle anonymize_fragment(const PlanHandle& plan, const FragmentRows& part, nb::object make_engine,
                                 nb::object show, nb::object cancel) {
  ReleaseHandle handle;
  handle.job = plan.job;
  run_watched(show, cancel, [&, engine = std::move(make_engine)](Progress& progress) {
    SecondEngine second;
    {
      nb::gil_scoped_acquire acquired;
      second = second_engine(engine, progress);
    }
    const FragmentOfTable fragment = plan.table->fragment(part.number, part.found ? part.found->table.get() : nullptr);
    handle.release = anonymize(plan.table->job(), *part.rows.table, second, progress, {.fragment = &fragment});
  });
  return handle;
}

using Leaves = std::vector<uint32_t>;

// `holding`, `broken`: sets of leaves, each ascending, of which it is known whether their rows may be a fragment.
// Others that had to be known are the answer; they were taken for such that may.
std::vector<Leaves> join_fragments(FragmentPlanner& planner, const std::vector<uint64_t>& rows,
                                   const std::vector<Leaves>& holding, const std::vector<Leaves>& broken) {
  std::map<Leaves, bool> known;
  for (const Leaves& leaves : holding) known[leaves] = true;
  for (const Leaves& leaves : broken) known[leaves] = false;
  std::set<Leaves> unknown;
  planner.join(rows, [&](std::span<const uint32_t> leaves) {
    Leaves sorted(leaves.begin(), leaves.end());
    std::sort(sorted.begin(), sorted.end());
    if (const auto found = known.find(sorted); found != known.end()) return found->second;
    unknown.insert(std::move(sorted));
    return true;
  });
  return {unknown.begin(), unknown.end()};
}

}  // namespace

void bind_plans(nb::module_& module) {
  nb::class_<PlanHandle>(module, "TablePlan")
      .def("__init__",
           [](PlanHandle* self, const JobHandle& job, nb::bytes bytes) {
             new (self) PlanHandle(plan_of(job, TablePlan::from_bytes({bytes.c_str(), bytes.size()})));
           })
      .def_static("counted", counted_plan)
      .def("bytes", [](const PlanHandle& self) { return text_as_bytes(self.table->plan().bytes()); })
      .def_prop_ro("fragments", [](const PlanHandle& self) { return self.table->plan().fragments(); })
      .def_prop_ro("fragment_of_leaf", [](const PlanHandle& self) { return self.table->plan().fragment_of_leaf; })
      .def_prop_ro("leaves",
                   [](const PlanHandle& self) {
                     std::vector<uint32_t> leaves;
                     const auto& nodes = self.table->plan().tree.nodes();
                     for (uint32_t node = 0; node < nodes.size(); ++node) {
                       if (nodes[node].is_leaf()) leaves.push_back(node);
                     }
                     return leaves;
                   })
      .def("by_family", by_family)
      .def_prop_ro("notices", [](const PlanHandle& self) { return self.table->notices(); })
      .def("key_columns", [](const PlanHandle& self) { return self.table->key_columns(); })
      .def("keys", keys_of)
      .def("drawn",
           [](const PlanHandle& self, const InputTable& tuples, size_t wanted) {
             return numbers_from<uint64_t>(
                 [&](Progress& progress) { return self.table->drawn(*tuples.table, wanted, progress); });
           })
      .def("leaves_of",
           [](const PlanHandle& self, const InputTable& tuples) {
             return numbers_from<uint32_t>(
                 [&](Progress& progress) { return self.table->leaves(*tuples.table, progress); });
           })
      .def("model_columns", [](const PlanHandle& self) { return self.table->model_columns(); })
      .def("keeps_models",
           [](const PlanHandle& self, const InputTable& rows, const nb::bytes& times) {
             std::vector<uint32_t> numbers = numbers_in(times);
             bool keeps = false;
             run_watched(nb::none(), nb::none(), [&](Progress& progress) {
               keeps = self.table->keeps_models(*rows.table, std::move(numbers), progress);
             });
             return keeps;
           })
      .def("fragments_of",
           [](const PlanHandle& self, const InputTable& rows) {
             return numbers_from<uint32_t>(
                 [&](Progress& progress) { return self.table->fragments(*rows.table, progress); });
           })
      .def("fragments_sql", fragments_sql)
      .def("losses", [](const PlanHandle& self, const std::string& column,
                        const std::vector<std::string>& texts) { return self.table->losses(column, texts); })
      .def("bits_lost",
           [](const PlanHandle& self, const std::string& column, const std::vector<std::string>& texts,
              const std::vector<uint64_t>& counts) {
             const BitsLost bits = self.table->bits_lost(column, texts, counts);
             return std::pair(bits.lost, bits.at_root);
           })
      .def("anonymize", anonymize_fragment, nb::arg("part"), nb::arg("engine"), nb::arg("show").none(),
           nb::arg("cancel").none());
  nb::class_<FragmentRows>(module, "FragmentRows")
      .def(
          "__init__",
          [](FragmentRows* self, size_t number, const InputTable& rows, std::optional<InputTable> found) {
            new (self) FragmentRows{number, rows, std::move(found)};
          },
          nb::arg(), nb::arg(), nb::arg().none() = nb::none());
  nb::class_<FragmentPlanner>(module, "FragmentPlanner")
      .def("__init__", [](FragmentPlanner* self, const PlanHandle& plan) { new (self) FragmentPlanner(plan.table); })
      .def_prop_ro("fragments", [](const FragmentPlanner& self) { return self.sizes().fragments; })
      .def_prop_ro("pilot_rows", [](const FragmentPlanner& self) { return self.sizes().pilot_rows; })
      .def_prop_ro("reason", [](const FragmentPlanner& self) { return self.reason(); })
      .def("count_tuples", [](FragmentPlanner& self, uint64_t tuples) { self.count_tuples(tuples); })
      .def(
          "grow",
          [](FragmentPlanner& self, const InputTable& drawn, nb::object show, nb::object cancel) {
            run_watched(show, cancel, [&](Progress& progress) { self.grow(*drawn.table, progress); });
          },
          nb::arg("drawn"), nb::arg("show").none(), nb::arg("cancel").none())
      .def("cut_again", [](FragmentPlanner& self, const std::vector<uint64_t>& rows) { return self.cut_again(rows); })
      .def("join", join_fragments)
      .def("bytes", [](const FragmentPlanner& self) { return text_as_bytes(self.plan().bytes()); });
}

}  // namespace shoal::python
