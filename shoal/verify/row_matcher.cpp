#include "shoal/verify/row_matcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/table/number.h"

namespace shoal {
namespace {

bool advance(TextStream& stream, size_t& at) {
  at = 0;
  return stream.next();
}

}  // namespace

RowMatcher::RowMatcher(std::vector<ComparedColumn>& columns, TextStream& release, TextStream& original,
                       std::span<const uint32_t> row_of_release, std::vector<size_t> alike)
    : columns_(columns),
      release_(release),
      original_(original),
      row_of_release_(row_of_release),
      alike_(std::move(alike)),
      means_(columns_of_means()) {}

VerificationCheck RowMatcher::run() {
  bool more_release = release_.next(), more_original = original_.next();
  while (more_release && more_original) {
    size_t wanted = std::min(release_.size() - at_release_, original_.size() - at_original_);
    if (!row_of_release_.empty()) wanted = kept_in_a_row(wanted);
    const size_t fitting = matching(wanted);
    if (!alike_.empty()) add_to_means(fitting);
    released_ += fitting;
    at_release_ += fitting;
    at_original_ += fitting;
    if (fitting > 0) misfit_.clear();
    if (fitting < wanted) {
      if (misfit_.empty()) misfit_ = describe_misfit();
      if (!row_of_release_.empty()) break;
    }
    if (fitting < wanted || wanted == 0) {
      ++at_original_;
      ++skipped_;
    }
    if (at_release_ == release_.size()) more_release = advance(release_, at_release_);
    if (at_original_ == original_.size()) more_original = advance(original_, at_original_);
  }
  while (more_original) {
    skipped_ += original_.size() - at_original_;
    more_original = advance(original_, at_original_);
  }
  if (more_release) {
    return {"coverage", false,
            misfit_.empty() ? "the release has more rows than the original"
                            : fmt::format("released row {}: {}", released_ + 1, misfit_)};
  }
  if (!row_of_release_.empty() && released_ < row_of_release_.size()) {
    return {"coverage", false,
            fmt::format("the release has {} rows, and {} were kept", released_, row_of_release_.size())};
  }
  return {"coverage", true,
          fmt::format("{} released rows cover their originals, {} rows dropped", released_, skipped_)};
}

std::optional<VerificationCheck> RowMatcher::means() const {
  if (alike_.empty()) return std::nullopt;
  if (skipped_ > 0 && row_of_release_.empty()) {
    return VerificationCheck{"means", true,
                             "not checked: rows were dropped, and which ones only the program that dropped them knows"};
  }
  return means_.result();
}

std::vector<MeanCheck::Column> RowMatcher::columns_of_means() const {
  std::vector<MeanCheck::Column> columns;
  for (size_t j : alike_) columns.push_back({columns_[j].name, columns_[j].coverage->numeric()});
  return columns;
}

void RowMatcher::add_to_means(size_t count) {
  std::vector<std::string_view> released(alike_.size()), original(alike_.size());
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < alike_.size(); ++j) {
      released[j] = release_.cell(alike_[j], at_release_ + i);
      original[j] = original_.cell(alike_[j], at_original_ + i);
    }
    means_.add(released, original);
  }
}

size_t RowMatcher::kept_in_a_row(size_t count) const {
  const uint64_t row = released_ + skipped_;
  size_t kept = 0;
  while (kept < count && released_ + kept < row_of_release_.size() && row_of_release_[released_ + kept] == row + kept) {
    ++kept;
  }
  return kept;
}

size_t RowMatcher::matching(size_t count) {
  for (size_t j = 0; j < columns_.size(); ++j) {
    for (size_t i = 0; i < count; ++i) {
      const std::string_view original = original_.cell(j, at_original_ + i),
                             released = release_.cell(j, at_release_ + i);
      if (!(columns_[j].coverage ? columns_[j].coverage->covers(original, released) : same_text(original, released))) {
        count = i;
        misfit_column_ = j;
      }
    }
  }
  return count;
}

std::string RowMatcher::describe_misfit() const {
  const size_t j = misfit_column_;
  const std::string_view released = release_.cell(j, at_release_);
  const bool mean = columns_[j].coverage && columns_[j].coverage->numeric() && alike_.empty() &&
                    released.find('.') != std::string_view::npos && parse_number(released);
  return fmt::format("'{}' in the column '{}' does not {} '{}'{}", released, columns_[j].name,
                     columns_[j].coverage ? "cover the original" : "equal the original",
                     original_.cell(j, at_original_),
                     mean ? " (means are checked when the job names the method that released them)" : "");
}

}  // namespace shoal
