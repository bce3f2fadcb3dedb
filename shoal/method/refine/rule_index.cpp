#include "shoal/method/refine/rule_index.h"

#include <algorithm>
#include <numeric>

namespace shoal {

RuleIndex::RuleIndex(const Table& table, const Requirement& requirement, const GroupRule& rule, MaskedCut& cut)
    : table_(table), rule_(rule), cut_(cut), columns_(requirement.columns), rows_(table.rows) {
  std::iota(rows_.begin(), rows_.end(), 0u);
  groups_.push_back({0, static_cast<uint32_t>(rows_.size())});
  for (size_t column : columns_) test(column, groups_.front());
}

bool RuleIndex::has_column(size_t column) const { return std::binary_search(columns_.begin(), columns_.end(), column); }

// All rows of a group are masked to the same cell, so the first one tells.
uint32_t RuleIndex::cell_at(size_t column, Range group) const {
  return cut_.cell_of_leaf(column)[table_.quasi[column].codes[rows_[group.begin]]];
}

bool RuleIndex::refine(const Refined& refined, const Progress& progress) {
  const size_t column = cut_.cells()[refined.cell].column;
  const size_t before = groups_.size();
  for (size_t i = 0; i < before; ++i) {
    // The rows of a group that was masked to the refined cell are masked to it still, or to one of the new ones.
    const uint32_t cell = cell_at(column, groups_[i]);
    if (cell != refined.cell && (cell < refined.first || cell >= refined.first + refined.count)) continue;
    progress.check();
    if (progress.out_of_time()) return false;
    const std::vector<Range> parts = split(column, groups_[i], refined);
    groups_[i] = parts.front();
    groups_.insert(groups_.end(), parts.begin() + 1, parts.end());
    for (const Range part : parts) {
      // Where no group fell apart, only the refined column has new candidates.
      for (size_t other : columns_) {
        if (parts.size() > 1 || other == column) test(other, part);
      }
    }
  }
  return true;
}

// Puts the rows of each new cell together: those of the new cells in order, then what stays in the refined one.
std::vector<RuleIndex::Range> RuleIndex::split(size_t column, Range group, const Refined& refined) {
  const auto cells = cut_.cell_of_leaf(column);
  const std::span<uint32_t> rows(rows_.data() + group.begin, group.end - group.begin);
  std::vector<uint32_t> next(refined.count + 2, 0);
  moved_.assign(rows.begin(), rows.end());
  table_.quasi[column].codes.visit([&](auto codes) {
    auto part_of = [&](uint32_t row) { return std::min(cells[codes[row]] - refined.first, refined.count); };
    for (uint32_t row : rows) ++next[part_of(row) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (uint32_t row : moved_) rows[next[part_of(row)]++] = row;
  });
  // next[part] is now where the part ends.
  std::vector<Range> parts;
  uint32_t begin = 0;
  for (uint32_t part = 0; part <= refined.count; ++part) {
    if (next[part] > begin) parts.push_back({group.begin + begin, group.begin + next[part]});
    begin = next[part];
  }
  return parts;
}

// Kills the candidates of the column's cell in this group whose parts would break the rule.
void RuleIndex::test(size_t column, Range group) {
  const uint32_t cell_id = cell_at(column, group);
  if (!cut_.cell_live(cell_id)) return;
  const Cell& cell = cut_.cells()[cell_id];
  const auto part_of_leaf = cut_.part_of_leaf(column);
  constexpr uint32_t kNowhere = UINT32_MAX;
  if (place_of_part_.size() < cell.parts) place_of_part_.resize(cell.parts, kNowhere);
  std::vector<uint32_t> parts;  // those that occur
  std::vector<GroupTally> tallies;
  table_.quasi[column].codes.visit([&](auto codes) {
    for (uint32_t i = group.begin; i < group.end; ++i) {
      const uint32_t part = part_of_leaf[codes[rows_[i]]];
      if (place_of_part_[part] == kNowhere) {
        place_of_part_[part] = static_cast<uint32_t>(parts.size());
        parts.push_back(part);
        tallies.push_back(rule_.tally());
      }
      rule_.add(tallies[place_of_part_[part]], rows_[i], table_.times_of(rows_[i]));
    }
  });
  for (uint32_t part : parts) place_of_part_[part] = kNowhere;
  if (cell.one_by_one) {
    test_disclosures(cell, parts, tallies);
  } else {
    test_whole(cell, tallies);
  }
}

void RuleIndex::test_whole(const Cell& cell, const std::vector<GroupTally>& tallies) {
  const bool valid = std::all_of(tallies.begin(), tallies.end(), [&](const auto& tally) { return rule_.holds(tally); });
  if (!valid && cut_.live(cell.first_candidate)) cut_.kill(cell.first_candidate);
}

// One value is disclosed: its rows make a group, and so do all the others together.
void RuleIndex::test_disclosures(const Cell& cell, const std::vector<uint32_t>& parts,
                                 const std::vector<GroupTally>& tallies) {
  GroupTally all = rule_.tally();
  for (const GroupTally& tally : tallies) rule_.merge(all, tally);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == 0) continue;  // nothing is disclosed by it
    const uint32_t candidate = cell.first_candidate + parts[i] - 1;
    if (!cut_.live(candidate)) continue;
    rule_.subtract(all, tallies[i]);
    if (!rule_.holds(tallies[i]) || !rule_.holds(all)) cut_.kill(candidate);
    rule_.merge(all, tallies[i]);
  }
}

}  // namespace shoal
