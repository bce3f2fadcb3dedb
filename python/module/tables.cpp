#include "tables.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "shoal/shoal.h"

namespace shoal::python {
namespace {

constexpr const char* kStreamName = "arrow_array_stream";

// The capsule owns the struct; whoever takes the stream out of it sets `release` to null.
void free_stream(void* pointer) noexcept {
  auto* stream = static_cast<ArrowArrayStream*>(pointer);
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

}  // namespace

InputTable::InputTable(nb::capsule capsule, const std::string& name) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), kStreamName);
  if (pointer == nullptr) {
    PyErr_Clear();
    throw Error(ErrorKind::input, "not an Arrow stream: the capsule is named otherwise than 'arrow_array_stream'");
  }
  auto* stream = static_cast<ArrowArrayStream*>(pointer);
  if (stream->release == nullptr) {
    throw Error(ErrorKind::input, name + ": the Arrow stream was read before and has no more rows; give a new one");
  }
  nb::gil_scoped_release released;  // a stream of a database may take its time, and may want Python itself
  table = std::make_shared<ArrowTable>(*stream, name);
}

nb::capsule OutputTable::stream() const {
  auto stream = std::make_unique<ArrowArrayStream>();
  columns.stream(*stream);
  return nb::capsule(stream.release(), kStreamName, free_stream);
}

std::vector<TableSource*> sources_of(const std::vector<InputTable>& tables) {
  std::vector<TableSource*> sources;
  for (const InputTable& table : tables) sources.push_back(table.table.get());
  return sources;
}

// The other way round, of 32 bits each.
std::vector<uint32_t> numbers_in(const nb::bytes& packed) {
  std::vector<uint32_t> numbers(packed.size() / sizeof(uint32_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), packed.c_str(), numbers.size() * sizeof(uint32_t));
  return numbers;
}

void bind_tables(nb::module_& module) {
  nb::class_<InputTable>(module, "InputTable")
      .def(nb::init<nb::capsule, const std::string&>())
      .def_prop_ro("columns", [](const InputTable& self) { return self.table->columns(); })
      .def_prop_ro("rows", [](const InputTable& self) { return self.table->rows(); });
  nb::class_<OutputTable>(module, "OutputTable")
      .def(
          "__arrow_c_stream__", [](const OutputTable& self, nb::object) { return self.stream(); },
          nb::arg("requested_schema") = nb::none())
      .def_prop_ro("rows", [](const OutputTable& self) { return self.columns.rows(); });
}

}  // namespace shoal::python
