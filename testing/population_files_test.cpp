// k-map and delta-presence from the command line to the written file: enforced, counted again, measured, refused.
#include <gtest/gtest.h>

#include <random>

#include "shoal/shoal.h"
#include "testing/run_program.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

// People of different ages and towns, and the table that some of them are in, with values of its own spelling.
struct People {
  std::string people = "name,age,town\n", visits = "town,age,illness,class\n";
  explicit People(uint64_t seed) {
    std::mt19937_64 random(seed);
    const char* illness[] = {"flu", "cold", "asthma"};
    for (size_t person = 0; person < 160; ++person) {
      const auto age = 20 + random() % 25;
      const std::string town = random() % 12 == 0 ? "" : std::string(1, static_cast<char>('a' + random() % 4)) + "x";
      people += fmt::format("n{},{},{}\n", person, age, town);
      if (random() % 4 == 0) {
        visits += fmt::format("{},{},{},{}\n", town, age, illness[random() % 3], random() % 2 ? "yes" : "no");
      }
    }
  }
};

FileJob job_of(const std::string& table, const std::string& population, const MethodEntry& method) {
  FileJob job;
  job.files.input = table;
  job.files.output = table + ".release.csv";
  job.files.population = population;
  job.column("age").role = Role::quasi;
  job.column("town").role = Role::quasi;
  job.column("town").hierarchy = HierarchySpec{"", BuilderSpec{"mask", {}}, {}};
  job.column("illness").role = Role::sensitive;
  job.column("class").role = Role::target;
  job.k = 2;
  job.method = method.name;
  job.threads = 2;
  job.accept = {std::begin(kFindingCodes), std::end(kFindingCodes)};
  return job;
}

TEST(BesideAPopulation, EveryMethodKeepsTheModelsInTheFileOrRefusesByName) {
  const People drawn(7);
  const testing::TextFile people("people.csv", drawn.people), visits("visits.csv", drawn.visits);
  Progress progress;
  size_t released = 0;
  for (const MethodEntry& method : methods()) {
    for (const char* text : {"k-map:k=12", "delta-presence:min=0,max=0.5"}) {
      SCOPED_TRACE(method.name + " " + text);
      FileJob job = job_of(visits.path(), people.path(), method);
      job.models = {parse_model(text)};
      try {
        const Report report = anonymize_files(job, progress);
        ASSERT_EQ(report.status, Status::released) << report.reason;
        ASSERT_EQ(report.requirements[0].models.size(), 1U);
        EXPECT_EQ(report.requirements[0].models[0].groups_broken, 0U);
        EXPECT_GT(report.requirements[0].models_before[0].groups_broken, 0U);
        ++released;
        // The same by somebody who has the release, the job and the population, with and without the original.
        EXPECT_TRUE(verify_file(job, job.files.output, visits.path(), progress).ok());
        const Verification alone = verify_file(job, job.files.output, std::nullopt, progress);
        bool counted = false;
        for (const VerificationCheck& check : alone.checks)
          counted |= check.name.find(text) != std::string::npos && check.ok();
        EXPECT_TRUE(counted);
        const MeasureReport measured = measure_release(job, job.files.output, progress);
        ASSERT_EQ(measured.requirements.size(), 1U);
        EXPECT_EQ(measured.requirements[0].after.at(0).worst, report.requirements[0].models[0].worst);
        EXPECT_EQ(measured.requirements[0].before.at(0).worst, report.requirements[0].models_before[0].worst);
        // Asked for more than it has, the same release fails.
        job.models[0].k.numerator = static_cast<uint64_t>(report.requirements[0].models[0].worst) + 1;
        job.models[0].highest = {1, 1000};
        EXPECT_FALSE(verify_file(job, job.files.output, visits.path(), progress).ok());
        std::filesystem::remove(job.files.output);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::job) << error.what();
        EXPECT_NE(std::string(error.what()).find("method " + method.name + " cannot"), std::string::npos)
            << error.what();
      }
    }
  }
  EXPECT_GE(released, 10U);
}

constexpr const char* kPeople = "age,town\n20,a\n21,a\n22,b\n23,b\n24,a\n25,b\n30,a\n31,a\n32,b\n";
constexpr const char* kVisits = "age,town,ill\n20,a,x\n21,a,y\n25,b,x\n30,a,y\n32,b,x\n";

TEST(BesideAPopulation, FromTheCommandLine) {
  const Workplace place;
  place.write("people.csv", kPeople);
  place.write("visits.csv", kVisits);
  const std::string asked =
      "--quasi age,town --numeric age --sensitive ill --k 1 --model k-map:k=4 --population people.csv --accept tight "
      "--accept one-value --accept near-unique --accept reveals ";
  const auto run =
      place.shoal("anonymize visits.csv -o release.csv " + asked + "--json report.json --write-job job.yaml");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(place.read("report.json").find("k-map:k=4"), std::string::npos);
  EXPECT_NE(place.read("job.yaml").find("population: people.csv"), std::string::npos) << place.read("job.yaml");
  const auto again = place.shoal("verify release.csv --original visits.csv --job job.yaml");
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  EXPECT_NE(again.out.find("k-map:k=4"), std::string::npos) << again.out;
  // As it came, the table is no release with that promise.
  place.write("as_it_is.csv", kVisits);
  const auto raw = place.shoal("verify as_it_is.csv --original visits.csv --job job.yaml");
  EXPECT_EQ(raw.exit_code, 5);
  EXPECT_NE(raw.out.find("5 groups with 5 rows break it"), std::string::npos) << raw.out;
  const auto measured = place.shoal("measure release.csv --original visits.csv --job job.yaml");
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  EXPECT_NE(measured.out.find("k-map:k=4"), std::string::npos) << measured.out;
  // Without the population nothing is searched, measured or signed.
  const std::string without = "--quasi age,town --numeric age --sensitive ill --k 1 --model k-map:k=4 ";
  const auto none = place.shoal("anonymize visits.csv -o other.csv " + without);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("model k-map:k=4 needs a table of the population, and none is named"), std::string::npos)
      << none.err;
  EXPECT_EQ(place.shoal("measure release.csv --original visits.csv " + without).exit_code, 2);
  const auto unknown = place.shoal("verify release.csv --original visits.csv " + without);
  EXPECT_EQ(unknown.exit_code, 5);
  EXPECT_NE(unknown.out.find("the population, which is not at hand"), std::string::npos) << unknown.out;
}

TEST(BesideAPopulation, WhatCannotBeAskedIsSaid) {
  const Workplace place;
  place.write("people.csv", kPeople);
  place.write("visits.csv", kVisits);
  struct Case {
    std::string flags;
    int exit_code;
    std::string words;
  };
  place.write("narrow.csv", "age\n20\n");
  place.write("few.csv", "age,town\n20,a\n21,a\n");
  place.write("other.csv", "age,town\n20,a\n21,a\n25,b\n30,a\n33,b\n34,b\n");
  const std::string asked = "anonymize visits.csv -o out.csv --quasi age,town --numeric age --sensitive ill --k 1 ";
  for (const Case& wrong : {
           Case{"--model k-map:k=2 --population narrow.csv", 3, "the population 'narrow.csv' has no column 'town'"},
           Case{"--model k-map:k=2 --population few.csv", 3, "has 2 rows, fewer than the table"},
           Case{"--model k-map:k=2 --population other.csv", 3,
                "line 6: nobody in the population 'other.csv' has the value '32' of the column 'age'"},
           Case{"--model k-map:k=2 --population gone.csv", 3, "gone.csv"},
           Case{"--model k-map:k=10 --population people.csv", 4,
                "the population has 9 people; the largest k possible is 9"},
           Case{"--method incognito --model delta-presence:min=0,max=0.5 --population people.csv", 4,
                "the smallest max possible is 0.5556"},
           Case{"--method shoal --model delta-presence:min=0,max=0.7 --population people.csv", 2,
                "method shoal cannot obey the model delta-presence:min=0,max=0.7: it releases groups that may overlap"},
           Case{"--method incognito --model delta-presence:min=0.1,max=0.7 --population people.csv", 2,
                "no method searches by the least share"},
           Case{"--method incognito --suppress-rows 0.1 --model k-map:k=2 --population people.csv", 2,
                "rows cannot be dropped beside the model k-map:k=2"},
           Case{"--method mondrian --require age:2 --model k-map:k=2 --population people.csv", 2,
                "method mondrian obeys the model k-map:k=2 for one requirement alone"},
       }) {
    const auto run = place.shoal(asked + wrong.flags);
    EXPECT_EQ(run.exit_code, wrong.exit_code) << wrong.flags << "\n" << run.err;
    EXPECT_NE(run.err.find(wrong.words), std::string::npos) << wrong.flags << "\n" << run.err;
    EXPECT_FALSE(place.exists("out.csv"));
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
