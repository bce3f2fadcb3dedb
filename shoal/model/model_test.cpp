// Example E of the models' definitions, and what the whole table allows.
#include "shoal/model/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "shoal/error.h"
#include "shoal/model/average_risk.h"
#include "shoal/model/possible.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

// a, b, c, d under two nodes, ab and cd.
const Hierarchy& tree_of_e() {
  static const Hierarchy tree({{"*", 0, 0, 0, 3},
                               {"ab", 0, 1, 0, 1},
                               {"cd", 0, 1, 2, 3},
                               {"a", 1, 2, 0, 0},
                               {"b", 1, 2, 1, 1},
                               {"c", 2, 2, 2, 2},
                               {"d", 2, 2, 3, 3}},
                              {{3, 4, 5, 6}, {1, 1, 2, 2}, {0, 0, 0, 0}}, {}, std::nullopt);
  return tree;
}

WholeColumn whole_of_e(uint32_t times = 1) {
  WholeColumn whole;
  whole.counts = {6 * times, 3 * times, 2 * times, 1 * times};
  whole.values = {"a", "b", "c", "d"};
  whole.order = {0, 1, 2, 3};
  whole.tree = &tree_of_e();
  return whole;
}

Histogram histogram(const HistogramShape& shape, const std::vector<uint32_t>& counts) {
  Histogram group(shape);
  for (uint32_t value = 0; value < counts.size(); ++value) group.add(value, counts[value]);
  return group;
}

const HistogramShape kShape{4, nullptr};

struct Example {
  const char* holds;     // the tightest parameters under which the group holds
  const char* violated;  // a little tighter
  double value;
};
class ExampleE : public ::testing::TestWithParam<Example> {};

// With the counts as they are, and with all of them a hundred million times larger: 1.2 thousand million rows.
TEST_P(ExampleE, HoldsAtItsValueAndNotBeyond) {
  for (uint32_t times : {1U, 100'000'000U}) {
    const WholeColumn whole = whole_of_e(times);
    const Histogram group = histogram(kShape, {3 * times, 1 * times, 1 * times, 0});
    const auto holding = make_model(parse_model(GetParam().holds), whole);
    const auto violated = make_model(parse_model(GetParam().violated), whole);
    EXPECT_TRUE(holding->holds(group)) << GetParam().holds;
    EXPECT_FALSE(violated->holds(group)) << GetParam().violated;
    EXPECT_EQ(holding->deficit(group), 0);
    EXPECT_GT(violated->deficit(group), 0);
    if (std::isinf(GetParam().value)) {
      EXPECT_TRUE(std::isinf(holding->value(group)));
    } else {
      EXPECT_NEAR(holding->value(group), GetParam().value, 5e-5) << GetParam().holds;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, ExampleE,
    ::testing::Values(
        Example{"distinct-l:s:l=3", "distinct-l:s:l=4", 3},                                            //
        Example{"persons:s:k=3", "persons:s:k=4", 3},                                                  //
        Example{"entropy-l:s:l=2.586", "entropy-l:s:l=2.587", 2.5864},                                 // 5 / 3^(3/5)
        Example{"recursive-l:s:c=1.50000001,l=2", "recursive-l:s:c=1.5,l=2", 1.5},                     // strictly
        Example{"recursive-l:s:c=3.00000001,l=3", "recursive-l:s:c=3,l=3", 3},                         //
        Example{"recursive-l:s:c=0.61,l=1", "recursive-l:s:c=0.6,l=1", 0.6},                           //
        Example{"confidence:s:alpha=0.6", "confidence:s:alpha=0.599999999", 0.6},                      //
        Example{"confidence:s:alpha=0.2,values=b|d", "confidence:s:alpha=0.199999999,values=b", 0.2},  //
        Example{"t-closeness:s:t=2/15", "t-closeness:s:t=0.133333333", 2.0 / 15},                      //
        Example{"t-closeness:s:t=7/90,distance=ordered", "t-closeness:s:t=0.077777777,distance=ordered", 7.0 / 90},
        Example{"t-closeness:s:t=11/120,distance=hierarchical", "t-closeness:s:t=0.091666666,distance=hierarchical",
                0.0917},
        Example{"beta-likeness:s:beta=0.2,form=basic", "beta-likeness:s:beta=0.199999999,form=basic", 0.2},
        Example{"beta-likeness:s:beta=0.2", "beta-likeness:s:beta=0.199999999", 0.2}));

TEST(ModelOnE, DeltaDisclosureForbidsAbsence) {
  const WholeColumn whole = whole_of_e();
  const auto model = make_model(parse_model("delta-disclosure:s:delta=1000000000"), whole);
  const Histogram absent = histogram(kShape, {3, 1, 1, 0}), all = histogram(kShape, {3, 1, 1, 1});
  EXPECT_FALSE(model->holds(absent));
  EXPECT_TRUE(std::isinf(model->value(absent)));
  EXPECT_TRUE(model->holds(all));
  // d has 1/6 of the group and 1/12 of the table: log2 is 1, which is not below 1.
  EXPECT_FALSE(make_model(parse_model("delta-disclosure:s:delta=1"), whole)->holds(all));
  EXPECT_TRUE(make_model(parse_model("delta-disclosure:s:delta=1.00000001"), whole)->holds(all));
  EXPECT_NEAR(model->value(all), 1, 1e-12);
  // b has 1/8 of the group and 1/4 of the table.
  const Histogram rare = histogram(kShape, {4, 1, 2, 1});
  EXPECT_FALSE(make_model(parse_model("delta-disclosure:s:delta=1"), whole)->holds(rare));
  EXPECT_TRUE(make_model(parse_model("delta-disclosure:s:delta=1.00000001"), whole)->holds(rare));
}

TEST(ModelOnE, Population) {
  const WholeColumn whole = whole_of_e();
  const Histogram group = histogram(kShape, {3, 0, 0, 0}), other = histogram(kShape, {0, 2, 0, 0});
  const auto presence = make_model(parse_model("delta-presence:min=1/2,max=2/3"), whole);
  EXPECT_TRUE(presence->holds(GroupView(group).with_population(6)));
  EXPECT_TRUE(presence->holds(GroupView(other).with_population(3)));
  EXPECT_TRUE(presence->holds(GroupView::united(group, other).with_population(9)));
  EXPECT_FALSE(presence->holds(GroupView(group).with_population(7)));
  EXPECT_FALSE(presence->holds(GroupView(group).with_population(4)));
  EXPECT_FALSE(presence->holds(GroupView(group).with_population(0)));
  EXPECT_NEAR(presence->value(GroupView(group).with_population(6)), 0.5, 1e-12);
  EXPECT_NEAR(presence->deficit(GroupView(group).with_population(7)), 0.5, 1e-12);  // 3.5 of 7 would do
  const auto map = make_model(parse_model("k-map:k=6"), whole);
  EXPECT_TRUE(map->holds(GroupView(group).with_population(6)));
  EXPECT_FALSE(map->holds(GroupView(group).with_population(5)));
  EXPECT_EQ(map->deficit(GroupView(group).with_population(2)), 4);
}

TEST(ModelOnE, AverageRisk) {
  const AverageRisk model(parse_model("average-risk:risk=0.05"));
  EXPECT_TRUE(model.holds(5, 100));
  EXPECT_FALSE(model.holds(6, 100));
  EXPECT_FALSE(model.holds(5, 99));
  EXPECT_EQ(model.deficit(9, 100), 4U);
  EXPECT_TRUE(model.holds(0, 0));
  EXPECT_EQ(model.most_groups(3'000'000'000), 150'000'000U);
  EXPECT_NEAR(AverageRisk::value(6, 100), 0.06, 1e-12);
}

// (a,m) twice and (b,n) twice: two values each alone, one for whoever knows the other column.
TEST(Joint, TheOthersCountAsKnown) {
  WholeColumn whole;
  whole.counts = {2, 2};
  whole.others = 2;
  const HistogramShape pairs{4, nullptr}, alone{2, nullptr};
  EXPECT_TRUE(make_model(parse_model("distinct-l:s:l=2"), whole)->holds(histogram(alone, {2, 2})));
  const auto joint = make_model(parse_model("distinct-l:s:l=2,joint=true"), whole);
  const Histogram together = histogram(pairs, {2, 0, 0, 2});
  EXPECT_FALSE(joint->holds(together));
  EXPECT_EQ(joint->value(together), 1);
  EXPECT_EQ(joint->deficit(together), 2);
  EXPECT_EQ(joint->closure(), Closure::union_only);
  EXPECT_TRUE(joint->holds(histogram(pairs, {1, 1, 1, 1})));
  EXPECT_TRUE(joint->holds(histogram(pairs, {1, 1, 0, 0})));
  const auto close = make_model(parse_model("t-closeness:s:t=.2,joint=true"), whole);
  EXPECT_NEAR(close->value(together), 0.5, 1e-12);
  EXPECT_NEAR(close->value(histogram(pairs, {1, 1, 1, 1})), 0, 1e-12);
}

TEST(Missing, IsAValueOfItsOwn) {
  const WholeColumn whole = whole_of_e();  // let d be missing
  const auto model = make_model(parse_model("distinct-l:s:l=3"), whole);
  EXPECT_TRUE(holds_by_missing(*model, histogram(kShape, {1, 1, 0, 2}), 3));
  EXPECT_FALSE(holds_by_missing(*model, histogram(kShape, {1, 1, 1, 2}), 3));
  EXPECT_FALSE(holds_by_missing(*model, histogram(kShape, {1, 0, 0, 2}), 3));
  EXPECT_FALSE(holds_by_missing(*model, histogram(kShape, {1, 1, 1, 0}), 3));
}

struct Limit {
  const char* text;
  const char* reason;  // empty: it holds
};
class WholeTable : public ::testing::TestWithParam<Limit> {};

TEST_P(WholeTable, SaysWhatIsPossible) {
  const Histogram whole = histogram(kShape, {6, 3, 2, 1});
  const Possible possible =
      what_is_possible(parse_model(GetParam().text), whole_of_e(), GroupView(whole).with_population(24));
  EXPECT_EQ(possible.holds, *GetParam().reason == '\0');
  EXPECT_EQ(possible.reason.empty(), possible.holds);
  EXPECT_NE(possible.reason.find(GetParam().reason), std::string::npos) << possible.reason;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, WholeTable,
    ::testing::Values(
        Limit{"distinct-l:s:l=4", ""}, Limit{"t-closeness:s:t=0", ""}, Limit{"t-closeness:s:t=0,distance=ordered", ""},
        Limit{"t-closeness:s:t=0,distance=hierarchical", ""}, Limit{"delta-disclosure:s:delta=0.000000001", ""},
        Limit{"beta-likeness:s:beta=0.000000001", ""}, Limit{"entropy-l:s:l=3.316", ""},
        Limit{"recursive-l:s:c=1.01,l=2", ""}, Limit{"confidence:s:alpha=.5", ""}, Limit{"k-map:k=24", ""},
        Limit{"distinct-l:s:l=5",
              "distinct-l:s:l=5 cannot hold: 's' has 4 different values; the largest l possible is 4"},
        Limit{"persons:s:k=5", "there are 4 persons in all; the largest k possible is 4"},
        Limit{"entropy-l:s:l=3.32", "the largest l possible is 3.3162"},
        Limit{"recursive-l:s:c=1,l=2", "for l=2 c must be above 1.0000; the largest l possible with c=1 is 1"},
        Limit{"recursive-l:s:c=3,l=9", "'s' has fewer than 9 values; the largest l possible with c=3 is 3"},
        Limit{"recursive-l:s:c=0.5,l=2", "with c=0.5 no l is possible"},
        Limit{"confidence:s:alpha=.4", "a value of 's' has a share of 0.5000; the smallest alpha possible is 0.5000"},
        Limit{"k-map:k=25", "the population has 24 people; the largest k possible is 24"},
        Limit{"delta-presence:min=0,max=.4", "the smallest max possible is 0.5000"},
        Limit{"delta-presence:min=.6,max=1", "the largest min possible is 0.5000"}));

TEST(WholeTable, OfAJointModel) {
  WholeColumn whole;
  whole.counts = {2, 2};
  whole.others = 2;
  const HistogramShape pairs{4, nullptr};
  const Possible possible =
      what_is_possible(parse_model("t-closeness:s:t=.2,joint=true"), whole, histogram(pairs, {2, 0, 0, 2}));
  EXPECT_FALSE(possible.holds);
  EXPECT_NE(possible.reason.find("the smallest t possible is 0.5000"), std::string::npos) << possible.reason;
}

// Parts of a table number tuples in their own ways, and searches compare what groups lack.
TEST(JointModel, LacksTheSameHoweverTuplesAreNumbered) {
  WholeColumn whole;
  whole.counts = {50, 31, 17, 9};
  whole.others = 30;
  const auto model = make_model(parse_model("entropy-l:s:l=3.3,joint=true"), whole);
  EXPECT_EQ(model->paired_values(), 4u);
  const HistogramShape pairs{4 * whole.others, nullptr};
  std::mt19937_64 random(3);
  std::vector<uint32_t> number(whole.others);
  std::iota(number.begin(), number.end(), 0u);
  for (int round = 0; round < 200; ++round) {
    std::shuffle(number.begin(), number.end(), random);
    std::vector<uint32_t> counts(pairs.values, 0), renumbered(pairs.values, 0);
    for (uint32_t pair = 0; pair < pairs.values; ++pair) {
      counts[pair] = static_cast<uint32_t>(random() % 4);
      renumbered[4 * number[pair / 4] + pair % 4] = counts[pair];
    }
    const Histogram group = histogram(pairs, counts), other = histogram(pairs, renumbered);
    EXPECT_GT(model->deficit(group), 0);
    EXPECT_EQ(model->deficit(group), model->deficit(other));  // to the last bit
    EXPECT_EQ(model->value(group), model->value(other));
  }
}

TEST(MakeModel, RefusesWhatCannotBe) {
  auto message = [](const char* text, const WholeColumn& whole) -> std::string {
    try {
      make_model(parse_model(text), whole);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  WholeColumn whole = whole_of_e();
  whole.values = {"cancer", "flu", "HIV", "none"};
  EXPECT_EQ(message("confidence:s:alpha=.5,values=cancre", whole),
            "model 'confidence' names 'cancre', which column 's' does not have; did you mean 'cancer'?");
  whole.order = {};
  whole.tree = nullptr;
  EXPECT_NE(message("t-closeness:s:t=.2,distance=ordered", whole).find("column 's' has no order"), std::string::npos);
  EXPECT_NE(message("t-closeness:s:t=.2,distance=hierarchical", whole).find("column 's' has no hierarchy"),
            std::string::npos);
  whole.order = {0, 1, 2, 2};
  EXPECT_NE(message("t-closeness:s:t=.2,distance=ordered", whole).find("does not name each of its 4 values once"),
            std::string::npos);
  whole.counts = {4'000'000'000, 4'000'000'000, 1, 1};
  EXPECT_NE(message("distinct-l:s:l=2", whole).find("more than models can count exactly"), std::string::npos);
  whole = whole_of_e();
  whole.others = 3'000'000'000;
  EXPECT_NE(message("distinct-l:s:l=2,joint=true", whole).find("cannot be joint"), std::string::npos);
  EXPECT_THROW(make_model(parse_model("average-risk:risk=.1"), whole), std::logic_error);
  EXPECT_THROW(make_model(parse_model("lkc:s:l=2,k=5,c=1"), whole), std::logic_error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
