// `shoal serve`: the whole way from a table to a release as pages on this machine, for one person (docs/serve.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "shoal/shoal.h"

namespace shoal::web {

struct ServeSettings {
  std::string place;  // a folder, or a table or job in it to begin with; "": the current folder
  uint16_t port = 0;  // 0: any that is free
};

// What to tell the person at the terminal once the page can be opened.
struct Serving {
  std::string address;  // with the token, which works once
  std::string folder;
};

// Makes the folder the current one of the process, serves it, and returns when `progress` is cancelled: runs are
// cancelled and waited for, and what was temporary is gone. Throws Error(job) for a place or port that cannot be
// served.
void serve(const ServeSettings& settings, const std::function<void(const Serving&)>& told, const Progress& progress);

}  // namespace shoal::web
