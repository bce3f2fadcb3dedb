// Every model against a plain recount on random tables; closures by brute force; steps against groups made anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "shoal/model/model.h"
#include "testing/model_oracle.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing;  // NOLINT(google-build-using-namespace)

class EveryKind : public ::testing::TestWithParam<ModelKind> {};

TEST_P(EveryKind, AgreesWithAPlainRecount) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()) + 1);
  int yes = 0, no = 0, close = 0;
  for (int round = 0; round < 3'000; ++round) {
    const auto scene = random_scene(random, 6, round % 2 == 0 ? 6 : 40);
    const ModelSpec spec = random_spec(GetParam(), *scene, random);
    const auto model = make_model(spec, scene->column);
    const HistogramShape shape{static_cast<uint32_t>(scene->whole.size()), random() % 2 == 0 ? model->logs() : nullptr};
    for (int i = 0; i < 3; ++i) {
      const Counts counts = random_group(scene->whole, random);
      const Histogram group = histogram(shape, counts);
      const Answer expected = plain_holds(spec, *scene, counts);
      if (expected == Answer::too_close_to_say) {
        ++close;
        continue;
      }
      ++(expected == Answer::yes ? yes : no);
      ASSERT_EQ(model->holds(group), expected == Answer::yes)
          << model_text(spec) << " " << ::testing::PrintToString(counts) << " of "
          << ::testing::PrintToString(scene->whole);
      ASSERT_EQ(model->deficit(group) == 0, expected == Answer::yes) << model_text(spec);
    }
  }
  EXPECT_GT(yes, 500);
  EXPECT_GT(no, 500);
  EXPECT_LT(close, 20);
}

TEST_P(EveryKind, ClosureIsTrueAndNotTooWeak) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()) + 100);
  int unions = 0, broken_by_joining = 0;
  for (int round = 0; round < 8'000; ++round) {
    const auto scene = random_scene(random, 5, 12);
    const ModelSpec spec = random_spec(GetParam(), *scene, random);
    const auto model = make_model(spec, scene->column);
    const HistogramShape shape{static_cast<uint32_t>(scene->whole.size()), model->logs()};
    const Counts a = random_group(scene->whole, random);
    Counts rest = scene->whole;
    for (size_t v = 0; v < a.size(); ++v) rest[v] -= a[v];
    if (total(rest) == 0) continue;
    const Histogram first = histogram(shape, a), second = histogram(shape, random_group(rest, random));
    if (!model->holds(first)) continue;
    const bool together = model->holds_union(first, second);
    if (model->holds(second)) {
      ++unions;
      ASSERT_TRUE(together) << model_text(spec);
    } else if (!together) {
      ++broken_by_joining;
      ASSERT_NE(model->closure(), Closure::any_superset) << model_text(spec);
    }
  }
  EXPECT_GT(unions, 300);
  EXPECT_EQ(broken_by_joining > 0, model_entry(GetParam()).closure == Closure::union_only);
}

// One way of getting somewhere is as good as another: views, changes and their undoing against groups made anew.
TEST_P(EveryKind, StepsAgreeWithGroupsMadeAnew) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()) + 200);
  for (int round = 0; round < 150; ++round) {
    const auto scene = random_scene(random, round % 3 == 0 ? 60 : 8, 30);
    const ModelSpec spec = random_spec(GetParam(), *scene, random);
    const auto model = make_model(spec, scene->column);
    const auto values = static_cast<uint32_t>(scene->whole.size());
    const HistogramShape shape{values, model->logs()}, plain{values, nullptr};
    Counts left(values, 0), right = scene->whole;
    Histogram a(shape), b = histogram(shape, right);
    auto check = [&](const GroupView& view, const Counts& counts) {
      const Histogram anew = histogram(plain, counts);
      ASSERT_EQ(model->holds(view), model->holds(anew)) << model_text(spec);
      ASSERT_EQ(model->deficit(view), model->deficit(anew)) << model_text(spec);
      if (view.rows() == 0) return;
      const double value = model->value(view), expected = model->value(anew);
      ASSERT_TRUE(value == expected || std::fabs(value - expected) < 1e-9) << model_text(spec);
    };
    for (int step = 0; step < 60; ++step) {
      const auto v = static_cast<uint32_t>(random() % values);
      const bool to_left = random() % 3 != 0;
      Counts& giver = to_left ? right : left;
      Counts& taker = to_left ? left : right;
      Histogram& from = to_left ? b : a;
      Histogram& to = to_left ? a : b;
      if (giver[v] == 0) continue;
      --giver[v];
      ++taker[v];
      ASSERT_EQ(model->holds_after_removing(from, v), model->holds(histogram(plain, giver)));
      ASSERT_EQ(model->holds_after_adding(to, v), model->holds(histogram(plain, taker)));
      check(GroupView::after_removing(from, v), giver);
      check(GroupView::after_adding(to, v), taker);
      from.remove(v);
      to.add(v);
      check(a, left);
      check(b, right);
      check(GroupView::united(a, b), scene->whole);
      ASSERT_EQ(model->holds_union(a, b), model->holds(histogram(plain, scene->whole)));
      Histogram both = a;
      both.merge(b);
      check(both, scene->whole);
      both.subtract(a);
      ASSERT_TRUE(both == b);
    }
  }
}

TEST_P(EveryKind, MergingNeverRaisesTheSumOfDeficits) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()) + 300);
  int lowered = 0;
  for (int round = 0; round < 5'000; ++round) {
    const auto scene = random_scene(random, 6, 20);
    const auto model = make_model(random_spec(GetParam(), *scene, random), scene->column);
    const HistogramShape shape{static_cast<uint32_t>(scene->whole.size()), nullptr};
    Counts a = random_group(scene->whole, random), rest = scene->whole;
    for (size_t v = 0; v < a.size(); ++v) rest[v] -= a[v];
    if (total(rest) == 0) continue;
    const Histogram first = histogram(shape, a), second = histogram(shape, rest);
    const double apart = model->deficit(first) + model->deficit(second);
    const double together = model->deficit(GroupView::united(first, second));
    ASSERT_LE(together, apart + 1e-8) << model_text(model->spec());
    lowered += together < apart ? 1 : 0;
  }
  EXPECT_GT(lowered, 200);
}

// What a model says of counts near 10^9 it says of the same counts divided by their common factor.
TEST_P(EveryKind, LargeCountsDoNotOverflow) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()) + 400);
  for (int round = 0; round < 400; ++round) {
    const auto scene = random_scene(random, 6, 40);
    const ModelSpec spec = random_spec(GetParam(), *scene, random);
    const auto times = static_cast<uint32_t>(kMostRows / static_cast<uint64_t>(total(scene->whole)));
    ASSERT_GT(times, 10'000'000U);
    WholeColumn large = scene->column;
    for (uint32_t& count : large.counts) count *= times;
    const HistogramShape shape{static_cast<uint32_t>(scene->whole.size()), nullptr};
    const auto model = make_model(spec, scene->column), model_of_large = make_model(spec, large);
    Counts counts = random_group(scene->whole, random);
    const Histogram group = histogram(shape, counts);
    for (int64_t& count : counts) count *= times;
    const Histogram large_group = histogram(shape, counts);
    ASSERT_EQ(model_of_large->holds(large_group), model->holds(group)) << model_text(spec);
    const double value = model->value(group), large_value = model_of_large->value(large_group);
    ASSERT_TRUE(value == large_value || std::fabs(value - large_value) < 1e-9) << model_text(spec);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryKind, ::testing::ValuesIn(kColumnKinds), [](const auto& kind) {
  std::string name(model_entry(kind.param).word);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Joint: each tuple of the other columns alone must hold, and what holds twice holds together.
TEST_P(EveryKind, JointHoldsForEveryPartAlone) {
  if (GetParam() == ModelKind::persons) return;  // persons are not sensitive values
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()) + 500);
  int yes = 0, no = 0, unions = 0;
  for (int round = 0; round < 4'000; ++round) {
    const auto scene = random_scene(random, 4, 12);
    ModelSpec spec = random_spec(GetParam(), *scene, random);
    const auto values = static_cast<uint32_t>(scene->whole.size()), others = 1 + static_cast<uint32_t>(random() % 3);
    const HistogramShape shape{values * others, nullptr};
    spec.joint = true;
    scene->column.others = others;
    const auto joint = make_model(spec, scene->column);
    Histogram a(shape), b(shape);
    bool expected = true, too_close = false;
    for (uint32_t other = 0; other < others; ++other) {
      Counts part = random_group(scene->whole, random), second = random_group(scene->whole, random);
      if (random() % 3 == 0) part.assign(values, 0);
      const Answer answer = plain_holds(spec, *scene, part);
      expected = expected && answer == Answer::yes;
      too_close = too_close || answer == Answer::too_close_to_say;
      for (uint32_t v = 0; v < values; ++v) {
        a.add(other * values + v, static_cast<uint32_t>(part[v]));
        b.add(other * values + v, static_cast<uint32_t>(second[v]));
      }
    }
    if (too_close) continue;
    ++(expected ? yes : no);
    ASSERT_EQ(joint->holds(a), expected) << model_text(spec);
    ASSERT_EQ(joint->deficit(a) == 0, expected);
    if (!expected || !joint->holds(b)) continue;
    ++unions;
    ASSERT_TRUE(joint->holds_union(a, b)) << model_text(spec);
  }
  EXPECT_GT(yes, 100);
  EXPECT_GT(no, 100);
  EXPECT_GT(unions, 20);
}

TEST(Population, PresenceOfDisjointBoxesIsClosedUnderUnion) {
  std::mt19937_64 random(7);
  int unions = 0, broken = 0;
  const HistogramShape shape{1, nullptr};
  for (int round = 0; round < 20'000; ++round) {
    ModelSpec spec;
    spec.kind = ModelKind::delta_presence;
    const uint64_t parts = 1 + random() % 6;
    spec.highest = ratio(1 + random() % parts, parts);
    spec.lowest = ratio(random() % (1 + random() % parts), parts);
    if (below(spec.highest, spec.lowest)) continue;
    const auto model = make_model(spec, {});
    const auto a = static_cast<int64_t>(1 + random() % 9), b = static_cast<int64_t>(1 + random() % 9);
    const uint64_t fit_a = static_cast<uint64_t>(a) + random() % 9, fit_b = static_cast<uint64_t>(b) + random() % 9;
    const Histogram first = histogram(shape, {a}), second = histogram(shape, {b});
    const bool low = static_cast<uint64_t>(a) * spec.lowest.denominator >= fit_a * spec.lowest.numerator;
    const bool high = static_cast<uint64_t>(a) * spec.highest.denominator <= fit_a * spec.highest.numerator;
    ASSERT_EQ(model->holds(GroupView(first).with_population(fit_a)), low && high);
    ASSERT_EQ(model->deficit(GroupView(first).with_population(fit_a)) == 0, low && high);
    if (!low || !high) continue;
    const bool together = model->holds(GroupView::united(first, second).with_population(fit_a + fit_b));
    if (model->holds(GroupView(second).with_population(fit_b))) {
      ++unions;
      ASSERT_TRUE(together);
    } else {
      broken += together ? 0 : 1;
    }
  }
  EXPECT_GT(unions, 300);
  EXPECT_GT(broken, 100);
}

// Small and large l are counted in different ways.
TEST(Recursive, AnyL) {
  std::mt19937_64 random(9);
  int yes = 0, no = 0;
  for (int round = 0; round < 3'000; ++round) {
    const auto scene = random_scene(random, 40, 12);
    ModelSpec spec = random_spec(ModelKind::recursive_l, *scene, random);
    spec.l = {1 + random() % 40, 1};
    const HistogramShape shape{static_cast<uint32_t>(scene->whole.size()), nullptr};
    const Counts counts = random_group(scene->whole, random);
    const bool expected = plain_holds(spec, *scene, counts) == Answer::yes;
    ++(expected ? yes : no);
    ASSERT_EQ(make_model(spec, scene->column)->holds(histogram(shape, counts)), expected) << model_text(spec);
  }
  EXPECT_GT(yes, 300);
  EXPECT_GT(no, 300);
}

// One row of three thousand million decides.
TEST(Entropy, TellsOneRowOfThreeThousandMillion) {
  ModelSpec spec;
  spec.kind = ModelKind::entropy_l;
  spec.column = "s";
  spec.l = {3, 1};
  WholeColumn whole;
  whole.counts = {1'000'000'000, 1'000'000'000, 1'000'000'000};
  const auto model = make_model(spec, whole);
  const HistogramShape shape{3, nullptr};
  Histogram group = histogram(shape, {1'000'000'000, 1'000'000'000, 1'000'000'000});
  EXPECT_TRUE(model->holds(group));
  group.remove(0);
  EXPECT_FALSE(model->holds(group));
  EXPECT_GT(model->deficit(group), 0);
}

// 1/2·1 bit and four times 1/8·3 bits are exactly 2 bits, with counts that differ.
TEST(Entropy, MeetsATieOfUnequalCounts) {
  ModelSpec spec;
  spec.kind = ModelKind::entropy_l;
  spec.column = "s";
  spec.l = {4, 1};
  WholeColumn whole;
  whole.counts = {4'000'000, 1'000'000, 1'000'000, 1'000'000, 1'000'000};
  const auto model = make_model(spec, whole);
  const HistogramShape shape{5, nullptr};
  for (int64_t times : {1, 3, 1'000, 999'983, 1'000'000}) {
    EXPECT_TRUE(model->holds(histogram(shape, {4 * times, times, times, times, times}))) << times;
    EXPECT_FALSE(model->holds(histogram(shape, {4 * times, times, times, times, times - 1}))) << times;
  }
}

TEST(Entropy, GroupsOfOneRow) {
  ModelSpec spec;
  spec.kind = ModelKind::entropy_l;
  spec.column = "s";
  spec.l = {1, 1};
  WholeColumn whole;
  whole.counts = {1};
  const HistogramShape shape{1, nullptr};
  EXPECT_TRUE(make_model(spec, whole)->holds(histogram(shape, {1})));
  spec.l = {1'000'000'000, 999'999'999};
  EXPECT_FALSE(make_model(spec, whole)->holds(histogram(shape, {1})));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
