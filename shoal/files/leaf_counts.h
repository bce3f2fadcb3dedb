// What is asked about the rows of each leaf of a cut tree, counted while the rows pass by: would they hold as one
// group?
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/streamed_table.h"
#include "shoal/method/method.h"
#include "shoal/model/histogram.h"

namespace shoal {

// Memory: for each leaf the different values of its sensitive columns (pairs for joint models), and at most as many
// persons as are asked for.
class LeafCounts {
 public:
  // Models of the population are not known here. All must outlive it.
  LeafCounts(const Problem& problem, const StreamedTable& table, size_t leaves);
  // A row of that leaf: its codes in the sensitive columns, then its person, where the table has these.
  void add(uint32_t leaf, const uint32_t* asked);
  // Whether the rows of these leaves as one group have what all rules ask, average-risk too.
  bool hold(std::span<const uint32_t> leaves) const;

 private:
  struct Counted {
    HistogramShape shape;
    size_t most_values;  // more different ones need not be known
    std::vector<Histogram> of_leaf;
    const SensitivePairs* pairs = nullptr;  // of the whole table, where these are counted
  };
  size_t place_of(const ModelSpec& spec) const;  // among the counted

  const Problem& problem_;
  const StreamedTable& table_;
  std::vector<Counted> counted_;                   // [sensitive column, then the person, then pairs for joint models]
  std::map<std::string, size_t> pairs_of_column_;  // by name: place among the counted
  std::vector<uint64_t> rows_;                     // [leaf]
};

}  // namespace shoal
