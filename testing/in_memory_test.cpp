// A table in memory and the same table in a file: the same release, by every method.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "shoal/shoal.h"
#include "testing/arrow_arrays.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Rows = std::vector<std::vector<std::string>>;

const std::vector<std::string> kColumns{"name", "age", "zip", "work", "note", "class"};

Rows random_rows(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    const auto one_of = [&](size_t values) { return random() % values; };
    rows.push_back({"person " + std::to_string(i), one_of(12) == 0 ? "" : std::to_string(20 + one_of(30)),
                    std::to_string(1000 + one_of(9) * 111),
                    one_of(10) == 0 ? "" : std::string(1, char('a' + one_of(4))), "n" + std::to_string(one_of(50)),
                    one_of(2) ? "yes" : "no"});
  }
  return rows;
}

FileJob job_for(const MethodEntry& method) {
  FileJob job;
  job.column("name").role = Role::identifier;
  job.column("age").role = Role::quasi;
  job.column("zip").role = Role::quasi;
  job.column("zip").hierarchy = HierarchySpec{"", BuilderSpec{"mask", {}}, {}};
  job.column("work").role = Role::quasi;
  job.column("note").role = Role::plain;
  job.column("class").role = Role::target;
  job.k = 3;
  job.accept = {"near-unique"};
  job.method = method.name;
  job.threads = 2;
  return job;
}

// The cells of a released stream; NULL is "" as in a CSV file.
Rows rows_of(const ArrowColumns& release) {
  ArrowArrayStream stream{};
  release.stream(stream);
  ArrowTable table(stream, "release");
  std::vector<size_t> all;
  for (size_t j = 0; j < table.columns().size(); ++j) all.push_back(j);
  Rows rows{table.columns()};
  Progress progress;
  table.read(all, progress, [&](TextStream& cells) {
    while (cells.next()) {
      for (size_t row = 0; row < cells.size(); ++row) {
        auto& copy = rows.emplace_back();
        for (size_t j : all) copy.emplace_back(cells.cell(j, row));
      }
    }
  });
  return rows;
}

std::string csv_text(const Rows& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (size_t j = 0; j < row.size(); ++j) {
      const bool quoted = row[j].find(',') != std::string::npos;
      text += (j ? "," : "") + (quoted ? "\"" + row[j] + "\"" : row[j]);
    }
    text += "\n";
  }
  return text;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class InMemory : public ::testing::TestWithParam<const MethodEntry*> {};

TEST_P(InMemory, SameReleaseAsFromFile) {
  const MethodEntry& method = *GetParam();
  const Rows rows = random_rows(5, method.refuses_large_tables ? 9 : 120);
  Rows with_header{kColumns};
  with_header.insert(with_header.end(), rows.begin(), rows.end());
  const testing::TextFile input("people.csv", csv_text(with_header));
  const std::string output = input.path() + ".release.csv";
  Progress progress;
  FileJob files = job_for(method);
  files.files.input = input.path();
  files.files.output = output;
  const Report report = anonymize_files(files, progress);
  ASSERT_EQ(report.status, Status::released) << report.reason;

  // Two batches, texts with nulls, ages as integers.
  std::vector<std::vector<testing::HandColumn>> batches;
  for (const auto& [first, last] : {std::pair{size_t{0}, rows.size() / 3}, std::pair{rows.size() / 3, rows.size()}}) {
    std::vector<testing::HandColumn> batch;
    for (size_t j = 0; j < kColumns.size(); ++j) {
      std::vector<std::optional<std::string>> texts;
      std::vector<std::optional<int32_t>> numbers;
      for (size_t i = first; i < last; ++i) {
        texts.push_back(rows[i][j].empty() ? std::nullopt : std::optional(rows[i][j]));
        numbers.push_back(kColumns[j] == "age" && texts.back() ? std::optional(std::stoi(*texts.back()))
                                                               : std::nullopt);
      }
      batch.push_back(kColumns[j] == "age" ? testing::fixed_column<int32_t>("age", "i", numbers)
                                           : testing::text_column(kColumns[j], j % 2 ? "u" : "vu", texts));
    }
    batches.push_back(std::move(batch));
  }
  testing::HandStream hand(batches);
  ArrowArrayStream stream = hand.stream();
  ArrowTable table(stream, "table");
  const Release release = anonymize(job_for(method), table, progress);
  ASSERT_EQ(release.report.status, Status::released) << release.report.reason;
  EXPECT_TRUE(release.report.verification.ok());
  EXPECT_EQ(csv_text(rows_of(release.table)), file_text(output));
  EXPECT_EQ(release.report.measures.gcp, report.measures.gcp);
  std::filesystem::remove(output);
}

std::vector<const MethodEntry*> table_methods() {
  std::vector<const MethodEntry*> chosen;
  for (const MethodEntry& method : methods()) {
    if (!method.releases_model()) chosen.push_back(&method);
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(AllMethods, InMemory, ::testing::ValuesIn(table_methods()), [](const auto& kind) {
  std::string name = kind.param->name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

ArrowColumns people() {
  ArrowColumn age = ArrowColumn::of_texts("age"), note = ArrowColumn::of_texts("note");
  for (int i = 0; i < 20; ++i) {
    age.add_text(std::to_string(i));
    note.add_text("n");
  }
  return ArrowColumns({age, note});
}

TEST(InMemoryRelease, NothingLeavesUnlessTheSecondEngineAgrees) {
  struct Doubting : SqlEngine {
    std::vector<std::vector<std::string>> query(const std::string&) override { return {{"4", "1", "1"}}; }
    void create_table(const std::string&, const std::vector<std::string>&, TextStream&) override {}
  };
  ArrowArrayStream stream{};
  people().stream(stream);
  ArrowTable table(stream, "people");
  FileJob job;
  job.column("age").role = Role::quasi;
  job.k = 5;
  Progress progress;
  const Release release = anonymize(
      job, table, [](TableSource&, const std::vector<size_t>&) { return std::make_unique<Doubting>(); }, progress);
  EXPECT_EQ(release.report.status, Status::verification_failed);
  EXPECT_EQ(release.table.rows(), 0);
  EXPECT_FALSE(release.recoding.has_value());
}

// The population is a second table in memory. Its values need not be in the table; the table's must be in it.
TEST(InMemoryRelease, BesideAPopulation) {
  const auto table_of = [](const std::vector<std::optional<int32_t>>& ages) {
    return testing::HandStream({{testing::fixed_column<int32_t>("age", "i", ages)}});
  };
  testing::HandStream hand = table_of({20, 22, 24, 30, 31, 39}),
                      all = table_of({20, 21, 22, 23, 24, 30, 31, 35, 38, 39, 40}),
                      few = table_of({20, 22, 24, 30, 31, 32});
  ArrowArrayStream stream = hand.stream(), people_stream = all.stream(), other_stream = few.stream();
  ArrowTable table(stream, "table"), people(people_stream, "people"), others(other_stream, "others");
  Progress progress;
  FileJob job;
  job.column("age").role = Role::quasi;
  job.k = 2;
  job.method = "mondrian";
  job.models = {parse_model("k-map:k=5")};
  job.accept = {std::begin(kFindingCodes), std::end(kFindingCodes)};
  const Release release = anonymize(job, table, progress, {.population = &people});
  ASSERT_EQ(release.report.status, Status::released) << release.report.reason;
  EXPECT_EQ(csv_text(rows_of(release.table)),
            "age\n\"[20,24]\"\n\"[20,24]\"\n\"[20,24]\"\n\"[30,39]\"\n\"[30,39]\"\n\"[30,39]\"\n");
  bool counted = false;
  for (const VerificationCheck& check : release.report.verification.checks) {
    counted |= check.name.find("k-map:k=5") != std::string::npos && check.ok();
  }
  EXPECT_TRUE(counted);
  EXPECT_THROW(anonymize(job, table, progress), Error);
  EXPECT_THROW(anonymize(job, table, progress, {.population = &others}), Error);
}

TEST(InMemoryRelease, NoSolutionIsAResultAndAWrongJobAnError) {
  ArrowArrayStream stream{};
  people().stream(stream);
  ArrowTable table(stream, "people");
  Progress progress;
  FileJob job;
  job.column("age").role = Role::quasi;
  job.k = 21;
  const Release release = anonymize(job, table, progress);
  EXPECT_EQ(release.report.status, Status::unsatisfied);
  EXPECT_NE(release.report.reason.find("20 rows"), std::string::npos);
  job.k = 0;
  EXPECT_THROW(anonymize(job, table, progress), Error);
  job.k = 2;
  job.column("wage").role = Role::quasi;
  EXPECT_THROW(anonymize(job, table, progress), Error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
