// Every command that README, documents and help texts show runs, in the order of its page, on small tables of the names
// that they use.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <regex>
#include <sstream>

#include "testing/documents.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

namespace fs = std::filesystem;

std::string head_of(const std::string& text, size_t lines, size_t skip = 0) {
  std::istringstream stream(text);
  std::string line, head;
  for (size_t i = 0; i <= lines + skip && std::getline(stream, line); ++i) {
    if (i == 0 || i > skip) head += line + "\n";
  }
  return head;
}

// A table of random cells: "name: value value ..." for each column.
std::string random_table(const std::vector<std::pair<std::string, std::vector<std::string>>>& columns, size_t rows) {
  std::mt19937_64 random(7);
  std::string table;
  for (size_t j = 0; j < columns.size(); ++j) table += (j ? "," : "") + columns[j].first;
  table += "\n";
  for (size_t row = 0; row < rows; ++row) {
    for (size_t j = 0; j < columns.size(); ++j) {
      const auto& [name, values] = columns[j];
      const std::string cell = values.empty() ? std::to_string(20 + random() % 40) : values[random() % values.size()];
      table += (j ? "," : "") + cell;
    }
    table += "\n";
  }
  return table;
}

// What people have when they read the page: the examples (cut short, so that the test is quick) and tables of their
// own.
void furnish(const testing::Workplace& place) {
  const fs::path source = testing::kSourceFolder;
  fs::create_directories(place.folder() / "examples");
  fs::copy(source / "examples" / "census", place.folder() / "examples" / "census", fs::copy_options::recursive);
  const std::string people = head_of(testing::read_file(source / "examples" / "census" / "people.csv"), 150);
  place.write("examples/census/people.csv", people);
  place.write("people.csv", people);
  place.write("train.csv", head_of(people, 100));
  place.write("test.csv", head_of(people, 50, 100));
  const std::vector<std::string> sex{"F", "M"}, zip{"1010", "1020", "2010", "2020"}, illness{"A", "B", "C", "D", "E"};
  place.write(
      "visits.csv",
      random_table({{"patient", {}}, {"age", {}}, {"sex", sex}, {"zip", zip}, {"diagnosis", illness}, {"pay", {}}},
                   300));
  place.write("patients.csv", random_table({{"age", {}}, {"sex", sex}, {"zip", zip}, {"diagnosis", illness}}, 200));
  place.write("register.csv", random_table({{"age", {}}, {"sex", sex}, {"zip", zip}}, 2000));
  std::vector<std::pair<std::string, std::vector<std::string>>> adult{{"age", {}}};
  for (const char* name : {"workclass", "education", "marital-status", "occupation", "race", "sex", "native-country",
                           "salary-class", "class"}) {
    adult.push_back({name, {"a", "b", "c"}});
  }
  place.write("adult.csv", random_table(adult, 200));
  fs::create_directories(place.folder() / "hierarchies");
  place.write("hierarchies/education.csv", "a;ab;*\nb;ab;*\nc;c;*\n");
}

// The commands of a text that can be run: parts in brackets are left out, and what has words in capitals or dots for
// more is no command but its form.
std::vector<std::string> shown_commands(const std::string& text) {
  std::vector<std::string> real;
  static const std::regex kOptional(R"(\[[^\]]*\])"), kForm(R"((^|[ =])[A-Z]{3,}( |$|\.)| \.\.\.)");
  for (const std::string& command : testing::commands_in(text)) {
    const std::string without = std::regex_replace(command, kOptional, "");
    if (!std::regex_search(without, kForm)) real.push_back(without);
  }
  return real;
}

TEST(ShownCommands, AllRun) {
  std::map<std::string, std::string> texts = testing::documents();
  texts.erase("tutorial.md");  // has a test of its own, with its own table
  // Starting the program takes its time: all of them in long runs, README and some help texts in every run.
  const bool all = std::getenv("SHOAL_LONG") != nullptr;
  if (!all) std::erase_if(texts, [](const auto& entry) { return entry.first != "README.md"; });
  const testing::Workplace asked;
  std::istringstream names(asked.shoal("--list-commands").out + "hierarchy build\nhierarchy check\nhierarchy show\n");
  for (std::string name; std::getline(names, name);) {
    if (all || name == "verify" || name == "attack" || name.starts_with("hierarchy")) {
      texts["shoal " + name + " --help"] = asked.shoal(name + " --help").out;
    }
  }
  texts["shoal --help"] = asked.shoal("--help").out;
  size_t run = 0;
  for (const auto& [where, text] : texts) {
    const std::vector<std::string> commands = shown_commands(text);
    if (commands.empty()) continue;
    const testing::Workplace place;
    furnish(place);
    for (const std::string& command : commands) {
      if (command.starts_with("serve")) continue;  // stays until it is stopped; serve_test tries it
      if (command.starts_with("COMMAND") || command.find("/tmp/") != std::string::npos) continue;
      const auto done = place.shell(fmt::format("{} {}", testing::kProgram, command));
      EXPECT_EQ(done.exit_code, 0) << where << ": shoal " << command << "\n" << done.out.substr(0, 2000) << done.err;
      ++run;
    }
  }
  EXPECT_GT(run, all ? 60u : 20u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
