// The SQL of every model, run by DuckDB on random tables, finds the groups that the model's class finds.
#include "shoal/model/model_sql.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "shoal/model/average_risk.h"
#include "shoal/read/duck.h"
#include "testing/model_oracle.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing;  // NOLINT(google-build-using-namespace)

using Key = std::vector<std::string>;

// Rows of two group columns, a sensitive one and a population; missing cells are NULL. Names and texts that need
// quotes.
struct WrittenTable {
  std::map<Key, Counts> groups;
  std::map<Key, uint64_t> population;
  std::string insert;  // VALUES (...), (...)
};

constexpr const char* kColumns = "\"a \"\"b\"\"\" VARCHAR, \"c\" VARCHAR, \"s'v\" VARCHAR, \"people\" BIGINT";
const Key kGroupColumns{"a \"b\"", "c"};

std::string text_of(size_t value) { return fmt::format("it's v{}", value); }

std::string sql(const std::string& cell) {
  if (cell.empty()) return "NULL";
  std::string text = "'";
  for (char letter : cell) text += letter == '\'' ? std::string("''") : std::string(1, letter);
  return text + "'";
}

// Deals the rows of the scene to groups: at random, or so that each gets about its share.
WrittenTable random_table(const Scene& scene, std::optional<uint32_t> missing, std::mt19937_64& random) {
  WrittenTable table;
  const size_t firsts = 1 + random() % 3, seconds = 1 + random() % 2, fair = random() % 2;
  size_t turn = random() % 6;
  for (size_t value = 0; value < scene.whole.size(); ++value) {
    for (int64_t i = 0; i < scene.whole[value]; ++i) {
      turn = fair ? turn + 1 : random();
      const std::string first[] = {"x", "", "y'y"}, second[] = {"", "1"};
      const Key key{first[turn % firsts], second[turn / firsts % seconds]};
      Counts& counts = table.groups[key];
      counts.resize(scene.whole.size());
      ++counts[value];
    }
  }
  for (const auto& [key, counts] : table.groups) {
    table.population[key] = static_cast<uint64_t>(total(counts)) + random() % 20;
    for (size_t value = 0; value < counts.size(); ++value)
      for (int64_t i = 0; i < counts[value]; ++i)
        table.insert +=
            fmt::format("{}({}, {}, {}, {})", table.insert.empty() ? "VALUES " : ", ", sql(key[0]), sql(key[1]),
                        missing == value ? "NULL" : sql(text_of(value)), table.population[key]);
  }
  return table;
}

class SqlTable : public ::testing::Test {
 protected:
  // The groups that the query returns; checks their numbers of rows.
  std::set<Key> violators(const std::string& query, const WrittenTable& table) {
    std::set<Key> found;
    for (const std::vector<std::string>& row : duck_.query(query, Progress{})) {
      const Key key(row.begin(), row.end() - 1);
      EXPECT_TRUE(found.insert(key).second);
      const auto group = table.groups.find(key);
      if (group == table.groups.end()) {
        ADD_FAILURE() << "no such group";
        continue;
      }
      EXPECT_EQ(row.back(), std::to_string(total(group->second)));
    }
    return found;
  }
  void write(const WrittenTable& table) {
    duck_.query(fmt::format("CREATE OR REPLACE TABLE \"re lease\" ({})", kColumns), Progress{});
    duck_.query("INSERT INTO \"re lease\" " + table.insert, Progress{});
  }
  DuckDb duck_{1, std::nullopt};
};

class ModelSql : public SqlTable, public ::testing::WithParamInterface<ModelKind> {};

TEST_P(ModelSql, FindsTheGroupsThatTheClassFinds) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()) + 1);
  size_t broken = 0, kept = 0;
  for (int round = 0; round < 12; ++round) {
    const auto scene = random_scene(random, 5, 9);
    std::optional<uint32_t> missing;
    if (random() % 2 == 0) missing = static_cast<uint32_t>(random() % scene->whole.size());
    for (size_t v = 0; v < scene->whole.size(); ++v) scene->column.values[v] = text_of(v);
    const WrittenTable table = random_table(*scene, missing, random);
    write(table);
    for (int i = 0; i < 4; ++i) {
      ModelSpec spec = random_spec(GetParam(), *scene, random);
      spec.column = "s'v";
      for (std::string& named : spec.values) named = text_of(static_cast<size_t>(std::stoi(named.substr(1))));
      spec.k = spec.kind == ModelKind::k_map ? Fraction{1 + random() % 30, 1} : spec.k;
      spec.highest = ratio(1 + random() % 4, 4);
      spec.lowest = ratio(random() % spec.highest.numerator, spec.highest.denominator);
      if (spec.kind == ModelKind::k_map || spec.kind == ModelKind::delta_presence) spec.column.clear();
      const auto model = make_model(spec, scene->column);
      const HistogramShape shape{static_cast<uint32_t>(scene->whole.size()), nullptr};
      std::set<Key> expected;
      for (const auto& [key, counts] : table.groups) {
        const Histogram group = histogram(shape, counts);
        const bool holds = model->holds(GroupView(group).with_population(table.population.at(key)));
        ++(holds ? kept : broken);
        if (!holds) expected.insert(key);
      }
      const ModelQuery query{"\"re lease\"", kGroupColumns, &scene->column, missing, "people"};
      ASSERT_EQ(violators(violations_sql(spec, query), table), expected) << model_text(spec) << "\n"
                                                                         << violations_sql(spec, query) << "\n"
                                                                         << table.insert;
    }
  }
  EXPECT_GT(broken, 20U);
  EXPECT_GT(kept, 20U);
}

TEST_F(SqlTable, AValueThatTheWholeTableHasNot) {
  std::mt19937_64 random(1);
  const auto scene = random_scene(random, 5, 9);
  for (size_t v = 0; v < scene->whole.size(); ++v) scene->column.values[v] = text_of(v);
  WrittenTable table = random_table(*scene, std::nullopt, random);
  write(table);
  duck_.query("INSERT INTO \"re lease\" VALUES ('new', 'new', 'unknown', 1)", Progress{});
  table.groups[{"new", "new"}] = {1};
  for (const char* text : {"t-closeness:s'v:t=1", "t-closeness:s'v:t=1,distance=ordered",
                           "beta-likeness:s'v:beta=1000000000,form=basic", "t-closeness:s'v:t=1,distance=hierarchical",
                           "beta-likeness:s'v:beta=1000000000", "delta-disclosure:s'v:delta=1000000"}) {
    const ModelSpec spec = parse_model(text);
    const ModelQuery query{"\"re lease\"", kGroupColumns, &scene->column, std::nullopt, ""};
    EXPECT_EQ(violators(violations_sql(spec, query), table).count({"new", "new"}), 1U) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ModelSql,
                         ::testing::Values(ModelKind::distinct_l, ModelKind::persons, ModelKind::entropy_l,
                                           ModelKind::recursive_l, ModelKind::confidence, ModelKind::t_closeness,
                                           ModelKind::beta_likeness, ModelKind::delta_disclosure, ModelKind::k_map,
                                           ModelKind::delta_presence),
                         [](const auto& kind) {
                           std::string name(model_entry(kind.param).word);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_F(SqlTable, AverageRisk) {
  std::mt19937_64 random(1);
  const auto scene = random_scene(random, 5, 9);
  for (size_t v = 0; v < scene->whole.size(); ++v) scene->column.values[v] = text_of(v);
  const WrittenTable table = random_table(*scene, std::nullopt, random);
  write(table);
  const auto groups = table.groups.size(), rows = static_cast<size_t>(total(scene->whole));
  for (const Fraction& risk : {ratio(groups, rows), Fraction{groups * 1000 - 1, rows * 1000}}) {
    ModelSpec spec;
    spec.kind = ModelKind::average_risk;
    spec.risk = risk;
    const auto found = duck_.query(violations_sql(spec, {"\"re lease\"", kGroupColumns, nullptr, {}, ""}), Progress{});
    ASSERT_EQ(found.empty(), AverageRisk(spec).holds(groups, rows));
    if (found.empty()) continue;
    EXPECT_EQ(found[0], (Key{std::to_string(groups), std::to_string(rows)}));
  }
}

TEST_F(SqlTable, WithoutGroupColumnsAllRowsAreOneGroup) {
  std::mt19937_64 random(2);
  const auto scene = random_scene(random, 5, 9);
  for (size_t v = 0; v < scene->whole.size(); ++v) scene->column.values[v] = text_of(v);
  write(random_table(*scene, std::nullopt, random));
  const ModelQuery query{"\"re lease\"", {}, &scene->column, std::nullopt, ""};
  for (const char* text : {"distinct-l:s'v:l=1", "t-closeness:s'v:t=0", "t-closeness:s'v:t=0,distance=ordered",
                           "t-closeness:s'v:t=0,distance=hierarchical", "beta-likeness:s'v:beta=0.000000001"})
    EXPECT_TRUE(duck_.query(violations_sql(parse_model(text), query), Progress{}).empty()) << text;
  const auto found = duck_.query(violations_sql(parse_model("distinct-l:s'v:l=100"), query), Progress{});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], Key{std::to_string(total(scene->whole))});
}

TEST(ModelSqlText, NeedsWhatTheModelNeeds) {
  EXPECT_THROW(violations_sql(parse_model("t-closeness:s:t=.2"), {"r", {"a"}, nullptr, {}, ""}), std::logic_error);
  EXPECT_THROW(violations_sql(parse_model("k-map:k=5"), {"r", {"a"}, nullptr, {}, ""}), std::logic_error);
  EXPECT_THROW(violations_sql(parse_model("lkc:s:l=1,k=2,c=1"), {"r", {"a"}, nullptr, {}, ""}), std::logic_error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
