// Files that are a part of the program: htmx, our script and our style sheet (cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace shoal::web {

struct Asset {
  std::string_view name;  // without folder
  std::string_view content;
};
std::span<const Asset> assets();

}  // namespace shoal::web
