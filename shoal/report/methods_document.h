// The methods of the registry, as documents.
#pragma once

#include <string>

#include "shoal/method/method.h"
#include "shoal/report/document.h"

namespace shoal {

// The list of methods.
Document methods_document();
// The same as a Markdown table with a link to each page and the papers, for the README.
std::string methods_markdown();
// All about one: its properties, its parameters.
Document method_document(const MethodEntry& method);

}  // namespace shoal
