// Tables between Python and the engine: Arrow streams in capsules, both ways.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "shoal/shoal.h"

namespace shoal::python {

namespace nb = nanobind;

// Anything that `__arrow_c_stream__()` gave; taken over, so that it can be read here as often as wanted.
struct InputTable {
  InputTable(nb::capsule stream, const std::string& name);
  std::shared_ptr<ArrowTable> table;
};

// A table of ours for others, who may ask for its stream more than once.
struct OutputTable {
  ArrowColumns columns;
  nb::capsule stream() const;
};

// Tables that Python lists, as the engine takes them.
std::vector<TableSource*> sources_of(const std::vector<InputTable>& tables);

// Numbers of 32 bits, one after the other.
std::vector<uint32_t> numbers_in(const nb::bytes& packed);

void bind_tables(nb::module_& module);

}  // namespace shoal::python
