// shoal apply: new rows by an old recoding.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

constexpr const char* kDescription =
    "Recodes new rows by a recoding that an earlier run wrote with --recoding, so that a model trained on the release "
    "can be used on them. Works for methods of shape levels, cut and regions. A number that was not seen then is "
    "released like the nearest one that was, an unknown category as *, a row outside all regions like the nearest "
    "region. The new rows are not promised any k.";
constexpr const char* kExamples =
    R"(  shoal anonymize examples/census/people.csv -o release.csv --identifier name --quasi age,sex,education --target income \
        --hierarchies examples/census/hierarchies --k 10 --method tdr --recoding recoding.json
  shoal apply recoding.json examples/census/people.csv -o recoded.csv
)";

}  // namespace

int apply_command(const Arguments& arguments) {
  std::string recoding, input, output;
  bool quiet = false;
  JobFlags flags;
  Command command("apply", kDescription, kExamples);
  command.argument("RECODING", recoding, "The recoding, as `shoal anonymize --recoding` wrote it.");
  command.argument("INPUT", input, "The table with the new rows; - is standard input.");
  flags.add_input(command);
  flags.add_escape(command);
  command.group("Outputs");
  command.value("-o,--output", output, "FILE", "Where the recoded rows go; - is standard output.");
  command.flag("--quiet", quiet, "Say nothing unless something is wrong.");
  if (!command.parse(arguments)) return kDone;
  if (recoding.empty() || input.empty()) throw Error(ErrorKind::job, "apply needs RECODING and INPUT" + command.hint());
  if (output.empty()) throw Error(ErrorKind::job, "no output; say where the rows go with -o FILE" + command.hint());
  FileJob job = flags.job();
  job.files.input = input;
  job.files.output = output;
  Outputs outputs;
  outputs.reads("the job file", flags.job_file());
  const std::string words = run_with_progress(quiet, [&](Progress& progress) {
    std::string text = terminal_text(apply_document(apply_recoding(job, recoding, outputs, progress)));
    outputs.publish(progress);
    return text;
  });
  if (!quiet) print_words(words_stream(outputs.uses_standard_output()), words);
  return kDone;
}

}  // namespace shoal::cli
