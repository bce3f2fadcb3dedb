#include <gtest/gtest.h>

#include <random>

#include "shoal/error.h"
#include "shoal/model/lkc.h"
#include "shoal/model/model_spec.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(ModelText, ReadsEveryModel) {
  ModelSpec spec = parse_model("distinct-l:diagnosis:l=3");
  EXPECT_EQ(spec.kind, ModelKind::distinct_l);
  EXPECT_EQ(spec.column, "diagnosis");
  EXPECT_EQ(spec.l, (Fraction{3, 1}));
  EXPECT_FALSE(spec.joint);
  spec = parse_model("recursive-l:a b:c=1/3,l=2,joint=true");
  EXPECT_EQ(spec.c, (Fraction{1, 3}));
  EXPECT_EQ(spec.column, "a b");
  EXPECT_TRUE(spec.joint);
  spec = parse_model("t-closeness:salary:t=0.2,distance=ordered");
  EXPECT_EQ(spec.t, (Fraction{1, 5}));
  EXPECT_EQ(spec.distance, Distance::ordered);
  spec = parse_model("confidence:illness:alpha=.5,values=HIV|hepatitis\\, chronic|a\\|b");
  EXPECT_EQ(spec.values, (std::vector<std::string>{"HIV", "hepatitis, chronic", "a|b"}));
  EXPECT_TRUE(parse_model("beta-likeness:a:beta=1").enhanced);
  EXPECT_FALSE(parse_model("beta-likeness:a:beta=1,form=basic").enhanced);
  EXPECT_EQ(parse_model("delta-presence:min=0,max=1/2").highest, (Fraction{1, 2}));
  EXPECT_EQ(parse_model("k-map:k=5").k, (Fraction{5, 1}));
  EXPECT_EQ(parse_model("average-risk:risk=0.05").risk, (Fraction{1, 20}));
  EXPECT_EQ(parse_model("persons:patient:k=5").column, "patient");
  EXPECT_EQ(parse_model("distinct-l:time\\:of day:l=2").column, "time:of day");
  EXPECT_EQ(parse_model("lkc:diagnosis:l=2,k=5,c=0.5").c, (Fraction{1, 2}));
}

struct BadText {
  const char* text;
  const char* message;
};
class ModelTextRefuses : public ::testing::TestWithParam<BadText> {};

TEST_P(ModelTextRefuses, WithClearWords) {
  try {
    parse_model(GetParam().text);
    FAIL() << GetParam().text << " was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job);
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ModelTextRefuses,
    ::testing::Values(
        BadText{"", "there is no model ''; models are persons, distinct-l"},
        BadText{"distint-l:a:l=3", "there is no model 'distint-l'; did you mean 'distinct-l'?"},
        BadText{"t_closeness:a:t=1", "did you mean 't-closeness'?"},
        BadText{"distinct-l:a", "is not a word, a column and parameters, as in distinct-l:column:l=3"},
        BadText{"distinct-l", "is not a word, a column and parameters"}, BadText{"distinct-l::l=3", "needs a column"},
        BadText{"k-map:a:k=3", "is not a word and parameters, as in k-map:k=3"},
        BadText{"distinct-l:a:3", "has '3' where a parameter is given, as in distinct-l:column:l=3"},
        BadText{"distinct-l:a:", "has '' where a parameter is given"},
        BadText{"distinct-l:a:l=3,", "has '' where a parameter is given"},
        BadText{"distinct-l:a:l=3=4", "has 'l=3=4' where"}, BadText{"distinct-l:a:l=3,l=4", "gives l twice"},
        BadText{"distinct-l:a:m=3", "model 'distinct-l' has no parameter 'm'; it has l, joint"},
        BadText{"t-closeness:a:t=.2,distnace=equal", "has no parameter 'distnace'; did you mean 'distance'?"},
        BadText{"distinct-l:a:joint=true", "needs l (how many values), as in distinct-l:column:l=3"},
        BadText{"recursive-l:a:l=3", "needs c (how many times), as in recursive-l:column:c=0.5,l=3"},
        BadText{"distinct-l:a:l=0", "l is 0, but must be a whole number of at least 1"},
        BadText{"distinct-l:a:l=2.5", "l is 2.5, but must be a whole number of at least 1"},
        BadText{"distinct-l:a:l=many", "model 'distinct-l': l is 'many', which is not a number such as 3, 0.25 or 1/3"},
        BadText{"entropy-l:a:l=0.9", "l is 0.9, but must be a number of at least 1"},
        BadText{"t-closeness:a:t=2", "t is 2, but must be a number of at least 0 and at most 1"},
        BadText{"t-closeness:a:t=-1", "t is '-1', which is not a number"},
        BadText{"t-closeness:a:t=.2,distance=odered",
                "distance is 'odered', which is none of equal, ordered, "
                "hierarchical; did you mean 'ordered'?"},
        BadText{"confidence:a:alpha=0", "alpha is 0, but must be a number above 0 and at most 1"},
        BadText{"beta-likeness:a:beta=0", "beta is 0, but must be a number above 0"},
        BadText{"delta-presence:min=.5,max=.25", "min is 0.5, above max, 0.25"},
        BadText{"beta-likeness:a:beta=1,form=best", "form is 'best', which is none of basic, enhanced"}));

// A random spec of any kind, with names that use every letter that has a meaning.
ModelSpec random_spec(std::mt19937_64& random) {
  const std::vector<ModelEntry> entries = model_entries();
  const ModelEntry& entry = entries[random() % entries.size()];
  auto word = [&] {
    std::string text(1 + random() % 5, 'a');
    for (char& letter : text) letter = "ab:,|=\\ 'é"[random() % 10];
    return text;
  };
  ModelSpec spec;
  spec.kind = entry.kind;
  if (entry.has_column) spec.column = word();
  for (const ModelParameter& parameter : entry.parameters) {
    if (parameter.type == ModelParameter::Type::whole)
      set_parameter(spec, parameter.name, std::to_string(1 + random() % 99));
    if (parameter.type == ModelParameter::Type::fraction)
      set_parameter(spec, parameter.name,
                    parameter.name == "min"            ? "0"
                    : below({1, 2}, parameter.minimum) ? "17/9"
                                                       : "0." + std::to_string(1 + random() % 999));
    if (parameter.type == ModelParameter::Type::choice)
      set_parameter(spec, parameter.name, parameter.choices[random() % parameter.choices.size()]);
    if (parameter.type == ModelParameter::Type::values)
      for (size_t i = random() % 4; i > 0; --i) spec.values.push_back(word());
  }
  return spec;
}

TEST(ModelText, IsReadBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 5'000; ++i) {
    const ModelSpec spec = random_spec(random);
    EXPECT_EQ(parse_model(model_text(spec)), spec) << model_text(spec);
    EXPECT_FALSE(promise_words(spec).empty());
    EXPECT_EQ(promise_words(spec).find("{}"), std::string::npos);
  }
}

// Whatever is typed, it is read or refused with an Error.
TEST(ModelText, ReadsAnything) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = model_text(random_spec(random));
    for (size_t edits = 1 + random() % 3; edits > 0 && !text.empty(); --edits) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, 1 + random() % 3);
      else
        text.insert(at, 1, ":,=|\\l3.x"[random() % 9]);
    }
    try {
      const ModelSpec spec = parse_model(text);
      EXPECT_EQ(parse_model(model_text(spec)), spec) << text;
    } catch (const Error& error) {
      EXPECT_GT(std::string(error.what()).size(), 10U);
    }
  }
}

TEST(ModelWords, SayThePromise) {
  auto words = [](const char* text) { return promise_words(parse_model(text)); };
  EXPECT_EQ(words("distinct-l:diagnosis:l=3"), "every group has at least 3 different values of 'diagnosis'");
  EXPECT_EQ(words("confidence:a:alpha=.5,values=x|y|z"),
            "in no group 'x', 'y' or 'z' of 'a' has more than the share 0.5");
  EXPECT_EQ(words("confidence:a:alpha=.5"), "in no group a value of 'a' has more than the share 0.5");
  EXPECT_EQ(words("distinct-l:a:l=2,joint=true"),
            "every group has at least 2 different values of 'a', also for those who know the other sensitive columns");
  EXPECT_EQ(value_words(parse_model("distinct-l:a:l=3"), 3), "3 different values");
  EXPECT_EQ(value_words(parse_model("distinct-l:a:l=3"), 1), "1 different value");
}

TEST(Lkc, ExpandsToRequirements) {
  const LkcParts parts = expand_lkc(parse_model("lkc:diagnosis:l=2,k=5,c=0.5,values=HIV"), 4);
  const std::vector<std::vector<size_t>> expected{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  ASSERT_EQ(parts.requirements.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(parts.requirements[i].columns, expected[i]);
    EXPECT_EQ(parts.requirements[i].k, 5U);
  }
  EXPECT_EQ(model_text(parts.confidence), "confidence:diagnosis:alpha=0.5,values=HIV");
  EXPECT_EQ(expand_lkc(parse_model("lkc:a:l=9,k=5,c=1"), 3).requirements.size(), 1U);  // all three
  EXPECT_EQ(expand_lkc(parse_model("lkc:a:l=1,k=5,c=1"), 3).requirements.size(), 3U);
  EXPECT_EQ(expand_lkc(parse_model("lkc:a:l=3,k=5,c=1"), 20).requirements.size(), 1'140U);
  EXPECT_THROW(expand_lkc(parse_model("lkc:a:l=8,k=5,c=1"), 30), Error);
  EXPECT_THROW(expand_lkc(parse_model("lkc:a:l=8,k=5,c=1"), 0), Error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
