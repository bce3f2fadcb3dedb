#include <gtest/gtest.h>

#include <limits>

#include "shoal/error.h"
#include "shoal/job/file_job.h"
#include "shoal/method/method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

// Methods that never run: what they say about themselves is all that matters here.
std::vector<MethodEntry> some_methods() {
  std::vector<MethodEntry> methods;
  methods.push_back(
      {"wide",
       "",
       "",
       Shape::levels,
       {{"measure", "", "gcp", {"gcp", "dm"}, 0, 0}, {"rounds", "", "3", {}, 1, 9}, {"bias", "", "0", {}, 0, 0}},
       true,
       true,
       false,
       nullptr});
  methods.push_back({"narrow", "", "", Shape::regions, {}, false, false, false, nullptr});
  methods.push_back({"learner", "", "", Shape::cut, {}, true, false, true, nullptr});
  return methods;
}

FileJob good_job() {
  FileJob job;
  job.files.input = "people.csv";
  job.files.output = "release.csv";
  job.column("name").role = Role::identifier;
  job.column("age").role = Role::quasi;
  job.column("zip").role = Role::quasi;
  job.column("education").role = Role::quasi;
  job.column("diagnosis").role = Role::sensitive;
  job.k = 5;
  job.method = "wide";
  return job;
}

// What check_job says about the good job after `change`; "" when it has nothing to say.
std::string verdict(const auto& change) {
  FileJob job = good_job();
  change(job);
  const std::vector<MethodEntry> methods = some_methods();
  try {
    check_job(job, methods);
    check_files(job.files);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job);
    return error.what();
  }
  return "";
}

void expect_verdict(const std::string& part, const auto& change) {
  const std::string said = verdict(change);
  EXPECT_NE(said.find(part), std::string::npos) << "wanted: " << part << "\nsaid: " << (said.empty() ? "(ok)" : said);
}

TEST(CheckJob, ReasonsAreOfWhatIsAccepted) {
  EXPECT_EQ(verdict([](FileJob& job) {
              job.accept = {"reveals:zip", "order"};
              job.reasons = {{"reveals:zip", "known to all recipients"}};
            }),
            "");
  expect_verdict("reasons: 'order' is not accepted", [](FileJob& job) {
    job.accept = {"reveals:zip"};
    job.reasons = {{"order", "so be it"}};
  });
  expect_verdict("reasons: 'order' has an empty reason", [](FileJob& job) {
    job.accept = {"order"};
    job.reasons = {{"order", " "}};
  });
}

TEST(CheckJob, GoodJobsPass) {
  EXPECT_EQ(verdict([](FileJob&) {}), "");
  EXPECT_EQ(verdict([](FileJob& job) {
              job.requirements = {{{"age", "zip"}, 10}};
              job.suppress_rows = 0.1;
              job.params = {{"measure", "dm"}, {"rounds", "9"}, {"bias", "-2.5"}};
              job.column("zip").hierarchy = HierarchySpec{"zip.csv", {}};
              job.column("age").weight = 2;
            }),
            "");
  EXPECT_EQ(verdict([](FileJob& job) {  // the second requirement follows from the first
              job.method = "narrow";
              job.requirements = {{{"zip", "age"}, 4}};
              job.suppress_rows = 0;
            }),
            "");
  EXPECT_EQ(verdict([](FileJob& job) {
              job.method = "learner";
              job.column("income").role = Role::target;
            }),
            "");
  EXPECT_EQ(verdict([](FileJob& job) { job.files.input = job.files.output = "-"; }), "");
}

TEST(CheckJob, Columns) {
  expect_verdict("no quasi column", [](FileJob& job) { job.columns.clear(); });
  expect_verdict("column 'age' is listed twice", [](FileJob& job) { job.columns.push_back(job.columns[1]); });
  expect_verdict("a column without a name", [](FileJob& job) { job.column("").role = Role::quasi; });
  expect_verdict("the weight of column 'age' is 0", [](FileJob& job) { job.column("age").weight = 0; });
  expect_verdict("the weight of column 'age'",
                 [](FileJob& job) { job.column("age").weight = std::numeric_limits<double>::quiet_NaN(); });
  expect_verdict("column 'name' has a weight but its role is identifier",
                 [](FileJob& job) { job.column("name").weight = 2; });
  expect_verdict("column 'hours' has a hierarchy but it has no role",
                 [](FileJob& job) { job.column("hours").hierarchy = HierarchySpec{}; });
  expect_verdict("two target columns, 'a' and 'b'", [](FileJob& job) {
    for (const char* name : {"a", "b"}) job.column(name).role = Role::target;
  });
  expect_verdict("column 'age': unknown hierarchy builder 'interval'; did you mean 'intervals'?", [](FileJob& job) {
    job.column("age").hierarchy = HierarchySpec{"", BuilderSpec{"interval", {}}};
  });
  expect_verdict("column 'age' has both a hierarchy file ('age.csv') and a builder ('mask')", [](FileJob& job) {
    job.column("age").hierarchy = HierarchySpec{"age.csv", BuilderSpec{"mask", {}}};
  });
}

TEST(CheckJob, Requirements) {
  expect_verdict("no requirement", [](FileJob& job) { job.k.reset(); });
  expect_verdict("k is 0", [](FileJob& job) { job.k = 0; });
  expect_verdict("requirement (age): k is 0", [](FileJob& job) { job.requirements.push_back({{"age"}, 0}); });
  expect_verdict("a requirement without columns", [](FileJob& job) { job.requirements.push_back({{}, 3}); });
  expect_verdict("requirement (age, eduction): 'eduction' is not among the quasi columns; did you mean 'education'?",
                 [](FileJob& job) {
                   job.requirements.push_back({{"age", "eduction"}, 3});
                 });
  expect_verdict("the role of column 'diagnosis' is sensitive", [](FileJob& job) {
    job.requirements.push_back({{"diagnosis"}, 3});
  });
  expect_verdict("column 'age' is listed twice", [](FileJob& job) {
    job.requirements.push_back({{"age", "zip", "age"}, 3});
  });
  expect_verdict(
      "method narrow takes one requirement, and the job has 2 that do not follow from each other; allow `union: true` "
      "to satisfy them by one over all their columns with the largest k (age, zip, education: k=10), which "
      "is more than was asked, or use a method that takes several: wide, learner",
      [](FileJob& job) {
        job.method = "narrow";
        job.requirements.push_back({{"age"}, 10});
      });
  EXPECT_EQ(verdict([](FileJob& job) {
              job.method = "narrow";
              job.requirements.push_back({{"age"}, 10});
              job.unite = true;
            }),
            "");
}

TEST(CheckJob, MethodAndParameters) {
  expect_verdict("unknown method 'wdie'; did you mean 'wide'?", [](FileJob& job) { job.method = "wdie"; });
  expect_verdict("unknown method 'mystery'; methods are wide, narrow, learner",
                 [](FileJob& job) { job.method = "mystery"; });
  expect_verdict("method wide has no parameter 'mesure'; did you mean 'measure'?",
                 [](FileJob& job) { job.params["mesure"] = "dm"; });
  expect_verdict("method wide has no parameter 'zzz'; its parameters are measure, rounds, bias",
                 [](FileJob& job) { job.params["zzz"] = "1"; });
  expect_verdict("parameter measure of method wide cannot be 'gpc'; did you mean 'gcp'?",
                 [](FileJob& job) { job.params["measure"] = "gpc"; });
  expect_verdict("cannot be 'taste'; choices are gcp, dm", [](FileJob& job) { job.params["measure"] = "taste"; });
  expect_verdict("parameter rounds of method wide: 'many' is not a number",
                 [](FileJob& job) { job.params["rounds"] = "many"; });
  expect_verdict("parameter rounds of method wide is 0; it must lie between 1 and 9",
                 [](FileJob& job) { job.params["rounds"] = "0"; });
  expect_verdict("it must lie between 1 and 9", [](FileJob& job) { job.params["rounds"] = "9.5"; });
  expect_verdict("method narrow has no parameter 'cuts'; it has none", [](FileJob& job) {
    job.method = "narrow";
    job.params["cuts"] = "strict";
  });
  expect_verdict("suppress_rows is 0.02, but method narrow never drops rows; methods that can: wide", [](FileJob& job) {
    job.method = "narrow";
    job.suppress_rows = 0.02;
  });
  expect_verdict("method learner needs a target column", [](FileJob& job) { job.method = "learner"; });
}

TEST(CheckJob, Limits) {
  expect_verdict("suppress_rows is 1.5; it is a share of the rows, between 0 and 1",
                 [](FileJob& job) { job.suppress_rows = 1.5; });
  expect_verdict("suppress_rows is -0.1", [](FileJob& job) { job.suppress_rows = -0.1; });
  expect_verdict("suppress_rows is nan",
                 [](FileJob& job) { job.suppress_rows = std::numeric_limits<double>::quiet_NaN(); });
  expect_verdict("threads is -1", [](FileJob& job) { job.threads = -1; });
  expect_verdict("time_budget is 0", [](FileJob& job) { job.time_budget = 0; });
  expect_verdict("memory_limit is 0", [](FileJob& job) { job.memory_limit = 0; });
  expect_verdict("delimiter: 'ab'", [](FileJob& job) { job.files.delimiter = "ab"; });
}

TEST(ChosenMethod, LosesLeastUnlessTheJobNeedsMore) {
  FileJob job = good_job();
  job.requirements.clear();
  job.k = 5;
  for (ColumnJob& column : job.columns) {
    if (column.role == Role::target) column.role = Role::plain;
  }
  job.method = "wide";
  EXPECT_EQ(chosen_method(job), "wide");
  job.method = "";
  EXPECT_EQ(chosen_method(job), "shoal");
  job.requirements = {{{"age"}, 3}};  // follows from k over all quasi columns
  EXPECT_EQ(chosen_method(job), "shoal");
  job.requirements = {{{"age"}, 30}};
  EXPECT_EQ(chosen_method(job), "shoal");
  job.column("income").role = Role::target;
  EXPECT_EQ(chosen_method(job), "mondrian");
}

TEST(CheckJob, AWordOrANumber) {
  FileJob job = good_job();
  job.method = "shoal";
  for (const char* given : {"auto", "off", "1", "16"}) {
    job.params = {{"fragments", given}};
    EXPECT_NO_THROW(check_job(job)) << given;
  }
  for (const char* given : {"0", "-3", "2.5", "some", "", "1e9"}) {
    job.params = {{"fragments", given}};
    try {
      check_job(job);
      ADD_FAILURE() << given;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("it must be auto, off or a whole number from 1 to 1000000"),
                std::string::npos)
          << error.what();
    }
  }
}

// Every registered method passes with its own defaults, and its choices and ranges are enforced.
TEST(CheckJob, RegisteredMethodsAcceptTheirDefaults) {
  for (const MethodEntry& method : methods()) {
    FileJob job = good_job();
    job.column("income").role = Role::target;
    job.method = method.name;
    for (const Parameter& parameter : method.parameters) job.params[parameter.name] = parameter.default_value;
    EXPECT_NO_THROW(check_job(job)) << method.name;
    for (const Parameter& parameter : method.parameters) {
      FileJob wrong = job;
      wrong.params[parameter.name] = "no such thing";
      EXPECT_THROW(check_job(wrong), Error) << method.name << " " << parameter.name;
    }
    if (method.drops_rows) continue;
    job.suppress_rows = 0.1;
    EXPECT_THROW(check_job(job), Error) << method.name;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
