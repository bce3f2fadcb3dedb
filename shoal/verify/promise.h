// What a release promises, as plain data: all that its verification knows about how it was made.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/hierarchy/tree.h"
#include "shoal/job/job.h"
#include "shoal/model/model.h"

namespace shoal {

struct PromisedColumn {
  std::string name;
  bool recoded = false;  // its cells cover the original's; else they are the same texts
  // Of recoded columns. `automatic`: numbers where it has no tree and every original is a number.
  ColumnType type = ColumnType::automatic;
  std::optional<Tree> tree = {};
};

struct PromisedRequirement {
  std::vector<std::string> columns;  // recoded ones
  uint64_t k = 0;
  std::vector<ModelSpec> models = {};  // what its groups keep besides; persons among them
};

// A sensitive column of the whole input: what models compare groups with.
struct InputColumn {
  Encoding encoding;  // of this column alone
  WholeColumn whole;  // reads the encoding: an InputColumn stays where it is
};

struct Promise {
  std::vector<PromisedColumn> columns;  // each of them is released
  std::vector<std::string> hidden;      // these are not
  bool others = false;                  // further columns may be released as they are; false: none but `columns`
  std::vector<PromisedRequirement> requirements;
  std::vector<std::string> missing;  // texts that mean "missing" in recoded columns, besides the empty one
  // Recoded columns that say together which rows look alike where numbers may be released as means; else empty.
  std::vector<std::string> means;
  double most_dropped = 0;             // largest share of the rows that may be left out
  std::vector<std::string> sensitive;  // columns that models may be about, in the job's order
  std::string person;                  // the hidden column that says who a row is about; "": none
  // The whole input's sensitive columns that models are about, by name; empty where the input is not at hand.
  std::map<std::string, std::shared_ptr<const InputColumn>, std::less<>> inputs;

  const PromisedColumn* find(std::string_view name) const {
    for (const PromisedColumn& column : columns) {
      if (column.name == name) return &column;
    }
    return nullptr;
  }
};

// Which columns of a release (numbers into `released`) its groups are counted by: recoded and sensitive ones.
std::vector<size_t> counted_columns(const Promise& promise, const std::vector<std::string>& released);

}  // namespace shoal
