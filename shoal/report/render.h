// A document drawn for its readers. Renderers alone escape: builders hand over names and values as they are.
#pragma once

#include <string>
#include <string_view>

#include "shoal/report/document.h"

namespace shoal {

// For whom a rendering is. One for internal use shows everything and says in its first line that it may hold values of
// the table; one for the public leaves marked values out and shows files without their folders.
enum class Audience { internal, everyone };

// Plain lines, aligned, no colour codes; control characters in names become '?'. For the user who runs the program.
std::string terminal_text(const Document& document);

// An object, indented, with a newline at the end. Numbers read back as they were; those that are not finite are null;
// bytes that are no UTF-8 are replaced. Its first members are `audience` and, for internal use, `holds_data`: the paths
// of the values that were marked ("verification.checks[0].detail"). For the public these are null.
std::string json_text(const Document& document, Audience audience = Audience::internal);

// One self-contained page without scripts or outside resources, for screens of any width, light and dark, and paper.
std::string html_page(const Document& document, Audience audience = Audience::internal);

// For a door that shows documents on pages of its own: the same drawing without title and frame, its style sheet, and
// how a text is escaped there (html_lines keeps line ends; other control characters become '?').
std::string html_inside(const Document& document, Audience audience = Audience::internal);
std::string_view html_style();
std::string html_text(std::string_view text);
std::string html_lines(std::string_view text);

}  // namespace shoal
