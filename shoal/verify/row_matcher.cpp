#include "shoal/verify/row_matcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/run/counted.h"

namespace shoal {

Misfit cell_misfit(uint64_t released_row, const ComparedColumn& column, std::string_view original,
                   std::string_view released) {
  // A number with decimals may be a mean that nobody said could be there.
  const bool mean = column.coverage && column.coverage->numeric() && !column.coverage->means_allowed() &&
                    released.find('.') != std::string_view::npos && Decimal::parse(released);
  return {fmt::format("released row {}: the cell of the column '{}' does not {} the original{}", released_row + 1,
                      column.name, column.coverage ? "cover" : "equal",
                      mean ? " (means are checked when the job names the method that released them)" : ""),
          fmt::format("'{}' for '{}'", released, original)};
}

std::optional<Misfit> contradictions(const std::vector<ComparedColumn>& columns) {
  for (const ComparedColumn& column : columns) {
    if (!column.coverage) continue;
    if (const auto wrong = column.coverage->contradiction()) {
      return Misfit{
          fmt::format("the column '{}' holds texts that are no numbers, but a cell was released as a number "
                      "that is written in another way; unless the job calls it numeric, only its text will do",
                      column.name),
          fmt::format("'{}' for '{}'; '{}' is no number", wrong->released, wrong->original, wrong->code)};
    }
  }
  return std::nullopt;
}

RowMatcher::RowMatcher(std::vector<ComparedColumn>& columns, TextStream& release, TextStream& original,
                       std::span<const uint32_t> row_of_release)
    : columns_(columns), release_(release), original_(original), row_of_release_(row_of_release) {}

void RowMatcher::feed(MeanCheck* means, std::vector<size_t> alike) {
  means_ = means;
  alike_ = std::move(alike);
}

Pairing RowMatcher::run() {
  bool more_release = next_release(), more_original = next_original();
  while (more_release && more_original) {
    size_t wanted = std::min(release_.size() - at_release_, original_.size() - at_original_);
    if (!row_of_release_.empty()) wanted = kept_in_a_row(wanted);
    const size_t fitting = matching(wanted);
    if (means_) add_to_means(fitting);
    released_ += fitting;
    at_release_ += fitting;
    at_original_ += fitting;
    if (fitting > 0) misfit_.reset();
    if (fitting < wanted) {
      if (!misfit_) {
        misfit_ = cell_misfit(released_, columns_[misfit_column_], original_.cell(misfit_column_, at_original_),
                              release_.cell(misfit_column_, at_release_));
      }
      if (!row_of_release_.empty()) break;
    }
    if (fitting < wanted || wanted == 0) {
      ++at_original_;
      ++skipped_;
    }
    if (at_release_ == release_.size()) more_release = next_release();
    if (at_original_ == original_.size()) more_original = next_original();
  }
  if (more_release) {
    if (!misfit_) misfit_ = Misfit{"the release has more rows than the original", ""};
    return {released_, released_ + skipped_, misfit_};
  }
  while (more_original) {
    skipped_ += original_.size() - at_original_;
    more_original = next_original();
  }
  Pairing pairing{released_, released_ + skipped_, contradictions(columns_)};
  if (!row_of_release_.empty() && released_ < row_of_release_.size()) {
    pairing.misfit = Misfit{
        fmt::format("the release has {}, and {} were kept", counted(released_, "row"), row_of_release_.size()), ""};
  }
  return pairing;
}

// Whoever reads the original must not take this stream's trouble for its own.
bool RowMatcher::next_release() {
  at_release_ = 0;
  try {
    return release_.next();
  } catch (...) {
    throw ReleaseStreamFailed{std::current_exception()};
  }
}

bool RowMatcher::next_original() {
  at_original_ = 0;
  return original_.next();
}

void RowMatcher::add_to_means(size_t count) {
  std::vector<std::string_view> released(alike_.size()), original(alike_.size());
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < alike_.size(); ++j) {
      released[j] = release_.cell(alike_[j], at_release_ + i);
      original[j] = original_.cell(alike_[j], at_original_ + i);
    }
    means_->add(released, original);
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
      if (!columns_[j].fits(original_.cell(j, at_original_ + i), release_.cell(j, at_release_ + i))) {
        count = i;
        misfit_column_ = j;
      }
    }
  }
  return count;
}

}  // namespace shoal
