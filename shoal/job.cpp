#include "shoal/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <thread>

#include "shoal/error.h"

namespace shoal {
namespace {

// Case and the two ways to join words do not count as slips.
std::string folded(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Edit distance where swapping two neighbours is one slip, too (optimal string alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::string to_string(Role role) {
  switch (role) {
    case Role::plain:
      return "plain";
    case Role::identifier:
      return "identifier";
    case Role::quasi:
      return "quasi";
    case Role::sensitive:
      return "sensitive";
    case Role::target:
      return "target";
  }
  return "";
}

std::string to_string(ColumnType type) {
  switch (type) {
    case ColumnType::automatic:
      return "automatic";
    case ColumnType::numeric:
      return "numeric";
    case ColumnType::categorical:
      return "categorical";
  }
  return "";
}

ColumnJob& Job::column(std::string_view name) {
  for (ColumnJob& entry : columns) {
    if (entry.name == name) return entry;
  }
  columns.push_back({});
  columns.back().name = name;
  return columns.back();
}

const ColumnJob* Job::find_column(std::string_view name) const {
  for (const ColumnJob& entry : columns) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

uint64_t parse_memory(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  std::string name = folded(unit);
  double factor = 1;
  if (!name.empty() && name.back() == 'b') name.pop_back();
  const bool binary = name.size() == 2 && name[1] == 'i';
  if (binary) name.pop_back();
  const size_t power = name.empty() ? 0 : std::string_view("kmgt").find(name) + 1;
  if (name.size() <= 1 && power > 0) factor = std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power));
  const bool unit_known = name.empty() ? !binary : name.size() == 1 && power > 0;
  if (error != std::errc{} || !unit_known || !(number >= 0) || number * factor >= 0x1p63) {
    throw Error(
        ErrorKind::job,
        fmt::format("'{}' is not an amount of memory; write a number and a unit, as in 512MB, 2GB or 1.5GiB", text));
  }
  return static_cast<uint64_t>(number * factor);
}

std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string wanted = folded(word);
  // One slip in three letters, at most three; a word without a letter in common is never near.
  size_t best_distance =
      std::min({size_t{3}, std::max<size_t>(1, wanted.size() / 3), std::max<size_t>(1, wanted.size()) - 1});
  ++best_distance;
  std::optional<std::string> best;
  for (const std::string& candidate : candidates) {
    if (candidate == word) continue;
    const size_t distance = edit_distance(wanted, folded(candidate));
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto nearest = nearest_word(word, candidates);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

int Job::thread_count() const {
  return threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

uint64_t c_avg_k(const Job& job) {
  uint64_t largest = 1;
  for (const RequirementJob& requirement : job.requirements) largest = std::max(largest, requirement.k);
  return job.k.value_or(largest);
}

}  // namespace shoal
