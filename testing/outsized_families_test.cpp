// Requirements that share no column, of a table that stays in private files: those that it has as it is, and those that
// it cannot be cut for.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "shoal/error.h"
#include "shoal/files/memory_plan.h"
#include "testing/outsized_run.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace outsized_run;

// Whether every combination of values in these columns (of people()) has k rows, and so many classes.
bool has_as_it_is(const std::string& text, const std::vector<std::string>& columns, size_t k, size_t classes) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::map<std::string, std::pair<size_t, std::set<std::string>>> groups;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::map<std::string, std::string> row;
    for (const char* name : {"name", "age", "town", "job"}) std::getline(cells, row[name], ',');
    std::string tuple;
    for (const std::string& column : columns) tuple += row[column] + ",";
    ++groups[tuple].first;
    groups[tuple].second.insert(line.substr(line.rfind(',')));
  }
  return std::all_of(groups.begin(), groups.end(), [&](const auto& group) {
    return group.second.first >= k && group.second.second.size() >= classes;
  });
}

// Such a family need not be cut, and often cannot be.
TEST(OutsizedFamilies, RequirementsThatTheTableHasAsItIsAreNotSearchedFor) {
  Workplace place;
  const std::string text = people(1500, 21);
  place.write("in.csv", text);
  struct Asked {
    std::vector<RequirementJob> requirements, families;
  };
  const std::vector<Asked> asked{
      {{{{"job"}, 20}, {{"age", "town"}, 4}}, {{{"job"}, 20}, {{"age", "town"}, 4}}},
      {{{{"age"}, 5}, {{"town", "job"}, 30}}, {{{"age"}, 5}, {{"town", "job"}, 30}}},
      {{{{"job"}, 20}, {{"town"}, 10}, {{"age"}, 5}}, {{{"job"}, 20}, {{"town"}, 10}, {{"age"}, 5}}},
      {{{{"job", "town"}, 5}, {{"town"}, 6}}, {{{"job", "town"}, 6}}},
      {{{{"job"}, 20}, {{"town"}, 120}}, {{{"job"}, 20}, {{"town"}, 120}}},
  };
  size_t left = 0, searched = 0;
  for (const auto& [requirements, families] : asked) {
    for (const char* method : {"shoal", "kaca", "bottom-up", "top-down"}) {
      for (const char* more : {"", "distinct-l:class:l=2", "person"}) {
        if (*more != 0 && *method != 's' && *method != 'k') continue;
        SCOPED_TRACE(fmt::format("{} {} {}", method, more, requirements.front().columns.front()));
        FileJob job = job_for(place, "in.csv", "out.csv");
        job.method = method;
        if (std::string(method) != "shoal") job.params.erase("effort");
        job.k.reset();
        job.requirements = requirements;
        job.column("class").role = Role::sensitive;
        if (std::string(more) == "person") {
          job.column("name").role = Role::person;
          job.order = Order::input;  // or persons cannot be checked
        } else if (*more != 0) {
          job.models = {parse_model(more)};
        }
        Progress progress;
        const Report in_memory = anonymize_files(job, progress);
        ASSERT_EQ(in_memory.status, Status::released) << in_memory.reason;
        const std::string expected = place.read("out.csv");
        const Report in_parts = outsized(job, 20'000, progress);
        ASSERT_EQ(in_parts.status, Status::released) << in_parts.reason;
        EXPECT_EQ(place.read("out.csv"), expected);
        expect_alike(in_parts.measures, in_memory.measures);
        std::set<std::string> as_it_is;
        for (const auto& [what, words] : in_parts.search.details) {
          if (words.starts_with("none: the table has")) as_it_is.insert(what);
        }
        size_t known = 0;
        for (const RequirementJob& family : families) {
          known += has_as_it_is(text, family.columns, family.k, job.models.empty() ? 1 : 2);
        }
        EXPECT_EQ(as_it_is.size(), known);
        left += known;
        searched += families.size() - known;
      }
    }
  }
  EXPECT_GT(left, 40u);
  EXPECT_GT(searched, 20u);
}

TEST(OutsizedFamilies, AFamilyThatCannotBeCutIsNamed) {
  Workplace place;
  std::string text = "flag,town\n";
  for (int i = 0; i < 400; ++i) text += fmt::format("{},t{}\n", i < 3 ? "yes" : "no", i % 90);
  place.write("in.csv", text);
  FileJob job;
  job.files.input = (place.folder() / "in.csv").string();
  job.files.output = (place.folder() / "out.csv").string();
  for (const char* column : {"flag", "town"}) job.column(column).role = Role::quasi;
  job.requirements = {{{"flag"}, 5}, {{"town"}, 6}};
  job.method = "shoal";
  job.params = {{"fragments", "3"}};
  Progress progress;
  try {
    outsized(job, 20'000, progress);
    FAIL() << "a flag that three rows have was cut";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("for the requirement over flag: "), std::string::npos) << error.what();
  }
  EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv"}));
}

TEST(OutsizedFamilies, FragmentsAreSearchedSideBySideAsFarAsTheyFit) {
  FileJob job;
  job.threads = 3;
  Table columns;
  for (const char* name : {"a", "b"}) columns.quasi.push_back({name, {}, {}});
  const std::vector<uint64_t> rows{1000, 4000, 500, 2000};
  const std::string none, family = "a";
  const auto threads = [&](uint64_t most_bytes) { return fit_fragments(job, columns, {rows, none, most_bytes}); };
  EXPECT_EQ(threads(UINT64_MAX), 3);
  const uint64_t row = 24 + 60 + 2 * 20;  // docs/limits.md
  EXPECT_EQ(threads(7000 * row), 3);
  EXPECT_EQ(threads(7000 * row - 1), 2);
  EXPECT_EQ(threads(6000 * row - 1), 1);
  EXPECT_EQ(threads(4000 * row), 1);
  EXPECT_THROW(threads(4000 * row - 1), Error);
  EXPECT_THROW(fit_fragments(job, columns, {rows, family, 4000 * row}), Error) << "rows take along what was found";
  job.threads = 9;
  EXPECT_EQ(threads(7500 * row), 9) << "all fit";
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
