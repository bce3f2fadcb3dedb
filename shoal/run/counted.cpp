#include "shoal/run/counted.h"

namespace shoal {

std::string with_commas(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

std::string noun_after(uint64_t number, std::string_view one, std::string_view several) {
  if (number == 1) return std::string(one);
  return several.empty() ? std::string(one) + "s" : std::string(several);
}

std::string counted(uint64_t number, std::string_view one, std::string_view several) {
  return with_commas(number) + " " + noun_after(number, one, several);
}

}  // namespace shoal
