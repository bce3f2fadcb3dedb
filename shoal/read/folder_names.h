// What lies in a folder.
#pragma once

#include <string>
#include <vector>

namespace shoal {

// The names of its files and folders, sorted. Throws std::system_error where it cannot be read. By the C library:
// std::filesystem's iterators end the program when memory is short, also the ones that throw.
std::vector<std::string> names_in_folder(const std::string& folder);

}  // namespace shoal
