#include <fmt/format.h>

#include <algorithm>

#include "shoal/report/format.h"
#include "shoal/report/report.h"

namespace shoal {
namespace {

// Rows of cells, each column as wide as its widest cell; the first columns (words) to the left, the others (numbers) to
// the right.
class Grid {
 public:
  explicit Grid(size_t words = 1) : words_(words) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  std::string text() const {
    std::vector<size_t> widths;
    for (const auto& cells : rows_) {
      if (widths.size() < cells.size()) widths.resize(cells.size());
      for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
    }
    std::string result;
    for (const auto& cells : rows_) {
      std::string line = "  ";
      for (size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += "  ";
        line += i < words_ ? left(cells[i], widths[i]) : right(cells[i], widths[i]);
      }
      result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return result;
  }

 private:
  size_t words_;
  std::vector<std::vector<std::string>> rows_;
};

constexpr size_t kListWidth = 44;
constexpr size_t kNameWidth = 28;

std::string verdict(const Report& report) {
  switch (report.status) {
    case Status::released: {
      const std::string rows = report.rows_dropped == 0
                                   ? fmt::format("all {} rows", with_commas(report.rows_out))
                                   : fmt::format("{} of {} rows ({} dropped)", with_commas(report.rows_out),
                                                 with_commas(report.rows_in), with_commas(report.rows_dropped));
      return fmt::format("Released and verified: {}. Every requirement holds.\n", rows);
    }
    case Status::unsatisfied:
      return fmt::format("NOT RELEASED: no recoding satisfies the requirements. {}\n", printable(report.reason));
    case Status::verification_failed:
      return fmt::format("NOT RELEASED: the release failed its verification. {}\n", printable(report.reason));
  }
  return "";
}

std::string how(const Report& report) {
  std::string text = fmt::format("Method {} ({})", report.method, to_string(report.shape));
  for (const auto& [name, value] : report.params) text += fmt::format(", {}={}", name, printable(value));
  text += fmt::format(", seed {}", report.seed);
  if (report.search.optimal) text += ", proven best";
  return text + "\n";
}

std::string requirements_text(const Report& report, bool measured) {
  Grid grid;
  grid.row({"requirement", "k", "smallest group", ""});
  for (const RequirementReport& requirement : report.requirements) {
    grid.row({short_list(requirement.columns, kListWidth), with_commas(requirement.k),
              measured ? with_commas(requirement.min_group) : "-", requirement.ok ? "ok" : "NOT MET"});
  }
  return grid.text();
}

std::string columns_text(const Report& report) {
  Grid grid(2);
  const bool levels = std::any_of(report.columns.begin(), report.columns.end(),
                                  [](const ColumnReport& column) { return column.level && column.height; });
  grid.row({"column", "type", "values", "lost", levels ? "level" : ""});
  for (const ColumnReport& column : report.columns) {
    const std::string level =
        column.level && column.height ? fmt::format("{} of {}", *column.level, *column.height) : "";
    grid.row({shortened(printable(column.name), kNameWidth), column.type,
              fmt::format("{} -> {}", with_commas(column.values_in), with_commas(column.values_out)),
              percent(column.gcp), level});
  }
  grid.row({"all quasi columns (GCP)", "", "", percent(report.measures.gcp)});
  return grid.text();
}

std::string risk_change_text(const Risk& before, const Risk& after, uint64_t rows_in, uint64_t rows_out) {
  const auto share = [](uint64_t part, uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  Grid grid;
  grid.row({"risk of re-identification", "before", "after"});
  grid.row({"highest of any row", percent(before.prosecutor_max), percent(after.prosecutor_max)});
  grid.row({"average over rows", percent(before.prosecutor_average), percent(after.prosecutor_average)});
  grid.row({fmt::format("rows above {}", percent(after.threshold)), percent(before.share_above_threshold),
            percent(after.share_above_threshold)});
  grid.row({"unique rows", percent(share(before.uniques, rows_in)), percent(share(after.uniques, rows_out))});
  grid.row({"groups", with_commas(before.groups), with_commas(after.groups)});
  return grid.text();
}

std::string timings_text(const Report& report) {
  const Timings& t = report.timings;
  const std::pair<const char*, double> parts[] = {{"read", t.read},     {"encode", t.encode}, {"search", t.search},
                                                  {"recode", t.recode}, {"write", t.write},   {"verify", t.verify}};
  std::string text = fmt::format("Time {}", duration(t.total));
  std::string separator = ": ";
  for (const auto& [name, seconds] : parts) {
    if (seconds < 0.0005) continue;
    text += fmt::format("{}{} {}", separator, name, duration(seconds));
    separator = ", ";
  }
  if (report.peak_memory_bytes > 0) text += fmt::format("; memory {}", memory_size(report.peak_memory_bytes));
  return text + "\n";
}

}  // namespace

std::string to_text(const Report& report) {
  const bool measured = report.status != Status::unsatisfied;
  std::string text = verdict(report) + how(report) + "\n" + requirements_text(report, measured);
  if (measured) {
    text += "\n" + columns_text(report) + "\n" +
            risk_change_text(report.risk_before, report.risk, report.rows_in, report.rows_out);
  }
  if (report.status == Status::verification_failed) text += "\n" + to_text(report.verification);
  text += "\n";
  for (const auto& [name, words] : report.search.details) {
    if (name == kLowerBoundDetail) text += fmt::format("Lower bound: {}\n", words);
  }
  if (report.cells_suppressed > 0) text += fmt::format("Cells suppressed: {}\n", with_commas(report.cells_suppressed));
  text += timings_text(report);
  for (const std::string& notice : report.notices) text += fmt::format("Note: {}\n", printable(notice));
  return text;
}

std::string to_text(const Measures& measures) {
  Grid grid;
  const auto row = [&](const char* name, const std::string& value, const char* meaning) {
    grid.row({fmt::format("{} {}", left(name, 18), meaning), value});
  };
  row("prec", decimal(measures.prec), "precision kept: 1 is the original");
  row("gcp", percent(measures.gcp), "information lost over all quasi cells");
  row("ncp", decimal(measures.ncp), "the same as a weighted sum");
  row("lm", percent(measures.lm), "Iyengar's loss");
  row("distortion", decimal(measures.distortion), "weighted hierarchical distance, summed");
  row("distortion_ratio", percent(measures.distortion_ratio), "of everything at the root");
  row("entropy", decimal(measures.entropy), "bits lost (non-uniform entropy)");
  row("entropy_ratio", percent(measures.entropy_ratio), "of full suppression");
  row("modification_rate", percent(measures.modification_rate), "quasi cells changed");
  row("rows", with_commas(measures.rows), "distinct released rows");
  row("rows_ratio", percent(measures.rows_ratio), "of the distinct original rows");
  row("dm", decimal(measures.dm), "discernibility: group sizes squared");
  row("c_avg", decimal(measures.c_avg), "average group over k: 1 is ideal");
  row("cm", measures.cm ? percent(*measures.cm) : "no target", "rows outside their group's majority class");
  return grid.text();
}

std::string to_text(const Risk& risk) {
  Grid grid;
  grid.row({"groups", with_commas(risk.groups)});
  grid.row({"unique rows", with_commas(risk.uniques)});
  grid.row({"smallest group", with_commas(risk.smallest_group)});
  grid.row({"average group", decimal(risk.average_group)});
  grid.row({"largest group", with_commas(risk.largest_group)});
  grid.row({"prosecutor risk, highest", percent(risk.prosecutor_max)});
  grid.row({"prosecutor risk, average", percent(risk.prosecutor_average)});
  grid.row({fmt::format("rows with a risk above {}", percent(risk.threshold)), percent(risk.share_above_threshold)});
  grid.row({"journalist risk, highest", percent(risk.journalist_max)});
  grid.row({"marketer risk", percent(risk.marketer)});
  return grid.text();
}

std::string to_text(const QueryErrors& errors) {
  Grid grid;
  grid.row({"relative error of answers", "queries", "mean", "median", "90th percentile"});
  const auto row = [&](const std::string& name, const QueryErrorSummary& part) {
    if (part.queries == 0) return grid.row({name, "0", "-", "-", "-"});
    grid.row({name, with_commas(part.queries), percent(part.mean), percent(part.median), percent(part.percentile90)});
  };
  row("COUNT", errors.count);
  if (errors.sum) row(fmt::format("SUM of {}", shortened(printable(errors.sum_column), kNameWidth)), *errors.sum);
  return grid.text() + fmt::format("  conditions on {}; queries whose exact answer is 0 were drawn again\n",
                                   short_list(errors.columns, 60));
}

std::string to_text(const Verification& verification) {
  std::string text;
  for (const VerificationCheck& check : verification.checks) {
    text += fmt::format("  {}  {}", check.ok ? "ok    " : "FAILED", printable(check.name));
    text += check.detail.empty() ? "\n" : fmt::format(": {}\n", printable(check.detail));
  }
  return text;
}

}  // namespace shoal
