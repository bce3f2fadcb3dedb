#include "second_engine.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "shoal/shoal.h"
#include "tables.h"

namespace shoal::python {
namespace {

namespace nb = nanobind;

void add_rows(TextStream& rows, std::vector<ArrowColumn>& texts) {
  while (rows.next()) {
    for (size_t j = 0; j < texts.size(); ++j) {
      for (size_t row = 0; row < rows.size(); ++row) {
        const std::string_view cell = rows.cell(j, row);
        if (cell.data() == nullptr) {
          texts[j].add_null();
        } else {
          texts[j].add_text(cell);
        }
      }
    }
  }
}

// A column of a release as it is read: its different texts, and which of them each row has. Released cells repeat, and
// those of a dictionary lie in one place, so that most are known by their address.
class CodedTexts {
 public:
  explicit CodedTexts(std::string name) : name_(std::move(name)), known_(kKnown) {}

  void add(std::string_view cell) {
    if (cell.data() == nullptr) {
      codes_.push_back(kMissing);
      return;
    }
    Known& known = known_[(reinterpret_cast<uintptr_t>(cell.data()) >> 2U) % kKnown];
    // An address may hold other texts later: views into a reader's buffer.
    if (known.code == kMissing || known.data != cell.data() || texts_.texts()[known.code] != cell) {
      known = {cell.data(), texts_.code(cell)};
    }
    codes_.push_back(known.code);
  }

  ArrowColumn column() const {
    ArrowColumn column = ArrowColumn::of_codes(name_, texts_.texts());
    for (const uint32_t code : codes_) {
      if (code == kMissing) {
        column.add_null();
      } else {
        column.add_code(code);
      }
    }
    return column;
  }

 private:
  static constexpr uint32_t kMissing = UINT32_MAX;
  static constexpr size_t kKnown = 4096;
  struct Known {
    const char* data = nullptr;
    uint32_t code = kMissing;
  };
  std::string name_;
  std::vector<Known> known_;
  Dictionary texts_;
  std::vector<uint32_t> codes_;
};

// Every cell as the text that the engine means by it: dates, decimals and booleans are written alike on both sides.
ArrowColumns as_texts(TableSource& table, const std::vector<size_t>& columns, const Progress& progress) {
  std::vector<CodedTexts> coded;
  table.read(columns, progress, [&](TextStream& rows) {
    coded.clear();
    for (size_t j : columns) coded.emplace_back(table.columns()[j]);
    while (rows.next()) {
      for (size_t j = 0; j < coded.size(); ++j) {
        for (size_t row = 0; row < rows.size(); ++row) coded[j].add(rows.cell(j, row));
      }
    }
  });
  std::vector<ArrowColumn> texts;
  for (const CodedTexts& column : coded) texts.push_back(column.column());
  return ArrowColumns(std::move(texts));
}

// Python objects must be let go with the interpreter held, wherever the run's thread drops them.
struct Held {
  explicit Held(nb::object held) : object(std::move(held)) {}
  ~Held() {
    nb::gil_scoped_acquire acquired;
    object.reset();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  nb::object object;
};

// Requires the interpreter.
[[noreturn]] void refuse(const nb::python_error& error) {
  throw Error(ErrorKind::input, std::string("the release cannot be counted: ") + nb::str(error.value()).c_str());
}

class PythonEngine : public SqlEngine {
 public:
  explicit PythonEngine(nb::object engine) : engine_(std::move(engine)) {}

  std::vector<std::vector<std::string>> query(const std::string& sql) override {
    nb::gil_scoped_acquire acquired;
    try {
      const nb::object rows = engine_.object.attr("query")(sql);
      std::vector<std::vector<std::string>> result;
      for (const auto& row : nb::cast<std::vector<std::vector<std::optional<std::string>>>>(rows)) {
        result.emplace_back();
        for (const auto& cell : row) result.back().push_back(cell.value_or(""));
      }
      return result;
    } catch (const nb::python_error& error) {
      refuse(error);
    }
  }

  void create_table(const std::string& name, const std::vector<std::string>& columns, TextStream& rows) override {
    std::vector<ArrowColumn> texts;
    for (const std::string& column : columns) texts.push_back(ArrowColumn::of_texts(column));
    add_rows(rows, texts);
    OutputTable table{ArrowColumns(std::move(texts))};
    nb::gil_scoped_acquire acquired;
    try {
      engine_.object.attr("create_table")(name, nb::cast(std::move(table)));
    } catch (const nb::python_error& error) {
      refuse(error);
    }
  }

 private:
  Held engine_;
};

}  // namespace

SecondEngine second_engine(nb::object make, const Progress& progress) {
  const auto maker = std::make_shared<Held>(std::move(make));
  return [maker, &progress](TableSource& release, const std::vector<size_t>& columns) -> std::unique_ptr<SqlEngine> {
    OutputTable texts{as_texts(release, columns, progress)};
    nb::gil_scoped_acquire acquired;
    try {
      return std::make_unique<PythonEngine>(maker->object(nb::cast(std::move(texts))));
    } catch (const nb::python_error& error) {
      refuse(error);
    }
  };
}

}  // namespace shoal::python
