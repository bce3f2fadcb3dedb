// Which Shoal this is.
#pragma once

#include <string_view>

namespace shoal {

std::string_view version();  // "0.1.0"

}  // namespace shoal
