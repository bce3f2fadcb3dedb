// A table of persons for tests of findings, a job that asks for it, and its release as texts, which plain recounts see.
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "shoal/examine/finding.h"
#include "shoal/recode/apply.h"
#include "shoal/release/draft.h"

namespace shoal::testing::examined {

using Rows = std::vector<std::vector<std::string>>;

inline const std::vector<std::string> kColumns{"id", "age", "work", "code", "note", "illness"};
enum Place : size_t { kId, kAge, kWork, kCode, kNote, kIllness };

// `code` tells work, except for a share of the rows; `note` has few or many values.
inline Rows random_rows(std::mt19937_64& random, size_t count) {
  const auto one_of = [&](size_t values) { return random() % values; };
  const size_t notes = one_of(2) ? 3 : 2 * count, noise = one_of(4);
  const bool sorted = one_of(3) == 0;
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    const size_t work = one_of(5);
    rows.push_back({std::to_string(one_of(count)), std::to_string(20 + one_of(25)), std::string(1, char('a' + work)),
                    std::to_string(one_of(10) < noise ? one_of(5) : work * 10),
                    (one_of(20) ? "n" : "=") + std::to_string(one_of(notes)), std::string(1, char('u' + one_of(3)))});
  }
  if (sorted)
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return std::stoi(a[kAge]) < std::stoi(b[kAge]); });
  return rows;
}

inline Job random_job(std::mt19937_64& random) {
  Job job;
  job.column("id").role = Role::identifier;
  job.column("age").role = Role::quasi;
  job.column("work").role = Role::quasi;
  job.column("code").role = random() % 2 ? Role::plain : Role::target;
  job.column("note").role = Role::plain;
  job.column("illness").role = Role::sensitive;
  job.k = 2 + random() % 4;
  const char* const methods[] = {"mondrian", "shoal", "datafly"};
  job.method = methods[random() % 3];
  if (job.method == "shoal") job.params["effort"] = "fast";
  job.order = random() % 2 ? Order::input : Order::released;
  job.threads = 1;
  return job;
}

// A release as texts, beside the rows it was made of: what the recounts see.
struct Texts {
  Rows raw, released;  // kept rows; of `released` only age and work differ
  uint64_t k;

  Texts(const Draft& draft, const Rows& rows) : k(*draft.job.k) {
    for (uint32_t row : draft.kept_rows()) {
      raw.push_back(rows[row]);
      released.push_back(rows[row]);
      for (size_t j = 0; j < 2; ++j) {
        const ReleasedColumn& column = draft.released.quasi[j];
        released.back()[kAge + j] = released_text(column.values[column.codes[row]], draft.original.table.quasi[j],
                                                  draft.original.encoding.hierarchies[j], column.means);
      }
    }
  }
  bool alike(size_t a, size_t b) const {
    return released[a][kAge] == released[b][kAge] && released[a][kWork] == released[b][kWork];
  }
  std::pair<int, int> ages(size_t row) const {
    const std::string& cell = released[row][kAge];
    if (cell == "*") return {INT_MIN, INT_MAX};
    if (cell[0] != '[') return {std::stoi(cell), std::stoi(cell)};
    return {std::stoi(cell.substr(1)), std::stoi(cell.substr(cell.find(',') + 1))};
  }
  bool covers(size_t row, size_t column, const std::string& value) const {
    if (column == kWork) return released[row][kWork] == "*" || released[row][kWork] == value;
    return ages(row).first <= std::stoi(value) && std::stoi(value) <= ages(row).second;
  }
  bool recoded(size_t row, size_t column) const { return released[row][column] != raw[row][column]; }
  uint64_t group_size(size_t row, const std::vector<size_t>& further) const {
    uint64_t size = 0;
    for (size_t other = 0; other < raw.size(); ++other) {
      size += alike(row, other) &&
              std::all_of(further.begin(), further.end(), [&](size_t j) { return raw[row][j] == raw[other][j]; });
    }
    return size;
  }
};

inline const Finding* find(const std::vector<Finding>& findings, const std::string& code, const std::string& column) {
  for (const Finding& finding : findings) {
    if (finding.code == code && (column.empty() || finding.columns == std::vector{column})) return &finding;
  }
  return nullptr;
}
inline double number(const Finding& finding, const std::string& name) {
  for (const auto& [key, value] : finding.numbers) {
    if (key == name) return value;
  }
  return NAN;
}

}  // namespace shoal::testing::examined
