// What a person decides: every change to the job of a session, and the job as a file.
#include <fmt/format.h>

#include <algorithm>

#include "web/session.h"

namespace shoal::web {

void Session::set_columns(const Fields& form) {
  const std::shared_ptr<const LookedAt> looked = looked_at();
  if (!looked) return;
  const std::vector<ColumnInspection>& columns = looked->found.inspection.columns;
  FileJob changed = job_;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string &role = form.at(fmt::format("role-{}", i)), &type = form.at(fmt::format("type-{}", i));
    if (role.empty()) continue;
    const bool left_out = role == "none";
    if (left_out && changed.find_column(columns[i].name) == nullptr) continue;
    ColumnJob& column = changed.column(columns[i].name);
    const Role before = column.role;
    column.role = left_out ? Role::none : parse_role(role);
    if (!type.empty()) column.type = parse_column_type(type);
    if (column.role == before) continue;
    const bool keeps_tree = column.role == Role::quasi || column.role == Role::sensitive;
    if (!keeps_tree) column.hierarchy.reset();
    if (column.role == Role::quasi && !column.hierarchy) {
      const ColumnJob* suggested = looked->found.job.find_column(column.name);
      if (suggested != nullptr && suggested->hierarchy) {
        column.hierarchy = suggested->hierarchy;
      } else {
        column.hierarchy = HierarchySpec{"", BuilderSpec{"auto", {}}, std::nullopt};
      }
    }
  }
  // A column that nobody says anything about is not in the job.
  std::erase_if(changed.columns, [](const ColumnJob& column) { return column.role == Role::none; });
  job_ = std::move(changed);
  ++changes_;
  if (!opened_) write_as_found(job_, looked->found.inspection);
  start_findings();
}

void Session::set_goal(const Fields& form) {
  FileJob changed = job_;
  if (form.has("k")) {
    const std::string& k = form.at("k");
    if (k.empty()) {
      changed.k.reset();
    } else {
      changed.k = parse_whole_number("k", k);
      if (*changed.k < 1) throw Error(ErrorKind::job, "k must be at least 1");
    }
  }
  const auto lines_of = [&](std::string_view name, const auto& take) {
    std::string_view text = form.at(name);
    while (!text.empty()) {
      std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
      while (line.starts_with(' ')) line.remove_prefix(1);
      if (!line.empty()) take(line);
    }
  };
  if (form.has("requirements")) {
    std::vector<RequirementJob> requirements;
    lines_of("requirements", [&](std::string_view line) {
      requirements.push_back(parse_requirement(line));
      for (const RequirementJob& before : changed.requirements) {  // models of one of them alone come by job files
        if (before.columns == requirements.back().columns) requirements.back().models = before.models;
      }
    });
    changed.requirements = std::move(requirements);
  }
  if (form.has("models")) {
    changed.models.clear();
    lines_of("models", [&](std::string_view line) { changed.models.push_back(parse_model(line)); });
  }
  if (form.has("method") && form.at("method") != changed.method) {
    changed.method = form.at("method");
    changed.params.clear();
  }
  if (form.has("suppress")) {
    changed.suppress_rows.reset();
    if (!form.at("suppress").empty())
      changed.suppress_rows = parse_number("rows that may be dropped", form.at("suppress")) / 100;
  }
  if (form.has("ranges")) changed.ranges = parse_ranges(form.at("ranges"));
  if (form.has("seed")) changed.seed = parse_whole_number("seed", form.at("seed"));
  if (form.has("time")) {
    changed.time_budget.reset();
    if (!form.at("time").empty()) changed.time_budget = parse_number("seconds for the search", form.at("time"));
  }
  check_job(changed);
  job_ = std::move(changed);
  ++changes_;
}

void Session::set_hierarchy(const std::string& column, std::optional<HierarchySpec> hierarchy) {
  FileJob changed = job_;
  changed.column(column).hierarchy = std::move(hierarchy);
  check_columns(changed);
  job_ = std::move(changed);
  ++changes_;
}

void Session::take_method(const Job& job) {
  job_.method = job.method;
  job_.params = job.params;
  job_.k = job.k;
  ++changes_;
}

void Session::accept(const std::string& finding, const std::string& reason) {
  const std::string code = parse_accepted(finding);
  if (reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(ErrorKind::job, fmt::format("say why {} is acceptable; the reports repeat the reason", code));
  }
  if (reason.size() > 2000) throw Error(ErrorKind::job, "the reason is too long; 2,000 characters at most");
  if (std::find(job_.accept.begin(), job_.accept.end(), code) == job_.accept.end()) job_.accept.push_back(code);
  job_.reasons[code] = reason;
}

void Session::withdraw(const std::string& finding) {
  std::erase(job_.accept, finding);
  job_.reasons.erase(finding);
}

FileJob Session::saved_job(FileJob job) const {
  if (dropped()) job.files.input.clear();
  return job;
}

std::string Session::saved_head() const {
  if (!dropped()) return "";
  std::string name = table_name();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return fmt::format("# made for {}\n", name);
}

std::string Session::job_text() const {
  const std::shared_ptr<const LookedAt> looked = looked_at();
  const FileJob shown = saved_job(job_);
  return saved_head() + (looked && !opened_ ? inspected_job_yaml(shown, looked->found.inspection) : job_yaml(shown));
}

std::string Session::save_job(const std::string& name) {
  std::string file = check_output(name);
  if (!file.ends_with(".yaml") && !file.ends_with(".yml")) {
    throw Error(ErrorKind::job, "the name of a job file ends in .yaml");
  }
  Outputs outputs;
  outputs.reads(job_);
  Output& output = outputs.writes("the job", file);
  outputs.prepare();
  output.write(job_text());
  Progress progress;
  outputs.publish(progress);
  remember_files({file});
  return file;
}

std::string Session::hierarchy_file(const std::string& column) const {
  std::string word;
  for (const char c : column) {
    const auto byte = static_cast<unsigned char>(c);
    word +=
        byte < 0x20 || byte == 0x7f || std::string_view("/\\:*?\"<>|[] ").find(c) != std::string_view::npos ? '_' : c;
  }
  return fmt::format("{}_{}.csv", stem_, word.substr(0, 80));
}

}  // namespace shoal::web
