#include "shoal/method/space/released_part.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "shoal/measure/cell_loss.h"
#include "shoal/table/groups.h"

namespace shoal {

ReleasedPart together(const ReleasedPart& a, const ReleasedPart& b) {
  auto codes_of = [](const ReleasedPart& part) {
    Codes codes(part.group_of_row.size(), part.groups());
    codes.visit([&](auto span) {
      for (size_t row = 0; row < span.size(); ++row) {
        span[row] = static_cast<typename decltype(span)::value_type>(part.group_of_row[row]);
      }
    });
    return codes;
  };
  const Codes a_codes = codes_of(a), b_codes = codes_of(b);
  const std::vector<GroupKey> keys{{&a_codes, a.groups()}, {&b_codes, b.groups()}};
  Groups groups = group_rows(a.group_of_row.size(), keys);
  ReleasedPart result;
  std::merge(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
             std::back_inserter(result.columns));
  result.releases.reserve(groups.sizes.size() * result.columns.size());
  uint32_t known = 0;
  for (size_t row = 0; row < groups.group_of_row.size(); ++row) {
    if (groups.group_of_row[row] < known) continue;
    ++known;
    auto from_a = a.releases.begin() + static_cast<ptrdiff_t>(a.group_of_row[row] * a.columns.size());
    auto from_b = b.releases.begin() + static_cast<ptrdiff_t>(b.group_of_row[row] * b.columns.size());
    for (size_t column : result.columns) {
      const bool of_a = std::binary_search(a.columns.begin(), a.columns.end(), column);
      result.releases.push_back(of_a ? *from_a++ : *from_b++);
    }
  }
  result.group_of_row = std::move(groups.group_of_row);
  return result;
}

ReleasedPart part_of(const GroupRecoding& recoding, const std::vector<size_t>& columns) {
  ReleasedPart part{columns, recoding.group_of_row, {}};
  const std::vector<size_t>& all = recoding.recoded_columns;
  std::vector<size_t> places;
  for (size_t column : columns) {
    places.push_back(static_cast<size_t>(std::lower_bound(all.begin(), all.end(), column) - all.begin()));
  }
  part.releases.reserve(recoding.groups() * columns.size());
  for (size_t group = 0; group < recoding.groups(); ++group) {
    for (size_t place : places) part.releases.push_back(recoding.group_releases[group * all.size() + place]);
  }
  return part;
}

GroupRecoding recoding_of(ReleasedPart part) {
  GroupRecoding recoding;
  recoding.recoded_columns = std::move(part.columns);
  recoding.group_of_row = std::move(part.group_of_row);
  recoding.group_releases = std::move(part.releases);
  return recoding;
}

double weighted_ncp(const ReleasedPart& part, const Problem& problem) {
  std::vector<uint64_t> rows(part.groups(), 0);
  for (uint32_t group : part.group_of_row) ++rows[group];
  double total = 0;
  for (size_t i = 0; i < part.releases.size(); ++i) {
    const size_t column = part.columns[i % part.columns.size()];
    total += double(rows[i / part.columns.size()]) * problem.weights[column] *
             ncp(problem.hierarchies[column], part.releases[i]);
  }
  return total;
}

}  // namespace shoal
