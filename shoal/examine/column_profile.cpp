#include "shoal/examine/column_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "shoal/error.h"
#include "shoal/run/seeded_random.h"
#include "shoal/run/tasks.h"
#include "shoal/table/comma_number.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr std::array<std::string_view, 9> kMissingWords{"?", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "NaN", "nan"};
constexpr std::array<std::string_view, 3> kMissingMarks{"-", "--", "."};
constexpr size_t kExamples = 5;

template <size_t Size>
bool among(const std::array<std::string_view, Size>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_whole(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// A letter, two digits, and up to four characters after a point: the shape of ICD-10.
bool is_icd(std::string_view text) {
  if (text.size() < 3 || text[0] < 'A' || text[0] > 'Z' || !is_digit(text[1]) || !is_digit(text[2])) return false;
  if (text.size() == 3) return true;
  return text[3] == '.' && text.size() > 4 && text.size() <= 8 && std::all_of(text.begin() + 4, text.end(), [](char c) {
           return is_digit(c) || (c >= 'A' && c <= 'Z') || c == '-';
         });
}

bool is_email(std::string_view text) {
  const size_t at = text.find('@');
  return at != std::string_view::npos && at > 0 && text.find('.', at) != std::string_view::npos &&
         text.find(' ') == std::string_view::npos;
}

// +49 171 1234567, (555) 123-4567, 030/1234567: digits with marks, seven or more, that are no number and no date.
bool is_phone(std::string_view text) {
  size_t digits = 0, marks = 0;
  for (const char c : text) {
    if (is_digit(c)) {
      ++digits;
    } else if (std::string_view("+-/() ").find(c) != std::string_view::npos) {
      ++marks;
    } else {
      return false;
    }
  }
  return digits >= 7 && digits <= 15 && marks > 0 && (text[0] == '+' || text[0] == '0' || text[0] == '(');
}

void look_at(std::string_view text, ValueShapes& shapes) {
  const auto add = [](uint64_t& count, bool yes) { count += yes ? 1 : 0; };
  const bool first = shapes.characters == 0;
  shapes.shortest = first ? text.size() : std::min(shapes.shortest, text.size());
  shapes.longest = std::max(shapes.longest, text.size());
  shapes.characters += std::max<size_t>(text.size(), 1);
  shapes.words += 1 + static_cast<uint64_t>(std::count(text.begin(), text.end(), ' '));
  add(shapes.with_digit, std::any_of(text.begin(), text.end(), is_digit));
  if (!shapes.dates.none()) shapes.dates.see(text);
  if (parse_number(text)) {
    ++shapes.numbers;
    add(shapes.whole, is_whole(text));
    add(shapes.leading_zeros, has_leading_zero(text));
  }
  const CommaNumber comma = comma_number(text);
  add(shapes.comma_numbers, comma.fits);
  add(shapes.comma_proofs, comma.proof);
  add(shapes.point_groups, comma.grouped);
  add(shapes.emails, is_email(text));
  add(shapes.phones, is_phone(text));
  add(shapes.addresses_of_pages,
      text.starts_with("http://") || text.starts_with("https://") || text.starts_with("www."));
  add(shapes.icd, is_icd(text));
}

// A column while it is read. Values are told apart by their hashes.
class ProfileTaker {
 public:
  explicit ProfileTaker(const std::vector<std::string>* missing) : missing_(missing), slots_(1024), mask_(1023) {}

  // `kept`: rows of the chunk that go into the sample, and where.
  struct Kept {
    uint32_t row, slot;
  };
  void read(const TextStream& stream, size_t column, const std::vector<Kept>& kept) {
    hashes_.resize(stream.size());
    for (size_t row = 0; row < stream.size(); ++row) {
      const std::string_view cell = stream.cell(column, row);
      const uint64_t hash = hash_text(cell) | 1;  // 0 marks a free slot
      hashes_[row] = hash;
      size_t slot = hash & mask_;
      while (slots_[slot].hash != hash) {
        if (slots_[slot].hash == 0) {
          add(hash, cell);
          slot = SIZE_MAX;
          break;
        }
        slot = (slot + 1) & mask_;
      }
      if (slot != SIZE_MAX) ++counts_[slots_[slot].value];
    }
    for (const auto& [row, slot] : kept) {
      if (slot >= profile_.sample.size()) profile_.sample.resize(slot + 1);
      profile_.sample[slot] = hashes_[row];
    }
  }

  ColumnProfile take(std::string name, uint64_t rows) {
    profile_.name = std::move(name);
    profile_.rows = rows;
    count_missing();
    double same = 0;
    uint64_t missing_rows = 0;
    for (size_t value = 0; value < counts_.size(); ++value) {
      if (kinds_[value] == Kind::missing) {
        missing_rows += counts_[value];
        continue;
      }
      ++profile_.distinct;
      profile_.once += counts_[value] == 1 ? 1 : 0;
      profile_.most = std::max(profile_.most, counts_[value]);
      same += static_cast<double>(counts_[value]) * static_cast<double>(counts_[value] - 1);
    }
    same += static_cast<double>(missing_rows) * (static_cast<double>(missing_rows) - 1) * (missing_rows > 0 ? 1 : 0);
    const double pairs = static_cast<double>(rows) * (static_cast<double>(rows) - 1);
    profile_.separation = rows > 1 ? 1 - same / pairs : 0;
    profile_.missing = missing_rows;
    hold_values();
    return std::move(profile_);
  }

 private:
  enum class Kind : uint8_t { value, missing, mark };  // mark: missing if the others are numbers or dates
  struct Slot {
    uint64_t hash = 0;
    uint32_t value = 0;
  };

  void add(uint64_t hash, std::string_view cell) {
    const bool listed = std::find(missing_->begin(), missing_->end(), cell) != missing_->end();
    const Kind kind = cell.empty() || listed || among(kMissingWords, cell) ? Kind::missing
                      : among(kMissingMarks, cell)                         ? Kind::mark
                                                                           : Kind::value;
    const auto value = static_cast<uint32_t>(counts_.size());
    counts_.push_back(1);
    kinds_.push_back(kind);
    if (kind == Kind::value) look_at(cell, profile_.shapes);
    if (kind == Kind::value && profile_.examples.size() < kExamples) profile_.examples.emplace_back(cell);
    if (counts_.size() <= kMostHeld) {
      texts_.emplace_back(cell);
    } else if (counts_.size() == kMostHeld + 1) {
      texts_ = {};
    }
    if (kind == Kind::missing && !cell.empty()) profile_.missing_texts.emplace_back(cell);
    if (kind == Kind::mark) marks_.push_back({value, std::string(cell)});
    place({hash, value});
    if (counts_.size() * 2 > mask_) grow();
  }
  void place(const Slot& entry) {
    size_t slot = entry.hash & mask_;
    while (slots_[slot].hash != 0) slot = (slot + 1) & mask_;
    slots_[slot] = entry;
  }
  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 4));
    mask_ = slots_.size() - 1;
    for (const Slot& entry : old) {
      if (entry.hash != 0) place(entry);
    }
  }

  void count_missing() {
    uint64_t values = 0;
    for (const Kind kind : kinds_) values += kind == Kind::value ? 1 : 0;
    const ValueShapes& shapes = profile_.shapes;
    const bool measured = values > 1 && (shapes.numbers == values || shapes.comma_numbers == values ||
                                         (!shapes.dates.none() && shapes.dates.any_day()));
    for (const auto& [value, text] : marks_) {
      kinds_[value] = measured ? Kind::missing : Kind::value;
      if (measured) profile_.missing_texts.push_back(text);
      if (!measured) look_at(text, profile_.shapes);
    }
  }

  void hold_values() {
    if (counts_.size() > kMostHeld) return;
    for (size_t value = 0; value < counts_.size(); ++value) {
      if (kinds_[value] == Kind::missing) continue;
      profile_.values.push_back(std::move(texts_[value]));
      profile_.counts.push_back(counts_[value]);
    }
  }

  const std::vector<std::string>* missing_;
  ColumnProfile profile_;
  std::vector<Slot> slots_;
  size_t mask_;
  std::vector<uint64_t> counts_, hashes_;
  std::vector<Kind> kinds_;
  std::vector<std::string> texts_;
  struct Mark {
    uint32_t value;
    std::string text;
  };
  std::vector<Mark> marks_;
};

// Which rows of a stream of unknown length stay: each is as likely (reservoir sampling).
class EvenSample {
 public:
  EvenSample(size_t most, uint64_t seed) : most_(most), random_(seed) {}
  void choose(uint64_t first_row, size_t rows, std::vector<ProfileTaker::Kept>& kept) {
    kept.clear();
    for (size_t row = 0; row < rows; ++row) {
      const uint64_t at = first_row + row;
      const uint64_t slot = at < most_ ? at : random_.below(at + 1);
      if (slot < most_) kept.push_back({static_cast<uint32_t>(row), static_cast<uint32_t>(slot)});
    }
  }

 private:
  uint64_t most_;
  SeededRandom random_;
};

}  // namespace

TableProfile profile_table(TableSource& source, const ProfileSettings& settings, int threads,
                           const Progress& progress) {
  const size_t columns = source.columns().size();
  std::vector<size_t> all(columns);
  for (size_t j = 0; j < columns; ++j) all[j] = j;
  std::vector<ProfileTaker> takers;
  TableProfile table;
  source.read(all, progress, [&](TextStream& stream) {
    takers.assign(columns, ProfileTaker(&settings.missing));
    table.rows = 0;
    EvenSample sample(settings.sample_rows, settings.seed);
    std::vector<ProfileTaker::Kept> kept;
    const size_t parts = std::min<size_t>(columns, static_cast<size_t>(std::max(threads, 1)));
    while (stream.next()) {
      progress.check();
      sample.choose(table.rows, stream.size(), kept);
      run_tasks(parts, threads, [&](size_t, size_t part) {
        for (size_t j = part; j < columns; j += parts) takers[j].read(stream, j, kept);
      });
      table.rows += stream.size();
    }
  });
  if (table.rows == 0) throw Error(ErrorKind::input, fmt::format("'{}' has a header but no rows", source.name()));
  table.sampled = std::min<uint64_t>(table.rows, settings.sample_rows);
  for (size_t j = 0; j < columns; ++j) table.columns.push_back(takers[j].take(source.columns()[j], table.rows));
  // So that a part of the sample is a sample, whatever order the rows stand in.
  std::vector<size_t> order(table.sampled);
  for (size_t row = 0; row < order.size(); ++row) order[row] = row;
  SeededRandom random(settings.seed + 1);
  shuffle(order, random);
  for (ColumnProfile& column : table.columns) {
    std::vector<uint64_t> sample(order.size());
    for (size_t row = 0; row < order.size(); ++row) sample[row] = column.sample[order[row]];
    column.sample = std::move(sample);
  }
  return table;
}

}  // namespace shoal
