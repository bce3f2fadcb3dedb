// What `apply` did: new rows recoded by an earlier recoding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/report/document.h"

namespace shoal {

struct ApplyReport {
  uint64_t rows = 0;
  struct PerColumn {
    std::string name;
    uint64_t unseen_values = 0, unseen_rows = 0;
  };
  std::vector<PerColumn> columns;     // the recoded ones
  std::vector<std::string> left_out;  // columns that the release it was made for does not have
  std::vector<std::string> notices;   // what was found out about the table by looking
};

Document apply_document(const ApplyReport& report);

}  // namespace shoal
