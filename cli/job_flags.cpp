#include "cli/job_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;

// Puts the flag before the message of a parser.
template <typename Parse>
auto for_flag(const char* flag, Parse parse) {
  try {
    return parse();
  } catch (const Error& error) {
    // The flag is all the advice there is; a key of a job file that the message begins with says the same once more.
    std::string_view message = error.what();
    const std::string key = fmt::format("{}: ", std::string_view(flag).substr(2));
    if (message.starts_with(key)) message.remove_prefix(key.size());
    throw Error(error.kind(), fmt::format("{}: {}", flag, message));
  }
}

}  // namespace

std::vector<std::string> names_in(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    for (std::string& name : split_list(list)) names.push_back(std::move(name));
  }
  return names;
}

void JobFlags::add_input(Command& command) {
  command.group("Input");
  command.value("-j,--job", job_file_, "FILE", "A job file (YAML or JSON) that says all of this; flags override it.");
  add_reading_flags(command);
}

void JobFlags::add_reading(Command& command) {
  command.group("Input");
  add_reading_flags(command);
}

void JobFlags::add_reading_flags(Command& command) {
  command.value("--delimiter", delimiter_, "C",
                "What stands between cells: a character or 'tab'. Found by looking if not given.");
  command.value(
      "--encoding", encoding_, "NAME",
      "How the input's characters are written: utf-8, utf-16, latin-1 or windows-1252. Found by looking if not "
      "given.");
  command.value("--decimal", decimal_, "point|comma",
                "How the input's numbers are written: 3.5 or 3,5. Found by looking if not given.");
  command.value("--thousands", thousands_, "C",
                "What stands between thousands in the input's numbers: . , ' or a blank.");
  command.values("--missing", missing_, "TEXT",
                 "A text that means 'missing', like ? or NA, besides the empty cell. Can be given again.");
  command.value("--threads", threads_, "N",
                "Threads to use; 0 (the default) is all cores. The answer is the same with any number.");
  command.value("--memory-limit", memory_limit_, "SIZE", "Memory to stay within, as in 8GB or 512MB.");
}

void JobFlags::add_roles(Command& command) {
  command.group("Columns (lists with commas; a name with a comma in double quotes; flags can be given again)");
  command.values("-q,--quasi", quasi_, "COLUMNS",
                 "What an attacker may know about a person: recoded so that rows look alike.");
  command.values("--identifier", identifier_, "COLUMNS", "Names, numbers, addresses: never released.");
  command.values("--sensitive", sensitive_, "COLUMNS",
                 "What nobody should learn about a person; released as it is, and what --model is about.");
  command.values("--person", person_, "COLUMN",
                 "Who a row is about, where a person may have several rows: k then counts persons. Never released.");
  command.values("--target", target_, "COLUMN", "The class that the release should still predict; released as it is.");
  command.values("--plain", plain_, "COLUMNS", "Released as it is.");
  command.value("--others", others_, "plain",
                "Release the columns that have no role as they are; without it they are left out.");
  command.values("--numeric", numeric_, "COLUMNS", "Take the values as numbers, so that ranges can be released.");
  command.values("--categorical", categorical_, "COLUMNS",
                 "Take the values as names even if they look like numbers (codes).");
  command.values("--ordinal", ordinal_, "COLUMNS",
                 "Take the values as names in an order (found, or stated by --value-order), so that neighbours join.");
  command.values("--date", date_, "COLUMNS",
                 "Take the values as dates, released as months, years and decades; the format is found.");
}

void JobFlags::add_requirements(Command& command) {
  command.group("Requirements");
  command.value("-k,--k", k_, "N",
                "Every combination of released values on all quasi columns occurs in at least N rows.");
  add_further_requirements(command);
}

void JobFlags::add_further_requirements(Command& command) {
  command.values("--require", require_, "COLUMNS:N",
                 "The same for some of the quasi columns, as in age,zip:10. Can be given again.");
  command.values("--model", model_, "MODEL",
                 "What every group must have besides: distinct-l:diagnosis:l=3, t-closeness:salary:t=0.2,"
                 "distance=ordered. docs/models.md has them all. Can be given again.");
  command.values(
      "--value-order", value_order_, "COLUMN=VALUES",
      "The values of an --ordinal column, or of a sensitive one for distance=ordered, from least to greatest: "
      "pay=low,middle,high. Numbers have their order. Can be given again.");
}

void JobFlags::add_trees(Command& command) {
  command.group("Hierarchies (of sensitive columns, for distances; of quasi columns beside a population)");
  command.values("--hierarchy", hierarchy_, "COLUMN=FILE", "The column's tree of values. Can be given again.");
  command.value("--hierarchies", hierarchies_, "FOLDER", "Takes <column>.csv or <anything>_<column>.csv.");
}

void JobFlags::add_hierarchies(Command& command) {
  command.group("Hierarchies");
  command.values("--hierarchy", hierarchy_, "COLUMN=FILE",
                 "The column's tree of values. COLUMN=build:KIND makes one from the values: zip=build:mask, "
                 "age=build:intervals,width=5,levels=3. Can be given again.");
  command.value("--hierarchies", hierarchies_, "FOLDER",
                "Takes <column>.csv or <anything>_<column>.csv for every quasi column.");
  command.values("--weight", weight_, "COLUMN=W",
                 "How much a loss in this column counts (1 if not given). Can be given again.");
  command.value(
      "--distortion-beta", distortion_beta_, "B",
      "Weights of the distortion measure: 0 (the default) counts all steps alike, 1 and more counts steps near "
      "the root more.");
  command.value("--unknown-values", unknown_values_, "root|refuse",
                "What becomes of a value its hierarchy does not have: refuse (the default) or hang it under the root.");
}

void JobFlags::add_row_limit(Command& command) {
  command.value("--suppress-rows", suppress_rows_, "SHARE", "Largest share of rows that may be dropped, as in 0.02.");
}

void JobFlags::add_releasing_method(Command& command) {
  command.group("Method");
  command.value("-m,--method", method_, "NAME",
                "What made the release. Only needed where it released means instead of numbers, as kactus does.");
  // What else says how a release was made says nothing about what it promises; taken, so that the flags of `anonymize`
  // can be repeated.
  command.values("-p,--param", param_, "NAME=VALUE", "As for `shoal anonymize`; says nothing about a release.");
  command.flag("--union", unite_, "The same.");
  command.value("--seed", seed_, "N", "The same.");
  command.value("--time-budget", time_budget_, "SECONDS", "The same.");
}

void JobFlags::add_method(Command& command) {
  command.group("Method");
  command.value("-m,--method", method_, "NAME",
                "How to search; `shoal methods` lists them. The default: shoal; mondrian for a job with a target.");
  command.values("-p,--param", param_, "NAME=VALUE",
                 "A setting of the method; `shoal methods NAME` lists them. Can be given again.");
  command.value("--ranges", ranges_, "tight|snapped|nodes",
                "How ranges of numbers are released: with ends that are numbers of the rows (tight, the default), with "
                "ends moved outward to round numbers or borders of the hierarchy, or as the hierarchy's nodes.");
  command.flag("--union", unite_,
               "Satisfy several requirements by one over all their columns with the largest k: loses more than was "
               "asked. Methods that take one requirement refuse several without it.");
  add_row_limit(command);
  command.value("--seed", seed_, "N", "Same seed, same release (1 if not given).");
  command.value("--time-budget", time_budget_, "SECONDS",
                "End the search with its best answer so far after this time.");
}

void JobFlags::add_findings(Command& command) {
  command.group("Findings");
  command.values("--accept", accept_, "CODE:COLUMN",
                 "A finding that is known and wanted, as in reveals:education-num, or a code for all of its kind. It "
                 "does not stand in the way then, and the report says so. Can be given again.");
  command.values("--earlier", earlier_, "FILE",
                 "A release of the same persons that is out already, to look for what both tell together. Can be given "
                 "again.");
}

void JobFlags::add_population(Command& command) {
  command.value("--population", population_, "FILE",
                "The people that the table was taken from, a table with all quasi columns: for the models k-map and "
                "delta-presence, which count whom of them a release fits.");
}

void JobFlags::add_order(Command& command) {
  command.value("--order", order_, "released|input",
                "How rows stand: sorted by what is released (the default), which tells nothing more; or as in the "
                "input.");
}

void JobFlags::add_escape(Command& command) {
  command.flag("--escape-formulas", escape_formulas_,
               "Cells of a text table that a spreadsheet would run have an apostrophe in front in the release.");
}

void JobFlags::add_outputs(Command& command) {
  add_order(command);
  add_escape(command);
  command.gone_flag("--shuffle", shuffle_);
  command.value("--json", json_, "FILE", "Write the report as JSON.");
  command.value("--report", report_, "FILE",
                "Write the report as one HTML page. For your own use: it may quote values.");
  command.value("--report-public", report_public_, "FILE",
                "Write the report without any value of the table, for those who get the release; JSON if FILE ends in "
                ".json.");
  command.value(
      "--recoding", recoding_, "FILE",
      "Write what became of every value as JSON, for your own use and for `shoal apply`: it quotes all values.");
  command.value("--recoding-public", recoding_public_, "FILE",
                "Write the released values of every column and group as JSON, without values that the release hides.");
}

void JobFlags::apply_roles(FileJob& job) const {
  const std::pair<Role, const std::vector<std::string>*> roles[] = {
      {Role::quasi, &quasi_},   {Role::identifier, &identifier_}, {Role::sensitive, &sensitive_},
      {Role::person, &person_}, {Role::target, &target_},         {Role::plain, &plain_}};
  std::map<std::string, Role> given;
  for (const auto& [role, lists] : roles) {
    for (const std::string& name : names_in(*lists)) {
      const auto [entry, fresh] = given.emplace(name, role);
      if (!fresh && entry->second != role) {
        throw Error(ErrorKind::job, fmt::format("column '{}' is given two roles: --{} and --{}", name,
                                                to_string(entry->second), to_string(role)));
      }
      ColumnJob& column = job.column(name);
      if (column.role != role) column.order.clear();
      if (column.role != role && role != Role::quasi) column.hierarchy.reset();  // of the job file, for another use
      column.role = role;
      if (role != Role::quasi) column.weight = 1;
    }
  }
  if (!others_.empty()) job.others_plain = for_flag("--others", [&] { return parse_others(others_); });
  apply_types(job);
}

void JobFlags::apply_types(FileJob& job) const {
  const std::pair<ColumnType, const std::vector<std::string>*> types[] = {{ColumnType::numeric, &numeric_},
                                                                          {ColumnType::categorical, &categorical_},
                                                                          {ColumnType::ordinal, &ordinal_},
                                                                          {ColumnType::date, &date_}};
  std::map<std::string, ColumnType> given;
  for (const auto& [type, lists] : types) {
    for (const std::string& name : names_in(*lists)) {
      const auto [entry, fresh] = given.emplace(name, type);
      if (!fresh && entry->second != type) {
        throw Error(ErrorKind::job, fmt::format("column '{}' is given two types: --{} and --{}", name,
                                                to_string(entry->second), to_string(type)));
      }
      job.column(name).type = type;
    }
  }
}

void JobFlags::apply_requirements(FileJob& job) const {
  if (!k_.empty()) job.k = parse_whole_number("--k", k_);
  for (const std::string& text : require_) {
    add_requirement(job, for_flag("--require", [&] { return parse_requirement(text); }));
  }
  for (const std::string& text : model_) {
    const ModelSpec model = for_flag("--model", [&] { return parse_model(text); });
    if (std::find(job.models.begin(), job.models.end(), model) == job.models.end()) job.models.push_back(model);
  }
  for (const std::string& text : value_order_) {
    const auto [name, values] = for_flag("--value-order", [&] { return parse_assignment(text); });
    job.column(name).order = for_flag("--value-order", [&values = values] { return split_list(values); });
  }
}

void JobFlags::apply_hierarchies(FileJob& job) const {
  for (const std::string& text : hierarchy_) {
    const auto [name, spec] = for_flag("--hierarchy", [&] { return parse_assignment(text); });
    if (spec.empty()) throw Error(ErrorKind::job, fmt::format("--hierarchy: no file for column '{}'", name));
    job.column(name).hierarchy = for_flag("--hierarchy", [&spec = spec] { return parse_hierarchy(spec); });
  }
  for (const std::string& text : weight_) {
    const auto [name, weight] = for_flag("--weight", [&] { return parse_assignment(text); });
    job.column(name).weight = parse_number(fmt::format("--weight {}", name), weight);
  }
  if (!hierarchies_.empty()) job.files.hierarchies = hierarchies_;
  if (!unknown_values_.empty()) {
    job.unknown_values_under_root = for_flag("--unknown-values", [&] { return parse_unknown_values(unknown_values_); });
  }
}

void JobFlags::apply_method(FileJob& job) const {
  if (!method_.empty() && method_ != job.method) {
    job.method = method_;
    job.params.clear();
  }
  for (const std::string& text : param_) {
    const auto [name, value] = for_flag("--param", [&] { return parse_assignment(text); });
    job.params[name] = value;
  }
  if (!ranges_.empty()) job.ranges = for_flag("--ranges", [&] { return parse_ranges(ranges_); });
  if (unite_) job.unite = true;
  if (!suppress_rows_.empty()) job.suppress_rows = parse_number("--suppress-rows", suppress_rows_);
  if (!seed_.empty()) job.seed = parse_whole_number("--seed", seed_);
  if (!distortion_beta_.empty()) job.distortion_beta = parse_number("--distortion-beta", distortion_beta_);
  if (!time_budget_.empty()) job.time_budget = parse_number("--time-budget", time_budget_);
}

// A requirement that was asked with a smaller k than the job ends up with is not an error, but not what was typed.
std::vector<std::string> JobFlags::overruled(const FileJob& job) const {
  std::vector<std::string> said;
  for (const std::string& text : require_) {
    const RequirementJob asked = parse_requirement(text);
    for (const RequirementJob& requirement : job.requirements) {
      if (!same_columns(requirement, asked) || requirement.k <= asked.k) continue;
      said.push_back(fmt::format("k={} on ({}) has no effect: k={} is asked on the same columns", asked.k,
                                 fmt::join(asked.columns, ", "), requirement.k));
    }
  }
  return said;
}

FileJob JobFlags::job(std::vector<std::string>* notices) const {
  const FileJob asked = job_file_.empty() ? FileJob{} : read_job(job_file_);
  FileJob job = asked;
  if (!delimiter_.empty()) job.files.delimiter = for_flag("--delimiter", [&] { return parse_delimiter(delimiter_); });
  if (!encoding_.empty()) job.files.encoding = for_flag("--encoding", [&] { return parse_encoding(encoding_); });
  if (!decimal_.empty()) job.files.decimal = for_flag("--decimal", [&] { return parse_decimal_mark(decimal_); });
  if (!thousands_.empty()) job.files.thousands = for_flag("--thousands", [&] { return parse_thousands(thousands_); });
  job.missing.insert(job.missing.end(), missing_.begin(), missing_.end());
  if (!threads_.empty()) {
    const uint64_t threads = parse_whole_number("--threads", threads_);
    if (threads > 4096) throw Error(ErrorKind::job, fmt::format("--threads: {} is more than any machine has", threads));
    job.threads = static_cast<int>(threads);
  }
  if (!memory_limit_.empty())
    job.memory_limit = for_flag("--memory-limit", [&] { return parse_memory(memory_limit_); });
  apply_roles(job);
  apply_requirements(job);
  apply_hierarchies(job);
  apply_method(job);
  if (shuffle_) {
    throw Error(ErrorKind::job,
                "--shuffle is gone, for the seed undoes it; leave it out: rows are sorted by what is "
                "released (--order input keeps the order of the input)");
  }
  for (const std::string& text : names_in(accept_)) {
    const std::string accepted = for_flag("--accept", [&] { return parse_accepted(text); });
    if (std::find(job.accept.begin(), job.accept.end(), accepted) == job.accept.end()) job.accept.push_back(accepted);
  }
  if (!population_.empty()) job.files.population = population_;
  // Beside the job's own: a flag does not keep a release from being looked at.
  for (const std::string& path : earlier_) {
    std::vector<std::string>& earlier = job.files.earlier;
    if (std::find(earlier.begin(), earlier.end(), path) == earlier.end()) earlier.push_back(path);
  }
  if (!order_.empty()) job.order = for_flag("--order", [&] { return parse_order(order_); });
  if (escape_formulas_) job.files.escape_formulas = true;
  if (!json_.empty()) job.files.json = json_;
  if (!report_.empty()) job.files.report = report_;
  if (!report_public_.empty()) job.files.report_public = report_public_;
  if (!recoding_.empty()) job.files.recoding = recoding_;
  if (!recoding_public_.empty()) job.files.recoding_public = recoding_public_;
  if (notices != nullptr) {
    *notices = overruled(job);
    if (!job_file_.empty()) {
      for (std::string& said : weakenings(asked, job)) notices->push_back(std::move(said));
    }
  }
  return job;
}

FileJob relative_to(FileJob job, const std::string& folder) {
  const auto move = [&](std::string& path) {
    if (path.empty() || path == "-" || fs::path(path).is_absolute()) return;
    path = fs::absolute(path)
               .lexically_normal()
               .lexically_proximate(fs::absolute(folder.empty() ? "." : folder).lexically_normal())
               .string();
  };
  for (std::string* path :
       {&job.files.input, &job.files.output, &job.files.hierarchies, &job.files.json, &job.files.report,
        &job.files.report_public, &job.files.recoding, &job.files.recoding_public, &job.files.population}) {
    move(*path);
  }
  for (std::string& path : job.files.earlier) move(path);
  for (ColumnJob& column : job.columns) {
    if (column.hierarchy) move(column.hierarchy->file);
  }
  return job;
}

}  // namespace shoal::cli
