#include "shoal/examine/column_census.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "shoal/table/dictionary.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr size_t kMostBytes = size_t{512} << 20;

// Hashes to small numbers in order of first appearance.
class HashCodes {
 public:
  // Returns the code; `fresh` says whether the hash was new.
  uint32_t code(uint64_t hash, bool& fresh) {
    if (hash == 0) hash = 1;  // 0 marks a free slot
    size_t at = hash & mask_;
    while (slots_[at].hash != 0) {
      if (slots_[at].hash == hash) return slots_[at].code;
      at = (at + 1) & mask_;
    }
    fresh = true;
    slots_[at] = {hash, next_};
    if (size_t{next_} * 2 + 2 > mask_) grow();
    return next_++;
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    uint32_t code = 0;
  };
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    std::swap(old, slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.hash == 0) continue;
      size_t at = slot.hash & mask_;
      while (slots_[at].hash != 0) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  size_t mask_ = 1023;
  uint32_t next_ = 0;
};

struct CensusTaker {
  CensusColumn column;
  HashCodes values;
  std::vector<uint32_t> codes;
  std::vector<bool> formula;

  void read(const TextStream& stream, size_t place) {
    for (size_t row = 0; row < stream.size(); ++row) {
      const std::string_view cell = stream.cell(place, row);
      bool fresh = false;
      const uint32_t code = values.code(hash_text(cell), fresh);
      if (fresh) {
        column.counts.push_back(0);
        formula.push_back(is_formula(cell));
        column.date_values += looks_like_date(cell) ? 1 : 0;
        column.places.push_back(place_of(cell));
      }
      ++column.counts[code];
      codes.push_back(code);
      column.empty_cells += cell.empty() ? 1 : 0;
    }
  }
  CensusColumn take() {
    column.codes = Codes(codes.size(), std::max<size_t>(column.counts.size(), 1));
    column.codes.visit([&](auto to) {
      using Code = typename decltype(to)::value_type;
      std::transform(codes.begin(), codes.end(), to.begin(), [](uint32_t code) { return static_cast<Code>(code); });
    });
    codes = {};
    column.places = useful_places(std::move(column.places), column.counts);
    for (size_t code = 0; code < formula.size(); ++code)
      column.formula_cells += formula[code] ? column.counts[code] : 0;
    return std::move(column);
  }
};

bool digits_at(std::string_view text, size_t at, size_t count) {
  if (at + count > text.size()) return false;
  return std::all_of(text.begin() + static_cast<ptrdiff_t>(at), text.begin() + static_cast<ptrdiff_t>(at + count),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "17.03.2024", "3/17/2024": two numbers of one or two digits and a year.
bool day_month_year(std::string_view text, char mark) {
  const size_t first = text.find(mark);
  if (first == std::string_view::npos || first < 1 || first > 2 || !digits_at(text, 0, first)) return false;
  const size_t second = text.find(mark, first + 1);
  if (second == std::string_view::npos || second - first < 2 || second - first > 3) return false;
  if (!digits_at(text, first + 1, second - first - 1) || !digits_at(text, second + 1, 4)) return false;
  return text.size() == second + 5 || text[second + 5] == ' ';
}

}  // namespace

bool looks_like_date(std::string_view cell) {
  if (cell.size() < 8) return false;
  if (digits_at(cell, 0, 4) && cell.size() >= 10 && cell[4] == '-' && digits_at(cell, 5, 2) && cell[7] == '-' &&
      digits_at(cell, 8, 2)) {
    return cell.size() == 10 || cell[10] == ' ' || cell[10] == 'T';
  }
  return day_month_year(cell, '.') || day_month_year(cell, '/');
}

double place_of(std::string_view cell) {
  if (const auto number = parse_number(cell)) return *number;
  if (!looks_like_date(cell)) return std::numeric_limits<double>::quiet_NaN();
  // Three numbers, of which one with four digits is the year. Day and month are taken as they come: which is which
  // matters little among years.
  std::array<double, 3> parts{};
  size_t part = 0, digits = 0, year = 0;
  for (char c : cell) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      parts[part] = parts[part] * 10 + (c - '0');
      if (++digits == 4) year = part;
    } else if (digits = 0; ++part == parts.size()) {
      break;
    }
  }
  const bool days_first = year == 2 && cell.find('.') != std::string_view::npos;
  return year == 0 ? parts[0] * 10'000 + parts[1] * 100 + parts[2]
                   : parts[2] * 10'000 + parts[days_first ? 1 : 0] * 100 + parts[days_first ? 0 : 1];
}

std::vector<double> useful_places(std::vector<double> places, const std::vector<uint32_t>& counts) {
  uint64_t placed = 0, all = 0;
  for (size_t value = 0; value < counts.size(); ++value) {
    all += counts[value];
    placed += std::isnan(places[value]) ? 0 : counts[value];
  }
  if (placed * 10 < all * 9) places.clear();
  return places;
}

std::vector<CensusColumn> take_census(TableSource& source, const std::vector<size_t>& columns,
                                      const Progress& progress) {
  std::vector<CensusColumn> found;
  size_t at_once = columns.size();
  while (found.size() < columns.size()) {
    const std::vector<size_t> part(
        columns.begin() + static_cast<ptrdiff_t>(found.size()),
        columns.begin() + static_cast<ptrdiff_t>(std::min(found.size() + at_once, columns.size())));
    std::vector<CensusTaker> takers;
    size_t fit = part.size();
    source.read(part, progress, [&](TextStream& stream) {
      takers.clear();
      takers.resize(part.size());
      fit = part.size();
      size_t rows = 0;
      while (stream.next()) {
        for (size_t i = 0; i < fit; ++i) takers[i].read(stream, i);
        rows += stream.size();
        // Too long a table for all columns at once: those that do not fit wait for another pass.
        const size_t most = std::max<size_t>(kMostBytes / (rows * sizeof(uint32_t) + 1), 1);
        if (most < fit) {
          fit = most;
          for (size_t i = fit; i < takers.size(); ++i) takers[i] = {};
        }
      }
    });
    at_once = fit;
    for (size_t i = 0; i < fit; ++i) {
      takers[i].column.name = source.columns()[part[i]];
      found.push_back(takers[i].take());
    }
  }
  return found;
}

}  // namespace shoal
