// Inline SVG plots for the HTML report. Colours come from the page's CSS classes, so that they follow light and dark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shoal {

// Text safe inside HTML and quoted attributes.
std::string html_escaped(std::string_view text);

// One line of a bar plot: a name and one or two shares in [0,1] (values outside are cut off at the ends).
struct Bar {
  std::string name;
  std::vector<double> shares;
  std::vector<std::string> labels;  // as printed at the end of each bar
};

// Horizontal bars from 0 to 1, all on one scale. Two shares in a bar are "before" and "after". `title` is read out by
// screen readers.
std::string bar_plot(const std::vector<Bar>& bars, std::string_view title);

// One bar cut into parts in proportion; parts below half a percent are not drawn. At most 6 parts have colours.
struct Part {
  std::string name;
  double amount = 0;
  std::string label;
};
std::string stacked_bar(const std::vector<Part>& parts, std::string_view title);

}  // namespace shoal
