// What the searches of several fragments say, told once.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace shoal {

class NoticesOfFragments {
 public:
  // Notices that differ in their numbers alone are one: the first is told.
  void add(const std::string& notice);
  // "in 3 of 5 fragments: ..." where not all of so many said it.
  std::vector<std::string> told(size_t fragments) const;

 private:
  struct Notice {
    std::string first;
    size_t times = 0;
  };
  std::map<std::string, Notice> by_kind_;
};

}  // namespace shoal
