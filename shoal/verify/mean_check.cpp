#include "shoal/verify/mean_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace shoal {
namespace {

constexpr size_t kLeastDecimals = 2;

size_t decimals(std::string_view number) {
  const size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : number.size() - point - 1;
}

// Is `mean` total / count rounded to that many decimals? Either way for a tie. |total - count * mean| may be at most
// count halves of the last place: all in whole numbers of decimals, without rounding.
bool is_mean(const ExactSum& total, uint64_t count, const Decimal& mean, size_t places) {
  const auto rows = static_cast<int64_t>(count);
  ExactSum twice_off;
  twice_off.add(total, 2);
  twice_off.add(mean, -2 * rows);
  const Decimal last_place = Decimal::from_digits(false, "1", -static_cast<int64_t>(places));
  ExactSum above = twice_off, below = twice_off;
  above.add(last_place, -rows);
  below.add(last_place, rows);
  return above.sign() <= 0 && below.sign() >= 0;
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
      if (columns_[j].averaged) sums_[combination * columns_.size() + j].released = Decimal::parse(released[j]);
    }
  }
  for (size_t j = 0; j < columns_.size(); ++j) {
    Sum& sum = sums_[combination * columns_.size() + j];
    if (!sum.released) continue;
    const auto number = Decimal::parse(original[j]);
    if (!number) continue;
    sum.total.add(*number);
    ++sum.numbers;
    sum.equal += *number == *sum.released;
  }
  ++combinations_[combination].rows;
  ++rows_;
}

VerificationCheck MeanCheck::result() const {
  uint64_t means = 0;
  for (size_t combination = 0; combination < combinations_.size(); ++combination) {
    for (size_t j = 0; j < columns_.size(); ++j) {
      const Sum& sum = sums_[combination * columns_.size() + j];
      if (!sum.released || sum.equal == combinations_[combination].rows) continue;
      const std::string_view text = cells_of(keys_.texts()[combination])[j];
      if (sum.numbers < combinations_[combination].rows || decimals(text) < kLeastDecimals ||
          !is_mean(sum.total, sum.numbers, *sum.released, decimals(text))) {
        return failure(combination, j);
      }
      ++means;
    }
  }
  return {"means", CheckResult::passed, fmt::format("{} released means are those of their originals", means)};
}

VerificationCheck MeanCheck::failure(size_t combination, size_t column) const {
  const Sum& sum = sums_[combination * columns_.size() + column];
  const uint64_t rows = combinations_[combination].rows;
  const std::string_view text = cells_of(keys_.texts()[combination])[column];
  return {
      "means", CheckResult::failed,
      fmt::format("released row {}: the number in the column '{}' is not the mean of the {} originals that it stands "
                  "for{}",
                  combinations_[combination].first_row + 1, columns_[column].name, rows,
                  sum.numbers < rows ? ", which are not all numbers" : ""),
      sum.numbers < rows ? fmt::format("'{}'", text)
                         : fmt::format("'{}', and the mean is {}", text,
                                       mean_text(sum.total, sum.numbers, static_cast<int>(decimals(text))))};
}

}  // namespace shoal
