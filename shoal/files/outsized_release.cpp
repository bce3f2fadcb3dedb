#include "shoal/files/outsized_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "shoal/encode/problem.h"
#include "shoal/files/releases_of_alike.h"
#include "shoal/files/releases_of_part.h"
#include "shoal/method/space/families_together.h"
#include "shoal/method/space/requirement_families.h"
#include "shoal/plan/notices_of_fragments.h"
#include "shoal/plan/pilot.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/ranges.h"
#include "shoal/release/counted_out.h"
#include "shoal/release/draft.h"
#include "shoal/release/released_order.h"
#include "shoal/run/seeded_random.h"
#include "shoal/table/dictionary.h"
#include "shoal/write/lines_in_order.h"

namespace shoal {
namespace {

// Rows as write_release asks for them, from a private file.
class SpilledReleasedRows : public ReleasedRows {
 public:
  SpilledReleasedRows(const SpilledRecords& rows, size_t width, uint64_t kept)
      : rows_(rows), kept_(kept), numbers_(2 * ((width + 2) / 2)) {}
  uint64_t kept() const override { return kept_; }
  void begin() override { reader_.emplace(rows_); }
  const uint32_t* next() override {
    const uint64_t* const record = reader_->next();
    if (record == nullptr) throw Error(ErrorKind::input, "the table changed while it was read; nothing was released");
    std::memcpy(numbers_.data(), record, numbers_.size() * sizeof(uint32_t));
    return numbers_.data();
  }

 private:
  const SpilledRecords& rows_;
  const uint64_t kept_;
  std::optional<SpilledRecords::Reader> reader_;
  std::vector<uint32_t> numbers_;
};

}  // namespace

OutsizedRelease::OutsizedRelease(OutsizedTable& table, const Job& job, const MethodEntry& method,
                                 const OutsizedPlace& place, const Progress& progress)
    : table_(table),
      job_(job),
      method_(method),
      place_(place),
      progress_(progress),
      width_(table.quasi()),
      numbers_(table.quasi()),
      privacy_(table, job, place) {
  for (const Hierarchy& hierarchy : table.streamed().encoding.hierarchies) tallies_.emplace_back(hierarchy);
  released_.quasi.resize(width_);
}

uint32_t OutsizedRelease::number_of(size_t column, const Released& released) {
  const Key key{uint64_t{released.first} << 32 | released.last,
                uint64_t{static_cast<uint32_t>(released.kind)} << 32 | released.number};
  const auto [found, fresh] = numbers_[column].emplace(key, static_cast<uint32_t>(numbers_[column].size()));
  if (fresh) released_.quasi[column].values.push_back(released);
  return found->second;
}

void OutsizedRelease::begin(const FamilyTurn& turn) {
  if (turn.last()) {
    found_ = std::make_unique<FoundRows>(table_, privacy_, place_.folder, progress_);
    return;
  }
  size_t numbers = 0;
  for (size_t family = 0; family <= turn.number; ++family) numbers += turn.columns[family].size();
  table_.begin_next(turn.columns[turn.number + 1], numbers);
}

// Rows of a part stand by content, so that equal tuples are neighbours.
void OutsizedRelease::take(const FamilyTurn& turn, const OutsizedTable::Part& part, const GroupRecoding& groups) {
  const std::vector<Hierarchy>& hierarchies = table_.streamed().encoding.hierarchies;
  const auto number = [&](size_t column, const Released& released) { return number_of(column, released); };
  const ReleasesOfPart releases_of(turn, part, groups, number);
  const auto release_of = [&](size_t row, size_t j) {
    const std::optional<uint32_t> release = releases_of.of(row, j);
    return release ? *release : number_of(j, released_leaf(hierarchies[j], part.table.quasi[j].codes[row]));
  };
  if (!turn.last()) {
    std::vector<uint32_t> numbers;
    for (size_t row = 0; row < part.table.rows; ++row) {
      numbers.clear();
      for (size_t family = 0; family <= turn.number; ++family) {
        for (size_t j : turn.columns[family]) numbers.push_back(release_of(row, j));
      }
      table_.add_next(part, row, numbers.data());
    }
    return;
  }
  std::vector<uint32_t> asked(table_.asked_columns()), leaves(width_), releases(width_);
  for (size_t row = 0; row < part.table.rows; ++row) {
    for (size_t j = 0; j < width_; ++j) {
      leaves[j] = part.table.quasi[j].codes[row];
      releases[j] = release_of(row, j);
      tallies_[j].add(leaves[j], releases[j]);
    }
    for (size_t i = 0; i < asked.size(); ++i) {
      const std::vector<Column>& sensitive = part.table.sensitive;
      asked[i] = (i < sensitive.size() ? sensitive[i] : *part.table.person).codes[row];
    }
    found_->add({leaves.data(), releases.data(), asked.data(), part.table.rest.empty() ? 0 : part.table.rest[row],
                 part.table.target ? part.table.target->codes[row] : 0, part.row[row]});
  }
}

void OutsizedRelease::end(const FamilyTurn& turn) {
  if (!turn.last()) {
    table_.end_next();
    return;
  }
  found_->end_tuples();
  stats_.details.emplace_back("lower bound", "not computed: the table is not in memory as a whole");
}

void OutsizedRelease::note(const SearchStats& stats) {
  stats_.generated += stats.generated;
  stats_.expanded += stats.expanded;
  stats_.pruned += stats.pruned;
}

std::string OutsizedRelease::search(const FamilyTurn& turn, const Fragments& fragments, Progress& progress) {
  begin(turn);
  const std::unique_ptr<Method> method = method_.make();
  NoticesOfFragments said;
  over_fragments(fragments.rows, fragments.side_by_side, progress, [&](size_t f, int threads, Progress& inner) {
    const OutsizedTable::Part part = table_.part(f);
    std::vector<std::string> notices;
    const StreamedTable& whole = table_.streamed();
    Problem problem = problem_on(turn.columns[turn.number],
                                 make_problem(job_, method_, part.table, whole.encoding, whole.whole, notices));
    problem.seed = fragment_seed(problem.seed, f);
    problem.threads = threads;
    const SearchResult found = fragment_answer(*method, problem, inner);
    const std::scoped_lock lock(mutex_);
    if (found.recoding() == nullptr || found.recoding()->is_by_value() || !found.recoding()->dropped_rows.empty()) {
      reason_ = found.recoding() == nullptr ? found.reason() : "rows would have to be dropped";
      return;
    }
    note(found.stats);
    for (const std::string& notice : found.notices) said.add(notice);
    take(turn, part, found.recoding()->by_group());
    if (found_) found_->end_tuples();  // all of them are in this part
  });
  if (!reason_.empty()) return reason_;
  for (const std::string& notice : said.told(fragments.rows.size())) {
    notices_.push_back(notice_of_family(notice, turn.names[turn.number]));
  }
  end(turn);
  return "";
}

void OutsizedRelease::leave_as_it_is(const FamilyTurn& turn, Progress& progress) {
  constexpr size_t kRowsAtATime = 65'536;
  begin(turn);
  table_.each_part(kRowsAtATime, [&](const OutsizedTable::Part& part) {
    progress.check();
    take(turn, part, GroupRecoding{});
  });
  if (turn.last()) table_.forget_rows();
  end(turn);
}

void OutsizedRelease::take_alike(OutsizedTable::Alike by, const Recoding& recoding) {
  found_ = std::make_unique<FoundRows>(table_, privacy_, place_.folder, progress_);
  const std::vector<Hierarchy>& hierarchies = table_.streamed().encoding.hierarchies;
  ReleasesOfAlike releases_of(recoding, hierarchies,
                              [&](size_t column, const Released& released) { return number_of(column, released); });
  const bool has_target = table_.streamed().target.has_value();
  std::vector<uint32_t> releases(width_);
  table_.each_alike(by, [&](const OutsizedTable::AlikeRow& row) {
    const bool released = releases_of.of(row.number, row.codes, releases);
    for (size_t j = 0; j < width_; ++j) {
      if (released) {
        tallies_[j].add(row.codes[j], releases[j]);
      } else {
        tallies_[j].drop(row.codes[j]);
      }
    }
    found_->add({row.codes.data(), released ? releases.data() : nullptr, row.asked.data(), row.rest,
                 has_target ? row.codes[width_] : 0, row.row});
  });
  found_->end_tuples();
}

std::string OutsizedRelease::search_alike(OutsizedTable::Alike by, uint64_t count, Progress& progress) {
  SearchResult found;
  {
    const Table alike = table_.alike_rows(by, count);
    const StreamedTable& whole = table_.streamed();
    const Problem problem = make_problem(job_, method_, alike, whole.encoding, whole.whole, notices_);
    found = method_.make()->search(problem, progress);
  }
  stats_ = found.stats;
  notices_.insert(notices_.end(), found.notices.begin(), found.notices.end());
  const Recoding* const recoding = found.recoding();
  if (recoding == nullptr) return found.reason();
  if (recoding->dropped_rows.size() == count) return std::string(kNoRowLeft);
  if (recoding->shape() == Shape::levels) levels_ = recoding->by_value().levels;
  take_alike(by, *recoding);
  return "";
}

// Ranges as the job asks for them: releases that become the same get one number.
void OutsizedRelease::settle() {
  const Table columns = table_.columns();
  for (size_t j = 0; j < width_; ++j) {
    std::vector<Released>& values = released_.quasi[j].values;
    GroupRecoding groups;
    groups.recoded_columns = {j};
    groups.group_releases = values;
    Recoding recoding{std::move(groups), {}};
    settle_ranges(recoding, columns, table_.streamed().encoding.hierarchies, job_.ranges);
    const std::vector<Released> settled = recoding.by_group().group_releases;
    values.clear();
    numbers_[j].clear();
    std::vector<uint32_t> number(settled.size());
    for (size_t i = 0; i < settled.size(); ++i) number[i] = number_of(j, settled[i]);
    tallies_[j].renumber(number);
    settled_.push_back(std::move(number));
  }
}

std::vector<std::vector<uint32_t>> OutsizedRelease::places() const {
  const Table columns = table_.columns();
  std::vector<std::vector<uint32_t>> places;
  for (size_t j = 0; j < width_; ++j) {
    std::vector<std::string> texts;
    for (const Released& value : released_.quasi[j].values) {
      texts.push_back(released_text(value, columns.quasi[j], table_.streamed().encoding.hierarchies[j]));
    }
    places.push_back(places_of(texts));
  }
  return places;
}

void OutsizedRelease::count_group(std::vector<uint64_t>& rests, const std::vector<uint32_t>& classes, uint32_t rows) {
  ++groups_.groups;
  ++sizes_[rows];
  groups_.squares += double(rows) * double(rows);
  groups_.tuples += table_.streamed().has_rest ? count_different(rests) : 1;
  if (!table_.streamed().target) return;
  std::vector<uint32_t> sorted = classes;
  std::sort(sorted.begin(), sorted.end());
  uint64_t most = 0;
  for (size_t begin = 0; begin < sorted.size();) {
    const size_t end =
        static_cast<size_t>(std::upper_bound(sorted.begin(), sorted.end(), sorted[begin]) - sorted.begin());
    most = std::max<uint64_t>(most, end - begin);
    begin = end;
  }
  groups_.minority = groups_.minority.value_or(0) + rows - most;
}

// Requirements with models over some of the columns: other groups than those of the release as a whole.
void OutsizedRelease::count_requirements(const std::vector<std::vector<uint32_t>>& places,
                                         const std::vector<size_t>& cardinalities, const Progress& progress) {
  if (!privacy_.asked_of_some_columns()) return;
  std::vector<size_t> leaves;
  for (const Hierarchy& hierarchy : table_.streamed().encoding.hierarchies) leaves.push_back(hierarchy.leaves());
  privacy_.count_before({found_->records(), found_->asked_word(), leaves,
                         [&](const uint64_t* record, size_t j) { return found_->leaf(record, j); }},
                        progress);
  privacy_.count_after(
      {found_->records(), found_->asked_word(), cardinalities,
       [&](const uint64_t* record, size_t j) { return places[j][settled_[j][FoundRows::release(record, j)]]; },
       FoundRows::is_dropped},
      progress);
}

void OutsizedRelease::arrange(const Progress& progress) {
  settle();
  groups_.rows = found_->size();
  groups_.dropped = found_->dropped();
  groups_.tuples_before = found_->tuples_before();
  const std::vector<std::vector<uint32_t>> places = this->places();
  std::vector<size_t> cardinalities;
  std::vector<std::vector<uint32_t>> release_at(width_);  // [column][place]: a release that prints so
  for (size_t j = 0; j < width_; ++j) {
    for (uint32_t release = 0; release < places[j].size(); ++release) {
      if (places[j][release] >= release_at[j].size()) release_at[j].resize(places[j][release] + size_t{1}, 0);
      release_at[j][places[j][release]] = release;
    }
    cardinalities.push_back(release_at[j].size());
  }
  const PackedNumbers packed(cardinalities);
  const size_t keys = packed.words();
  const std::vector<uint32_t> place_of_class = places_of(table_.streamed().target_values);
  const bool has_target = table_.streamed().target.has_value();

  count_requirements(places, cardinalities, progress);

  // By what is printed, then the fingerprint of the rest, the class, the row; what else is counted stands behind.
  const size_t words = keys + 4 + table_.asked_words();
  SortedRecords sorting(words, place_.folder, place_.most_bytes, progress);
  std::vector<uint64_t> record(words);
  std::vector<uint32_t> numbers(width_);
  found_->records().each([&](const uint64_t* row) {
    if (FoundRows::is_dropped(row)) return;
    for (size_t j = 0; j < width_; ++j) numbers[j] = places[j][settled_[j][FoundRows::release(row, j)]];
    packed.pack(numbers.data(), record.data());
    const uint32_t target = found_->target(row);
    record[keys] = found_->rest(row);
    record[keys + 1] = has_target ? place_of_class[target] : 0;
    record[keys + 2] = found_->row(row);
    record[keys + 3] = target;
    std::copy_n(row + found_->asked_word(), table_.asked_words(), record.begin() + static_cast<ptrdiff_t>(keys + 4));
    sorting.add(record.data());
  });
  found_->forget_rows();
  const SpilledRecords sorted = sorting.sorted();

  row_of_release_ = std::make_unique<SpilledRecords>(1, place_.folder, progress);
  LinesInOrder by_row(static_cast<uint32_t>(groups_.rows), place_.folder, progress, place_.most_bytes);
  const double share = double(kFindingRows) / double(groups_.rows);
  const uint64_t below = share >= 1 ? UINT64_MAX : static_cast<uint64_t>(std::ldexp(share, 64));
  std::vector<uint64_t> group, rests;
  std::vector<uint32_t> classes, line(1 + width_);
  OutsizedGroup asked(table_);
  const auto end_group = [&](uint32_t rows) {
    if (rows == 0) return;
    count_group(rests, classes, rows);
    privacy_.add_after(asked.codes());
    asked.clear();
  };
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> drawn;
  bool draw = false;
  uint32_t position = 0, in_group = 0;
  sorted.each([&](const uint64_t* row) {
    if (group.empty() || !std::equal(group.begin(), group.end(), row)) {
      end_group(in_group);
      rests.clear();
      classes.clear();
      in_group = 0;
      group.assign(row, row + keys);
      packed.unpack(row, numbers.data());
      uint64_t hash = 0;
      for (uint64_t word : group) hash = SeededRandom(hash ^ word)();
      draw = hash <= below || position == 0;  // one at least, where there are few groups
    }
    ++in_group;
    if (table_.streamed().has_rest) rests.push_back(row[keys]);
    if (has_target) classes.push_back(static_cast<uint32_t>(row[keys + 3]));
    if (privacy_.asked()) asked.add(row + keys + 4);
    const auto source_row = static_cast<uint32_t>(row[keys + 2]);
    line[0] = job_.order == Order::input ? source_row : position;
    for (size_t j = 0; j < width_; ++j) line[1 + j] = release_at[j][numbers[j]];
    by_row.line(source_row).append(reinterpret_cast<const char*>(line.data()), line.size() * sizeof(uint32_t));
    // A part of a very large group is still a large one.
    if (draw && drawn.size() < 2 * kFindingRows)
      drawn.emplace_back(source_row, std::vector<uint32_t>(line.begin() + 1, line.end()));
    row_of_release_->add(&row[keys + 2]);
    ++position;
  });
  end_group(in_group);
  line.assign(line.size(), 0);
  line[0] = kDroppedRow;
  for (uint32_t row = 0; row < found_->kept().size(); ++row) {
    if (found_->kept()[row]) continue;
    by_row.line(row).append(reinterpret_cast<const char*>(line.data()), line.size() * sizeof(uint32_t));
  }

  by_row_ = std::make_unique<SpilledRecords>((width_ + 2) / 2, place_.folder, progress);
  std::vector<uint64_t> in_words(by_row_->words());
  std::vector<std::string_view> lines;
  while (by_row.next(lines)) {
    for (std::string_view text : lines) {
      in_words.back() = 0;
      std::memcpy(in_words.data(), text.data(), text.size());
      by_row_->add(in_words.data());
    }
  }
  if (job_.order == Order::input) keep_order_of_input();
  std::sort(drawn.begin(), drawn.end());
  for (const auto& [row, releases] : drawn) {
    sample_.rows.push_back(row);
    sample_.releases.insert(sample_.releases.end(), releases.begin(), releases.end());
  }
}

void OutsizedRelease::keep_order_of_input() {
  row_of_release_->clear();
  for (uint64_t row = 0; row < groups_.rows; ++row) {
    if (found_->kept().empty() || found_->kept()[row]) row_of_release_->add(&row);
  }
}

std::unique_ptr<ReleasedRows> OutsizedRelease::rows() const {
  return std::make_unique<SpilledReleasedRows>(*by_row_, width_, groups_.rows - groups_.dropped);
}

}  // namespace shoal
