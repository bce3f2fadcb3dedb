// Where the data sets are, for tests that want them; such tests skip, by name, where there are none.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "testing/places.h"

namespace shoal::testing {

// The folder in the environment variable SHOAL_DATA, else shared/data beside the source folder, if it is there.
inline std::optional<std::filesystem::path> data_folder() {
  const char* given = std::getenv("SHOAL_DATA");
  const std::filesystem::path folder =
      given != nullptr ? given : std::filesystem::path(kSourceFolder) / "../shared/data";
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return folder;
  return std::nullopt;
}

}  // namespace shoal::testing
