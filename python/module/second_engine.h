// Verification's second engine: DuckDB's Python package, reached through a Python object with a method `query(sql)`.
#pragma once

#include <nanobind/nanobind.h>

#include "shoal/shoal.h"

namespace shoal::python {

// `make(table)`: given the columns of the release that are counted, as texts, returns an object whose query(sql) gives
// rows of texts or None, and whose create_table(name, table) makes a table of texts for later queries. Called, like its
// queries, from the thread of the run, which takes the interpreter for that time.
SecondEngine second_engine(nanobind::object make, const Progress& progress);

}  // namespace shoal::python
