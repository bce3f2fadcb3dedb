// Which cells are missing: the one place that decides it.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

// The empty cell, and the texts that the job lists ("?", "NA"). Texts are compared as they stand: case and blanks
// count.
class MissingTexts {
 public:
  MissingTexts() = default;
  explicit MissingTexts(std::span<const std::string> listed) : listed_(listed.begin(), listed.end()) {}

  bool operator()(std::string_view text) const {
    return text.empty() || std::find(listed_.begin(), listed_.end(), text) != listed_.end();
  }
  // As listed, without the empty text.
  const std::vector<std::string>& listed() const { return listed_; }

 private:
  std::vector<std::string> listed_;  // a handful: a scan is as fast as anything
};

}  // namespace shoal
