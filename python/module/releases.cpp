#include "releases.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "jobs.h"
#include "running.h"
#include "second_engine.h"
#include "shoal/shoal.h"
#include "tables.h"

namespace shoal::python {
namespace {

namespace nb = nanobind;

// The table, and those that its release is made beside.
struct AnonymizeTables {
  InputTable table;
  std::optional<InputTable> population;
  std::vector<InputTable> earlier;
  std::vector<uint32_t> times = {};  // for how many rows each row of the table stands; empty: for itself
};

ReleaseHandle anonymize_table(const JobHandle& job, const AnonymizeTables& tables, nb::object make_engine,
                              nb::object show, nb::object cancel) {
  ReleaseHandle handle;
  handle.job = job.job;
  run_watched(show, cancel, [&, engine = std::move(make_engine)](Progress& progress) {
    SecondEngine second;
    {
      nb::gil_scoped_acquire acquired;
      second = second_engine(engine, progress);
    }
    handle.release = anonymize(job.job, *tables.table.table, second, progress,
                               {.earlier = sources_of(tables.earlier),
                                .population = tables.population ? tables.population->table.get() : nullptr,
                                .times = tables.times});
    std::vector<std::string>& notices = handle.release.report.notices;
    notices.insert(notices.begin(), job.weaker.begin(), job.weaker.end());
    handle.release.report.data_notices.insert(handle.release.report.data_notices.end(), job.notices.begin(),
                                              job.notices.end());
  });
  return handle;
}

template <typename Number>
nb::bytes bytes_of(const std::vector<Number>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

std::vector<std::optional<double>> numbers_of(const Hierarchy& hierarchy) {
  std::vector<std::optional<double>> numbers;
  for (uint32_t leaf = 0; hierarchy.numeric() && leaf < hierarchy.leaves(); ++leaf) {
    numbers.push_back(leaf == hierarchy.missing() ? std::nullopt : std::optional(hierarchy.number(leaf)));
  }
  return numbers;
}

OutputTable transform(const RowMapping& mapping, const InputTable& rows, nb::object show, nb::object cancel) {
  OutputTable result;
  run_watched(show, cancel,
              [&](Progress& progress) { result.columns = recode_new_rows(mapping, *rows.table, progress); });
  return result;
}

// Text, first leaf, last leaf.
using Meaning = std::tuple<std::string, uint32_t, uint32_t>;
std::vector<Meaning> meanings(const ReleaseHandle& handle, size_t quasi) {
  std::vector<Meaning> result;
  for (CellMeaning& cell : cell_meanings(handle.release, quasi)) {
    result.emplace_back(std::move(cell.text), cell.first_leaf, cell.last_leaf);
  }
  return result;
}

// ---- a mapping as plain Python data, so that it can be pickled ----

using StretchState = std::tuple<double, double, uint32_t>;
using ColumnState = std::tuple<std::string, std::unordered_map<std::string, uint32_t>, std::vector<StretchState>,
                               std::optional<uint32_t>, std::vector<std::string>>;
using IntervalState = std::pair<uint32_t, uint32_t>;
using MappingState = std::tuple<int, std::vector<ColumnState>, std::vector<size_t>, std::vector<IntervalState>,
                                std::vector<double>, std::vector<std::string>, std::vector<std::string>,
                                std::vector<std::string>, std::vector<IntervalState>, bool>;

MappingState state_of(const RowMapping& mapping) {
  const WrittenRecoding& recoding = mapping.recoding;
  std::vector<ColumnState> columns;
  for (const WrittenRecoding::Column& column : recoding.columns) {
    std::vector<StretchState> stretches;
    for (const auto& stretch : column.stretches) stretches.emplace_back(stretch.low, stretch.high, stretch.place);
    columns.emplace_back(column.name, column.places, std::move(stretches), column.missing, column.releases);
  }
  std::vector<IntervalState> covers, holds;
  for (const LeafInterval& interval : recoding.boxes.covers) covers.emplace_back(interval.first, interval.last);
  for (const LeafInterval& interval : recoding.boxes.holds) holds.emplace_back(interval.first, interval.last);
  return {static_cast<int>(recoding.shape),
          std::move(columns),
          recoding.boxes.leaves,
          std::move(covers),
          recoding.boxes.losses,
          recoding.region_releases,
          mapping.missing,
          mapping.columns,
          std::move(holds),
          recoding.boxes.count_cells};
}

RowMapping mapping_of(const MappingState& state) {
  RowMapping mapping;
  WrittenRecoding& recoding = mapping.recoding;
  recoding.shape = static_cast<Shape>(std::get<0>(state));
  for (const auto& [name, places, stretches, missing, releases] : std::get<1>(state)) {
    WrittenRecoding::Column column{name, places, {}, missing, releases};
    for (const auto& [low, high, place] : stretches) column.stretches.push_back({low, high, place});
    recoding.columns.push_back(std::move(column));
  }
  recoding.boxes.leaves = std::get<2>(state);
  for (const auto& [first, last] : std::get<3>(state)) recoding.boxes.covers.push_back({first, last});
  recoding.boxes.losses = std::get<4>(state);
  recoding.region_releases = std::get<5>(state);
  mapping.missing = std::get<6>(state);
  mapping.columns = std::get<7>(state);
  for (const auto& [first, last] : std::get<8>(state)) recoding.boxes.holds.push_back({first, last});
  recoding.boxes.count_cells = std::get<9>(state);
  return mapping;
}

void bind_row_mapping(nb::module_& module) {
  nb::class_<RowMapping>(module, "RowMapping")
      .def("transform", transform, nb::arg("rows"), nb::arg("show").none() = nb::none(),
           nb::arg("cancel").none() = nb::none())
      .def("__getstate__", state_of)
      .def("__setstate__",
           [](RowMapping& self, const MappingState& state) { new (&self) RowMapping(mapping_of(state)); });
}

}  // namespace

void bind_releases(nb::module_& module) {
  nb::class_<ReleaseHandle>(module, "ReleaseHandle")
      .def_prop_ro("status", [](const ReleaseHandle& self) { return to_string(self.release.report.status); })
      .def_prop_ro("reason", [](const ReleaseHandle& self) { return self.release.report.reason; })
      .def_prop_ro("table", [](const ReleaseHandle& self) { return OutputTable{self.release.table}; })
      .def_prop_ro("row_of_release", [](const ReleaseHandle& self) { return bytes_of(self.release.row_of_release); })
      .def_prop_ro("distortion_at_root",
                   [](const ReleaseHandle& self) { return self.release.report.measures.distortion_at_root; })
      .def_prop_ro("shape",
                   [](const ReleaseHandle& self) {
                     return self.release.recoding ? to_string(self.release.recoding->shape()) : std::string();
                   })
      .def("json",
           [](const ReleaseHandle& self, bool everyone) {
             return json_text(release_document(self.release.report),
                              everyone ? Audience::everyone : Audience::internal);
           })
      .def("html",
           [](const ReleaseHandle& self, bool everyone) {
             return html_page(release_document(self.release.report),
                              everyone ? Audience::everyone : Audience::internal);
           })
      .def("text", [](const ReleaseHandle& self) { return terminal_text(release_document(self.release.report)); })
      .def("recoding", [](const ReleaseHandle& self) { return recoding_text(self.release, self.job); })
      .def("quasi_names",
           [](const ReleaseHandle& self) {
             std::vector<std::string> names;
             for (const ColumnEncoding& column : self.release.encoding.columns) names.push_back(column.name);
             return names;
           })
      .def("leaf_texts", [](const ReleaseHandle& self, size_t j) { return self.quasi(j).leaf_texts; })
      .def("leaf_numbers",
           [](const ReleaseHandle& self, size_t j) { return numbers_of(self.release.encoding.hierarchies[j]); })
      .def("missing_leaf",
           [](const ReleaseHandle& self, size_t j) { return self.release.encoding.hierarchies[j].missing(); })
      .def("cell_meanings", meanings)
      .def("row_mapping", [](const ReleaseHandle& self) { return row_mapping(self.release, self.job); });
  bind_row_mapping(module);
  nb::class_<AnonymizeTables>(module, "AnonymizeTables")
      .def(
          "__init__",
          [](AnonymizeTables* self, const InputTable& table, std::optional<InputTable> population,
             std::vector<InputTable> earlier, const nb::bytes& times) {
            new (self) AnonymizeTables{table, std::move(population), std::move(earlier), numbers_in(times)};
          },
          nb::arg(), nb::arg().none(), nb::arg(), nb::arg("times") = nb::bytes("", 0));
  module.def("anonymize", anonymize_table, nb::arg("job"), nb::arg("tables"), nb::arg("engine"), nb::arg("show").none(),
             nb::arg("cancel").none());
}

}  // namespace shoal::python
