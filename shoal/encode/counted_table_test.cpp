#include "shoal/encode/counted_table.h"

#include <gtest/gtest.h>

#include "shoal/encode/problem.h"
#include "shoal/error.h"
#include "shoal/release/arrow_columns.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Cells = std::vector<std::string>;

std::unique_ptr<ArrowTable> table_of(const std::vector<std::pair<std::string, Cells>>& columns) {
  std::vector<ArrowColumn> made;
  for (const auto& [name, cells] : columns) {
    made.push_back(ArrowColumn::of_texts(name));
    for (const std::string& cell : cells) made.back().add_text(cell);
  }
  ArrowArrayStream stream{};
  ArrowColumns(std::move(made)).stream(stream);
  return std::make_unique<ArrowTable>(stream, "visits");
}

EncodedTable encoded(const Job& job, TableSource& source) {
  Progress progress;
  ReadTimings timings;
  return encode_table(job, source, {}, timings, progress);
}

std::string mistake(const Job& job, TableSource& source, ErrorKind kind) {
  try {
    encoded(job, source);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "(no error)";
}

struct Visits {
  Job job;
  std::unique_ptr<ArrowTable> source = table_of({{"age", {"1", "1", "2", "2", "2"}},
                                                 {"sick", {"flu", "flu", "", "?", "cold"}},
                                                 {"pay", {"1", "1.0", "3", "2", ""}},
                                                 {"who", {"a", "b", "a", "a", "c"}}});
  Visits() {
    job.column("age").role = Role::quasi;
    job.column("sick").role = Role::sensitive;
    job.column("pay").role = Role::sensitive;
    job.column("who").role = Role::person;
    job.missing = {"?"};
    job.k = 1;
  }
};

TEST(CountedTable, CodesOfSensitiveAndPersonColumns) {
  const Visits visits;
  const EncodedTable table = encoded(visits.job, *visits.source);
  CountedTable counted(table.table, table.encoding);
  const CountedModel sick = counted.counted(parse_model("distinct-l:sick:l=2"));
  EXPECT_EQ(sick.counted->values, 3U);  // flu, cold, missing
  EXPECT_EQ(sick.counted->codes[0], sick.counted->codes[1]);
  EXPECT_EQ(sick.counted->codes[2], sick.counted->codes[3]);
  EXPECT_EQ(counted.missing(parse_model("distinct-l:sick:l=2")), sick.counted->codes[2]);
  // Shared by models of the same column.
  EXPECT_EQ(counted.counted(parse_model("confidence:sick:alpha=0.5")).counted, sick.counted);
  // Numbers ascend, spellings of one number are one, missing comes last.
  const WholeColumn pay = counted.whole(parse_model("t-closeness:pay:t=0.2,distance=ordered"));
  EXPECT_EQ(pay.order, (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(pay.counts, (std::vector<uint32_t>{2, 1, 1, 1}));
  EXPECT_TRUE(counted.whole(parse_model("t-closeness:sick:t=0.2")).order.empty());
  const CountedModel who = counted.counted(parse_model("persons:who:k=2"));
  EXPECT_EQ(who.counted->values, 3U);
  EXPECT_EQ(who.counted->codes[0], who.counted->codes[3]);
  EXPECT_TRUE(table.table.person->values.empty());
}

TEST(CountedTable, PairsForJointModels) {
  const Visits visits;
  const EncodedTable table = encoded(visits.job, *visits.source);
  CountedTable counted(table.table, table.encoding);
  const ModelSpec joint = parse_model("distinct-l:pay:l=2,joint=true");
  const CountedModel pairs = counted.counted(joint);
  EXPECT_EQ(counted.whole(joint).others, 3U);
  EXPECT_EQ(pairs.counted->values, 12U);
  EXPECT_EQ(pairs.counted->codes[0], pairs.counted->codes[1]);          // (flu, 1) twice
  EXPECT_EQ(pairs.counted->codes[2] / 4, pairs.counted->codes[3] / 4);  // both missing
  EXPECT_NE(pairs.counted->codes[2], pairs.counted->codes[3]);
  EXPECT_EQ(counted.impossible(parse_model("distinct-l:pay:l=3,joint=true")),
            "distinct-l:pay:l=3,joint=true cannot hold: 'pay' has 1 different values beside one tuple of the other "
            "sensitive columns; the largest l possible is 1");
}

TEST(CountedTable, WhatIsImpossibleSaysWhatIsPossible) {
  const Visits visits;
  const EncodedTable table = encoded(visits.job, *visits.source);
  const auto reason = [&](const char* model, bool drops_rows = false) {
    return impossible({{{0}, 2, {parse_model(model)}}}, table.table, table.encoding, nullptr, drops_rows);
  };
  EXPECT_EQ(reason("distinct-l:sick:l=3"), "");
  EXPECT_NE(reason("distinct-l:sick:l=4").find("the largest l possible is 3"), std::string::npos);
  EXPECT_NE(reason("distinct-l:sick:l=4", true).find("the largest l possible is 3"), std::string::npos);
  EXPECT_NE(reason("confidence:sick:alpha=0.3").find("the smallest alpha possible is 0.4"), std::string::npos);
  EXPECT_EQ(reason("confidence:sick:alpha=0.3", true), "");  // some rows may go
  EXPECT_NE(reason("persons:who:k=4").find("the largest k possible is 3"), std::string::npos);
  EXPECT_NE(reason("average-risk:risk=0.1").find("have 0.2, the smallest risk possible"), std::string::npos);
  EXPECT_EQ(reason("average-risk:risk=0.2"), "");
}

TEST(CountedTable, RulesOfAProblem) {
  Visits visits;
  visits.job.models = {parse_model("distinct-l:sick:l=2"), parse_model("average-risk:risk=0.4")};
  const EncodedTable table = encoded(visits.job, *visits.source);
  MethodEntry method = *find_method("incognito");
  method.obeys_average_risk = false;
  std::vector<std::string> notices;
  const Problem problem = make_problem(visits.job, method, table.table, table.encoding, notices);
  ASSERT_EQ(problem.rules.size(), 1U);
  EXPECT_TRUE(problem.has_models());
  EXPECT_EQ(problem.rules[0]->k(), 3U);  // 1/0.4 rows
  EXPECT_FALSE(problem.rules[0]->average_risk());
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_NE(notices[0].find("keeps average-risk:risk=0.4 by k=3"), std::string::npos) << notices[0];
  EXPECT_EQ(problem.rules[0]->models().size(), 2U);  // distinct-l, persons
  const std::vector<uint32_t> rows{0, 1, 2}, one_value{0, 1};
  EXPECT_TRUE(problem.rules[0]->holds(rows));
  EXPECT_FALSE(problem.rules[0]->holds(one_value));
  method.obeys_average_risk = true;
  EXPECT_TRUE(make_problem(visits.job, method, table.table, table.encoding, notices).rules[0]->average_risk());
}

TEST(CountedTable, OrdersArePartOfTheEncoding) {
  Visits visits;
  visits.job.column("sick").order = {"healthy", "cold", "flu"};
  const EncodedTable table = encoded(visits.job, *visits.source);
  CountedTable counted(table.table, table.encoding);
  const WholeColumn whole = counted.whole(parse_model("t-closeness:sick:t=0.2,distance=ordered"));
  ASSERT_EQ(whole.order.size(), 3U);
  EXPECT_EQ(whole.values[whole.order[0]], "cold");
  EXPECT_EQ(whole.values[whole.order[1]], "flu");
  EXPECT_EQ(Encoding::from_bytes(table.encoding.bytes()).sensitive[0].order, whole.order);
  visits.job.column("sick").order = {"flu"};
  EXPECT_NE(mistake(visits.job, *visits.source, ErrorKind::input)
                .find("'visits' row 5: 'cold' in the column 'sick' is not in its stated order; add it there"),
            std::string::npos);
}

TEST(CountedTable, MissingPersonsAreRefused) {
  Visits visits;
  const auto source = table_of({{"age", {"1", "2"}}, {"sick", {"a", "b"}}, {"pay", {"1", "2"}}, {"who", {"x", "?"}}});
  EXPECT_NE(mistake(visits.job, *source, ErrorKind::input)
                .find("'visits' row 2: the cell of the person column 'who' is missing (1 row)"),
            std::string::npos);
}

TEST(CountedTable, ModelsThatLackWhatTheyNeed) {
  const Visits visits;
  const EncodedTable table = encoded(visits.job, *visits.source);
  CountedTable counted(table.table, table.encoding);
  EXPECT_THROW(counted.counted(parse_model("t-closeness:sick:t=0.2,distance=ordered")), Error);
  EXPECT_THROW(counted.counted(parse_model("t-closeness:sick:t=0.2,distance=hierarchical")), Error);
  EXPECT_THROW(counted.counted(parse_model("confidence:sick:alpha=0.5,values=plague")), Error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
