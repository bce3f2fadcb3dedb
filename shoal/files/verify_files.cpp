#include "shoal/files/verify_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "shoal/encode/roles.h"
#include "shoal/files/duck_table.h"
#include "shoal/files/model_file.h"
#include "shoal/files/tree_of_column.h"
#include "shoal/files/verify_model.h"
#include "shoal/job/requirements.h"
#include "shoal/method/method.h"
#include "shoal/read/escaped_table.h"
#include "shoal/read/file_table.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"
#include "shoal/read/whole_file.h"
#include "shoal/release/promise_of.h"
#include "shoal/table/formula_cell.h"

namespace shoal {
namespace {

// DuckDB counting on the release's own file.
class DuckSql : public SqlEngine {
 public:
  DuckSql(const Source& release, bool escaped, DuckDb& duck, const Progress& progress)
      : release_(release), escaped_(escaped), duck_(duck), progress_(progress) {}

  std::vector<std::vector<std::string>> query(const std::string& sql) override {
    try {
      return duck_.query(sql, progress_);
    } catch (const DuckError& error) {
      throw release_.input_error(error);
    }
  }

  void create_table(const std::string& name, const std::vector<std::string>& columns, TextStream& rows) override {
    try {
      create_duck_table(duck_, name, columns, rows, progress_);
    } catch (const DuckError& error) {
      throw release_.input_error(error);
    }
  }

  // Several questions share one reading of the file: the columns that they are about go into a table first.
  SqlNames names(const Promise& promise) {
    const Source& release = release_;
    if (promise.requirements.size() < 2 && (promise.requirements.empty() || promise.requirements[0].models.empty())) {
      return {release.relation(), [this](std::string_view column) { return text(*release_.find(column)); }};
    }
    std::string list;
    for (size_t j : counted_columns(promise, release.columns())) {
      list += fmt::format("{}{} AS t{}", list.empty() ? "" : ", ", text(j), j);
    }
    query(fmt::format("CREATE OR REPLACE TEMP TABLE released AS SELECT {} FROM {}", list, release.relation()));
    return {"released", [&release](std::string_view column) { return fmt::format("t{}", *release.find(column)); }};
  }

 private:
  std::string text(size_t column) const {
    return escaped_ ? sql_without_apostrophe(release_.text(column)) : release_.text(column);
  }

  const Source& release_;
  const bool escaped_;
  DuckDb& duck_;
  const Progress& progress_;
};

bool asks_about_population(const Job& job) {
  const std::vector<ModelSpec> models = all_models(job);
  return std::any_of(models.begin(), models.end(), of_population);
}

// The hierarchies of the recoded columns; builders look at the values of `source`.
void add_trees(Promise& promise, const FileJob& job, const Source& source, DuckDb& duck, const Progress& progress) {
  for (PromisedColumn& column : promise.columns) {
    if (!column.recoded || !source.find(column.name)) continue;
    try {
      column.tree = tree_of_column(job, column.name, source, duck, progress);
    } catch (const DuckError& error) {
      throw source.input_error(error);
    }
  }
}

struct Beside {
  // What is known about which original row each released row stands for.
  const std::vector<uint32_t>* row_of_release = nullptr;
  const SpilledWitness* spilled = nullptr;
  Notices* notices = nullptr;  // are told what was found out by looking
};

Verification verify_with(const FileJob& job, const std::string& release_path,
                         const std::optional<std::string>& original_path, const Beside& beside, Progress& progress) {
  Notices unasked;
  Notices& notices = beside.notices != nullptr ? *beside.notices : unasked;
  // Two instances, for a connection serves one thread: each takes its part of the limit, the greater one whoever counts
  // groups, for texts are mostly read without DuckDB.
  std::optional<uint64_t> counting_limit = job.memory_limit, reading_limit;
  if (job.memory_limit && original_path) {
    reading_limit = std::max<uint64_t>(*job.memory_limit / 3, 1);
    counting_limit = *job.memory_limit - *reading_limit;
  }
  // Without a limit nothing is expected to spill: the release's folder, which may be an archive, is left as it is.
  const std::string spill_beside = job.memory_limit ? release_path : "";
  DuckDb counting(job.thread_count(), counting_limit, spill_beside);
  const Source release(release_path, reading_of_release(job, release_path), counting, progress);
  notices.add(release.notices());
  const bool escaped = job.files.escape_formulas && release.format() == FileFormat::csv;
  DuckSql engine(release, escaped, counting, progress);
  std::optional<InputFile> people;
  if (!job.files.population.empty() && asks_about_population(job))
    people.emplace(job.files.population, job, progress, &notices);
  TableSource* population = people ? &people->table : nullptr;
  if (!original_path) {
    FileTable file(release, counting);
    EscapedTable table(file, escaped);
    Promise promise = promise_of(job, nullptr);
    Promise of_columns;
    of_columns.columns = promise.columns;
    of_columns.hidden = promise.hidden;
    of_columns.others = promise.others;
    Verification columns = verify(of_columns, {table, engine, {}}, nullptr, false, progress);
    if (!columns.ok()) return columns;
    if (people) add_trees(promise, job, people->source, people->duck, progress);
    return verify(promise, {table, engine, engine.names(promise), population}, nullptr, false, progress);
  }
  DuckDb reading(job.thread_count(), reading_limit, spill_beside);
  const Source original(*original_path, reading_of(job), reading, progress);
  notices.add(original.notices());
  FileTable release_file(release, reading), original_table(original, reading);
  EscapedTable release_table(release_file, escaped);
  plan_columns(job, original_table);  // a column that the original does not have is a mistake in the job
  Promise promise = promise_of(job, &original.columns());
  const bool complete = std::all_of(promise.columns.begin(), promise.columns.end(), [&](const PromisedColumn& column) {
    return release.find(column.name) && original.find(column.name);
  });
  SqlNames names;
  if (complete) {
    // Trees are built from the domain that the release speaks of.
    if (people) {
      add_trees(promise, job, people->source, people->duck, progress);
    } else {
      add_trees(promise, job, original, reading, progress);
    }
    add_inputs(promise, with_sensitive_hierarchies_read(job, notices.data_notices), original_table, progress);
    names = engine.names(promise);
  }
  std::optional<InOriginalOrder> in_order;
  if (beside.spilled != nullptr) in_order.emplace(release_table, *beside.spilled);
  TableSource& compared = in_order ? static_cast<TableSource&>(*in_order) : release_table;
  const OriginalToVerify against{original_table, beside.row_of_release, in_order.has_value(),
                                 beside.spilled != nullptr ? beside.spilled->kept : nullptr};
  return verify(promise, {compared, engine, names, population}, &against, true, progress);
}

// A JSON file that is no table may have been meant as a tree, so that both are named.
Verification verify_table(const FileJob& job, const std::string& release, const std::optional<std::string>& original,
                          Progress& progress, Notices* notices) {
  try {
    return verify_with(job, release, original, {.notices = notices}, progress);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || !release.ends_with(".json") || !std::ifstream(release)) throw;
    throw Error(ErrorKind::input,
                fmt::format("'{}' is neither a table nor a decision tree: {}", release, error.what()));
  }
}

}  // namespace

Verification verify_release(const FileJob& job, const std::string& release_path,
                            const std::optional<std::string>& original_path, Progress& progress,
                            const std::vector<uint32_t>* row_of_release) {
  return verify_with(job, release_path, original_path, {.row_of_release = row_of_release}, progress);
}

Verification verify_release(const FileJob& job, const std::string& release, const std::string& original,
                            const SpilledWitness& witness, Progress& progress) {
  return verify_with(job, release, original, {.spilled = &witness}, progress);
}

std::string promise_sql_of(const FileJob& job, const std::string& relation, const std::optional<std::string>& original,
                           Progress& progress, Notices* told) {
  if (!original || all_models(job).empty()) return promise_sql_of(job, relation);
  Notices unasked;
  Notices& notices = told != nullptr ? *told : unasked;
  const FileJob with_trees = with_sensitive_hierarchies_read(job, notices.data_notices);
  InputFile input(*original, job, progress, &notices);
  Promise promise = promise_of(job, nullptr);
  add_inputs(promise, with_trees, input.table, progress);
  return promise_script(promise, {sql_quoted_name(relation), {}});
}

bool is_released_model(const FileJob& job, const std::string& release) {
  const MethodEntry* method = find_method(job.method);
  return (method && method->releases_model()) || model_file(release) != ModelFile::other;
}

Verification verify_file(const FileJob& job, const std::string& release, const std::optional<std::string>& original,
                         Progress& progress, Notices* notices) {
  const MethodEntry* method = find_method(job.method);
  const bool model_asked = method && method->releases_model();
  const ModelFile kind = model_file(release);
  if (kind == ModelFile::tree_text) {
    throw Error(
        ErrorKind::input,
        fmt::format("'{}' is the text form of a decision tree, for people; give the JSON form, which is complete "
                    "(anonymize again with the same seed into a file that ends in .json)",
                    release));
  }
  if (kind == ModelFile::other && !model_asked) return verify_table(job, release, original, progress, notices);
  std::ifstream file(release, std::ios::binary);
  if (!file) throw Error(ErrorKind::input, fmt::format("no file '{}'", release));
  if (kind == ModelFile::other) {
    throw Error(ErrorKind::input,
                fmt::format("'{}' is not a decision tree, which the job's method {} releases; give the "
                            "JSON file that it wrote, or the job of this release",
                            release, job.method));
  }
  if (!original) {
    throw Error(ErrorKind::job,
                fmt::format("'{}' is a decision tree: it can only be checked against the table that it "
                            "was made from; name that table",
                            release),
                Advice{Setting::original});
  }
  const std::string text = whole_file(release, "the release");
  return verify_model(job, read_shown_tree(text, release), *original, progress, notices);
}

}  // namespace shoal
