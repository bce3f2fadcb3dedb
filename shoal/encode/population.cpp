#include "shoal/encode/population.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "shoal/error.h"
#include "shoal/nearest_word.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

RawTable read_people(const std::vector<std::string>& quasi, TableSource& people, const Progress& progress) {
  std::vector<size_t> columns;
  for (const std::string& name : quasi) {
    const auto found = people.find(name);
    if (!found) {
      throw Error(ErrorKind::input, fmt::format("the population '{}' has no column '{}'; it needs all quasi columns{}",
                                                people.name(), name, did_you_mean(name, people.columns())));
    }
    columns.push_back(*found);
  }
  return read_columns(people, columns, {}, progress);
}

// The values of the population, and other spellings that the table has.
Domain joined_domain(const RawColumn& people, const RawColumn& table) {
  Domain domain{table.name, people.texts, people.counts};
  const std::unordered_set<std::string_view> known(people.texts.begin(), people.texts.end());
  for (size_t text = 0; text < table.texts.size(); ++text) {
    if (known.contains(table.texts[text])) continue;
    domain.texts.push_back(table.texts[text]);
    domain.counts.push_back(table.counts[text]);
  }
  return domain;
}

std::vector<uint32_t> leaves_of(const std::vector<std::string>& texts, const ColumnEncoding& encoding) {
  std::unordered_map<std::string_view, uint32_t> leaf_of;
  for (size_t text = 0; text < encoding.texts.size(); ++text) {
    leaf_of.emplace(encoding.texts[text], encoding.leaf_of_text[text]);
  }
  std::vector<uint32_t> leaves;
  leaves.reserve(texts.size());
  for (const std::string& text : texts) leaves.push_back(leaf_of.at(text));
  return leaves;
}

// A value that nobody in the population has would be nobody's.
void check_contained(const RawColumn& table, const std::vector<uint32_t>& people, const ColumnEncoding& encoding,
                     const TableSource& source, const std::string& population) {
  const std::unordered_set<uint32_t> known(people.begin(), people.end());
  const std::vector<uint32_t> leaves = leaves_of(table.texts, encoding);
  for (size_t text = 0; text < table.texts.size(); ++text) {
    if (known.contains(leaves[text])) continue;
    throw Error(
        ErrorKind::input,
        fmt::format("'{}' {}: nobody in the population '{}' has the value '{}' of the column '{}'; the "
                    "population must contain the people of the table",
                    source.name(), source.place(table.first_rows[text]), population, table.texts[text], table.name));
  }
}

}  // namespace

Population::Population(const Job& job, TableSource& table, TableSource& people, Progress& progress)
    : name_(people.name()) {
  const auto plan = plan_columns(job, table);
  std::vector<size_t> columns;
  std::vector<std::string> quasi;
  for (size_t j = 0; j < plan.size(); ++j) {
    if (plan[j].role == Role::quasi) quasi.push_back(plan[j].name);
    if (plan[j].role == Role::quasi || plan[j].role == Role::sensitive) columns.push_back(j);
  }
  const RawTable all = read_people(quasi, people, progress);
  const RawTable own = read_columns(table, columns, {}, progress);
  if (all.rows < own.rows) {
    throw Error(ErrorKind::input,
                fmt::format("the population '{}' has {}, fewer than the table '{}' with {}; it must contain the "
                            "people of the table",
                            people.name(), counted(all.rows, "row"), table.name(), own.rows));
  }
  people_ = all.rows;
  std::vector<Domain> domains;
  std::vector<const RawColumn*> own_quasi;
  for (size_t i = 0; i < columns.size(); ++i) {
    const RawColumn& column = own.columns[i];
    if (plan[columns[i]].role == Role::sensitive) {
      domains.push_back({column.name, column.texts, column.counts});
    } else {
      domains.push_back(joined_domain(all.columns[own_quasi.size()], column));
      own_quasi.push_back(&column);
    }
  }
  encoding_ = make_encoding(job, domains, {fmt::format("{}' or '{}", people.name(), table.name())});
  std::vector<Codes> codes;
  for (size_t i = 0; i < quasi.size(); ++i) {
    const std::vector<uint32_t> leaves = leaves_of(all.columns[i].texts, encoding_.columns[i]);
    check_contained(*own_quasi[i], leaves, encoding_.columns[i], table, people.name());
    codes.emplace_back(all.rows, encoding_.hierarchies[i].leaves());
    codes.back().visit([&](auto out) {
      using Code = typename decltype(out)::value_type;
      all.columns[i].codes.visit([&](auto raw) {
        for (size_t row = 0; row < raw.size(); ++row) out[row] = static_cast<Code>(leaves[raw[row]]);
      });
    });
  }
  std::vector<GroupKey> keys;
  for (size_t i = 0; i < codes.size(); ++i) keys.push_back({&codes[i], encoding_.hierarchies[i].leaves()});
  tuples_ = distinct_tuples(all.rows, keys);
  tuples_.tuple_of_row = {};
}

std::shared_ptr<const PopulationIndex> Population::on(const std::vector<size_t>& columns) const {
  std::vector<std::vector<uint32_t>> chosen;
  chosen.reserve(columns.size());
  for (size_t j : columns) chosen.push_back(tuples_.columns[j]);
  return std::make_shared<const PopulationIndex>(std::move(chosen), tuples_.counts);
}

}  // namespace shoal
