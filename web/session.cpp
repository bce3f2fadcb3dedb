#include "web/session.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace shoal::web {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPreviewRows = 20;
constexpr uint64_t kCurveSample = 2000;
constexpr uint64_t kCurveKs[] = {2, 3, 5, 8, 11, 15, 20, 30, 50};

bool is_there(const std::string& name) {
  struct stat status {};
  return lstat(name.c_str(), &status) == 0;
}

std::vector<std::string> files_of(const FileJob& job) {
  std::vector<std::string> files;
  for (const std::string& file : {job.files.output, job.files.report, job.files.report_public, job.files.json,
                                  job.files.recoding, job.files.recoding_public}) {
    if (!file.empty()) files.push_back(file);
  }
  return files;
}

std::string job_name(const std::string& stem) { return stem + "_job.yaml"; }

// The job with no path that means something on this machine alone.
FileJob without_private_input(FileJob job, bool dropped) {
  if (dropped) job.files.input.clear();
  return job;
}

std::string comment_lines(const std::string& text) {
  std::string line = text;
  std::replace_if(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return "# " + line + "\n";
}

std::string accepted_comments(const std::map<std::string, std::string>& reasons, const std::string& table) {
  std::string head;
  if (!table.empty()) head += comment_lines("made for " + table);
  for (const auto& [finding, reason] : reasons) {
    head += comment_lines(fmt::format("accepted {}: {}", finding, reason));
  }
  return head;
}

}  // namespace

// ---- the table ----

void Session::open(const std::string& name) {
  const std::string file = Folder::file(name);
  if (file.ends_with(".yaml") || file.ends_with(".yml")) {
    FileJob opened = Folder::checked(read_job(file), "");
    if (opened.files.input.empty()) {
      throw Error(ErrorKind::job, fmt::format("'{}' names no table (key input); open the table instead", file));
    }
    FileJob asked;
    asked.files = opened.files;
    asked.missing = opened.missing;
    begin(std::move(asked), std::move(opened));
    job_file_ = file;
    return;
  }
  FileJob asked;
  asked.files.input = file;
  begin(std::move(asked), std::nullopt);
}

void Session::open(std::unique_ptr<PrivateTable> dropped) {
  FileJob asked;
  asked.files.input = dropped->path();
  begin(std::move(asked), std::nullopt);
  dropped_ = std::move(dropped);
  choose_stem();
}

void Session::begin(FileJob asked, std::optional<FileJob> opened) {
  findings.reset();
  curve.reset();
  compare.reset();
  release.reset();
  values.reset();
  wanted_values_.clear();
  ++table_number_;
  if (dropped_) left_.push_back(std::move(dropped_));
  job_file_.clear();
  opened_ = std::move(opened);
  job_ = asked;
  reasons_.clear();
  Files& files = asked.files;
  files.output = files.json = files.report = files.report_public = files.recoding = files.recoding_public = "";
  choose_stem();
  format_ = ".csv";
  for (const char* ending : {".parquet", ".json", ".tsv"}) {
    if (files.input.ends_with(ending)) format_ = ending;
  }
  look.start([asked](Progress& progress) {
    LookedAt looked;
    looked.preview = preview_file(asked, kPreviewRows, progress);
    looked.found = inspect_file(asked, progress);
    return looked;
  });
}

std::string Session::table_name() const {
  return dropped_ ? dropped_->name() : job_.files.input;
}

bool Session::ready() {
  if (!has_table()) return false;
  const std::shared_ptr<const LookedAt> looked = looked_at();
  if (!looked) return false;
  if (adopted_ == table_number_) return true;
  adopted_ = table_number_;
  const std::string input = job_.files.input;
  if (opened_) {
    job_ = *opened_;
  } else if (looked->found.inspection.job) {
    job_ = looked->found.job;
  } else {
    job_.k = 5;
  }
  job_.files.input = input;
  start_findings();
  return true;
}

// The first name of its kind under which nothing is there yet.
void Session::choose_stem() {
  std::string name = fs::path(table_name()).filename().string();
  name = name.substr(0, name.find('.'));
  if (name.empty() || name.starts_with('-')) name = "table";
  for (int number = 1;; ++number) {
    stem_ = number == 1 ? name : fmt::format("{}_{}", name, number);
    if (stem_.size() > 100) stem_ = fmt::format("table_{}", number);
    const std::vector<std::string> files = files_of(release_job());
    if (std::none_of(files.begin(), files.end(), is_there) && !is_there(job_name(stem_))) return;
  }
}

// ---- the job ----

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
    if (!form.at("suppress").empty()) changed.suppress_rows = parse_number("rows that may be dropped", form.at("suppress")) / 100;
  }
  if (form.has("ranges")) changed.ranges = parse_ranges(form.at("ranges"));
  if (form.has("seed")) changed.seed = parse_whole_number("seed", form.at("seed"));
  if (form.has("time")) {
    changed.time_budget.reset();
    if (!form.at("time").empty()) changed.time_budget = parse_number("seconds for the search", form.at("time"));
  }
  check_job(changed);
  job_ = std::move(changed);
}

void Session::set_hierarchy(const std::string& column, std::optional<HierarchySpec> hierarchy) {
  FileJob changed = job_;
  changed.column(column).hierarchy = std::move(hierarchy);
  check_columns(changed);
  job_ = std::move(changed);
}

void Session::take_method(const Job& job) {
  job_.method = job.method;
  job_.params = job.params;
  job_.k = job.k;
}

void Session::accept(const std::string& finding, const std::string& reason) {
  const std::string code = parse_accepted(finding);
  if (reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(ErrorKind::job, fmt::format("say why {} is acceptable; the reports repeat the reason", code));
  }
  if (reason.size() > 2000) throw Error(ErrorKind::job, "the reason is too long; 2,000 characters at most");
  if (std::find(job_.accept.begin(), job_.accept.end(), code) == job_.accept.end()) job_.accept.push_back(code);
  reasons_[code] = reason;
}

void Session::withdraw(const std::string& finding) {
  std::erase(job_.accept, finding);
  reasons_.erase(finding);
}

std::string Session::job_text() const {
  const std::shared_ptr<const LookedAt> looked = looked_at();
  const FileJob shown = without_private_input(job_, dropped());
  const std::string head = accepted_comments(reasons_, dropped() ? table_name() : "");
  return head + (looked && !opened_ ? inspected_job_yaml(shown, looked->found.inspection) : job_yaml(shown));
}

std::string Session::save_job(const std::string& name) {
  const std::string file = Folder::output(name);
  if (!file.ends_with(".yaml") && !file.ends_with(".yml")) {
    throw Error(ErrorKind::job, "the name of a job file ends in .yaml");
  }
  if (is_there(file) && !is_ours(file)) {
    throw Error(ErrorKind::job, fmt::format("'{}' is there already and was not made here; choose another name", file));
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
    word += byte < 0x20 || byte == 0x7f || std::string_view("/\\:*?\"<>|[] ").find(c) != std::string_view::npos ? '_' : c;
  }
  return fmt::format("{}_{}.csv", stem_, word.substr(0, 80));
}

// ---- releases ----

void Session::set_stem(const std::string& stem) {
  if (stem.empty() || stem.size() > 100) {
    throw Error(ErrorKind::job, "the outputs need a name of 1 to 100 characters");
  }
  Folder::output(stem + "_release.csv");
  stem_ = stem;
}

void Session::set_format(const std::string& ending) {
  for (const char* known : {".csv", ".tsv", ".json", ".parquet"}) {
    if (ending == known) {
      format_ = ending;
      return;
    }
  }
  throw Error(ErrorKind::job, fmt::format("no such format: '{}'", ending));
}

FileJob Session::release_job() const {
  FileJob job = job_;
  job.files.output = stem_ + "_release" + format_;
  job.files.report = stem_ + "_report.html";
  job.files.report_public = stem_ + "_report_public.html";
  job.files.json = stem_ + "_report.json";
  job.files.recoding = stem_ + "_recoding.json";
  job.files.recoding_public = "";
  return job;
}

void Session::start_findings() {
  if (!looked_at()) return;
  findings.start([job = job_](Progress& progress) { return risk_report(job, RiskSettings{}, progress); });
}

void Session::start_release() {
  if (release.running()) return;  // a second click, or another tab
  const FileJob job = release_job();
  check_job(job);
  std::vector<std::string> files = files_of(job);
  files.push_back(job_name(stem_));
  for (const std::string& file : files) {
    Folder::output(file);
    if (is_there(file) && !is_ours(file)) {
      throw Error(ErrorKind::job, fmt::format("'{}' is there already and was not made here; choose another name for the "
                                              "outputs",
                                              file));
    }
  }
  Folder::checked(job, dropped_ ? dropped_->path() : "");  // once more: files may have been replaced by links meanwhile
  std::vector<std::string> notices;
  for (const auto& [finding, reason] : reasons_) notices.push_back(fmt::format("{} was accepted: {}", finding, reason));
  const std::string head = accepted_comments(reasons_, dropped() ? table_name() : "");
  remember_files(files);
  release.start([job, files, notices, head, is_dropped = dropped()](Progress& progress) {
    Outputs outputs;
    register_files(job, outputs);
    Output& job_output = outputs.writes("the job", files.back());
    outputs.prepare();
    ReleaseOutcome released{anonymize_files(job, outputs, progress, notices), {}, job};
    if (released.report.status == Status::released) {
      FileJob run = without_private_input(job, is_dropped);
      run.method = released.report.method;
      run.params = released.report.params;
      job_output.write(head + job_yaml(run));
    }
    outputs.publish(progress);
    const bool done = released.report.status == Status::released;
    for (const std::string& file : files) {
      // Without a release only these two are written; the others may be of an earlier run.
      const bool written = done || file == job.files.report || file == job.files.json;
      if (written && is_there(file)) released.files.push_back(file);
    }
    return released;
  });
}

void Session::start_compare(const CompareTableSettings& settings) {
  compare.start([job = job_, settings](Progress& progress) { return compare_files(job, settings, progress); });
}

std::string Session::curve_key() const {
  FileJob job = job_;
  job.k.reset();
  return fmt::format("{} {}", table_number_, job_yaml(job));
}

void Session::start_curve() {
  const std::string key = curve_key();
  CompareTableSettings settings;
  settings.compare.methods = {chosen_method(job_)};
  settings.compare.ks.assign(std::begin(kCurveKs), std::end(kCurveKs));
  if (job_.k && std::find(std::begin(kCurveKs), std::end(kCurveKs), *job_.k) == std::end(kCurveKs)) {
    settings.compare.ks.push_back(*job_.k);
    std::sort(settings.compare.ks.begin(), settings.compare.ks.end());
  }
  const std::shared_ptr<const LookedAt> looked = looked_at();
  if (looked && looked->found.inspection.rows > kCurveSample) settings.compare.sample = kCurveSample;
  curve.start([job = job_, settings, key](Progress& progress) {
    return Curve{compare_files(job, settings, progress), key};
  });
}

std::shared_ptr<const ColumnLeaves> Session::values_of(const std::string& column) {
  if (wanted_values_ == column) {
    const RunState state = values.status().state;
    if (state == RunState::running || state == RunState::failed) return nullptr;
    if (const std::shared_ptr<const ColumnLeaves> found = values.result()) return found;
  }
  wanted_values_ = column;
  values.start([job = job_, column](Progress& progress) {
    return ColumnLeaves{column, column_values(job, column, progress)};
  });
  return nullptr;
}

bool Session::is_ours(const std::string& file) const {
  return std::find(ours_.begin(), ours_.end(), file) != ours_.end();
}

void Session::remember_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (!is_ours(file)) ours_.push_back(file);
  }
}

std::array<RunStatus, 6> Session::statuses() const {
  return {look.status(), findings.status(), curve.status(), compare.status(), release.status(), values.status()};
}

void Session::cancel(std::string_view run) {
  if (run == "look") look.cancel();
  if (run == "findings") findings.cancel();
  if (run == "curve") curve.cancel();
  if (run == "compare") compare.cancel();
  if (run == "release") release.cancel();
  if (run == "values") values.cancel();
}

}  // namespace shoal::web
