#include "shoal/report/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/report/format.h"

namespace shoal {
namespace {

constexpr double kWidth = 720, kNames = 190, kLabels = 76;  // of the drawing, its names and its labels, in SVG units
constexpr double kBar = 14, kGap = 12, kPairGap = 3, kAxis = 22;
constexpr size_t kNameCharacters = 26;

double cut_off(double share) { return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0; }

std::string axis(double height) {
  std::string svg;
  const double span = kWidth - kNames - kLabels;
  for (int tick = 0; tick <= 4; ++tick) {
    const double x = kNames + span * tick / 4;
    svg += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"0\" x2=\"{0:.1f}\" y2=\"{1:.1f}\"/>", x, height);
    svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{} %</text>", x,
                       height + 16, tick * 25);
  }
  return svg;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
  }
  return result;
}

std::string bar_plot(const std::vector<Bar>& bars, std::string_view title) {
  const double span = kWidth - kNames - kLabels;
  std::string rows;
  double y = kGap / 2;
  for (const Bar& bar : bars) {
    const auto count = static_cast<double>(bar.shares.size());
    const double block = count * kBar + (count - 1) * kPairGap;
    rows += fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\"><title>{}</title>{}</text>",
                        kNames - 10, y + block / 2 + 4, html_escaped(bar.name),
                        html_escaped(shortened(printable(bar.name), kNameCharacters)));
    for (size_t i = 0; i < bar.shares.size(); ++i) {
      const double top = y + static_cast<double>(i) * (kBar + kPairGap);
      const double length = span * cut_off(bar.shares[i]);
      const char* kind = bar.shares.size() == 2 && i == 0 ? "before" : "after";
      rows += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\"/>",
                          kind, kNames, top, std::max(length, 1.0), kBar);
      rows += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", kNames + length + 6,
                          top + kBar - 3, html_escaped(i < bar.labels.size() ? bar.labels[i] : ""));
    }
    y += block + kGap;
  }
  const double height = y - kGap / 2;
  return fmt::format(
      "<div class=\"wide\"><svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">{}{}</svg></div>\n",
      kWidth, height + kAxis, html_escaped(title), axis(height), rows);
}

std::string stacked_bar(const std::vector<Part>& parts, std::string_view title) {
  double total = 0;
  for (const Part& part : parts) total += std::max(0.0, part.amount);
  std::string svg, legend;
  double x = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const double share = total > 0 ? std::max(0.0, parts[i].amount) / total : 0;
    legend += fmt::format("<li><span class=\"key part{}\"></span>{} <b>{}</b></li>", i % 6, html_escaped(parts[i].name),
                          html_escaped(parts[i].label));
    if (share < 0.005) continue;
    svg += fmt::format(
        "<rect class=\"part{}\" x=\"{:.1f}\" y=\"0\" width=\"{:.1f}\" height=\"22\"><title>{} {}</title></rect>", i % 6,
        x, std::max(1.0, share * kWidth - 2), html_escaped(parts[i].name), html_escaped(parts[i].label));
    x += share * kWidth;
  }
  return fmt::format(
      "<div class=\"wide\"><svg viewBox=\"0 0 {:.0f} 22\" role=\"img\" aria-label=\"{}\">{}</svg></div>\n<ul "
      "class=\"legend\">{}</ul>\n",
      kWidth, html_escaped(title), svg, legend);
}

}  // namespace shoal
