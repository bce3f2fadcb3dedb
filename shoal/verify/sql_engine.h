// Whoever counts for the verification: a second engine that runs plain SQL text on the release (DuckDB here, its Python
// package or Spark elsewhere).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/table/text_stream.h"

namespace shoal {

class SqlEngine {
 public:
  SqlEngine() = default;
  SqlEngine(const SqlEngine&) = delete;
  SqlEngine& operator=(const SqlEngine&) = delete;
  virtual ~SqlEngine() = default;

  // Runs one SELECT to its end; cells as text, NULL as "". Throws Error.
  virtual std::vector<std::vector<std::string>> query(const std::string& sql) = 0;

  // Makes (or makes anew) a table of texts for later queries, from rows of as many cells as there are columns. Throws
  // Error, and what the stream throws.
  virtual void create_table(const std::string& name, const std::vector<std::string>& columns, TextStream& rows) = 0;
};

// Gives these columns of a released table, as texts and under the name "release", to the engine that counts its groups.
// The table outlives the engine.
using SecondEngine =
    std::function<std::unique_ptr<SqlEngine>(TableSource& release, const std::vector<size_t>& columns)>;

}  // namespace shoal
