// Outputs never harm: through the program, every command, every way an output can hit an input, every call that can
// fail.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string people(int rows) {
  std::string text = "age,sex,job,income\n";
  for (int i = 0; i < rows; ++i) {
    text += fmt::format("{},{},j{},{}\n", 20 + i * 7 % 30, i % 2 ? "F" : "M", i % 5, i % 3 ? "low" : "high");
  }
  return text;
}

void write_inputs(const Workplace& place) {
  place.write("in.csv", people(60));
  place.write("test.csv", people(30));
  place.write(
      "job.yaml",
      "input: in.csv\noutput: out.csv\ncolumns: {age: quasi, sex: {role: quasi, hierarchy: sex.csv}, job: quasi}\n"
      "hierarchies: trees\nk: 3\nmethod: mondrian\n");
  place.write("sex.csv", "F;*\nM;*\n");
  place.write("trees/my_job.csv", "j0;*\nj1;*\nj2;*\nj3;*\nj4;*\n");
  place.write("roles.json", "{\"columns\": {\"age\": \"quasi\"}, \"k\": 2}\n");
}

std::map<std::string, std::string> contents(const Workplace& place) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(place.folder())) {
    const std::string name = entry.path().lexically_relative(place.folder()).string();
    if (entry.is_regular_file()) all[name] = place.read(name);
    if (entry.is_directory()) all[name] = "a folder";
  }
  return all;
}

// ---- no output is an input or another output ----

constexpr const char* kFlags = "--quasi age,sex --k 2";

TEST(OutputsNeverHarm, AnInputIsNeverOverwritten) {
  Workplace place;
  write_inputs(place);
  ASSERT_EQ(place.shoal(fmt::format("anonymize in.csv -o release.csv {}", kFlags)).exit_code, 0);
  ASSERT_EQ(place.shoal("anonymize in.csv -o leveled.csv --quasi sex,age --k 2 --method datafly --recoding rec.json")
                .exit_code,
            0);
  ASSERT_EQ(place
                .shoal("evaluate in.csv --quasi age --target income --k 2 --methods mondrian --learners nb --folds 2 "
                       "--json eval.json")
                .exit_code,
            0);
  place.shell("ln in.csv hard.csv; ln -s in.csv soft.csv; mkdir folder; ln -s ../in.csv folder/in.csv; ln -s . here");
  const auto before = contents(place);
  const std::string a = fmt::format("anonymize in.csv {} ", kFlags);
  const std::string commands[] = {
      a + "-o in.csv",
      a + "-o hard.csv",
      a + "-o soft.csv",
      a + "-o folder/in.csv",
      a + "-o here/in.csv",
      a + "-o out.csv --json in.csv",
      a + "-o out.csv --report in.csv",
      a + "-o out.csv --recoding in.csv",
      a + "-o out.csv --write-job in.csv",
      a + "-o out.csv --json out.csv",
      a + "-o out.csv --json here/out.csv",
      a + "-o out.csv --report r --recoding folder/../here/r",
      a + "-o out.csv --write-job out.csv",
      a + "-o - --write-job -",
      a + "-o - --json /dev/stdout",
      "anonymize --job job.yaml --json job.yaml",
      "anonymize --job job.yaml --write-job job.yaml",
      "anonymize --job job.yaml -o sex.csv",
      "anonymize --job job.yaml --json sex.csv",
      "anonymize --job job.yaml --report trees/my_job.csv",
      fmt::format("anonymize - -o in.csv {} <in.csv", kFlags),
      fmt::format("anonymize in.csv -o - {} >>in.csv", kFlags),
      "risk in.csv --quasi age --json in.csv",
      "risk --job job.yaml --json job.yaml",
      "verify release.csv --original in.csv --quasi age,sex --k 2 --json release.csv",
      "verify release.csv --original in.csv --quasi age,sex --k 2 --json in.csv",
      "measure release.csv --original in.csv --quasi age,sex --json in.csv",
      "measure release.csv --original in.csv --quasi age,sex --hierarchy sex=sex.csv --json sex.csv",
      "evaluate in.csv --quasi age --target income --k 2 --methods mondrian --learners nb --csv in.csv",
      "evaluate in.csv --test test.csv --quasi age --target income --k 2 --methods mondrian --learners nb --json "
      "test.csv",
      "evaluate --join eval.json --csv eval.json",
      "apply rec.json in.csv -o in.csv",
      "apply rec.json in.csv -o rec.json",
      "apply rec.json in.csv --job roles.json -o roles.json",
      "hierarchy build in.csv --column job --kind mask -o in.csv --force",
  };
  for (const std::string& command : commands) {
    const auto run = place.shoal(command);
    EXPECT_EQ(run.exit_code, 2) << command << run.out << run.err;
    EXPECT_TRUE(holds(run.err, "would overwrite an input") || holds(run.err, "are the same file") ||
                holds(run.err, "only one thing can go to standard output"))
        << command << run.err;
    ASSERT_EQ(contents(place), before) << command;
  }
}

// `verify` took a folder of this name for its own, and removed it.
TEST(OutputsNeverHarm, AFolderNamedAsOneOfOursStays) {
  Workplace place;
  write_inputs(place);
  ASSERT_EQ(place.shoal("anonymize --job job.yaml --quiet").exit_code, 0);
  for (const char* folder : {"out.csv.spill", "out.csv.spill2", "in.csv.spill", "test.csv.spill"}) {
    place.write(std::string(folder) + "/mine", "a user's");
  }
  const auto before = contents(place);
  for (const char* command : {"verify out.csv --job job.yaml", "verify out.csv --job job.yaml --memory-limit 400MB",
                              "risk in.csv --quasi age --memory-limit 400MB", "inspect test.csv"}) {
    EXPECT_EQ(place.shoal(command).exit_code, 0) << command;
    EXPECT_EQ(contents(place), before) << command;
  }
}

TEST(OutputsNeverHarm, DevicesAndPipesAreWrittenInto) {
  Workplace place;
  write_inputs(place);
  const auto null =
      place.shoal(fmt::format("anonymize in.csv -o /dev/null --json /dev/null --write-job /dev/null {}", kFlags));
  EXPECT_EQ(null.exit_code, 0) << null.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const auto direct = place.shoal(fmt::format("anonymize in.csv -o - {} --quiet", kFlags));
  ASSERT_EQ(direct.exit_code, 0) << direct.err;
  // Into a redirected file, at the place where it is: what the shell wrote before stays.
  const auto named = place.shell(fmt::format(
      "{{ echo first; {} anonymize in.csv -o /dev/stdout {}; echo last; }} >all.csv", testing::kProgram, kFlags));
  EXPECT_EQ(place.read("all.csv"), "first\n" + direct.out + "last\n") << named.err;
  const auto pipe = place.shell(fmt::format(
      "mkfifo p; cat p >got.csv & {} anonymize in.csv -o p --json p.json {} && wait", testing::kProgram, kFlags));
  EXPECT_EQ(pipe.exit_code, 0) << pipe.err;
  EXPECT_EQ(place.read("got.csv"), direct.out);
  EXPECT_TRUE(std::filesystem::is_fifo(place.folder() / "p"));
  const auto disk =
      place.shell(fmt::format("for d in /dev/sda /dev/vda /dev/loop0; do test -b $d && {} risk in.csv --quasi "
                              "age --json $d; done; true",
                              testing::kProgram));
  EXPECT_FALSE(holds(disk.out, "Wrote"));
}

TEST(OutputsNeverHarm, AnyNameCanBeWritten) {
  Workplace place;
  write_inputs(place);
  place.shell("mkdir 'odd*[1]?' \"$(printf 'not\\377utf')\"");
  const std::string names[] = {"'a*b.csv'",
                               "'a?[x].csv'",
                               "'odd*[1]?/out.csv'",
                               "'odd*[1]?/o.csv.gz'",
                               "'odd*[1]?/*.parquet'",
                               "\"$(printf 'a\\377.csv')\"",
                               "\"$(printf 'not\\377utf')/o.jsonl\"",
                               "'umläut.csv'",
                               "\"it's.csv\""};
  for (const std::string& name : names) {
    const auto run =
        place.shoal(fmt::format("anonymize in.csv -o {0} --json {0}.json {1} && test -s {0}", name, kFlags));
    EXPECT_EQ(run.exit_code, 0) << name << run.err;
  }
  const auto unknown = place.shoal(fmt::format("anonymize in.csv -o out.xyz {}", kFlags));
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(holds(unknown.err, "'out.xyz'")) << unknown.err;
  EXPECT_FALSE(holds(unknown.err, ".shoal-")) << unknown.err;
}

// ---- inputs that can be read only once ----

TEST(OutputsNeverHarm, APipeIsAnInput) {
  Workplace place;
  write_inputs(place);
  const auto reference = place.shoal(fmt::format("anonymize in.csv -o - {} --quiet", kFlags));
  const auto fifo =
      place.shell(fmt::format("mkfifo p; cat in.csv >p & {} anonymize p -o - {} --quiet", testing::kProgram, kFlags));
  EXPECT_EQ(fifo.exit_code, 0) << fifo.err;
  EXPECT_EQ(fifo.out, reference.out);
  const auto named =
      place.shell(fmt::format("mkfifo q.csv; cat in.csv >q.csv & {} risk q.csv --quasi age", testing::kProgram));
  EXPECT_EQ(named.exit_code, 0) << named.err;
  const auto byte_by_byte = place.shell(fmt::format(
      "{{ printf 'a'; sleep 0.1; tail -c +2 in.csv; }} | {} anonymize - -o - {} --quiet", testing::kProgram, kFlags));
  EXPECT_EQ(byte_by_byte.out, reference.out) << byte_by_byte.err;
}

TEST(OutputsNeverHarm, AMissingTemporaryFolderIsNamed) {
  Workplace place;
  write_inputs(place);
  const auto run = place.shoal(fmt::format("anonymize - -o out.csv {} <in.csv", kFlags), "TMPDIR=/nowhere/at/all");
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_TRUE(holds(run.err, "'/nowhere/at/all'") && holds(run.err, "TMPDIR")) << run.err;
  EXPECT_EQ(place.shoal(fmt::format("anonymize in.csv -o out.csv {}", kFlags), "TMPDIR=/nowhere/at/all").exit_code, 0);
}

// Copies of tables are private while they are there, and gone after any signal.
TEST(OutputsNeverHarm, SignalsLeaveNothing) {
  Workplace place;
  write_inputs(place);
  place.shell("mkdir tmp");
  const auto before = contents(place);
  for (const char* signal : {"INT", "TERM", "HUP", "QUIT", "USR1", "ALRM"}) {
    // The pipe stays open, so that the program waits for the rest of its table. Whoever runs the tests may ignore
    // signals.
    const auto run = place.shell(fmt::format(
        "rm -f p; mkfifo p; exec 3<>p; cat in.csv >&3; TMPDIR=$PWD/tmp env --default-signal {} anonymize p -o out.csv "
        "--json r.json {} & "
        "shoal=$!; for i in $(seq 1200); do ls tmp/.shoal-* >/dev/null 2>&1 && break; sleep 0.1; done; "
        "stat -c '%a %F' tmp/.shoal-* .shoal-* | sort -u; kill -{} $shoal; wait $shoal",
        testing::kProgram, kFlags, signal));
    EXPECT_EQ(run.exit_code, 130) << signal << run.err;
    EXPECT_EQ(run.out, "600 regular empty file\n600 regular file\n700 directory\n") << signal << run.err;
    EXPECT_TRUE(holds(run.err, "interrupted; nothing was written")) << signal << run.err;
    place.shell("rm -f p");
    EXPECT_EQ(contents(place), before) << signal;
  }
}

TEST(OutputsNeverHarm, AnIgnoredHangupIsIgnored) {
  Workplace place;
  write_inputs(place);
  const auto run = place.shell(fmt::format(
      "mkfifo p; trap '' HUP; {} anonymize p -o out.csv {} & shoal=$!; exec 3>p; kill -HUP $shoal; cat in.csv >&3; "
      "exec 3>&-; wait $shoal",
      testing::kProgram, kFlags));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(place.exists("out.csv"));
}

TEST(OutputsNeverHarm, AReaderWhoGoesAwayIsAnError) {
  Workplace place;
  place.write("in.csv", people(20000));
  const auto data = place.shell(fmt::format(
      "{{ {} anonymize in.csv -o - --json r.json {}; echo $? >code; }} | true; cat code", testing::kProgram, kFlags));
  EXPECT_EQ(data.out, "2\n");
  EXPECT_TRUE(holds(data.err, "standard output") && holds(data.err, "broken pipe")) << data.err;
  EXPECT_FALSE(place.exists("r.json")) << "all or none";
  for (const char* words :
       {"anonymize --help", "methods", "risk in.csv --quasi age", "anonymize in.csv -o out.csv --quasi age --k 2"}) {
    const auto run = place.shell(fmt::format("{{ {} {}; echo $? >code; }} | true; cat code", testing::kProgram, words));
    EXPECT_EQ(run.out, "0\n") << words << run.err;
    EXPECT_FALSE(holds(run.err, "cannot write")) << words << run.err;
    const auto nobody =
        place.shell(fmt::format("{{ {} {} 2>&1; echo $? >code; }} | true; cat code", testing::kProgram, words));
    EXPECT_EQ(nobody.out, "0\n") << words;
  }
  EXPECT_EQ(place.files(), (std::set<std::string>{"code", "in.csv", "out.csv"}));
}

TEST(OutputsNeverHarm, ClosedStandardFilesAreNotMistakenForOthers) {
  Workplace place;
  write_inputs(place);
  EXPECT_EQ(place.shoal(fmt::format("anonymize in.csv -o - {} >&-", kFlags)).exit_code, 2);
  EXPECT_EQ(place.shoal(fmt::format("anonymize in.csv -o - {} >&- 2>&- <&-", kFlags)).exit_code, 2);
  EXPECT_EQ(place.shoal(fmt::format("anonymize in.csv -o out.csv {} --quiet >&- 2>&- <&-", kFlags)).exit_code, 0);
  EXPECT_TRUE(place.read("out.csv").starts_with("age,sex\n"));
}

// ---- every call that can fail ----

// Environment of a program whose calls fail (fail_calls.cpp).
std::string failing(const Workplace& place, int at, int how, const std::string& more = "") {
  return fmt::format(
      "ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD={} FAIL_FOLDER={} FAIL_SAID={}.said FAIL_AT={} FAIL_HOW={} {}",
      testing::kFailCalls, place.folder().string(), place.folder().string(), at, how, more);
}

// The name of the call that failed, "" when the run had fewer calls.
std::string failed_call(const Workplace& place) {
  const std::string path = place.folder().string() + ".said";
  std::ifstream file(path);
  const std::string call{std::istreambuf_iterator<char>(file), {}};
  file.close();
  std::filesystem::remove(path);
  return call;
}

class FailingCalls : public ::testing::Test {
 protected:
  FailingCalls() {
    write_inputs(place_);
    EXPECT_EQ(place_.shoal(kRun).exit_code, 0);
    for (const char* name : kOutputs) finished_[name] = place_.read(name);
    set_old();
  }
  // What earlier runs left: two of the five outputs.
  void set_old() {
    for (const char* name : kOutputs) std::filesystem::remove(place_.folder() / name);
    place_.write("out.csv", "an old release");
    place_.write("report.json", "an old report");
    before_ = contents(place_);
  }
  // New and whole, each of them. Reports hold times, so only their form is looked at.
  void expect_finished(const std::string& call) {
    for (const char* name : {"out.csv", "recoding.json", "ran.yaml"}) {
      EXPECT_EQ(place_.read(name), finished_[name]) << call << " " << name;
    }
    EXPECT_TRUE(nlohmann::json::accept(place_.read("report.json"))) << call;
    EXPECT_TRUE(holds(place_.read("report.html"), "</html>")) << call;
    for (const auto& [name, text] : contents(place_)) EXPECT_FALSE(name.starts_with(".")) << call << name;
    EXPECT_EQ(contents(place_).size(), before_.size() + 3) << call;
  }

  static constexpr const char* kOutputs[] = {"out.csv", "report.json", "report.html", "recoding.json", "ran.yaml"};
  static constexpr const char* kRun =
      "anonymize --job job.yaml --threads 1 --json report.json --report report.html --recoding recoding.json "
      "--write-job "
      "ran.yaml --quiet";
  Workplace place_;
  std::map<std::string, std::string> finished_, before_;
};

TEST_F(FailingCalls, AnErrorAnywhereLeavesAllOrNothing) {
  std::set<std::string> calls;
  int failures = 0;
  for (int at = 1;; ++at) {
    ASSERT_LT(at, 300);
    const auto run = place_.shoal(kRun, failing(place_, at, at % 2 ? ENOSPC : EIO));
    const std::string call = failed_call(place_);
    if (call.empty()) {
      EXPECT_EQ(run.exit_code, 0);
      break;
    }
    calls.insert(call);
    EXPECT_FALSE(holds(run.err, "internal error")) << call << run.err;
    if (run.exit_code == 0) {
      expect_finished(fmt::format("call {}, {}", at, call));
      set_old();
      continue;
    }
    ++failures;
    EXPECT_EQ(run.exit_code, 2) << call << run.err;
    EXPECT_FALSE(holds(run.err, ".shoal-")) << run.err;
    ASSERT_EQ(contents(place_), before_) << "call " << at << ", " << call << ": " << run.err;
  }
  EXPECT_EQ(calls, (std::set<std::string>{"fchmod", "fchown", "fsync", "link", "open", "rename", "write"}));
  EXPECT_GT(failures, 20);
}

TEST_F(FailingCalls, ASignalAnywhereLeavesAllOrNothing) {
  for (int at = 1;; ++at) {
    ASSERT_LT(at, 300);
    const auto run = place_.shoal(kRun, failing(place_, at, -SIGTERM));
    const std::string call = failed_call(place_);
    if (call.empty()) break;
    if (run.exit_code == 0) {
      expect_finished(fmt::format("call {}, {}", at, call));
      set_old();
      continue;
    }
    EXPECT_TRUE(run.exit_code == 130 || run.exit_code == 128 + SIGTERM) << run.exit_code;
    ASSERT_EQ(contents(place_), before_) << "call " << at << ", " << call << ": " << run.err;
  }
}

// Killed at any moment: every output is the old one or the whole new one, and the next run leaves nothing of it.
TEST_F(FailingCalls, AKilledRunLeavesNoHalfFileAndTheNextOneTidiesUp) {
  for (int at = 1;; ++at) {
    ASSERT_LT(at, 300);
    place_.shoal(kRun, failing(place_, at, -SIGKILL));
    if (failed_call(place_).empty()) break;
    for (const char* name : {"out.csv", "recoding.json", "ran.yaml"}) {
      const bool old = before_.contains(name) ? place_.read(name) == before_[name] : !place_.exists(name);
      EXPECT_TRUE(old || place_.read(name) == finished_[name]) << at << name;
    }
    const auto after = contents(place_);
    for (const auto& [name, text] : before_) {
      if (name == "out.csv" || name == "report.json") continue;
      EXPECT_EQ(after.contains(name) ? after.at(name) : "gone", text) << name;
    }
    if (at % 4) continue;
    ASSERT_EQ(place_.shoal(kRun).exit_code, 0);
    expect_finished(fmt::format("after a kill at call {}", at));
    set_old();
  }
}

TEST_F(FailingCalls, AFullDiskSaysSoForEveryFormat) {
  place_.write("big.csv", people(5000));
  place_.shell("mkdir tmp");
  const auto before = contents(place_);
  for (const char* name : {"o.csv", "o.tsv", "o.csv.gz", "o.csv.zst", "o.jsonl", "o.parquet"}) {
    for (const char* order : {"", "--order input"}) {
      const auto run = place_.shoal(fmt::format("anonymize big.csv -o {} {} {}", name, kFlags, order),
                                    failing(place_, 1, ENOSPC, "FAIL_ONLY=write FAIL_ON=1"));
      EXPECT_FALSE(failed_call(place_).empty()) << name;
      EXPECT_EQ(run.exit_code, 2) << name << run.err;
      EXPECT_TRUE(holds(run.err, "disk full")) << name << run.err;
      EXPECT_FALSE(holds(run.err, ".shoal-")) << name << run.err;
      EXPECT_EQ(contents(place_), before) << name;
    }
  }
  const std::string full_temporary = fmt::format("TMPDIR={}/tmp {}", place_.folder().string(),
                                                 failing(place_, 1, ENOSPC, "FAIL_ONLY=write FAIL_ON=1"));
  const std::string commands[] = {
      fmt::format("anonymize - -o o.csv {} <big.csv", kFlags),
      "evaluate big.csv --test test.csv --quasi age --target income --k 2 --methods mondrian --learners nb --csv e.csv",
      "risk big.csv --quasi age --json r.json",
      "hierarchy build big.csv --column job --kind mask -o tree.csv",
  };
  for (const std::string& command : commands) {
    const auto run = place_.shoal(command, full_temporary);
    EXPECT_FALSE(failed_call(place_).empty()) << command;
    EXPECT_EQ(run.exit_code, 2) << command << run.err;
    EXPECT_TRUE(holds(run.err, "disk full")) << command << run.err;
    EXPECT_EQ(contents(place_), before) << command;
  }
}

// A disk that cannot be read: an error, never a release of the rows before it.
TEST_F(FailingCalls, AReadThatFailsAnywhereLeavesAllOrNothing) {
  int failures = 0;
  for (int at = 1;; ++at) {
    ASSERT_LT(at, 300);
    const auto run = place_.shoal(kRun, failing(place_, at, EIO, "FAIL_ONLY=read"));
    if (failed_call(place_).empty()) {
      EXPECT_EQ(run.exit_code, 0);
      break;
    }
    EXPECT_FALSE(holds(run.err, "internal error")) << at << run.err;
    if (run.exit_code == 0) {
      expect_finished(fmt::format("read {}", at));
      set_old();
      continue;
    }
    ++failures;
    EXPECT_TRUE(run.exit_code == 2 || run.exit_code == 3) << run.exit_code << run.err;
    ASSERT_EQ(contents(place_), before_) << "read " << at << ": " << run.err;
  }
  EXPECT_GT(failures, 3);
}

// No memory for some object: all outputs or none. Each run asks for memory more than a hundred thousand
// times, so every so-many-th one is tried; more of the last ones, among which outputs are put in their places.
TEST_F(FailingCalls, MemoryThatIsRefusedAnywhereLeavesAllOrNothing) {
  const bool thorough = std::getenv("SHOAL_LONG") != nullptr;
  int failures = 0;
  // DuckDB 1.4 itself crashes, or gives up, in places where it has to have memory: while it opens, commits and closes.
  // Nothing may be left then either.
  const std::set<int> crashes = {128 + SIGSEGV, 128 + SIGABRT};
  // False once a run asks for memory less often.
  const auto try_without = [&](int allocation) {
    const auto run = place_.shoal(kRun, failing(place_, allocation, 0, "FAIL_ONLY=new"));
    const std::string refused = failed_call(place_);
    if (refused.empty()) {
      EXPECT_EQ(run.exit_code, 0);
      set_old();
      return false;
    }
    const std::string what = fmt::format("allocation {}: {} {}", allocation, run.exit_code, run.err);
    if (run.exit_code == 0) {
      expect_finished(what);
      set_old();
      return true;
    }
    ++failures;
    const bool crash_of_duckdb = crashes.contains(run.exit_code) && refused == "new under DuckDB";
    EXPECT_TRUE((run.exit_code >= 1 && run.exit_code <= 3) || crash_of_duckdb) << what;
    EXPECT_EQ(contents(place_), before_) << what;
    if (contents(place_) != before_) set_old();
    return true;
  };
  // The first ones belong to libraries that are being loaded, before the program begins.
  int some = 200, all = 200;
  while (try_without(all)) {
    some = all;
    all = std::max(all + 1, static_cast<int>(all * (thorough ? 1.005 : 1.2)));
  }
  while (all - some > 8) {
    const int middle = some + (all - some) / 2;
    (try_without(middle) ? some : all) = middle;
  }
  for (int at = all - 1000; try_without(at); at += thorough ? 3 : 40) continue;
  EXPECT_GT(failures, 20);
}

// A file system without hard links: old files are moved aside until the new ones are in place.
TEST_F(FailingCalls, WithoutLinksToo) {
  const auto run = place_.shoal(kRun, failing(place_, 1, EPERM, "FAIL_ONLY=link FAIL_ON=1"));
  EXPECT_EQ(failed_call(place_), "link");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  expect_finished("without links");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
