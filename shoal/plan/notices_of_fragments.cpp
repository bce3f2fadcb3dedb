#include "shoal/plan/notices_of_fragments.h"

#include <fmt/format.h>

#include <cctype>

namespace shoal {

void NoticesOfFragments::add(const std::string& notice) {
  std::string kind;
  for (char c : notice) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) kind += c;
  }
  Notice& known = by_kind_[kind];
  if (known.times++ == 0) known.first = notice;
}

std::vector<std::string> NoticesOfFragments::told(size_t fragments) const {
  std::vector<std::string> notices;
  for (const auto& [kind, notice] : by_kind_) {
    notices.push_back(notice.times == fragments
                          ? notice.first
                          : fmt::format("in {} of {} fragments: {}", notice.times, fragments, notice.first));
  }
  return notices;
}

}  // namespace shoal
