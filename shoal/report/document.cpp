#include "shoal/report/document.h"

#include <type_traits>
#include <utility>

namespace shoal {

Value Value::counts(const std::vector<uint64_t>& counts) {
  return {Unit::count, std::vector<double>(counts.begin(), counts.end())};
}

Value Value::or_nothing() && {
  const bool empty = std::visit(
      [](const auto& held) {
        if constexpr (requires { held.empty(); }) {
          return held.empty();
        } else {
          return std::is_same_v<std::decay_t<decltype(held)>, std::monostate>;
        }
      },
      content);
  return empty ? nothing() : std::move(*this);
}

Value Value::as_data() && {
  holds_data = true;
  return std::move(*this);
}

Fact for_machines(std::string key, Value value) {
  return {std::move(key), "", std::move(value), "", Direction::neutral, kMachines};
}
Paragraph for_people(std::string words) { return {Value::text(std::move(words)), kPeople}; }

}  // namespace shoal
