#include "jobs.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "shoal/shoal.h"

namespace shoal::python {
namespace {

namespace nb = nanobind;

// A tree given as text in one of the forms of hierarchy files, which `form` names by its ending.
Tree tree_from(const std::string& text, const std::string& form, const std::string& name) {
  ParsedTree parsed = parse_tree_text(text, name + form);
  for (const HierarchyFault& fault : parsed.faults) {
    if (fault.severity != HierarchyFault::Severity::error) continue;
    throw Error(ErrorKind::input,
                name + (fault.line > 0 ? " line " + std::to_string(fault.line) : "") + ": " + fault.message);
  }
  parsed.tree.source = name;
  return std::move(parsed.tree);
}

// Texts stay texts: a job's reader understands numbers by itself.
nlohmann::ordered_json as_json(const YAML::Node& node) {
  if (node.IsScalar()) return node.Scalar();
  nlohmann::ordered_json json;
  if (node.IsMap()) {
    json = nlohmann::ordered_json::object();
    for (const auto& entry : node) json[entry.first.Scalar()] = as_json(entry.second);
  } else if (node.IsSequence()) {
    json = nlohmann::ordered_json::array();
    for (const YAML::Node& item : node) json.push_back(as_json(item));
  }
  return json;
}

// A job file's text as JSON, so that Python can change it. Refuses what the reader of jobs refuses.
std::string job_json(const std::string& text, const std::string& name, const std::string& folder) {
  parse_job(text, name, folder);
  return as_json(YAML::Load(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// `trees`: JSON text by column, for hierarchies that are no files.
JobHandle make_job(const std::string& text, const std::string& name, const std::string& folder,
                   const std::map<std::string, std::string>& trees) {
  JobHandle handle;
  FileJob job = parse_job(text, name, folder);
  for (const auto& [column, json] : trees) {
    HierarchySpec spec;
    spec.tree = tree_from(json, ".json", "the tree of '" + column + "'");
    job.column(column).hierarchy = std::move(spec);
  }
  handle.job = with_hierarchies_read(std::move(job), handle.notices);
  return handle;
}

}  // namespace

void bind_jobs(nb::module_& module) {
  nb::class_<JobHandle>(module, "JobHandle")
      .def("__init__",
           [](JobHandle* self, const std::string& text, const std::string& name, const std::string& folder,
              const std::map<std::string, std::string>& trees) {
             new (self) JobHandle(make_job(text, name, folder, trees));
           })
      .def("yaml", [](const JobHandle& self) { return job_yaml(self.job); })
      .def("columns",
           [](const JobHandle& self, const std::string& role) {
             std::vector<std::string> names;
             for (const ColumnJob& column : self.job.columns) {
               if (to_string(column.role) == role) names.push_back(column.name);
             }
             return names;
           })
      .def_prop_ro("k", [](const JobHandle& self) { return self.job.k; })
      .def_prop_ro("c_avg_k", [](const JobHandle& self) { return c_avg_k(self.job); })
      .def_prop_ro("population", [](const JobHandle& self) { return self.job.files.population; })
      .def("tell_weaker", [](JobHandle& self, std::vector<std::string> said) { self.weaker = std::move(said); })
      .def("weakened_by", [](const JobHandle& self, const JobHandle& other) { return weakenings(self.job, other.job); })
      .def_prop_ro("compared_columns", [](const JobHandle& self) { return compared_columns(self.job); })
      .def_prop_ro("earlier", [](const JobHandle& self) { return self.job.files.earlier; })
      .def("check", [](const JobHandle& self) { check_job(self.job); })
      .def_prop_ro("method", [](const JobHandle& self) { return chosen_method(self.job); });
  module.def("job_json", job_json);
  module.def("level_table", [](const std::string& text, const std::string& form) {
    return level_table(tree_from(text, form, "the tree"));
  });
  module.def("build_level_table", [](const std::string& kind, const std::map<std::string, std::string>& settings,
                                     const std::vector<std::string>& values) {
    return level_table(build_tree({kind, settings}, values, {}));
  });
}

}  // namespace shoal::python
