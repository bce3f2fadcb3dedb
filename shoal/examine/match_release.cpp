#include "shoal/examine/match_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/error.h"
#include "shoal/job/released_means.h"
#include "shoal/recode/apply.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/groups.h"
#include "shoal/table/number.h"
#include "shoal/verify/box_matching.h"

namespace shoal {
namespace {

// Steps of match_boxes: some ten seconds.
constexpr uint64_t kMostWork = 300'000'000;

// The release's cells in the original's terms, and which original row each released row stands for.
class ReleaseReader {
 public:
  ReleaseReader(const Job& job, TableSource& release, const EncodedTable& original, Progress& progress)
      : release_(release), original_(original) {
    std::vector<size_t> quasi, rest;
    for (const Column& column : original.table.quasi) quasi.push_back(position(column.name));
    for (size_t j = 0; j < release.columns().size(); ++j) {
      const Role role = job.role_of(release.columns()[j]);
      if (role == Role::plain || role == Role::sensitive) rest.push_back(j);
    }
    std::vector<size_t> coded = quasi;
    if (original.table.target) {
      const auto target = release.find(original.table.target->name);
      if (target) coded.push_back(*target);
      has_target_ = target.has_value();
    }
    raw_ = read_columns(release, coded, rest, progress);
    const std::vector<std::string> alike = columns_with_means(job);
    for (size_t j = 0; j < quasi.size(); ++j) {
      if (std::find(alike.begin(), alike.end(), original.table.quasi[j].name) != alike.end()) alike_.push_back(j);
      parse_column(j);
    }
  }

  size_t rows() const { return raw_.rows; }
  bool alike_together() const {
    std::vector<GroupKey> keys;
    for (size_t j = 0; j < parsed_.size(); ++j) keys.push_back({&raw_.columns[j].codes, raw_.columns[j].texts.size()});
    const Groups groups = group_rows(raw_.rows, keys);
    std::vector<bool> ended(groups.sizes.size(), false);
    for (size_t row = 1; row < raw_.rows; ++row) {
      const uint32_t before = groups.group_of_row[row - 1], group = groups.group_of_row[row];
      if (group == before) continue;
      if (ended[group]) return false;
      ended[before] = true;
    }
    return true;
  }

  ReleasedTable match(bool& was_in_order) const {
    const Table& table = original_.table;
    std::vector<uint32_t> partner = in_order();
    was_in_order = !partner.empty();
    if (!was_in_order) partner = as_sets();
    ReleasedTable result;
    for (size_t j = 0; j < table.quasi.size(); ++j)
      result.quasi.push_back({parsed_[j], Codes(table.rows, parsed_[j].size())});
    for (uint32_t row = 0; row < table.rows; ++row) {
      if (partner[row] == kDropped) {
        result.dropped_rows.push_back(row);
        continue;
      }
      for (size_t j = 0; j < table.quasi.size(); ++j) {
        result.quasi[j].codes.set(row, raw_.columns[j].codes[partner[row]]);
      }
    }
    std::vector<GroupKey> keys;
    for (size_t j : alike_) keys.push_back({&result.quasi[j].codes, result.quasi[j].values.size()});
    const Groups groups = group_rows(table.rows, keys, result.dropped_rows);
    for (size_t j : alike_) {
      if (original_.encoding.hierarchies[j].numeric()) tighten_means(j, groups, result.quasi[j]);
    }
    return result;
  }

 private:
  static constexpr uint32_t kDropped = UINT32_MAX;

  // For each original row the released one that stands for it, taking the first that fits; empty where rows are in
  // another order.
  std::vector<uint32_t> in_order() const {
    std::vector<uint32_t> partner(original_.table.rows, kDropped);
    uint32_t next = 0;
    for (size_t row = 0; row < partner.size() && next < raw_.rows; ++row) {
      if (fits(next, row)) partner[row] = next++;
    }
    if (next < raw_.rows) partner.clear();
    return partner;
  }

  std::vector<uint32_t> as_sets() const {
    for (const auto& column : parsed_) {
      if (std::any_of(column.begin(), column.end(), [](const Released& cell) { return cell.is_mean(); })) {
        throw Error(ErrorKind::input,
                    fmt::format("the rows of '{}' are in another order than in the original, and only the program that "
                                "made it knows of which rows its means are; a release with `order: input` can be "
                                "measured",
                                release_.name()));
      }
    }
    std::optional<Column> target, released_target;
    if (has_target_) {
      target = original_.table.target;
      released_target = Column{"", raw_.columns.back().codes, raw_.columns.back().texts};
    }
    const std::vector<uint64_t> original_class = classes(original_.table.rest, target, original_.table.rows);
    const std::vector<uint64_t> release_class = classes(raw_.rest, released_target, raw_.rows);
    std::vector<const Codes*> original_codes, release_codes;
    for (size_t j = 0; j < parsed_.size(); ++j) {
      original_codes.push_back(&original_.table.quasi[j].codes);
      release_codes.push_back(&raw_.columns[j].codes);
    }
    const AlikeRows originals = alike_rows(original_class, original_codes);
    const AlikeRows released = alike_rows(release_class, release_codes);
    std::vector<uint32_t> partner(original_.table.rows, kDropped);
    uint64_t work = kMostWork;
    size_t at = 0;
    for (size_t begin = 0, end = 0; begin < released.stretches.size(); begin = end) {
      const uint64_t number = release_class[released.first(begin)];
      while (end < released.stretches.size() && release_class[released.first(end)] == number) ++end;
      while (at < originals.stretches.size() && original_class[originals.first(at)] < number) ++at;
      size_t stop = at;
      while (stop < originals.stretches.size() && original_class[originals.first(stop)] == number) ++stop;
      pair_class({released, begin, end}, {originals, at, stop}, work, partner);
      at = stop;
    }
    return partner;
  }

  // Rows by class and codes; a stretch of them is alike.
  struct AlikeRows {
    std::vector<uint32_t> rows;
    std::vector<size_t> stretches;  // begins
    uint32_t first(size_t stretch) const { return rows[stretches[stretch]]; }
    std::span<const uint32_t> of(size_t stretch) const {
      const size_t end = stretch + 1 < stretches.size() ? stretches[stretch + 1] : rows.size();
      return std::span(rows).subspan(stretches[stretch], end - stretches[stretch]);
    }
  };
  struct AlikeClass {
    const AlikeRows& alike;
    size_t begin, end;  // stretches
  };

  // What the cells that are released as they are look like.
  static std::vector<uint64_t> classes(const std::vector<uint64_t>& rest, const std::optional<Column>& target,
                                       size_t rows) {
    std::vector<uint64_t> found = rest;
    found.resize(rows, 0);
    if (!target) return found;
    for (size_t row = 0; row < rows; ++row) {
      found[row] = (found[row] ^ hash_text(target->values[target->codes[row]])) * 0x9E3779B97F4A7C15ULL;
    }
    return found;
  }

  static AlikeRows alike_rows(const std::vector<uint64_t>& class_of_row, const std::vector<const Codes*>& codes) {
    AlikeRows alike;
    alike.rows.resize(class_of_row.size());
    std::iota(alike.rows.begin(), alike.rows.end(), 0U);
    const auto compare = [&](uint32_t a, uint32_t b) {
      if (class_of_row[a] != class_of_row[b]) return class_of_row[a] < class_of_row[b] ? -1 : 1;
      for (const Codes* column : codes) {
        if ((*column)[a] != (*column)[b]) return (*column)[a] < (*column)[b] ? -1 : 1;
      }
      return 0;
    };
    std::sort(alike.rows.begin(), alike.rows.end(), [&](uint32_t a, uint32_t b) {
      const int order = compare(a, b);
      return order != 0 ? order < 0 : a < b;
    });
    for (size_t i = 0; i < alike.rows.size(); ++i) {
      if (i == 0 || compare(alike.rows[i - 1], alike.rows[i]) != 0) alike.stretches.push_back(i);
    }
    return alike;
  }

  void pair_class(const AlikeClass& released, const AlikeClass& originals, uint64_t& work,
                  std::vector<uint32_t>& partner) const {
    const size_t width = parsed_.size();
    std::vector<PositionSpan> spans;
    std::vector<uint32_t> positions;
    for (size_t box = released.begin; box < released.end; ++box) {
      for (size_t j = 0; j < width; ++j) {
        const Released& cell = parsed_[j][raw_.columns[j].codes[released.alike.first(box)]];
        spans.push_back({cell.first, cell.last});
      }
    }
    for (size_t point = originals.begin; point < originals.end; ++point) {
      for (size_t j = 0; j < width; ++j) {
        positions.push_back(original_.table.quasi[j].codes[originals.alike.first(point)]);
      }
    }
    std::vector<MatchingBox> boxes;
    std::vector<MatchingPoint> points;
    for (size_t b = 0; b < released.end - released.begin; ++b) {
      boxes.push_back({{spans.data() + b * width, width}, released.alike.of(released.begin + b).size()});
    }
    for (size_t p = 0; p < originals.end - originals.begin; ++p) {
      points.push_back({{positions.data() + p * width, width}, originals.alike.of(originals.begin + p).size()});
    }
    std::vector<MatchedRows> matched;
    const MatchingAnswer answer = match_boxes(boxes, points, work, {}, &matched);
    if (answer.kind == MatchingAnswer::Kind::too_much_work) {
      throw Error(ErrorKind::input,
                  fmt::format("the rows of '{}' are in another order than in the original, and too much alike to find "
                              "out which could stand for which",
                              release_.name()));
    }
    if (answer.kind == MatchingAnswer::Kind::impossible) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' {} has no row in the original that it could stand for; is it a release of this "
                              "table?",
                              release_.name(), release_.place(released.alike.first(released.begin + answer.box))));
    }
    std::vector<size_t> used_box(boxes.size(), 0), used_point(points.size(), 0);
    for (const MatchedRows& pair : matched) {
      const auto from = released.alike.of(released.begin + pair.box);
      const auto to = originals.alike.of(originals.begin + pair.point);
      for (uint64_t i = 0; i < pair.rows; ++i) partner[to[used_point[pair.point]++]] = from[used_box[pair.box]++];
    }
  }

  size_t position(const std::string& name) const {
    if (const auto found = release_.find(name)) return *found;
    throw Error(ErrorKind::input, fmt::format("the release '{}' has no column '{}'", release_.name(), name));
  }
  void parse_column(size_t j) {
    const RawColumn& raw = raw_.columns[j];
    const ReleasedCells cells(original_.table.quasi[j], original_.encoding.hierarchies[j]);
    std::vector<Released> parsed;
    for (size_t text = 0; text < raw.texts.size(); ++text) {
      auto released = cells.parse(raw.texts[text]);
      if (may_be_mean(j, raw.texts[text])) released = any_number(j, static_cast<uint32_t>(text));
      if (!released) {
        const bool mean = original_.encoding.hierarchies[j].numeric() && parse_number(raw.texts[text]);
        const std::string message =
            fmt::format("'{}' {}: '{}' in the column '{}' is no value, range or hierarchy node of the original{}",
                        release_.name(), release_.place(raw.first_rows[text]), raw.texts[text], raw.name,
                        mean ? "; if it is a mean, name the method that released it" : "");
        if (mean) throw Error(ErrorKind::input, message, Advice{Setting::method});
        throw Error(ErrorKind::input, message);
      }
      parsed.push_back(*released);
    }
    parsed_.push_back(std::move(parsed));
  }
  // ---- means: which numbers one stands for shows only when all rows are matched ----

  bool may_be_mean(size_t j, const std::string& text) const {
    return !alike_.empty() && alike_.back() == j && original_.encoding.hierarchies[j].numeric() && parse_number(text);
  }
  Released any_number(size_t j, uint32_t text) const {
    const Hierarchy& hierarchy = original_.encoding.hierarchies[j];
    const auto known = static_cast<uint32_t>(hierarchy.leaves() - (hierarchy.missing() ? 1 : 0));
    return released_mean(0, known - 1, text);
  }
  // Rows that look alike share a mean: it stands for their numbers.
  void tighten_means(size_t j, const Groups& groups, ReleasedColumn& column) const {
    const Codes& leaves = original_.table.quasi[j].codes;
    std::vector<Released> of_group(groups.sizes.size(), released_mean(UINT32_MAX, 0, 0));
    for (size_t row = 0; row < leaves.size(); ++row) {
      if (groups.group_of_row[row] == kNoGroup) continue;
      Released& released = of_group[groups.group_of_row[row]];
      const Released& read = column.values[column.codes[row]];
      if (read.is_mean()) {
        const uint32_t leaf = leaves[row];
        released = released_mean(std::min(released.first, leaf), std::max(released.last, leaf), read.number);
      } else {
        released = read;
      }
    }
    ReleasedColumn tightened{of_group, Codes(leaves.size(), std::max<size_t>(of_group.size(), 1)),
                             raw_.columns[j].texts};
    for (Released& released : tightened.values) {
      if (released.is_mean() && released.first == released.last) {
        released = released_leaf(original_.encoding.hierarchies[j], released.first);
      }
    }
    for (size_t row = 0; row < leaves.size(); ++row) {
      if (groups.group_of_row[row] != kNoGroup) tightened.codes.set(row, groups.group_of_row[row]);
    }
    column = std::move(tightened);
  }
  bool fits(size_t released_row, size_t row) const {
    const Table& table = original_.table;
    if (!table.rest.empty() && !raw_.rest.empty() && table.rest[row] != raw_.rest[released_row]) return false;
    for (size_t j = 0; j < table.quasi.size(); ++j) {
      const Released& cell = parsed_[j][raw_.columns[j].codes[released_row]];
      const uint32_t leaf = table.quasi[j].codes[row];
      if (leaf < cell.first || leaf > cell.last) return false;
    }
    return true;
  }

  const TableSource& release_;
  const EncodedTable& original_;
  bool has_target_ = false;    // then the last of the columns read
  std::vector<size_t> alike_;  // columns that decide together which rows share a mean; empty where there are no means
  RawTable raw_;
  std::vector<std::vector<Released>> parsed_;
};

}  // namespace

MatchedRelease match_release(const Job& job, TableSource& original, TableSource& release, Progress& progress) {
  progress.stage("read");
  plan_requirements(job, plan_columns(job, original));  // mistakes are named before anything is read
  ReadTimings timings;
  MatchedRelease matched{encode_table(job, original, {}, timings, progress), {}, 0};
  const ReleaseReader reader(job, release, matched.original, progress);
  matched.released = reader.match(matched.in_order);
  matched.rows_out = reader.rows();
  matched.alike_together = reader.alike_together();
  return matched;
}

}  // namespace shoal
