// What a careful user should know about a run, besides its answer.
#pragma once

#include <string>
#include <vector>

namespace shoal {

struct Notices {
  std::vector<std::string> notices{};       // they name files and columns, never values of the table
  std::vector<std::string> data_notices{};  // those that quote values of the table or of a hierarchy

  void add(const std::vector<std::string>& sentences) {
    notices.insert(notices.end(), sentences.begin(), sentences.end());
  }
};

}  // namespace shoal
