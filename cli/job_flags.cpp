#include "cli/job_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "shoal/error.h"
#include "shoal/job_text.h"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;

// Puts the flag before the message of a parser.
template <typename Parse>
auto for_flag(const char* flag, Parse parse) {
  try {
    return parse();
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", flag, error.what()));
  }
}

bool same_columns(std::vector<std::string> a, std::vector<std::string> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
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
  command.value("--delimiter", delimiter_, "C",
                "What stands between cells: a character or 'tab'. Found by looking if not given.");
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
  command.values("--sensitive", sensitive_, "COLUMNS", "What nobody should learn about a person; released as it is.");
  command.values("--target", target_, "COLUMN", "The class that the release should still predict; released as it is.");
  command.values("--plain", plain_, "COLUMNS", "Released as it is. All columns not named anywhere are plain.");
  command.values("--numeric", numeric_, "COLUMNS", "Take the values as numbers, so that ranges can be released.");
  command.values("--categorical", categorical_, "COLUMNS",
                 "Take the values as names even if they look like numbers (codes).");
}

void JobFlags::add_requirements(Command& command) {
  command.group("Requirements");
  command.value("-k,--k", k_, "N",
                "Every combination of released values on all quasi columns occurs in at least N rows.");
  command.values("--require", require_, "COLUMNS:N",
                 "The same for some of the quasi columns, as in age,zip:10. Can be given again.");
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

void JobFlags::add_releasing_method(Command& command) {
  command.group("Method");
  command.value("-m,--method", method_, "NAME",
                "What made the release. Only needed where it released means instead of numbers, as kactus does.");
}

void JobFlags::add_method(Command& command) {
  command.group("Method");
  command.value("-m,--method", method_, "NAME",
                "How to search; `shoal methods` lists them. The default: shoal; mondrian for a job with a target or "
                "with several requirements.");
  command.values("-p,--param", param_, "NAME=VALUE",
                 "A setting of the method; `shoal methods NAME` lists them. Can be given again.");
  command.flag("--union", unite_,
               "With a method that takes one requirement: satisfy several by one over all their columns with the "
               "largest k. Else such a job is refused.");
  command.value("--suppress-rows", suppress_rows_, "SHARE", "Largest share of rows that may be dropped, as in 0.02.");
  command.value("--seed", seed_, "N", "Same seed, same release (1 if not given).");
  command.value("--time-budget", time_budget_, "SECONDS",
                "End the search with its best answer so far after this time.");
}

void JobFlags::add_outputs(Command& command) {
  command.flag("--shuffle", shuffle_, "Release the rows in random order; else they keep the order of the input.");
  command.value("--json", json_, "FILE", "Write the report as JSON.");
  command.value("--report", report_, "FILE", "Write the report as one HTML page, without values of the table.");
  command.value("--recoding", recoding_, "FILE", "Write what became of every value as JSON.");
}

void JobFlags::apply_roles(Job& job) const {
  const std::pair<Role, const std::vector<std::string>*> roles[] = {{Role::quasi, &quasi_},
                                                                    {Role::identifier, &identifier_},
                                                                    {Role::sensitive, &sensitive_},
                                                                    {Role::target, &target_},
                                                                    {Role::plain, &plain_}};
  std::map<std::string, Role> given;
  for (const auto& [role, lists] : roles) {
    for (const std::string& name : names_in(*lists)) {
      const auto [entry, fresh] = given.emplace(name, role);
      if (!fresh && entry->second != role) {
        throw Error(ErrorKind::job, fmt::format("column '{}' is given two roles: --{} and --{}", name,
                                                to_string(entry->second), to_string(role)));
      }
      ColumnJob& column = job.column(name);
      column.role = role;
      if (role == Role::quasi) continue;
      column.hierarchy.reset();  // of the job file, where the column was quasi
      column.weight = 1;
    }
  }
  for (const std::string& name : names_in(numeric_)) job.column(name).type = ColumnType::numeric;
  for (const std::string& name : names_in(categorical_)) {
    const std::vector<std::string> numeric = names_in(numeric_);
    if (std::find(numeric.begin(), numeric.end(), name) != numeric.end()) {
      throw Error(ErrorKind::job, fmt::format("column '{}' is given two types: --numeric and --categorical", name));
    }
    job.column(name).type = ColumnType::categorical;
  }
}

void JobFlags::apply_requirements(Job& job) const {
  if (!k_.empty()) job.k = parse_whole_number("--k", k_);
  for (const std::string& text : require_) {
    RequirementJob requirement = for_flag("--require", [&] { return parse_requirement(text); });
    const auto same = std::find_if(job.requirements.begin(), job.requirements.end(), [&](const RequirementJob& other) {
      return same_columns(other.columns, requirement.columns);
    });
    if (same != job.requirements.end()) {
      *same = std::move(requirement);
    } else {
      job.requirements.push_back(std::move(requirement));
    }
  }
}

void JobFlags::apply_hierarchies(Job& job) const {
  for (const std::string& text : hierarchy_) {
    const auto [name, spec] = for_flag("--hierarchy", [&] { return parse_assignment(text); });
    if (spec.empty()) throw Error(ErrorKind::job, fmt::format("--hierarchy: no file for column '{}'", name));
    job.column(name).hierarchy = for_flag("--hierarchy", [&spec = spec] { return parse_hierarchy(spec); });
  }
  for (const std::string& text : weight_) {
    const auto [name, weight] = for_flag("--weight", [&] { return parse_assignment(text); });
    job.column(name).weight = parse_number(fmt::format("--weight {}", name), weight);
  }
  if (!hierarchies_.empty()) job.hierarchies = hierarchies_;
  if (!unknown_values_.empty()) {
    job.unknown_values_under_root = for_flag("--unknown-values", [&] { return parse_unknown_values(unknown_values_); });
  }
}

void JobFlags::apply_method(Job& job) const {
  if (!method_.empty() && method_ != job.method) {
    job.method = method_;
    job.params.clear();
  }
  for (const std::string& text : param_) {
    const auto [name, value] = for_flag("--param", [&] { return parse_assignment(text); });
    job.params[name] = value;
  }
  if (unite_) job.unite = true;
  if (!suppress_rows_.empty()) job.suppress_rows = parse_number("--suppress-rows", suppress_rows_);
  if (!seed_.empty()) job.seed = parse_whole_number("--seed", seed_);
  if (!distortion_beta_.empty()) job.distortion_beta = parse_number("--distortion-beta", distortion_beta_);
  if (!time_budget_.empty()) job.time_budget = parse_number("--time-budget", time_budget_);
}

Job JobFlags::job() const {
  Job job = job_file_.empty() ? Job{} : read_job(job_file_);
  if (!delimiter_.empty()) job.delimiter = for_flag("--delimiter", [&] { return parse_delimiter(delimiter_); });
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
  if (shuffle_) job.shuffle = true;
  if (!json_.empty()) job.json = json_;
  if (!report_.empty()) job.report = report_;
  if (!recoding_.empty()) job.recoding = recoding_;
  return job;
}

Job relative_to(Job job, const std::string& folder) {
  const auto move = [&](std::string& path) {
    if (path.empty() || path == "-" || fs::path(path).is_absolute()) return;
    path = fs::absolute(path)
               .lexically_normal()
               .lexically_proximate(fs::absolute(folder.empty() ? "." : folder).lexically_normal())
               .string();
  };
  for (std::string* path : {&job.input, &job.output, &job.hierarchies, &job.json, &job.report, &job.recoding})
    move(*path);
  for (ColumnJob& column : job.columns) {
    if (column.hierarchy) move(column.hierarchy->file);
  }
  return job;
}

}  // namespace shoal::cli
