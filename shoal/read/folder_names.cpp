#include "shoal/read/folder_names.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <system_error>

namespace shoal {

std::vector<std::string> names_in_folder(const std::string& folder) {
  struct Close {
    void operator()(DIR* opened) const { closedir(opened); }
  };
  const std::unique_ptr<DIR, Close> opened(opendir(folder.c_str()));
  if (!opened) throw std::system_error(errno, std::generic_category());
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(opened.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) throw std::system_error(errno, std::generic_category());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace shoal
