// Every mistake a user can make gets its exit code and one clear message, and nothing is left behind.
#include <gtest/gtest.h>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

const char* const kPeople = "age,sex,zip,job\n34,F,1020,a\n35,F,1021,b\n34,M,1020,a\n36,M,1021,c\n";

struct Mistake {
  const char* name;
  const char* file;       // written as people.csv; nullptr: kPeople; "": empty; "-": none
  const char* arguments;  // after `anonymize people.csv -o out.csv`, unless it starts with '!' (whole command line)
  int exit_code;
  std::vector<std::string> said;  // all must stand in the message
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

void prepare(const Workplace& place, const Mistake& mistake) {
  const std::string text = mistake.file ? mistake.file : kPeople;
  if (text != "-") place.write("people.csv", text);
  place.write("two_parents.csv", "F;x;*\nM;y;*\nF;y;*\n");
  place.write("cycle.csv", "F;x;F;*\nM;x;M;*\n");
  place.write("no_m.csv", "F;x;*\n");
  place.write("ragged_levels.csv", "F;x;*\nM;*\n");
  place.write("tab.txt", "*\n\tF\n\tM\n");
  place.write("bad.json", "{\"label\": \"*\", \"children\": [\n");
  place.write("sex.csv", "F;*\nM;*\n");
  place.write("job_tab.yaml", "input: people.csv\ncolumns:\n\tage: quasi\n");
  place.write("job_syntax.yaml", "input: people.csv\ncolumns: {age: quasi\nk: 2\n");
  place.write("job_key.yaml", "input: people.csv\noutput: out.csv\ncolumns: {age: quasi}\nk: 2\nmehtod: mondrian\n");
  place.write("job_kind.yaml", "input: people.csv\noutput: out.csv\ncolumns: {age: quasi}\nk: five\n");
  place.write("job_role.yaml", "input: people.csv\noutput: out.csv\ncolumns: {age: qausi}\nk: 2\n");
}

class BadInput : public ::testing::TestWithParam<Mistake> {};

TEST_P(BadInput, IsNamedAndLeavesNothingBehind) {
  const Mistake& mistake = GetParam();
  Workplace place;
  prepare(place, mistake);
  const auto before = place.files();
  const std::string arguments = mistake.arguments;
  const auto run = arguments[0] == '!' ? place.shoal(arguments.substr(1))
                                       : place.shoal("anonymize people.csv -o out.csv " + arguments);
  EXPECT_EQ(run.exit_code, mistake.exit_code) << run.err << run.out;
  for (const std::string& words : mistake.said)
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\nin: " << run.err;
  EXPECT_EQ(place.files(), before) << "something was left behind";
  if (place.exists("people.csv")) {
    EXPECT_EQ(place.read("people.csv"), mistake.file ? mistake.file : kPeople);
  }
  EXPECT_EQ(run.err.find("internal error"), std::string::npos) << run.err;
}

const std::vector<Mistake> kMistakes = {
    // the table
    {"MissingFile", "-", "--quasi age --k 2", 3, {"people.csv"}},
    {"EmptyFile", "", "--quasi age --k 2", 3, {"people.csv", "empty"}},
    {"HeaderOnly", "age,sex\n", "--quasi age --k 2", 3, {"people.csv", "no rows"}},
    {"DuplicateColumns", "age,sex,age\n1,F,2\n", "--quasi sex --k 1", 3, {"age", "two columns"}},
    {"RaggedRowShort", "age,sex\n1,F\n2\n3,M\n", "--quasi age --k 1", 3, {"line 3", "2 columns"}},
    {"RaggedRowLong", "age,sex\n1,F\n2,M,x\n", "--quasi age --k 1", 3, {"line 3", "2 columns"}},
    {"InvalidUtf8", "age,sex\n1,\xc3\xa9\n2,\xff\n", "--quasi sex --k 1", 3, {"line 3", "UTF-8", "encoding"}},
    {"NeitherUtf8NorWindows", "age,sex\n1,F\n2,\x81\n", "--quasi sex --k 1", 3, {"line 3", "neither UTF-8 nor"}},
    {"OpenQuote", "age,sex\n1,\"F\n2,M\n", "--quasi sex --k 1", 3, {"people.csv", "quote"}},
    {"TextInNumericColumn",
     "age,sex\n1,F\n\"x\ny\",F\nold,M\n",
     "--quasi age --numeric age --k 1",
     3,
     {"line 3", "age"}},
    {"TextInNumericColumnLater",
     "note,age\n\"x\ny\",1\nz,old\n",
     "--quasi age --numeric age --k 1",
     3,
     {"line 4", "'old'", "age"}},
    {"NotANumber", "age,sex\n1,F\nNaN,M\n", "--quasi age --numeric age --k 1", 3, {"line 3", "NaN"}},
    {"Infinite", "age,sex\n1,F\ninf,M\n", "--quasi age --numeric age --k 1", 3, {"line 3", "inf"}},
    {"TooLargeNumber", "age,sex\n1,F\n1e999,M\n", "--quasi age --numeric age --k 1", 3, {"line 3", "1e999"}},
    // columns
    {"UnknownColumn", nullptr, "--quasi aeg --k 2", 2, {"'aeg'", "did you mean 'age'"}},
    {"RequirementOnNonQuasi", nullptr, "--quasi age --require age,sex:2", 2, {"sex", "quasi"}},
    {"NoQuasiColumn", nullptr, "--k 2", 2, {"quasi"}},
    {"NoRequirement", nullptr, "--quasi age", 2, {"requirement"}},
    {"TwoRolesForAColumn", nullptr, "--quasi age --identifier age --k 2", 2, {"age"}},
    // k and limits
    {"KZero", nullptr, "--quasi age --k 0", 2, {"k"}},
    {"KNegative", nullptr, "--quasi age --k -3", 2, {"k"}},
    {"KNoNumber", nullptr, "--quasi age --k many", 2, {"many"}},
    {"KAboveRows", nullptr, "--quasi age --k 5", 4, {"largest possible k is 4"}},
    {"LimitAboveOne", nullptr, "--quasi age --k 2 --method datafly --suppress-rows 1.5", 2, {"1.5"}},
    {"LimitNegative", nullptr, "--quasi age --k 2 --method datafly --suppress-rows -0.1", 2, {"-0.1"}},
    {"LimitOnMondrian", nullptr, "--quasi age --k 2 --method mondrian --suppress-rows 0.1", 2, {"mondrian"}},
    // methods and parameters
    {"UnknownMethod", nullptr, "--quasi age --k 2 --method mondrain", 2, {"mondrain", "did you mean 'mondrian'"}},
    {"UnknownParameter", nullptr, "--quasi age --k 2 --method mondrian --param cust=strict", 2, {"cust", "cuts"}},
    {"WrongParameterValue", nullptr, "--quasi age --k 2 --method mondrian --param cuts=loose", 2, {"loose", "strict"}},
    {"UnknownFlag", nullptr, "--quasi age --k 2 --metod mondrian", 2, {"--metod"}},
    {"WeightOfNothing", nullptr, "--quasi age --k 2 --weight age=0", 2, {"weight"}},
    // hierarchies
    {"ValueNotInHierarchy", nullptr, "--quasi sex --k 1 --hierarchy sex=no_m.csv", 3, {"'M'", "line 4", "no_m.csv"}},
    {"TwoParents", nullptr, "--quasi sex --k 1 --hierarchy sex=two_parents.csv", 3, {"two_parents.csv", "line 3"}},
    {"Cycle", nullptr, "--quasi sex --k 1 --hierarchy sex=cycle.csv", 3, {"cycle.csv", "line 1"}},
    {"RaggedLevels",
     nullptr,
     "--quasi sex --k 1 --hierarchy sex=ragged_levels.csv",
     3,
     {"ragged_levels.csv", "line 2"}},
    {"TabInTree", nullptr, "--quasi sex --k 1 --hierarchy sex=tab.txt", 3, {"tab.txt", "line 2"}},
    {"BadJsonTree", nullptr, "--quasi sex --k 1 --hierarchy sex=bad.json", 3, {"bad.json"}},
    {"MissingHierarchy", nullptr, "--quasi sex --k 1 --hierarchy sex=nowhere.csv", 3, {"nowhere.csv"}},
    {"MissingHierarchyFolder", nullptr, "--quasi sex --k 1 --hierarchies nowhere", 2, {"nowhere"}},
    {"UnknownBuilder", nullptr, "--quasi sex --k 1 --hierarchy sex=build:msak", 2, {"msak", "mask"}},
    // outputs
    {"OutputIsInput", nullptr, "!anonymize people.csv -o people.csv --quasi age --k 2", 2, {"people.csv", "input"}},
    {"OutputIsInputByOtherName",
     nullptr,
     "!anonymize people.csv -o ./../$(basename $PWD)/people.csv --quasi age --k 2",
     2,
     {"input"}},
    {"OutputIsHierarchy",
     nullptr,
     "!anonymize people.csv -o sex.csv --quasi sex --hierarchy sex=sex.csv --k 2",
     2,
     {"sex.csv"}},
    {"JsonIsInput", nullptr, "--quasi age --k 2 --json people.csv", 2, {"people.csv"}},
    {"OutputFolderMissing", nullptr, "!anonymize people.csv -o nowhere/out.csv --quasi age --k 2", 2, {"nowhere"}},
    {"OutputFormatUnknown", nullptr, "!anonymize people.csv -o out.xyz --quasi age --k 2", 2, {"out.xyz"}},
    {"NoOutput", nullptr, "!anonymize people.csv --quasi age --k 2", 2, {"-o"}},
    // job files
    {"JobMissing", nullptr, "!anonymize --job nowhere.yaml", 2, {"nowhere.yaml"}},
    {"JobWithTab", nullptr, "!anonymize --job job_tab.yaml", 2, {"job_tab.yaml", "line 3", "tab"}},
    {"JobSyntax", nullptr, "!anonymize --job job_syntax.yaml", 2, {"job_syntax.yaml", "line"}},
    {"JobUnknownKey", nullptr, "!anonymize --job job_key.yaml", 2, {"line 5", "mehtod", "did you mean 'method'"}},
    {"JobWrongKind", nullptr, "!anonymize --job job_kind.yaml", 2, {"line 4", "five"}},
    {"JobUnknownRole", nullptr, "!anonymize --job job_role.yaml", 2, {"line 3", "qausi", "quasi"}},
    // commands
    {"NoCommand", nullptr, "!", 2, {"shoal"}},
    {"UnknownCommand", nullptr, "!anonimize people.csv", 2, {"anonimize", "anonymize"}},
    {"UnknownMethodShown", nullptr, "!methods mondrain", 2, {"mondrian"}},
};

INSTANTIATE_TEST_SUITE_P(Mistakes, BadInput, ::testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(BadInput, ReadOnlyFolder) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  Workplace place;
  place.write("people.csv", kPeople);
  place.shell("mkdir closed; chmod 555 closed");
  const auto run = place.shoal("anonymize people.csv -o closed/out.csv --quasi age --k 2");
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_NE(run.err.find("closed"), std::string::npos) << run.err;
}

TEST(BadInput, FullDiskLeavesNothing) {
  // A limit on file size stands in for a full disk: writes fail half-way.
  Workplace place;
  std::string people = "age,sex,note\n";
  for (int i = 0; i < 20000; ++i) people += fmt::format("{},{},some longer text {}\n", i % 50, i % 2 ? "F" : "M", i);
  place.write("people.csv", people);
  for (const char* output : {"out.csv", "out.csv.gz", "out.parquet", "out.jsonl"}) {
    const auto run =
        place.shoal(fmt::format("anonymize people.csv -o {} --quasi age,sex --sensitive note --k 5", output),
                    "trap '' XFSZ; ulimit -f 20;");
    EXPECT_EQ(run.exit_code, 2) << output << ": " << run.err;
    EXPECT_NE(run.err.find("nothing was released"), std::string::npos) << run.err;
    EXPECT_EQ(place.files(), std::set<std::string>{"people.csv"});
  }
}

TEST(BadInput, RaggedRowFarDownIsFoundWithItsLine) {
  // Far beyond the first buffers, where the rows before it are already on their way.
  Workplace place;
  std::string people = "age,sex\n";
  for (int i = 0; i < 400000; ++i) people += i == 390000 ? "77\n" : fmt::format("{},F\n", i % 50);
  place.write("people.csv", people);
  const auto run = place.shoal("anonymize people.csv -o out.csv --quasi age,sex --k 5");
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_NE(run.err.find("line 390002"), std::string::npos) << run.err;
  EXPECT_FALSE(place.exists("out.csv"));
}

TEST(BadInput, ManyUnknownValuesNameTheFirstFive) {
  Workplace place;
  std::string people = "sex\nF\n";
  for (int i = 0; i < 9; ++i) people += fmt::format("x{}\n", i);
  place.write("people.csv", people);
  place.write("sex.csv", "F;*\nM;*\n");
  const auto run = place.shoal("anonymize people.csv -o out.csv --quasi sex --hierarchy sex=sex.csv --k 1");
  EXPECT_EQ(run.exit_code, 3);
  for (const char* words : {"'x0'", "line 3", "'x4'", "line 7", "9"}) {
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\nin: " << run.err;
  }
  EXPECT_EQ(run.err.find("'x5'"), std::string::npos) << run.err;
}

// DuckDB names the line after it.
TEST(BadInput, ALineThatIsNoJsonIsNamed) {
  Workplace place;
  for (int wrong = 1; wrong <= 7; wrong += 2) {
    std::string lines;
    for (int line = 1; line <= 7; ++line) lines += line == wrong ? "{\"a\":1 x}\n" : "{\"a\":1}\n";
    place.write("people.jsonl", lines);
    const auto run = place.shoal("anonymize people.jsonl -o out.csv --quasi a --k 2");
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_NE(run.err.find(fmt::format("'people.jsonl' line {}: not valid JSON", wrong)), std::string::npos) << run.err;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
