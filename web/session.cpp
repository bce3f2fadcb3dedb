#include "web/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace shoal::web {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPreviewRows = 20;
constexpr uint64_t kCurveSample = 2000;
constexpr const char* kEffort = "effort";
constexpr uint64_t kCurveKs[] = {2, 3, 5, 8, 11, 15, 20, 30, 50};

std::vector<std::string> files_of(const FileJob& job) {
  std::vector<std::string> files;
  for (const std::string& file : {job.files.output, job.files.report, job.files.report_public, job.files.json,
                                  job.files.recoding, job.files.recoding_public}) {
    if (!file.empty()) files.push_back(file);
  }
  return files;
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
    begin(std::move(asked), std::move(opened), nullptr);
    job_file_ = file;
    return;
  }
  FileJob asked;
  asked.files.input = file;
  begin(std::move(asked), std::nullopt, nullptr);
}

void Session::open(std::unique_ptr<PrivateTable> dropped) {
  FileJob asked;
  asked.files.input = dropped->path();
  begin(std::move(asked), std::nullopt, std::move(dropped));
}

void Session::begin(FileJob asked, std::optional<FileJob> opened, std::shared_ptr<const PrivateTable> dropped) {
  findings.reset();
  curve.reset();
  compare.reset();
  release.reset();
  values.reset();
  wanted_values_.clear();
  ++table_number_;
  dropped_ = std::move(dropped);
  job_file_.clear();
  opened_ = std::move(opened);
  job_ = asked;
  Files& files = asked.files;
  files.output = files.json = files.report = files.report_public = files.recoding = files.recoding_public = "";
  choose_stem();
  format_ = ".csv";
  for (const char* ending : {".parquet", ".json", ".tsv"}) {
    if (files.input.ends_with(ending)) format_ = ending;
  }
  look.start([asked, held = dropped_](Progress& progress) {
    LookedAt looked;
    progress.stage("read");
    looked.preview = preview_file(asked, kPreviewRows, progress);
    looked.found = inspect_file(asked, progress);
    return looked;
  });
}

std::string Session::table_name() const { return dropped_ ? dropped_->name() : job_.files.input; }

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
    if (std::none_of(files.begin(), files.end(), Folder::has) && !Folder::has(job_name())) return;
  }
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
  findings.start(
      [job = job_, held = dropped_](Progress& progress) { return risk_report(job, RiskSettings{}, progress); });
}

void Session::start_release() {
  if (release.running()) return;  // a second click, or another tab
  const FileJob job = release_job();
  check_job(job);
  std::vector<std::string> files = files_of(job);
  files.push_back(job_name());
  for (const std::string& file : files) check_output(file);
  Folder::checked(job, dropped_ ? dropped_->path() : "");  // once more: files may have been replaced by links meanwhile
  remember_files(files);
  release.start([job, held = dropped_, files, saved = saved_job(job), head = saved_head()](Progress& progress) {
    Outputs outputs;
    register_files(job, outputs);
    Output& job_output = outputs.writes("the job", files.back());
    outputs.prepare();
    ReleaseOutcome released{anonymize_files(job, outputs, progress), {}, job};
    if (released.report.status == Status::released) {
      FileJob run = saved;
      run.method = released.report.method;
      run.params = released.report.params;
      job_output.write(head + job_yaml(run));
    }
    outputs.publish(progress);
    const bool done = released.report.status == Status::released;
    for (const std::string& file : files) {
      // Without a release only these two are written; the others may be of an earlier run.
      const bool written = done || file == job.files.report || file == job.files.json;
      if (written && Folder::has(file)) released.files.push_back(file);
    }
    return released;
  });
}

void Session::start_compare(const CompareTableSettings& settings) {
  compare.start(
      [job = job_, held = dropped_, settings](Progress& progress) { return compare_files(job, settings, progress); });
}

std::string Session::curve_key() const {
  FileJob job = job_;  // but for what does not change the curve
  job.k.reset();
  job.accept.clear();
  job.reasons.clear();
  return fmt::format("{} {}", table_number_, job_yaml(job));
}

FileJob Session::curve_job() const {
  FileJob job = job_;
  const MethodEntry* method = find_method(chosen_method(job));
  const bool can =
      method != nullptr && std::any_of(method->parameters.begin(), method->parameters.end(),
                                       [](const Parameter& parameter) { return parameter.name == kEffort; });
  if (can) job.params.emplace(kEffort, "fast");
  return job;
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
  curve.start([job = curve_job(), held = dropped_, settings, key](Progress& progress) {
    return Curve{compare_files(job, settings, progress), key};
  });
}

std::shared_ptr<const ColumnLeaves> Session::values_of(const std::string& column) {
  if (wanted_values_ == column) {
    const RunState state = values.status().state;
    if (state == RunState::running || state == RunState::failed) return nullptr;
    if (std::shared_ptr<const ColumnLeaves> found = values.result()) return found;
  }
  wanted_values_ = column;
  values.start([job = job_, held = dropped_, column](Progress& progress) {
    progress.stage("read");
    return ColumnLeaves{column, column_values(job, column, progress)};
  });
  return nullptr;
}

bool Session::is_ours(const std::string& file) const {
  return std::find(ours_.begin(), ours_.end(), file) != ours_.end();
}

std::string Session::check_output(const std::string& name) const {
  std::string file = Folder::output(name);
  if (Folder::has(file) && !is_ours(file)) {
    throw Error(ErrorKind::job,
                fmt::format("'{}' is there already and was not made here; choose another name, or another "
                            "beginning for the outputs on the page Release",
                            file));
  }
  return file;
}

void Session::remember_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (!is_ours(file)) ours_.push_back(file);
  }
}

void Session::cancel(std::string_view wanted) {
  for_each_run(*this, [&](std::string_view name, auto& run) {
    if (name == wanted) run.cancel();
  });
}

}  // namespace shoal::web
