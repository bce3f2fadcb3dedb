// shoal evaluate: what anonymization costs a learner.
#include <fmt/format.h>

#include <fstream>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

constexpr const char* kDescription =
    "Measures what anonymization costs learners: their errors on rows they were not trained on, with raw rows (BE), "
    "with "
    "anonymized ones (AE, for every method and k) and without the quasi columns (UE), with 95 % intervals. Several "
    "runs "
    "can be compared over all their sets (--join).";
constexpr const char* kExamples =
    R"(  shoal evaluate examples/census/people.csv --identifier name --quasi age,sex,education --target income --k 5,20 \
        --methods kactus,tdr,mondrian --learners c45,nb --hierarchies examples/census/hierarchies
  shoal evaluate train.csv --test test.csv --quasi age,sex --target income --k 20 --methods tdr,mondrian --learners c45 \
        --protocol joint --json result.json --csv result.csv
  shoal evaluate train.csv --test test.csv --quasi age,education --target income --k 20 --methods tdr,mondrian --learners c45 \
        --protocol joint --json other.json
  shoal evaluate --join result.json --join other.json
)";

struct Settings {
  JobFlags flags;
  std::string input, test, ks, protocol = "train-only", folds, cv, json, csv;
  std::vector<std::string> methods, learners, readings, joined;
  bool quiet = false;
};

EvaluateSettings evaluate_settings(const Settings& given) {
  EvaluateSettings settings;
  settings.methods = names_in(given.methods);
  settings.learners = given.learners.empty() ? std::vector<std::string>{"c45"} : names_in(given.learners);
  if (!given.ks.empty()) {
    for (const std::string& k : split_list(given.ks)) settings.ks.push_back(parse_whole_number("--k", k));
  }
  if (given.protocol == "joint") {
    settings.protocol = Protocol::joint;
  } else if (given.protocol != "train-only") {
    throw Error(ErrorKind::job, fmt::format("--protocol: '{}' is neither joint nor train-only", given.protocol));
  }
  if (!given.readings.empty()) settings.readings.clear();
  for (const std::string& name : names_in(given.readings)) settings.readings.push_back(reading_named(name));
  settings.test = given.test;
  if (!given.test.empty() && (!given.folds.empty() || !given.cv.empty())) {
    throw Error(ErrorKind::job, "--test says which rows to test on; it cannot be combined with --folds or --cv");
  }
  if (!given.cv.empty() && given.cv != "5x2") {
    throw Error(ErrorKind::job, fmt::format("--cv: '{}' is not known; 5x2, or --folds N", given.cv));
  }
  if (!given.cv.empty() && !given.folds.empty()) throw Error(ErrorKind::job, "--cv and --folds exclude each other");
  settings.five_by_two = given.folds.empty();
  if (!given.folds.empty()) settings.folds = parse_whole_number("--folds", given.folds);
  return settings;
}

std::string read_whole(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorKind::job, fmt::format("--join: cannot read '{}'", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int evaluate_command(const Arguments& arguments) {
  Settings given;
  Command command("evaluate", kDescription, kExamples);
  command.argument("INPUT", given.input, "The table; if not given, the input of the job file. - is standard input.");
  given.flags.add_input(command);
  given.flags.add_roles(command);
  given.flags.add_hierarchies(command);
  given.flags.add_method(command);
  command.group("Evaluation");
  command.value("-k,--k", given.ks, "LIST",
                "One or several k over all quasi columns, as in 10,50,100. Not given: --require alone.");
  given.flags.add_further_requirements(command);
  command.values("--methods", given.methods, "LIST",
                 "Methods to compare; the first is the one others are tested against.");
  command.values("--learners", given.learners, "LIST", "c45 (if not given), nb, logistic, part, boosted.");
  command.value("--protocol", given.protocol, "joint|train-only",
                "Anonymize all rows and then split them, or the training rows only (the default).");
  command.values(
      "--reading", given.readings, "LIST",
      "How learners read released cells, one or several of: values (the default: every released text of a column "
      "recoded by value is a category), ranges (a cell stands for what it covers), mapped (test rows take the "
      "cells of the tightest group that covers them; also prints the groups' majority).");
  command.value("--test", given.test, "FILE", "Train on INPUT, test on the rows of this file.");
  command.value("--folds", given.folds, "N", "N-fold cross-validation.");
  command.value("--cv", given.cv, "5x2", "Five times two folds, with the combined F test (the default).");
  command.values("--join", given.joined, "FILE", "Compare over the sets of earlier results (--json) as well.");
  command.group("Outputs");
  command.value("--json", given.json, "FILE", "Write all numbers as JSON; - prints them.");
  command.value("--csv", given.csv, "FILE", "Write a line per k, learner and method; - prints them.");
  command.flag("--quiet", given.quiet, "Say nothing unless something is wrong.");
  if (!command.parse(arguments)) return kDone;

  std::vector<Evaluation> evaluations;
  for (const std::string& path : given.joined) {
    for (Evaluation& evaluation : read_evaluations(read_whole(path), path))
      evaluations.push_back(std::move(evaluation));
  }
  FileJob job = given.flags.job();
  if (!given.input.empty()) job.files.input = given.input;
  if (job.files.input.empty() && evaluations.empty()) {
    throw Error(ErrorKind::job, "no input; name a file, or - for standard input" + command.hint());
  }
  Outputs outputs;
  outputs.reads(job);
  outputs.reads("the job file", given.flags.job_file());
  outputs.reads("the test rows", given.test);
  for (const std::string& path : given.joined) outputs.reads("an earlier result", path);
  Output &json_file = outputs.writes("the JSON report", given.json),
         &csv_file = outputs.writes("the table of results", given.csv);
  outputs.prepare();
  if (!job.files.input.empty()) {
    EvaluateSettings settings = evaluate_settings(given);
    if (settings.methods.empty() && !job.method.empty()) settings.methods.push_back(job.method);
    evaluations.push_back(
        run_with_progress(given.quiet, [&](Progress& progress) { return evaluate_files(job, settings, progress); }));
  }
  const Document document = evaluation_document(evaluations, compare(evaluations), !job.files.input.empty());
  json_file.write(json_text(document));
  csv_file.write(evaluation_csv(evaluations));
  const std::string words = given.quiet ? "" : terminal_text(document);
  publish_and_tell(outputs, words);
  return kDone;
}

}  // namespace shoal::cli
