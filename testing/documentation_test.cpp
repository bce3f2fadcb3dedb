// The documentation says what the program does.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "shoal/method/method.h"
#include "shoal/report/measure_words.h"
#include "testing/documents.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

namespace fs = std::filesystem;

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::set<std::string> result;
  for (std::string line; std::getline(lines, line);) result.insert(line);
  return result;
}

TEST(Documentation, ReadmeShowsTheMethodsOfTheRegistry) {
  const testing::Workplace place;
  const auto run = place.shoal("methods --markdown");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(testing::read_file(fs::path(testing::kSourceFolder) / "README.md").find(run.out), std::string::npos)
      << "put this between the marks in README.md:\n"
      << run.out;
}

// Its command, with rows in the order of the input, so that persons can be told beside each other.
TEST(Documentation, ReadmeBeginsWithWhatItsCommandReleases) {
  const testing::Workplace place;
  const std::string people = (fs::path(testing::kSourceFolder) / "examples/census/people.csv").string();
  const std::string quiet = " -o release.tsv --order input --accept order --quiet";
  const auto run =
      place.shoal(fmt::format("anonymize '{}' --identifier name --quasi age,sex,zip --sensitive income --numeric age "
                              "--hierarchy zip=build:mask --k 5",
                              people) +
                  quiet);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto cells = [](const std::string& line, char delimiter) {
    std::vector<std::string> all;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, delimiter);) all.push_back(cell);
    return all;
  };
  std::istringstream before(testing::read_file(people)), after(place.read("release.tsv"));
  std::string line, table;
  std::getline(before, line);
  std::getline(after, line);
  for (int row = 0; row < 3; ++row) {
    std::getline(before, line);
    const auto was = cells(line, ',');
    ASSERT_EQ(was.size(), 10u) << line;
    std::getline(after, line);
    const auto is = cells(line, '\t');
    ASSERT_EQ(is.size(), 4u) << line;
    table += fmt::format("| {} | {} | {} | {} | {} | | {} | {} | {} | {} |\n", was[0], was[1], was[2], was[3], was[9],
                         is[0], is[1], is[2], is[3]);
  }
  EXPECT_NE(testing::read_file(fs::path(testing::kSourceFolder) / "README.md").find(table), std::string::npos)
      << "put this into the first table of README.md:\n"
      << table;
}

TEST(Documentation, TheReferenceOfJobFilesIsWhatTheProgramPrints) {
  const testing::Workplace place;
  const auto run = place.shoal("job --markdown");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(testing::read_file(fs::path(testing::kSourceFolder) / "docs" / "job.md").find(run.out), std::string::npos)
      << "put this at the end of docs/job.md:\n"
      << run.out;
}

TEST(Documentation, EveryMethodHasItsPage) {
  for (const MethodEntry& method : methods()) {
    EXPECT_TRUE(fs::exists(fs::path(testing::kSourceFolder) / "docs" / "methods" / (method.name + ".md")))
        << method.name;
  }
}

TEST(Documentation, EveryMeasureAndRiskIsExplained) {
  const std::string page = testing::read_file(fs::path(testing::kSourceFolder) / "docs" / "measures.md");
  std::vector<std::string> keys;
  for (const MeasureWords& words : measure_words()) keys.push_back(words.key);
  for (const RiskWords& words : risk_words()) keys.push_back(words.key);
  for (const std::string& key : keys) EXPECT_NE(page.find("`" + key + "`"), std::string::npos) << key;
}

TEST(Documentation, EveryCommandTeaches) {
  const testing::Workplace place;
  for (const char* command :
       {"inspect", "anonymize", "apply", "verify", "measure", "risk", "attack", "compare", "evaluate",
        "hierarchy build", "hierarchy check", "hierarchy show", "job", "methods", "demo"}) {
    const auto run = place.shoal(std::string(command) + " --help");
    EXPECT_EQ(run.exit_code, 0) << command;
    EXPECT_NE(run.out.find("Example"), std::string::npos) << command << ":\n" << run.out;
  }
}

TEST(Documentation, TheShellAndManKnowEveryCommand) {
  const testing::Workplace place;
  const std::set<std::string> commands = lines_of(place.shoal("--list-commands").out);
  EXPECT_TRUE(commands.count("compare") && commands.count("anonymize"));
  const auto manual = place.shoal("man");
  EXPECT_EQ(manual.exit_code, 0);
  const auto help = place.shoal("--help");
  for (const std::string& command : commands) {
    EXPECT_NE(manual.out.find(".SH shoal " + command + "\n"), std::string::npos) << command;
    EXPECT_NE(help.out.find("  " + command + " "), std::string::npos) << command;
  }
  EXPECT_TRUE(lines_of(place.shoal("compare --list-flags").out).count("--sample"));
  const auto completed =
      place.shell(fmt::format("ln -s {} shoal; PATH=\"$PWD:$PATH\"; cat >try.sh <<'EOF'\neval \"$(shoal "
                              "completion)\"\nCOMP_WORDS=(shoal compare --samp); "
                              "COMP_CWORD=2; _shoal; echo \"${{COMPREPLY[@]}}\"\nCOMP_WORDS=(shoal anonymize --method "
                              "mond); COMP_CWORD=3; _shoal; echo "
                              "\"${{COMPREPLY[@]}}\"\nEOF\nbash try.sh",
                              testing::kProgram));
  EXPECT_EQ(completed.out, "--sample\nmondrian mondrian-infogain\n") << completed.err;
}

// What documents and help texts tell people to type exists: the command, every flag, every file of the examples.
TEST(Documentation, EveryCommandThatIsShownExists) {
  const testing::Workplace place;
  std::map<std::string, std::set<std::string>> flags_of;
  const auto flags = [&](const std::string& command) -> const std::set<std::string>& {
    auto [entry, fresh] = flags_of.try_emplace(command);
    if (fresh) entry->second = lines_of(place.shoal(command + " --list-flags").out);
    return entry->second;
  };
  const fs::path source = testing::kSourceFolder;
  std::map<std::string, std::string> texts = testing::documents();
  const std::set<std::string> commands = lines_of(place.shoal("--list-commands").out);
  for (const std::string& command : commands)
    texts["shoal " + command + " --help"] = place.shoal(command + " --help").out;
  size_t checked = 0;
  for (const auto& [where, text] : texts) {
    for (const std::string& shown : testing::commands_in(text)) {
      std::istringstream words(shown);
      std::string command, word;
      words >> command;
      if (!commands.count(command)) {
        EXPECT_TRUE(command.starts_with("--") || command == "COMMAND" || command == "man" || command == "completion")
            << where << ": shoal " << shown;
        continue;
      }
      ++checked;
      while (words >> word) {
        if (command == "hierarchy" && (word == "build" || word == "check" || word == "show")) command += " " + word;
        if (word == "|" || word == ">" || word == "...") break;
        const std::string name = word.substr(0, word.find('='));
        if (word.starts_with("--") && name != "--help" && name != "--list-flags") {
          EXPECT_TRUE(flags(command).count(name)) << where << ": shoal " << shown << ": " << name;
        }
        const size_t at = word.find("examples/");
        if (at == std::string::npos) continue;
        const std::string path = word.substr(at, word.find_first_of(",;)'\"`", at) - at);
        EXPECT_TRUE(fs::exists(source / path)) << where << ": shoal " << shown << ": " << path;
      }
    }
  }
  EXPECT_GT(checked, 30u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
