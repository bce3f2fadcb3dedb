// Method shoal on a table in one piece and in fragments, cut in several ways: how much is lost, and how much processor
// time does it take?
//   fragments INPUT.csv HIERARCHIES_FOLDER COLUMN,COLUMN,... K EFFORT WAY...
// The first column is the one of numbers. A way is `whole`, or how fragments are cut and how many there are:
//   pilot:16    by a pilot's groups (plan/by_fragments.h), what the method does itself
//   widest:16   the largest fragment at the median of the column on which its rows differ most (as mondrian would)
//   column:16   by the first column alone, into parts of about the same size
// One line per way: loss (GCP), fragments, rows of the smallest and the largest, processor seconds (plan, search and
// the lower bound, one thread).
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <sstream>
#include <utility>

#include "shoal/encode/encoding.h"
#include "shoal/encode/problem.h"
#include "shoal/measure/interval_cost.h"
#include "shoal/method/space/released_part.h"
#include "shoal/plan/by_fragments.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"

namespace {

using namespace shoal;
using Rows = std::vector<uint32_t>;

double processor_seconds(const auto& work) {
  const std::clock_t start = std::clock();
  work();
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

// Rows by their codes, and where the first of them ends that may stand left of a cut near the middle. 0: all are alike.
size_t cut_near(Rows& rows, const Codes& codes, size_t middle) {
  std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) { return codes[a] < codes[b]; });
  size_t up = middle, down = middle;
  while (up < rows.size() && codes[rows[up - 1]] == codes[rows[up]]) ++up;
  while (down > 0 && codes[rows[down - 1]] == codes[rows[down]]) --down;
  if (up == rows.size()) return down;
  return down == 0 || up - middle <= middle - down ? up : down;
}

std::vector<Rows> by_widest_column(const Problem& problem, size_t wanted) {
  std::vector<Rows> parts(1, Rows(problem.table.rows));
  std::iota(parts[0].begin(), parts[0].end(), 0u);
  std::vector<IntervalCost> costs;
  for (size_t j = 0; j < problem.hierarchies.size(); ++j)
    costs.emplace_back(problem.hierarchies[j], problem.weights[j]);
  while (parts.size() < wanted) {
    const auto largest =
        std::max_element(parts.begin(), parts.end(), [](const Rows& a, const Rows& b) { return a.size() < b.size(); });
    Rows rows = *largest;
    std::vector<std::pair<double, size_t>> by_width;
    for (size_t j = 0; j < costs.size(); ++j) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (uint32_t row : rows) {
        lo = std::min(lo, problem.table.quasi[j].codes[row]);
        hi = std::max(hi, problem.table.quasi[j].codes[row]);
      }
      by_width.emplace_back(-costs[j](lo, hi), j);
    }
    std::sort(by_width.begin(), by_width.end());
    // Of the widest ones the first with a cut that leaves a fifth on both sides.
    size_t cut = 0;
    for (const auto& [width, j] : by_width) {
      cut = cut_near(rows, problem.table.quasi[j].codes, rows.size() / 2);
      if (5 * cut >= rows.size() && 5 * (rows.size() - cut) >= rows.size()) break;
      cut = 0;
    }
    if (cut == 0) break;
    *largest = Rows(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(cut));
    parts.emplace_back(rows.begin() + static_cast<ptrdiff_t>(cut), rows.end());
  }
  return parts;
}

std::vector<Rows> by_first_column(const Problem& problem, size_t wanted) {
  Rows rows(problem.table.rows);
  std::iota(rows.begin(), rows.end(), 0u);
  std::vector<Rows> parts;
  for (size_t part = wanted; part > 1 && !rows.empty(); --part) {
    const size_t cut = cut_near(rows, problem.table.quasi[0].codes, rows.size() / part);
    if (cut == 0) break;
    parts.emplace_back(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(cut));
    rows.erase(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(cut));
  }
  if (!rows.empty()) parts.push_back(rows);
  return parts;
}

RowGroups together(const std::vector<Rows>& parts) {
  RowGroups groups;
  for (Rows rows : parts) {
    std::sort(rows.begin(), rows.end());
    groups.rows.insert(groups.rows.end(), rows.begin(), rows.end());
    groups.starts.push_back(static_cast<uint32_t>(groups.rows.size()));
  }
  return groups;
}

void try_way(const Problem& whole, const std::string& way) {
  const MethodEntry& method = *find_method("shoal");
  Problem problem = whole;
  const size_t colon = way.find(':');
  const std::string kind = way.substr(0, colon), number = colon == std::string::npos ? "off" : way.substr(colon + 1);
  problem.params["fragments"] = kind == "pilot" ? number : "off";
  RowGroups fragments;
  SearchResult found;
  Progress progress;
  const double seconds = processor_seconds([&] {
    if (kind == "pilot") fragments = plan_fragments(problem, progress).fragments;
    if (kind == "widest") fragments = together(by_widest_column(problem, std::stoull(number)));
    if (kind == "column") fragments = together(by_first_column(problem, std::stoull(number)));
    found = fragments.size() > 1 ? search_fragments(method, problem, fragments, progress)
                                 : method.make()->search(problem, progress);
  });
  size_t least = whole.table.rows, most = fragments.size() > 0 ? 0 : whole.table.rows;
  for (size_t f = 0; f < fragments.size(); ++f) {
    least = std::min(least, fragments.rows_in(f));
    most = std::max(most, fragments.rows_in(f));
  }
  const ReleasedPart part = part_of(found.recoding()->by_group(), problem.requirements.front().columns);
  const double cells = double(whole.table.rows) * std::accumulate(whole.weights.begin(), whole.weights.end(), 0.0);
  fmt::print("{:<12} {:>9} {:>5} {:>8} {:>8.5f} {:>9.5f} {:>5} {:>9} {:>9} {:>9.1f}\n", way, whole.table.rows,
             problem.requirements.front().k, setting(problem.params, "effort"), weighted_ncp(part, problem) / cells,
             found.stats.bound.value_or(0), std::max<size_t>(1, fragments.size()), least, most, seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 7) return 2;
  FileJob job;
  job.files.input = argv[1];
  job.files.hierarchies = argv[2];
  std::istringstream names(argv[3]);
  bool numeric = true;
  for (std::string name; std::getline(names, name, ',');) {
    job.column(name).role = Role::quasi;
    if (std::exchange(numeric, false)) job.column(name).type = ColumnType::numeric;
  }
  job.k = std::stoull(argv[4]);
  job.method = "shoal";
  job.params["effort"] = argv[5];
  job.threads = 1;
  Progress progress;
  std::vector<std::string> notices;
  job = with_hierarchies_read(job, notices);
  InputFile input(job.files.input, job, progress);
  ReadTimings timings;
  const EncodedTable encoded = encode_table(job, input.table, {.with_rest = false}, timings, progress);
  const Problem problem = make_problem(job, *find_method("shoal"), encoded.table, encoded.encoding, notices);
  for (int way = 6; way < argc; ++way) try_way(problem, argv[way]);
  return 0;
} catch (const shoal::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
