#include "shoal/job/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "shoal/error.h"
#include "shoal/run/tasks.h"

namespace shoal {
std::string to_string(Role role) {
  switch (role) {
    case Role::none:
      return "none";
    case Role::plain:
      return "plain";
    case Role::identifier:
      return "identifier";
    case Role::person:
      return "person";
    case Role::quasi:
      return "quasi";
    case Role::sensitive:
      return "sensitive";
    case Role::target:
      return "target";
  }
  return "";
}

std::string to_string(Order order) { return order == Order::released ? "released" : "input"; }

std::string to_string(ColumnType type) {
  switch (type) {
    case ColumnType::automatic:
      return "automatic";
    case ColumnType::numeric:
      return "numeric";
    case ColumnType::categorical:
      return "categorical";
    case ColumnType::ordinal:
      return "ordinal";
    case ColumnType::date:
      return "date";
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

Role Job::role_of(std::string_view name) const {
  const ColumnJob* entry = find_column(name);
  if (entry != nullptr && entry->role != Role::none) return entry->role;
  return others_plain ? Role::plain : Role::none;
}

uint64_t parse_memory(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  std::string name(unit);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
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

int Job::thread_count() const { return threads > 0 ? threads : hardware_threads(); }

uint64_t c_avg_k(const Job& job) {
  uint64_t largest = job.k.value_or(1);
  for (const RequirementJob& requirement : job.requirements) largest = std::max(largest, requirement.k);
  return largest;
}

}  // namespace shoal
