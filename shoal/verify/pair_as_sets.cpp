#include "shoal/verify/pair_as_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "shoal/table/dictionary.h"
#include "shoal/verify/box_matching.h"
#include "shoal/verify/column_spans.h"
#include "shoal/verify/spread_persons.h"

namespace shoal {
namespace {

// Steps of match_boxes over all classes: some ten seconds.
constexpr uint64_t kMostWork = 300'000'000;
// Steps of spread_persons: some three seconds. Where there is a way, it took up to three million so far.
constexpr uint64_t kMostExchanges = 50'000'000;

// One of the tables: which class each row belongs to, and its recoded cells as codes.
struct CodedRows {
  std::vector<uint32_t> class_of_row;
  std::vector<Dictionary> texts;             // of each recoded column
  std::vector<std::vector<uint32_t>> codes;  // [recoded column][row]
  size_t rows() const { return class_of_row.size(); }

  // Rows by class and then by codes; rows that are alike stand together, the first of the table first.
  std::vector<uint32_t> sorted() const {
    std::vector<uint32_t> order(rows());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      if (class_of_row[a] != class_of_row[b]) return class_of_row[a] < class_of_row[b];
      for (const auto& column : codes) {
        if (column[a] != column[b]) return column[a] < column[b];
      }
      return a < b;
    });
    return order;
  }
  bool alike(uint32_t a, uint32_t b) const {
    return class_of_row[a] == class_of_row[b] &&
           std::all_of(codes.begin(), codes.end(), [&](const auto& column) { return column[a] == column[b]; });
  }
};

// A stretch of sorted rows that are alike.
struct Alike {
  uint32_t row;  // the first
  uint64_t rows;
};

class SetPairer {
 public:
  SetPairer(const ComparedTables& tables, bool rows_wanted, const PersonsWanted* persons)
      : tables_(tables), rows_wanted_(rows_wanted), persons_(persons) {
    for (size_t j = 0; j < tables.columns.size(); ++j) {
      (tables.columns[j].coverage ? recoded_ : others_).push_back(j);
    }
  }

  SetPairing run() {
    read(tables_.original, tables_.original_columns, original_);
    read(tables_.release, tables_.release_columns, release_);
    pairing_.pairing.released = release_.rows();
    pairing_.pairing.originals = original_.rows();
    if (release_.rows() > original_.rows()) {
      return misfit({"the release has more rows than the original", ""});
    }
    if (release_.rows() == 0) return pairing_;
    for (size_t i = 0; i < recoded_.size(); ++i) {
      spans_.push_back(
          column_spans(*tables_.columns[recoded_[i]].coverage, original_.texts[i].texts(), release_.texts[i].texts()));
    }
    if (auto wrong = covers_nothing()) return misfit(std::move(*wrong));
    rows_wanted_ = rows_wanted_ && release_.rows() == original_.rows();
    row_of_release_.resize(rows_wanted_ ? release_.rows() : 0);
    some_rows_.resize(persons_ != nullptr ? release_.rows() : 0);
    match_classes();
    if (!pairing_.decided || pairing_.pairing.misfit) return pairing_;
    if (rows_wanted_) {
      pairing_.row_of_release = std::move(row_of_release_);
    } else if (persons_ != nullptr && spread()) {
      pairing_.row_of_release = std::move(some_rows_);
      pairing_.one_of_many = true;
    }
    return pairing_;
  }

 private:
  void read(TableSource& table, const std::vector<size_t>& columns, CodedRows& coded) {
    table.read(columns, tables_.progress, [&](TextStream& stream) {
      coded = CodedRows();
      coded.texts.resize(recoded_.size());
      coded.codes.resize(recoded_.size());
      std::string key;
      while (stream.next()) {
        for (size_t row = 0; row < stream.size(); ++row) {
          key.clear();
          for (size_t j : others_) {
            const std::string_view cell = stream.cell(j, row);
            key.append(std::to_string(cell.size())).append(":").append(cell);
          }
          coded.class_of_row.push_back(classes_.code(key));
        }
        for (size_t i = 0; i < recoded_.size(); ++i) {
          for (size_t row = 0; row < stream.size(); ++row) {
            coded.codes[i].push_back(coded.texts[i].code(stream.cell(recoded_[i], row)));
          }
        }
      }
    });
  }

  SetPairing misfit(Misfit why) {
    pairing_.pairing.misfit = std::move(why);
    return pairing_;
  }

  std::optional<Misfit> covers_nothing() const {
    for (size_t i = 0; i < recoded_.size(); ++i) {
      for (uint32_t row = 0; row < release_.rows(); ++row) {
        const uint32_t text = release_.codes[i][row];
        if (!spans_[i].spans[text].empty()) continue;
        return Misfit{fmt::format("released row {}: the cell of the column '{}' covers no cell of the original",
                                  row + 1, tables_.columns[recoded_[i]].name),
                      fmt::format("'{}'", release_.texts[i].texts()[text])};
      }
    }
    return std::nullopt;
  }

  SetPairing match_classes() {
    const std::vector<uint32_t> released = release_.sorted(), originals = original_.sorted();
    uint64_t work = kMostWork;
    size_t at = 0;
    for (size_t begin = 0, end = 0; begin < released.size(); begin = end) {
      tables_.progress.check();
      const uint32_t number = release_.class_of_row[released[begin]];
      while (end < released.size() && release_.class_of_row[released[end]] == number) ++end;
      while (at < originals.size() && original_.class_of_row[originals[at]] < number) ++at;
      size_t stop = at;
      while (stop < originals.size() && original_.class_of_row[originals[stop]] == number) ++stop;
      if (end - begin > stop - at) return misfit(too_few(released[begin], end - begin, stop - at));
      const std::span<const uint32_t> of_release(released.data() + begin, end - begin),
          of_original(originals.data() + at, stop - at);
      const MatchingAnswer answer = match_class(of_release, of_original, work);
      if (answer.kind == MatchingAnswer::Kind::too_much_work) {
        pairing_.decided = false;
        return pairing_;
      }
      if (answer.kind == MatchingAnswer::Kind::impossible) return misfit(no_original_left(answer.box));
      if (rows_wanted_) give_rows(of_release, of_original);
      if (persons_ != nullptr) take_matched(of_release, of_original);
      at = stop;
    }
    return pairing_;
  }

  static std::vector<Alike> alike_rows(const CodedRows& coded, std::span<const uint32_t> sorted) {
    std::vector<Alike> found;
    for (uint32_t row : sorted) {
      if (found.empty() || !coded.alike(found.back().row, row)) found.push_back({row, 0});
      ++found.back().rows;
    }
    return found;
  }

  MatchingAnswer match_class(std::span<const uint32_t> released, std::span<const uint32_t> originals, uint64_t& work) {
    boxes_ = alike_rows(release_, released);
    points_ = alike_rows(original_, originals);
    const size_t width = recoded_.size();
    std::vector<PositionSpan> spans;
    std::vector<uint32_t> positions;
    bool exact = true;
    for (const Alike& box : boxes_) {
      for (size_t i = 0; i < width; ++i) spans.push_back(spans_[i].spans[release_.codes[i][box.row]]);
    }
    for (const Alike& point : points_) {
      for (size_t i = 0; i < width; ++i) positions.push_back(spans_[i].position[original_.codes[i][point.row]]);
    }
    for (const ColumnSpans& column : spans_) exact = exact && column.exact;
    std::vector<MatchingBox> boxes;
    std::vector<MatchingPoint> points;
    for (size_t b = 0; b < boxes_.size(); ++b) boxes.push_back({{spans.data() + b * width, width}, boxes_[b].rows});
    for (size_t p = 0; p < points_.size(); ++p)
      points.push_back({{positions.data() + p * width, width}, points_[p].rows});
    std::function<bool(size_t, size_t)> really;
    if (!exact) really = [&](size_t box, size_t point) { return covers(boxes_[box].row, points_[point].row); };
    return match_boxes(boxes, points, work, really, persons_ != nullptr ? &matched_ : nullptr);
  }

  // Rows as they happen to be matched in the present class.
  void take_matched(std::span<const uint32_t> released, std::span<const uint32_t> originals) {
    std::vector<size_t> box = places_of(boxes_), point = places_of(points_);
    for (const MatchedRows& match : matched_) {
      for (uint64_t i = 0; i < match.rows; ++i) {
        some_rows_[released[box[match.box]++]] = originals[point[match.point]++];
      }
    }
  }

  bool spread() {
    RowsToSpread rows{
        persons_->person, {}, release_.class_of_row, original_.class_of_row, [&](uint32_t released, uint32_t original) {
          return lies_in(released, original);
        }};
    for (const PersonsWanted::Groups& wanted : persons_->groups) {
      rows.groups.push_back({{}, wanted.persons});
      std::map<std::vector<uint32_t>, uint32_t> known;
      for (uint32_t row = 0; row < release_.rows(); ++row) {
        std::vector<uint32_t> look;
        for (size_t i = 0; i < recoded_.size(); ++i) {
          if (std::find(wanted.columns.begin(), wanted.columns.end(), recoded_[i]) != wanted.columns.end()) {
            look.push_back(release_.codes[i][row]);
          }
        }
        const auto number = static_cast<uint32_t>(known.size());
        rows.groups.back().group_of_row.push_back(known.try_emplace(std::move(look), number).first->second);
      }
    }
    return spread_persons(rows, some_rows_, kMostExchanges, tables_.progress);
  }

  // Where the rows of each begin.
  static std::vector<size_t> places_of(const std::vector<Alike>& stretches) {
    std::vector<size_t> places;
    size_t at = 0;
    for (const Alike& one : stretches) {
      places.push_back(at);
      at += one.rows;
    }
    return places;
  }

  // Which box each point of the class lies in, if that is one. Ends the search for rows otherwise.
  void give_rows(std::span<const uint32_t> released, std::span<const uint32_t> originals) {
    const std::vector<size_t> begin = places_of(boxes_);
    std::vector<size_t> next = begin;  // of each box: the place of its next row in `released`
    size_t at = 0;
    for (const Alike& point : points_) {
      size_t only = boxes_.size();
      for (size_t b = 0; b < boxes_.size(); ++b) {
        if (rows_work_-- == 0) rows_wanted_ = false;
        if (!rows_wanted_) return;
        if (!lies_in(boxes_[b].row, point.row)) continue;
        if (only != boxes_.size()) {
          rows_wanted_ = false;
          return;
        }
        only = b;
      }
      // The rows are as many as in the release, so that no box has room left when all points fit.
      if (only == boxes_.size() || next[only] + point.rows > begin[only] + boxes_[only].rows) {
        rows_wanted_ = false;
        return;
      }
      for (uint64_t i = 0; i < point.rows; ++i) row_of_release_[released[next[only]++]] = originals[at++];
    }
  }

  bool lies_in(uint32_t released, uint32_t original) {
    bool exact = true;
    for (size_t i = 0; i < recoded_.size(); ++i) {
      const PositionSpan& span = spans_[i].spans[release_.codes[i][released]];
      const uint32_t position = spans_[i].position[original_.codes[i][original]];
      if (!span.contains(position)) return false;
      exact = exact && spans_[i].exact;
    }
    return exact || covers(released, original);
  }

  bool covers(uint32_t released, uint32_t original) {
    for (size_t i = 0; i < recoded_.size(); ++i) {
      if (!tables_.columns[recoded_[i]].coverage->covers(original_.texts[i].texts()[original_.codes[i][original]],
                                                         release_.texts[i].texts()[release_.codes[i][released]])) {
        return false;
      }
    }
    return true;
  }

  Misfit too_few(uint32_t row, size_t released, size_t originals) const {
    std::string names;
    for (size_t j : others_) names += (names.empty() ? "" : ", ") + tables_.columns[j].name;
    return {
        fmt::format("released row {}: its cells of the columns that are released as they are ({}) occur in {} rows of "
                    "the release and in {} of the original",
                    row + 1, names, released, originals),
        ""};
  }
  Misfit no_original_left(size_t box) const {
    std::string cells;
    for (size_t i = 0; i < recoded_.size(); ++i) {
      cells += fmt::format("{}'{}'", i == 0 ? "" : ", ", release_.texts[i].texts()[release_.codes[i][boxes_[box].row]]);
    }
    return {
        fmt::format("released row {}: there are not enough rows in the original that it and those like it could stand "
                    "for, however the others are paired",
                    boxes_[box].row + 1),
        cells};
  }

  const ComparedTables& tables_;
  std::vector<size_t> recoded_, others_;  // columns of both kinds
  Dictionary classes_;
  CodedRows original_, release_;
  std::vector<ColumnSpans> spans_;
  std::vector<Alike> boxes_, points_;  // of the present class
  std::vector<MatchedRows> matched_;   // there, where persons are wanted
  bool rows_wanted_;                   // and possible so far
  const PersonsWanted* const persons_;
  uint64_t rows_work_ = kMostWork;  // pairs of box and point that may still be looked at for it
  std::vector<uint32_t> row_of_release_, some_rows_;
  SetPairing pairing_;
};

}  // namespace

SetPairing pair_as_sets(const ComparedTables& tables, bool rows_wanted, const PersonsWanted* persons) {
  return SetPairer(tables, rows_wanted, persons).run();
}

}  // namespace shoal
