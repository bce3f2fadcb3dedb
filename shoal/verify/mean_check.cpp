#include "shoal/verify/mean_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "shoal/method/method.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr size_t kLeastDecimals = 2;

size_t decimals(std::string_view number) {
  const size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : number.size() - point - 1;
}

// The cells of a key, back.
std::vector<std::string_view> cells_of(std::string_view key) {
  std::vector<std::string_view> cells;
  while (!key.empty()) {
    uint32_t length = 0;
    std::memcpy(&length, key.data(), sizeof length);
    cells.push_back(key.substr(sizeof length, length));
    key.remove_prefix(sizeof length + length);
  }
  return cells;
}

}  // namespace

std::vector<std::string> columns_with_means(const Job& job) {
  const MethodEntry* method = find_method(job.method);
  std::vector<std::string> columns;
  if (!method || !method->releases_means) return columns;
  const bool all = job.k || job.requirements.empty();
  for (const ColumnJob& column : job.columns) {
    const bool asked =
        std::any_of(job.requirements.begin(), job.requirements.end(), [&](const RequirementJob& requirement) {
          return std::find(requirement.columns.begin(), requirement.columns.end(), column.name) !=
                 requirement.columns.end();
        });
    if (column.role == Role::quasi && (all || asked)) columns.push_back(column.name);
  }
  return columns;
}

void MeanCheck::add(std::span<const std::string_view> released, std::span<const std::string_view> original) {
  key_.clear();
  for (std::string_view cell : released) {
    const auto length = static_cast<uint32_t>(cell.size());
    key_.append(reinterpret_cast<const char*>(&length), sizeof length);
    key_.append(cell);
  }
  const size_t combination = keys_.code(key_);
  if (combination == combinations_.size()) {
    combinations_.push_back({rows_, 0});
    sums_.resize(sums_.size() + columns_.size());
    for (size_t j = 0; j < columns_.size(); ++j) {
      const auto number = columns_[j].averaged ? parse_number(released[j]) : std::nullopt;
      sums_[combination * columns_.size() + j].released = number.value_or(std::nan(""));
    }
  }
  for (size_t j = 0; j < columns_.size(); ++j) {
    Sum& sum = sums_[combination * columns_.size() + j];
    if (std::isnan(sum.released)) continue;
    const auto number = parse_number(original[j]);
    if (!number) continue;
    sum.total += *number;
    ++sum.numbers;
    sum.equal += *number == sum.released;
  }
  ++combinations_[combination].rows;
  ++rows_;
}

VerificationCheck MeanCheck::result() const {
  uint64_t means = 0;
  for (size_t combination = 0; combination < combinations_.size(); ++combination) {
    for (size_t j = 0; j < columns_.size(); ++j) {
      const Sum& sum = sums_[combination * columns_.size() + j];
      if (std::isnan(sum.released) || sum.equal == combinations_[combination].rows) continue;
      const std::string_view text = cells_of(keys_.texts()[combination])[j];
      const double mean = sum.total / static_cast<double>(sum.numbers);
      const double rounding = 0.5 * std::pow(10, -static_cast<double>(decimals(text))) + 1e-9 * std::abs(mean) + 1e-12;
      if (sum.numbers < combinations_[combination].rows || decimals(text) < kLeastDecimals ||
          std::abs(mean - sum.released) > rounding) {
        return {"means", false, culprit(combination, j)};
      }
      ++means;
    }
  }
  return {"means", true, fmt::format("{} released means are those of their originals", means)};
}

std::string MeanCheck::culprit(size_t combination, size_t column) const {
  const Sum& sum = sums_[combination * columns_.size() + column];
  return fmt::format(
      "released row {}: '{}' in the column '{}' is not the mean of the {} originals that it stands for{}",
      combinations_[combination].first_row + 1, cells_of(keys_.texts()[combination])[column], columns_[column].name,
      combinations_[combination].rows,
      sum.numbers < combinations_[combination].rows
          ? ", which are not all numbers"
          : fmt::format(" ({})", sum.total / static_cast<double>(sum.numbers)));
}

}  // namespace shoal
