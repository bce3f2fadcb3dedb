#include "shoal/read/whole_file.h"

#include <fmt/format.h>

#include <fstream>

#include "shoal/error.h"

namespace shoal {

std::string whole_file(const std::string& path, const std::string& what) {
  std::ifstream file(path, std::ios::binary);
  std::string text, part(size_t{1} << 16, '\0');
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())), file.gcount() > 0) {
    text.append(part, 0, static_cast<size_t>(file.gcount()));
  }
  if (file.bad()) throw Error(ErrorKind::input, fmt::format("cannot read {} '{}' to its end", what, path));
  return text;
}

}  // namespace shoal
