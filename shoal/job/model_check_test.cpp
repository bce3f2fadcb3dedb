#include "shoal/job/model_check.h"

#include <gtest/gtest.h>

#include <functional>

#include "shoal/error.h"
#include "shoal/job/requirements.h"
#include "shoal/method/method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

Job patients() {
  Job job;
  job.column("age").role = Role::quasi;
  job.column("zip").role = Role::quasi;
  job.column("illness").role = Role::sensitive;
  job.k = 5;
  return job;
}

struct Mistake {
  const char* said;
  std::function<void(Job&)> make;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.said; }

std::function<void(Job&)> with_model(const char* text) {
  return [text](Job& job) { job.models.push_back(parse_model(text)); };
}

class ModelMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(ModelMistake, IsNamed) {
  Job job = patients();
  GetParam().make(job);
  try {
    check_job(job);
    FAIL() << GetParam().said;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job);
    EXPECT_NE(std::string(error.what()).find(GetParam().said), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Job, ModelMistake,
    ::testing::Values(
        Mistake{
            "model distinct-l:age:l=3: the role of column 'age' is quasi, and the model is about sensitive columns; "
            "give it the role sensitive",
            with_model("distinct-l:age:l=3")},
        Mistake{
            "the role of column 'ilness' is none, and the model is about sensitive columns; did you mean 'illness'?",
            with_model("distinct-l:ilness:l=3")},
        Mistake{"the role of column 'illness' is sensitive, and the model is about person columns",
                with_model("persons:illness:k=3")},
        Mistake{"the role of column 'age' is quasi, and the model is about sensitive columns",
                [](Job& job) {
                  job.requirements = {{{"age"}, 2, {parse_model("confidence:age:alpha=0.5")}}};
                }},
        Mistake{"'illness' is the only sensitive column", with_model("distinct-l:illness:l=3,joint=true")},
        Mistake{"method tdr cannot obey the model k-map:k=5: it counts the rows of the table alone; methods that can: "
                "shoal",
                [](Job& job) {
                  job.method = "tdr";
                  job.column("class").role = Role::target;
                  job.models = {parse_model("k-map:k=5")};
                }},
        Mistake{"method shoal cannot obey the model delta-presence:min=0,max=0.5: it releases groups that may overlap",
                [](Job& job) {
                  job.method = "shoal";
                  job.models = {parse_model("delta-presence:min=0,max=0.5")};
                }},
        Mistake{"column 'illness' is categorical and has no order",
                [](Job& job) {
                  job.column("illness").type = ColumnType::categorical;
                  job.models = {parse_model("t-closeness:illness:t=0.2,distance=ordered")};
                }},
        Mistake{"names 'low' twice",
                [](Job& job) {
                  job.column("illness").order = {"low", "high", "low"};
                }},
        Mistake{"column 'age' has an order but its role is quasi", [](Job& job) { job.column("age").order = {"1"}; }},
        Mistake{"is numeric and has a stated order",
                [](Job& job) {
                  job.column("illness").order = {"1"};
                  job.column("illness").type = ColumnType::numeric;
                }},
        Mistake{"two person columns, 'patient' and 'visit'",
                [](Job& job) {
                  job.column("patient").role = Role::person;
                  job.column("visit").role = Role::person;
                }},
        Mistake{"method mingen cannot obey the model distinct-l:illness:l=3: it proves its answer by bounds that count "
                "rows alone; methods that can:",
                [](Job& job) {
                  job.models = {parse_model("distinct-l:illness:l=3")};
                  job.method = "mingen";
                }},
        Mistake{"method kadet cannot count persons: it releases a decision tree", [](Job& job) {
                  job.column("patient").role = Role::person;
                  job.column("class").role = Role::target;
                  job.method = "kadet";
                }}));

TEST(Requirements, ModelsOfTheJobHoldForAllAndThoseOfOneForIt) {
  Job job = patients();
  const ModelSpec l = parse_model("distinct-l:illness:l=3"), t = parse_model("t-closeness:illness:t=0.2");
  job.models = {l};
  job.requirements = {{{"zip"}, 2, {t}}};
  job.column("patient").role = Role::person;
  const auto requirements = requirements_of(job, {"age", "zip"});
  ASSERT_EQ(requirements.size(), 2U);
  EXPECT_EQ(requirements[0].models, (std::vector<ModelSpec>{l, parse_model("persons:patient:k=5")}));
  EXPECT_EQ(requirements[1].columns, std::vector<size_t>{1});
  EXPECT_EQ(requirements[1].models, (std::vector<ModelSpec>{t, l, parse_model("persons:patient:k=2")}));
}

TEST(Requirements, LkcIsManyRequirements) {
  Job job = patients();
  job.k.reset();
  job.column("sex").role = Role::quasi;
  job.models = {parse_model("lkc:illness:l=2,k=5,c=0.5")};
  EXPECT_NO_THROW(check_requirements(job));
  const auto requirements = requirements_of(job, {"age", "zip", "sex"});
  ASSERT_EQ(requirements.size(), 3U);
  EXPECT_EQ(requirements[1].columns, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(requirements[1].k, 5U);
  EXPECT_EQ(requirements[1].models, (std::vector<ModelSpec>{parse_model("confidence:illness:alpha=0.5")}));
  // Inside a requirement: over its columns.
  job.requirements = {{{"zip", "sex"}, 2, {parse_model("lkc:illness:l=1,k=3,c=0.9")}}};
  job.models.clear();
  const auto inside = requirements_of(job, {"age", "zip", "sex"});
  ASSERT_EQ(inside.size(), 3U);
  EXPECT_EQ(inside[2].columns, std::vector<size_t>{2});
  EXPECT_EQ(inside[2].k, 3U);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
