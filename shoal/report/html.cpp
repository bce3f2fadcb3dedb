#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "shoal/report/format.h"
#include "shoal/report/html_style.h"
#include "shoal/report/plots.h"
#include "shoal/report/report.h"

// No scripts and no outside resources: the page can be mailed and archived. It shows names of columns and files, but no
// values of the table; of failed checks only the names, since their details quote the culprits.

namespace shoal {
namespace {

// A table cell or heading; numbers stand to the right. `html` is already escaped.
std::string cell(std::string_view html, bool number = false) {
  return fmt::format("<td{}>{}</td>", number ? " class=\"n\"" : "", html);
}

std::string table_head(std::initializer_list<std::pair<const char*, bool>> names) {
  std::string head = "<div class=\"wide\"><table><tr>";
  for (const auto& [name, number] : names) head += fmt::format("<th{}>{}</th>", number ? " class=\"n\"" : "", name);
  return head + "</tr>\n";
}
constexpr const char* kTableEnd = "</table></div>\n";

std::string section(const char* title, const std::string& body) {
  return fmt::format("<section><h2>{}</h2>\n{}</section>\n", title, body);
}

std::string mark(bool ok, const char* yes, const char* no) {
  return fmt::format("<span class=\"mark {}\">{}</span>", ok ? "yes" : "no", ok ? yes : no);
}

std::string file_name(const std::string& path) {
  if (path == "-") return "standard input/output";
  return std::filesystem::path(path).filename().string();
}

std::string verdict(const Report& report) {
  const char* headline = "";
  switch (report.status) {
    case Status::released:
      headline = "Released and verified: every requirement holds.";
      break;
    case Status::unsatisfied:
      headline = "Not released: no recoding satisfies the requirements.";
      break;
    case Status::verification_failed:
      headline = "Not released: the release failed its verification.";
      break;
  }
  const std::string reason = report.reason.empty() ? "" : fmt::format("<p>{}</p>", html_escaped(report.reason));
  return fmt::format("<div class=\"verdict {}\">{}{}</div>\n", report.status == Status::released ? "good" : "bad",
                     headline, reason);
}

std::string notices(const Report& report) {
  if (report.notices.empty()) return "";
  std::string items;
  for (const std::string& notice : report.notices) items += fmt::format("<li>{}</li>", html_escaped(notice));
  return fmt::format("<div class=\"note\"><b>To know</b><ul>{}</ul></div>\n", items);
}

std::string tiles(const Report& report, bool measured) {
  std::string html = "<div class=\"tiles\">";
  const auto tile = [&](const std::string& value, const std::string& name) {
    html += fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>", html_escaped(value), html_escaped(name));
  };
  tile(with_commas(report.rows_in), "rows in");
  if (measured) {
    tile(with_commas(report.rows_out), "rows out");
    tile(with_commas(report.rows_dropped), "rows dropped");
    tile(with_commas(report.risk.smallest_group), "rows in the smallest group");
    tile(percent(report.measures.gcp), "information lost (GCP)");
    tile(percent(report.risk.prosecutor_max), "highest risk of a row");
  }
  return html + "</div>\n";
}

std::string requirements(const Report& report, bool measured) {
  std::string html =
      "<p class=\"soft\">Every combination of released values on these columns occurs in at least k rows.</p>" +
      table_head({{"columns", false}, {"k", true}, {"smallest group", true}, {"", false}});
  for (const RequirementReport& requirement : report.requirements) {
    std::string names;
    for (const std::string& name : requirement.columns) names += (names.empty() ? "" : ", ") + html_escaped(name);
    html += "<tr>" + cell(names) + cell(with_commas(requirement.k), true) +
            cell(measured ? with_commas(requirement.min_group) : "-", true) +
            cell(mark(requirement.ok, "holds", "not met")) + "</tr>\n";
  }
  return section("Requirements", html + kTableEnd);
}

std::string columns(const Report& report) {
  if (report.columns.empty()) return "";
  std::vector<Bar> bars;
  std::string table = table_head({{"column", false},
                                  {"type", false},
                                  {"hierarchy", false},
                                  {"values in", true},
                                  {"values out", true},
                                  {"level", true},
                                  {"lost", true}});
  for (const ColumnReport& column : report.columns) {
    bars.push_back({column.name, {column.gcp}, {percent(column.gcp)}});
    const std::string level =
        column.level && column.height ? fmt::format("{} of {}", *column.level, *column.height) : "-";
    table += "<tr>" + cell(html_escaped(column.name)) + cell(html_escaped(column.type)) +
             cell(html_escaped(file_name(column.hierarchy))) + cell(with_commas(column.values_in), true) +
             cell(with_commas(column.values_out), true) + cell(level, true) + cell(percent(column.gcp), true) +
             "</tr>\n";
  }
  return section("What each column lost", "<p class=\"soft\">0 %: released as it was. 100 %: nothing left but *.</p>" +
                                              bar_plot(bars, "Share of information lost, by column") + table +
                                              kTableEnd);
}

std::string risks(const Report& report) {
  const Risk &before = report.risk_before, &after = report.risk;
  const auto share = [](uint64_t part, uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  std::vector<Bar> bars;
  const auto bar = [&](std::string name, double then, double now) {
    bars.push_back({std::move(name), {then, now}, {percent(then), percent(now)}});
  };
  bar("highest risk of a row", before.prosecutor_max, after.prosecutor_max);
  bar("average risk", before.prosecutor_average, after.prosecutor_average);
  bar("rows above " + percent(after.threshold) + " risk", before.share_above_threshold, after.share_above_threshold);
  bar("unique rows", share(before.uniques, report.rows_in), share(after.uniques, report.rows_out));

  std::string table = table_head({{"groups of rows that look alike", false}, {"before", true}, {"after", true}});
  const auto row = [&](const char* name, const std::string& then, const std::string& now) {
    table += "<tr>" + cell(name) + cell(then, true) + cell(now, true) + "</tr>\n";
  };
  row("number of groups", with_commas(before.groups), with_commas(after.groups));
  row("smallest group", with_commas(before.smallest_group), with_commas(after.smallest_group));
  row("average group", decimal(before.average_group), decimal(after.average_group));
  row("largest group", with_commas(before.largest_group), with_commas(after.largest_group));
  row("rows alone in their group", with_commas(before.uniques), with_commas(after.uniques));
  return section("Risk of re-identification, before and after",
                 "<ul class=\"legend\"><li><span class=\"key before\"></span>before</li><li><span class=\"key "
                 "after\"></span>after</li></ul>" +
                     bar_plot(bars, "Risk before and after") + table + kTableEnd);
}

std::string measures(const Report& report) {
  const Measures& m = report.measures;
  std::string table = table_head({{"measure", false}, {"meaning", false}, {"value", true}});
  const auto row = [&](const char* name, const char* meaning, const std::string& value) {
    table += "<tr>" + cell(name) + cell(meaning) + cell(value, true) + "</tr>\n";
  };
  row("GCP", "information lost over all quasi cells", percent(m.gcp));
  row("Prec", "precision kept; 1 is the original", decimal(m.prec));
  row("LM", "Iyengar's loss", percent(m.lm));
  row("distortion ratio", "of everything at the root", percent(m.distortion_ratio));
  row("entropy ratio", "bits lost, of full suppression", percent(m.entropy_ratio));
  row("modification rate", "quasi cells changed", percent(m.modification_rate));
  row("rows", "distinct released rows", with_commas(m.rows));
  row("DM", "discernibility: group sizes squared", decimal(m.dm));
  row("C_AVG", "average group over k; 1 is ideal", decimal(m.c_avg));
  if (m.cm) row("CM", "rows outside their group's majority class", percent(*m.cm));
  row("cells suppressed", "released as *", with_commas(report.cells_suppressed));
  return section("Usefulness", table + kTableEnd);
}

std::string search(const Report& report) {
  const SearchStats& s = report.search;
  std::string table = "<div class=\"wide\"><table>\n";
  const auto row = [&](const std::string& name, const std::string& value) {
    table += "<tr>" + cell(html_escaped(name)) + cell(html_escaped(value), true) + "</tr>\n";
  };
  row("method", fmt::format("{} ({})", report.method, to_string(report.shape)));
  for (const auto& [name, value] : report.params) row("parameter " + name, value);
  row("states looked at", with_commas(s.generated));
  row("states counted", with_commas(s.expanded));
  row("states decided without counting", with_commas(s.pruned));
  row("proven best for its objective", s.optimal ? "yes" : "no");
  if (s.bound) row("bound of the objective", decimal(*s.bound));
  for (const auto& [name, value] : s.details) row(name, value);
  row("seed", std::to_string(report.seed));
  row("threads", std::to_string(report.threads));
  row("memory at most", memory_size(report.peak_memory_bytes));
  const Timings& t = report.timings;
  std::vector<Part> parts;
  const std::pair<const char*, double> stages[] = {{"read", t.read},     {"encode", t.encode}, {"search", t.search},
                                                   {"recode", t.recode}, {"write", t.write},   {"verify", t.verify}};
  for (const auto& [name, seconds] : stages) parts.push_back({name, seconds, duration(seconds)});
  return section("Search and time", fmt::format("<p>{} in all.</p>", duration(t.total)) +
                                        stacked_bar(parts, "Time by stage") + table + kTableEnd);
}

std::string verification(const Report& report) {
  if (report.verification.checks.empty()) return "";
  std::string table = table_head({{"check of the written file", false}, {"", false}, {"found", false}});
  for (const VerificationCheck& check : report.verification.checks) {
    // The detail of a failure names the culprit, which is a value of the table.
    table += "<tr>" + cell(html_escaped(check.name)) + cell(mark(check.ok, "ok", "failed")) +
             cell(check.ok ? html_escaped(check.detail) : "see the JSON report") + "</tr>\n";
  }
  return section("Verification", table + kTableEnd);
}

std::string fingerprints(const Report& report) {
  std::string table = "<div class=\"wide\"><table>\n";
  const auto row = [&](const char* name, const std::string& file, const std::string& hash) {
    if (hash.empty()) return;
    table += "<tr>" + cell(name) + cell(html_escaped(file)) + "<td class=\"f\"><code>" + html_escaped(hash) +
             "</code></td>" + "</tr>\n";
  };
  row("input", file_name(report.input), report.hashes.input);
  row("output", file_name(report.output), report.hashes.output);
  row("job", "", report.hashes.job);
  return section("Fingerprints (SHA-256)", table + kTableEnd);
}

}  // namespace

std::string to_html(const Report& report) {
  const bool measured = report.status != Status::unsatisfied;
  std::string files = html_escaped(file_name(report.input));
  if (report.status == Status::released) files += " &rarr; " + html_escaped(file_name(report.output));
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Shoal: release report</title>\n<style>" +
      std::string(kHtmlStyle) + "</style>\n</head>\n<body>\n<main>\n";
  html += fmt::format("<h1>Release report</h1>\n<p class=\"soft\">{}, method {}, Shoal {}</p>\n", files,
                      html_escaped(report.method), SHOAL_VERSION);
  html += verdict(report) + notices(report) + tiles(report, measured) + requirements(report, measured);
  if (measured) html += columns(report) + risks(report) + measures(report);
  html += verification(report) + search(report) + fingerprints(report);
  html += "<p class=\"soft\">This page holds no values of the table.</p>\n</main>\n</body>\n</html>\n";
  return html;
}

}  // namespace shoal
