// What may leave the house with a release: the public report and the public recoding hold no raw value that the release
// hides, whatever method made it, and the internal ones say in their first line what they are.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "shoal/method/method.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

// As a word of its own: a number inside a longer one, or inside a hash, is not that number.
bool holds_word(const std::string& text, const std::string& word) {
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.'; };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !inside(text[at - 1])) && (end == text.size() || !inside(text[end]))) return true;
  }
  return false;
}

struct People {
  std::string csv = "who,income,town,disease,class\n", hierarchy;
  std::vector<std::string> values;  // of the identifier and quasi columns
};

// Values that no report can hold by chance. The hierarchy has one line twice: reading it gives a warning that quotes
// it. One town is not in it at all, and some cells are empty.
People people(unsigned seed, size_t rows) {
  People result;
  std::mt19937 random(seed);
  std::vector<std::string> towns;
  for (size_t i = 0; i < 12; ++i) {
    towns.push_back(fmt::format("Qzx{}ville", i));
    result.values.push_back(towns.back());
    if (i < 11) result.hierarchy += fmt::format("{};region{};*\n", towns.back(), i % 4);
  }
  result.hierarchy += fmt::format("{};region0;*\n", towns[0]);
  for (size_t i = 0; i < rows; ++i) {
    const std::string who = fmt::format("Person{}of90", i), income = std::to_string(710000 + random() % 90000);
    const size_t town = random() % towns.size();
    result.csv += fmt::format("{},{},{},d{},{}\n", who, random() % 20 == 0 ? "" : income, towns[town], random() % 3,
                              town % 3 == 0 ? "yes" : "no");
    result.values.push_back(who);
    result.values.push_back(income);
  }
  return result;
}

// Every method on tables of its own: all public outputs, all raw values.
TEST(PublicOutputs, HoldNoRawValueThatTheReleaseHides) {
  unsigned seed = 11;
  for (const MethodEntry& method : methods()) {
    const People table = people(++seed, method.name == "mingen" ? 10 : 90);
    Workplace place;
    place.write("people.csv", table.csv);
    place.write("town.csv", table.hierarchy);
    const std::string out = method.releases_model() ? "out.json" : "out.csv";
    const std::string job = fmt::format(
        "anonymize people.csv -o {} --identifier who --quasi income,town --sensitive disease --target class --numeric "
        "income --hierarchy town=town.csv --unknown-values root --k {} --method {}{}",
        out, method.name == "mingen" ? 2 : 6, method.name, method.drops_rows ? " --suppress-rows 0.1" : "");
    const std::string recodings =
        method.releases_model() ? "" : " --recoding inside_recoding.json --recoding-public public_recoding.json";
    const auto run =
        place.shoal(job + recodings + " --report-public public.html --report inside.html --json inside.json");
    ASSERT_EQ(run.exit_code, 0) << method.name << ": " << run.err;
    const auto again = place.shoal(job + " --report-public public.json");
    ASSERT_EQ(again.exit_code, 0) << method.name << ": " << again.err;
    const std::string release = place.read(out);
    std::vector<std::string> publics = {"public.html", "public.json"};
    if (!method.releases_model()) publics.push_back("public_recoding.json");
    size_t hidden = 0;
    for (const std::string& name : publics) {
      const std::string text = place.read(name);
      ASSERT_GT(text.size(), 200u) << method.name << " " << name;
      EXPECT_EQ(text.substr(0, text.find('\n')).find("nternal"), std::string::npos) << method.name << " " << name;
      for (const std::string& value : table.values) {
        if (holds_word(release, value)) continue;
        ++hidden;
        EXPECT_FALSE(holds_word(text, value)) << method.name << " " << name << ": " << value;
      }
    }
    EXPECT_GT(hidden, 0u) << method.name;
    // The warning about the hierarchy quotes a town: inside it stands, and what it stands in says so in its first line.
    EXPECT_TRUE(holds_word(place.read("inside.html"), "Qzx0ville")) << method.name;
    std::vector<std::string> insides = {"inside.html", "inside.json"};
    if (!method.releases_model()) insides.push_back("inside_recoding.json");
    for (const std::string& name : insides) {
      const std::string text = place.read(name);
      EXPECT_NE(text.substr(0, text.find('\n')).find("nternal"), std::string::npos) << method.name << " " << name;
    }
    const auto numbers = nlohmann::ordered_json::parse(place.read("inside.json"));
    EXPECT_EQ(numbers.begin().key(), "audience");
    EXPECT_FALSE(numbers["holds_data"].empty());
  }
}

// The public recoding is what the release says: counted again from its cells.
TEST(PublicOutputs, PublicRecodingsCountTheRelease) {
  const People table = people(5, 90);
  for (const char* method : {"mondrian", "shoal", "incognito", "tdr", "datafly"}) {
    Workplace place;
    place.write("people.csv", table.csv);
    const auto run = place.shoal(fmt::format(
        "anonymize people.csv -o out.csv --identifier who,disease --quasi income,town --target class --numeric income "
        "--k 6 --method {} --recoding-public public.json",
        method));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::map<std::string, size_t> incomes, towns;
    std::istringstream lines(place.read("out.csv"));
    std::string line;
    std::getline(lines, line);
    ASSERT_EQ(line, "income,town,class");
    size_t rows = 0;
    for (; std::getline(lines, line); ++rows) {
      const size_t end = line[0] == '"' ? line.find('"', 1) : line.find(',') - 1;
      ++incomes[line[0] == '"' ? line.substr(1, end - 1) : line.substr(0, end + 1)];
      ++towns[line.substr(end + 2, line.rfind(',') - end - 2)];
    }
    const auto json = nlohmann::ordered_json::parse(place.read("public.json"));
    EXPECT_EQ(json["columns"][0]["released"].size(), incomes.size()) << method;
    for (const auto& [text, count] : incomes) EXPECT_EQ(json["columns"][0]["released"][text], count) << method << text;
    for (const auto& [text, count] : towns) EXPECT_EQ(json["columns"][1]["released"][text], count) << method << text;
    EXPECT_EQ(json["rows_dropped"], 90 - rows) << method;
    if (json.contains("groups")) {
      size_t in_groups = 0;
      for (const auto& group : json["groups"]) in_groups += group["rows"].get<size_t>();
      EXPECT_EQ(in_groups, rows) << method;
    }
    const auto applied = place.shoal("apply public.json people.csv -o applied.csv");
    EXPECT_EQ(applied.exit_code, 2);
    EXPECT_NE(applied.err.find("is the public one"), std::string::npos) << applied.err;
  }
}

TEST(PublicOutputs, AModelHasNoRecoding) {
  Workplace place;
  place.write("people.csv", people(5, 90).csv);
  for (const char* flag : {"--recoding", "--recoding-public"}) {
    const auto run =
        place.shoal(fmt::format("anonymize people.csv -o out.json --identifier who --quasi income,town --target class "
                                "--k 6 --method kadet {} r.json",
                                flag));
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_NE(run.err.find("no recoding to write"), std::string::npos) << run.err;
    EXPECT_FALSE(place.exists("out.json"));
  }
}

TEST(PublicReport, IsAnOutputLikeTheOthers) {
  Workplace place;
  place.write("people.csv", people(11, 90).csv);
  const std::string start = "anonymize people.csv -o out.csv --identifier who --quasi income,town --k 6 ";
  const auto over_input = place.shoal(start + "--report-public people.csv");
  EXPECT_EQ(over_input.exit_code, 2) << over_input.err;
  EXPECT_EQ(place.read("people.csv"), people(11, 90).csv);
  EXPECT_EQ(place.shoal(start + "--report both.html --report-public both.html").exit_code, 2);
  EXPECT_FALSE(place.exists("out.csv"));
  const auto written = place.shoal(start + "--report-public p.html --write-job job.yaml");
  ASSERT_EQ(written.exit_code, 0) << written.err;
  EXPECT_NE(place.read("job.yaml").find("report_public: p.html"), std::string::npos) << place.read("job.yaml");
  place.shell("rm p.html");
  EXPECT_EQ(place.shoal("anonymize --job job.yaml").exit_code, 0);
  EXPECT_TRUE(place.exists("p.html"));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
