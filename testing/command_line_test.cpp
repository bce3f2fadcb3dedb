// Flags and job files together, through the program: what overrides what, and what is printed where.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "shoal/job/job.h"
#include "shoal/read/read_job.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;
using Names = std::vector<std::string>;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void write_people(const Workplace& place) {
  std::string people = "id,age,\"city, state\",\"5\"\" pipe\",job\n";
  for (int i = 0; i < 40; ++i) people += fmt::format("p{},{},{},{},j{}\n", i, 20 + i % 9, i % 3, i % 2, i % 5);
  place.write("people.csv", people);
}

void write_job(const Workplace& place) {
  place.write("jobs/job.yaml",
              "input: ../people.csv\noutput: ../out.csv\n"
              "columns:\n  id: identifier\n  age: {role: quasi, weight: 3}\n  job: quasi\n"
              "k: 2\nrequirements:\n  - {columns: [age, job], k: 3}\n"
              "method: mondrian\nparams: {cuts: relaxed}\nmissing: ['?']\nseed: 4\n");
}

// The job that `anonymize ARGUMENTS --write-job -` says was run.
FileJob job_run(const Workplace& place, const std::string& arguments) {
  const auto run = place.shoal("anonymize " + arguments + " --write-job - --quiet");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return parse_job(run.out, "printed", "");
}

TEST(CommandLine, TheJobFileAloneIsEnough) {
  Workplace place;
  write_people(place);
  write_job(place);
  const FileJob job = job_run(place, "--job jobs/job.yaml");
  EXPECT_EQ(job.files.input, "people.csv");
  EXPECT_EQ(job.files.output, "out.csv");
  EXPECT_EQ(job.params.at("cuts"), "relaxed");
  EXPECT_EQ(job.seed, 4u);
  EXPECT_TRUE(place.exists("out.csv"));
}

TEST(CommandLine, FlagsOverrideTheJobFile) {
  Workplace place;
  write_people(place);
  write_job(place);
  const FileJob job =
      job_run(place,
              "--job jobs/job.yaml people.csv -o other.csv --k 5 --require job,age:4 --require job:6 "
              "--quasi '\"city, state\"' --missing NA --seed 9 --weight age=2 --threads 1 --param cuts=strict");
  EXPECT_EQ(job.files.output, "other.csv");
  EXPECT_TRUE(place.exists("other.csv"));
  EXPECT_FALSE(place.exists("out.csv"));
  EXPECT_EQ(job.k, 5u);
  ASSERT_EQ(job.requirements.size(), 2u);  // the same columns in another order: replaced; others: added
  EXPECT_EQ(job.requirements[0].k, 4u);
  EXPECT_EQ(job.requirements[1].columns, Names{"job"});
  EXPECT_EQ(job.find_column("city, state")->role, Role::quasi);
  EXPECT_EQ(job.find_column("id")->role, Role::identifier);  // not named by a flag: as the job file says
  EXPECT_EQ(job.find_column("age")->weight, 2);
  EXPECT_EQ(job.missing, (Names{"?", "NA"}));
  EXPECT_EQ(job.seed, 9u);
  EXPECT_EQ(job.threads, 1);
  EXPECT_EQ(job.params.at("cuts"), "strict");
}

// Two requirements on the same columns, in flags, in the job file or across both: the larger k is what is released.
TEST(CommandLine, OfTwoRequirementsOnTheSameColumnsTheLargerKStays) {
  Workplace place;
  write_people(place);
  place.write("job.yaml",
              "input: people.csv\noutput: out.csv\ncolumns: {age: quasi, job: quasi}\n"
              "requirements:\n  - {columns: [job, age], k: 2}\n  - {columns: [age, job], k: 5}\n");
  const char* const jobs[] = {
      "people.csv -o out.csv --quasi age,job --require age,job:5 --require job,age:2",
      "people.csv -o out.csv --quasi age,job --require job,age:2 --require age,job:5",
      "--job job.yaml",
      "--job job.yaml --require age,job:2",
  };
  for (const char* arguments : jobs) {
    const FileJob job = job_run(place, arguments);
    ASSERT_EQ(job.requirements.size(), 1u) << arguments;
    EXPECT_EQ(job.requirements[0].k, 5u) << arguments;
    const auto run = place.shoal(fmt::format("anonymize {} --json report.json", arguments));
    const auto report = nlohmann::json::parse(place.read("report.json"));
    EXPECT_GE(report["requirements"][0]["min_group"].get<int>(), 5) << arguments;
    const bool overruled = holds(arguments, ":2");
    EXPECT_EQ(holds(run.out, "has no effect: k=5 is asked on the same columns"), overruled) << arguments << run.out;
  }
}

// A flag that asks less than the job file is obeyed, and said: on the terminal, in the report, and even when quiet.
TEST(CommandLine, AFlagThatWeakensTheJobSaysSo) {
  Workplace place;
  write_people(place);
  place.write("job.yaml",
              "input: people.csv\noutput: out.csv\ncolumns: {id: identifier, age: quasi, job: quasi}\nk: 5\n"
              "suppress_rows: 0.01\nmethod: datafly\n");
  const std::pair<const char*, const char*> flags[] = {
      {"--k 2", "k=2 was asked in place of its k=5"},
      {"--suppress-rows 0.5", "a share of 0.5 of the rows may be dropped, and it allows 0.01"},
      {"--plain id", "column 'id' is identifier, and plain was asked"},
      {"--sensitive job", "column 'job' is quasi, and sensitive was asked"},
      {"--k 6", ""},
      {"--identifier job", ""},
      {"", ""},
  };
  for (const auto& [flag, said] : flags) {
    const auto loud =
        place.shoal(fmt::format("anonymize --job job.yaml --accept near-unique --json report.json {}", flag));
    const auto quiet = place.shoal(fmt::format("anonymize --job job.yaml --accept near-unique --quiet {}", flag));
    ASSERT_EQ(loud.exit_code, 0) << flag << loud.err;
    if (*said == '\0') {
      EXPECT_FALSE(holds(loud.out + loud.err + place.read("report.json"), "weaker than the job")) << flag;
      EXPECT_EQ(quiet.err, "") << flag;
      continue;
    }
    EXPECT_TRUE(holds(loud.out, said)) << flag << loud.out;
    EXPECT_TRUE(holds(place.read("report.json"), said)) << flag;
    EXPECT_TRUE(holds(quiet.err, said)) << flag << quiet.err;
  }
  const auto verified = place.shoal("verify out.csv --job job.yaml --k 2 --json checked.json");
  EXPECT_TRUE(holds(verified.err, "k=2 was asked in place of its k=5")) << verified.err;
  EXPECT_TRUE(holds(place.read("checked.json"), "k=2 was asked in place of its k=5"));
}

TEST(CommandLine, AnotherRoleForgetsWhatOnlyQuasiColumnsHave) {
  Workplace place;
  write_people(place);
  place.write(
      "job.yaml",
      "input: people.csv\noutput: out.csv\ncolumns:\n  age: {role: quasi, weight: 3, hierarchy: {build: flat}}\n"
      "  job: quasi\nk: 2\n");
  const FileJob job = job_run(place, "--job job.yaml --sensitive age");
  EXPECT_EQ(job.find_column("age")->role, Role::sensitive);
  EXPECT_FALSE(job.find_column("age")->hierarchy);
  EXPECT_EQ(job.find_column("age")->weight, 1);
}

TEST(CommandLine, ClashesAreNamed) {
  Workplace place;
  write_people(place);
  write_job(place);
  const std::pair<const char*, const char*> clashes[] = {
      {"anonymize --job jobs/job.yaml --plain age --quasi age", "column 'age' is given two roles: --quasi and --plain"},
      {"anonymize --job jobs/job.yaml --numeric age --categorical age", "column 'age' is given two types"},
      {"anonymize --job jobs/job.yaml -o - --write-job -", "only one thing can go to standard output"},
      {"anonymize --job jobs/job.yaml --write-job jobs/job.yaml",
       "the job 'jobs/job.yaml' would overwrite an input, the job file"},
      {"anonymize --job jobs/job.yaml --json --quiet", "--json needs a value, but the flag --quiet follows"},
      {"anonymize --job jobs/job.yaml --k 2 --k 3", "--k is given twice"},
      {"anonymize --job jobs/job.yaml --quasi age job extra", "unexpected argument 'extra'"},
      {"anonymize --job jobs/job.yaml -quasi age", "did you mean '--quasi'?"},
      {"anonymize --job jobs/job.yaml --suppress-row 0.1", "did you mean '--suppress-rows'?"},
      {"hierarchy biuld people.csv", "did you mean 'build'?"},
      {"hierarchy check people.csv --values people.csv", "--values and --column go together"},
  };
  for (const auto& [arguments, said] : clashes) {
    const auto run = place.shoal(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_TRUE(holds(run.err, said)) << arguments << "\n" << run.err;
    EXPECT_EQ(run.err.rfind("shoal: ", 0), 0u) << run.err;
    EXPECT_EQ(run.out, "") << arguments;
  }
  EXPECT_EQ(place.files(), (std::set<std::string>{"jobs", "people.csv"}));
}

// The job that was written, wherever it lies, gives the same release again.
// A method that takes one requirement: several are refused with a way out, or united with a notice.
TEST(CommandLine, SeveralRequirementsAreRefusedOrUnited) {
  Workplace place;
  write_people(place);
  const std::string flags_for_any = "anonymize people.csv -o out.csv --quasi age,job --require age:3 --require job:9";
  const std::string flags = flags_for_any + " --method shoal";
  const auto refused = place.shoal(flags_for_any + " --method mingen");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(holds(refused.err, "(--union; in a job file `union: true`)")) << refused.err;
  EXPECT_TRUE(holds(refused.err, "(age, job: k=9)")) << refused.err;
  EXPECT_FALSE(place.exists("out.csv"));
  const auto united = place.shoal(flags + " --union --json report.json");
  EXPECT_EQ(united.exit_code, 0) << united.err;
  EXPECT_TRUE(holds(united.out + united.err, "satisfied by k=9 on all their columns (age, job)")) << united.out;
  const auto report = nlohmann::json::parse(place.read("report.json"));
  EXPECT_EQ(report["requirements"].size(), 2u);
  EXPECT_GE(report["requirements"][0]["min_group"].get<int>(), 9);
  EXPECT_TRUE(job_run(place, flags.substr(10) + " --union").unite);
  // One that implies the others is one.
  EXPECT_EQ(place.shoal(flags + " --k 9").exit_code, 0);
  // A method that takes several needs no union: there each column keeps its own k.
  for (const std::string method : {"mondrian", "shoal", "kaca", "bottom-up", "top-down"}) {
    const auto apart = place.shoal(flags_for_any + " --json report.json --method " + method);
    EXPECT_EQ(apart.exit_code, 0) << method << apart.err;
    EXPECT_FALSE(holds(apart.out + apart.err, "union: true")) << method;
    const auto requirements = nlohmann::json::parse(place.read("report.json"))["requirements"];
    EXPECT_GE(requirements[0]["min_group"].get<int>(), 3) << method;
    EXPECT_GE(requirements[1]["min_group"].get<int>(), 9) << method;
  }
}

TEST(CommandLine, AWrittenJobGivesTheSameRelease) {
  Workplace place;
  write_people(place);
  place.shell("mkdir kept");
  ASSERT_EQ(place
                .shoal("anonymize people.csv -o out.csv --identifier id --quasi age,job --numeric age --k 4 --quiet "
                       "--hierarchy job=build:mask --write-job kept/job.yaml")
                .exit_code,
            0);
  const std::string released = place.read("out.csv");
  EXPECT_TRUE(holds(place.read("kept/job.yaml"), "input: ../people.csv\n")) << place.read("kept/job.yaml");
  place.shell("rm out.csv");
  const auto again = place.shoal("anonymize --job kept/job.yaml");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(place.read("out.csv"), released);
  EXPECT_TRUE(holds(again.out, "Released and verified: all 40 rows"));
  EXPECT_TRUE(holds(again.out, "Wrote ")) << again.out;
}

TEST(CommandLine, DataOnStandardOutputStandsAlone) {
  Workplace place;
  write_people(place);
  const std::string flags = "--identifier id --quasi age,job --others plain --k 4 --numeric age";
  const auto run = place.shoal("anonymize people.csv -o - --report page.html " + flags);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.rfind("age,\"city, state\"", 0), 0u) << run.out;
  EXPECT_FALSE(holds(run.out, "Released"));
  EXPECT_TRUE(holds(run.err, "Released and verified"));
  EXPECT_TRUE(holds(place.read("page.html"), "<!DOCTYPE html>"));
  place.write("release.csv", run.out);

  for (const std::string& command :
       {"verify release.csv --original people.csv " + flags, "measure release.csv --original people.csv " + flags,
        "risk people.csv " + flags}) {
    const auto json = place.shoal(command + " --json -");
    EXPECT_EQ(json.exit_code, 0) << command << json.err;
    EXPECT_TRUE(nlohmann::json::accept(json.out)) << command << json.out;
    const auto quiet = place.shoal(command + " --quiet");
    EXPECT_EQ(quiet.out + quiet.err, "") << command;
  }
}

// Whoever sees the demo sees three persons and what became of them, not of others.
TEST(CommandLine, TheDemoShowsWhatBecameOfItsPersons) {
  const Workplace place;
  const auto run = place.shoal("demo --folder out --quiet");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(holds(run.out, "person 1") && holds(run.out, "person 3")) << run.out;
  EXPECT_FALSE(holds(run.out, "Female -> Male") || holds(run.out, "Male -> Female")) << run.out;
  const size_t line = run.out.find("\nage ");
  ASSERT_NE(line, std::string::npos) << run.out;
  const std::string ages = run.out.substr(line + 1, run.out.find('\n', line + 1) - line);
  int ranges = 0;
  for (size_t arrow = ages.find(" -> ["); arrow != std::string::npos; arrow = ages.find(" -> [", arrow + 1)) {
    const int age = std::stoi(ages.substr(ages.rfind(' ', arrow - 1) + 1));
    const int low = std::stoi(ages.substr(arrow + 5)), high = std::stoi(ages.substr(ages.find(',', arrow) + 1));
    EXPECT_TRUE(low <= age && age <= high) << ages;
    ++ranges;
  }
  EXPECT_EQ(ranges, 3) << ages;
}

TEST(CommandLine, HierarchiesAreBuiltCheckedAndShown) {
  Workplace place;
  write_people(place);
  const std::string build = "hierarchy build people.csv --column job --kind mask -o job.csv";
  ASSERT_EQ(place.shoal(build).exit_code, 0);
  const std::string built = place.read("job.csv");
  EXPECT_TRUE(holds(built, "j0;j*;")) << built;
  const auto again = place.shoal(build);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_TRUE(holds(again.err, "'job.csv' exists; give --force")) << again.err;
  EXPECT_EQ(place.shoal(build + " --force").exit_code, 0);
  EXPECT_EQ(place.shoal("hierarchy build people.csv --column job --kind mask").out, built);

  const auto clean = place.shoal("hierarchy check job.csv --values people.csv --column job");
  EXPECT_EQ(clean.exit_code, 0) << clean.out;
  EXPECT_TRUE(holds(clean.out, "job.csv: 0 errors, 0 warnings")) << clean.out;
  place.write("unused.csv", built + "j9;j*;*\n");  // a value too many is a warning, and harms nothing
  const auto unused = place.shoal("hierarchy check unused.csv --values people.csv --column job");
  EXPECT_EQ(unused.exit_code, 0) << unused.out;
  EXPECT_TRUE(holds(unused.out, "0 errors, 1 warning\n")) << unused.out;
  place.write("short.csv", built.substr(built.find('\n') + 1));
  const auto missing = place.shoal("hierarchy check short.csv --values people.csv --column job");
  EXPECT_EQ(missing.exit_code, 3) << missing.out;
  EXPECT_TRUE(holds(missing.out, "error: ")) << missing.out;
  place.write("twice.csv", "a;x;*\nb;x;*\na;y;*\n");
  const auto twice = place.shoal("hierarchy check twice.csv");
  EXPECT_EQ(twice.exit_code, 3);
  EXPECT_TRUE(holds(twice.out, "twice.csv:3: error: ")) << twice.out;

  EXPECT_TRUE(holds(place.shoal("hierarchy show job.csv").out, "j4"));
  EXPECT_FALSE(holds(place.shoal("hierarchy show job.csv --depth 1").out, "j4"));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
