#include "shoal/report/notice_remarks.h"

#include <set>
#include <utility>

namespace shoal {

Remarks notice_remarks(const Notices& notices, Readers readers, std::string lead) {
  Remarks remarks{"notices", std::move(lead), {}, readers};
  std::set<std::string> said;
  for (const std::string& notice : notices.data_notices) {
    if (said.insert(notice).second) remarks.remarks.push_back(Value::text(notice).as_data());
  }
  for (const std::string& notice : notices.notices) {
    if (said.insert(notice).second) remarks.remarks.push_back(Value::text(notice));
  }
  return remarks;
}

void add_notices(Document& document, const Notices& notices) {
  if (document.sections.empty()) document.sections.emplace_back();
  document.sections.front().blocks.push_back(notice_remarks(notices));
}

}  // namespace shoal
