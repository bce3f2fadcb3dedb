// Runs every case file in this folder through the public interface.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "shoal/read/read_job.h"
#include "shoal/read/source.h"
#include "shoal/report/measure_words.h"
#include "shoal/shoal.h"
#include "testing/places.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

namespace fs = std::filesystem;
using Rows = std::vector<std::vector<std::string>>;

Rows parse_table(const std::string& text) {
  Rows rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) rows.push_back(split_csv_line(line, ','));
  }
  return rows;
}

// "a,b,#" with counts becomes the table with every row written out.
void write_counted_table(const std::string& text, const fs::path& path) {
  const Rows rows = parse_table(text);
  const bool counted = rows[0].back() == "#";
  std::ofstream file(path);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells = rows[i];
    const int copies = counted && i > 0 ? std::stoi(cells.back()) : 1;
    if (counted) cells.pop_back();
    for (std::string& cell : cells) {
      if (cell.find(',') != std::string::npos) cell = '"' + cell + '"';
    }
    for (int copy = 0; copy < copies; ++copy) file << fmt::format("{}\n", fmt::join(cells, ","));
  }
}

// Rows with how often each occurs, without the column `without`.
std::map<std::vector<std::string>, int> counted_rows(const Rows& rows, const std::string& without) {
  std::map<std::vector<std::string>, int> counts;
  const bool counted = rows[0].back() == "#";
  for (size_t i = 1; i < rows.size(); ++i) {
    std::vector<std::string> cells;
    for (size_t j = 0; j < rows[i].size() - (counted ? 1 : 0); ++j) {
      if (rows[0][j] != without) cells.push_back(rows[i][j]);
    }
    counts[cells] += counted ? std::stoi(rows[i].back()) : 1;
  }
  return counts;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(testing::kSourceFolder) / "cases")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Case : public ::testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("shoal_case_{}_{}", getpid(), GetParam().stem().string());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  FileJob make_job(const YAML::Node& root) {
    write_counted_table(root["table"].as<std::string>(), folder_ / "table.csv");
    if (root["hierarchies"]) {
      fs::create_directories(folder_ / "hierarchies");
      for (const auto& entry : root["hierarchies"]) {
        std::ofstream(folder_ / "hierarchies" / (entry.first.as<std::string>() + ".txt"))
            << entry.second.as<std::string>();
      }
    }
    YAML::Node job = YAML::Clone(root["job"]);
    job["input"] = "table.csv";
    job["output"] = "release.csv";
    if (root["hierarchies"]) job["hierarchies"] = "hierarchies";
    YAML::Emitter text;
    text << job;
    return parse_job(text.c_str(), GetParam().string(), folder_.string());
  }

  fs::path folder_;
};

void expect_measures(const YAML::Node& expected, const Measures& measures) {
  for (const auto& entry : expected) {
    const auto name = entry.first.as<std::string>();
    const auto words = std::find_if(measure_words().begin(), measure_words().end(),
                                    [&](const MeasureWords& known) { return known.key == name; });
    ASSERT_NE(words, measure_words().end()) << name;
    const Value value = words->value(measures);
    const auto* count = std::get_if<uint64_t>(&value.content);
    EXPECT_NEAR(count ? double(*count) : std::get<double>(value.content), entry.second.as<double>(), 0.0005) << name;
  }
}

TEST_P(Case, GivesWhatThePaperSays) {
  const YAML::Node root = YAML::LoadFile(GetParam().string());
  SCOPED_TRACE(root["title"].as<std::string>());
  const FileJob job = make_job(root);
  const YAML::Node expect = root["expect"];
  Progress progress;
  if (root["release"]) {
    write_counted_table(root["release"].as<std::string>(), folder_ / "given.csv");
    expect_measures(expect["measures"], measure_release(job, (folder_ / "given.csv").string(), progress).measures);
    return;
  }
  const Report report = anonymize_files(job, progress);
  EXPECT_EQ(to_string(report.status), expect["status"].as<std::string>("released")) << report.reason;
  if (expect["measures"]) expect_measures(expect["measures"], report.measures);
  if (const auto search = expect["search"]) {
    if (search["generated"]) {
      EXPECT_EQ(report.search.generated, search["generated"].as<uint64_t>());
    }
    if (search["expanded"]) {
      EXPECT_EQ(report.search.expanded, search["expanded"].as<uint64_t>());
    }
    if (search["pruned"]) {
      EXPECT_EQ(report.search.pruned, search["pruned"].as<uint64_t>());
    }
  }
  if (const auto levels = expect["levels"]) {
    for (size_t j = 0; j < levels.size(); ++j) EXPECT_EQ(report.columns.at(j).level, levels[j].as<int>()) << j;
  }
  if (expect["released"]) {
    std::string target;
    for (const ColumnJob& column : job.columns) {
      if (column.role == Role::target) target = column.name;
    }
    EXPECT_EQ(counted_rows(parse_table(read_text(folder_ / "release.csv")), target),
              counted_rows(parse_table(expect["released"].as<std::string>()), target));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Case, ::testing::ValuesIn(case_files()), [](const auto& entry) {
  std::string name = entry.param.parent_path().filename().string() + "_" + entry.param.stem().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
});

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
