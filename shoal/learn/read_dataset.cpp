// From released texts to cells. A column is numeric when all its texts are numbers or ranges; else its categories are
// the finest values that occur, and a text that is an inner node of the column's tree is the set of categories below
// it. Both parts of a split are read together, by what the training part has: a value that only the test part has
// becomes the set of its nearest known ancestor, or missing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "shoal/error.h"
#include "shoal/hierarchy/interval_label.h"
#include "shoal/learn/category_tree.h"
#include "shoal/learn/dataset.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using TextSet = std::set<std::string, std::less<>>;

bool bracketed(std::string_view text) {
  return text.size() > 2 && (text.front() == '[' || text.front() == '(') && (text.back() == ']' || text.back() == ')');
}

// A number or an interval. An end that is not included moves by the smallest step, so that [1,37) and [37,99) part.
std::optional<Extent> read_extent(std::string_view text) {
  if (const auto number = parse_number(text)) return Extent{*number, *number};
  if (const auto range = parse_range(text); range && range->low <= range->high) return Extent{range->low, range->high};
  const auto label = label_interval(text);
  if (!label) return std::nullopt;
  Extent extent{label->low ? label->low->nearest_double() : -kInfinity,
                label->high ? label->high->nearest_double() : kInfinity};
  if (!label->low_closed && std::isfinite(extent.low)) extent.low = std::nextafter(extent.low, kInfinity);
  if (!label->high_closed && std::isfinite(extent.high)) extent.high = std::nextafter(extent.high, -kInfinity);
  if (extent.low > extent.high) return std::nullopt;
  return extent;
}

// The numbers below a node of a numeric column's tree.
std::optional<Extent> extent_below(std::string_view text, const std::optional<LabelTree>& tree) {
  if (!tree) return std::nullopt;
  const auto found = std::find(tree->labels.begin(), tree->labels.end(), text);
  if (found == tree->labels.end()) return std::nullopt;
  const auto top = static_cast<uint32_t>(found - tree->labels.begin());
  std::vector<bool> below(tree->labels.size(), false);
  below[top] = true;
  Extent extent{kInfinity, -kInfinity};
  for (uint32_t node = top + 1; node < tree->labels.size(); ++node) {
    below[node] = below[tree->parents[node]];
    if (!below[node]) continue;
    if (const auto part = read_extent(tree->labels[node])) {
      extent.low = std::min(extent.low, part->low);
      extent.high = std::max(extent.high, part->high);
    }
  }
  if (extent.low > extent.high) return std::nullopt;
  return extent;
}

// A column and what its texts are. A text that no row has (the dictionary of a larger table) must not become a value.
struct Texts {
  const TextColumn* column;
  std::vector<bool> known;    // [text] some row has it, and it says something
  std::vector<bool> missing;  // [text] some row has it, and it says nothing
};

Texts texts_of(const TextColumn& column, const DatasetReading& reading) {
  const bool released = reading.reading(column.name).as == ReadAs::released;
  Texts texts{&column, std::vector<bool>(column.texts.size()), std::vector<bool>(column.texts.size())};
  const TextSet missing(reading.missing.begin(), reading.missing.end());
  std::vector<uint8_t> used(column.texts.size(), 0);
  column.codes.visit([&](auto codes) {
    for (auto code : codes) used[code] = 1;
  });
  for (size_t i = 0; i < column.texts.size(); ++i) {
    if (used[i] == 0) continue;
    const bool says_nothing = missing.contains(column.texts[i]) && !(released && column.texts[i] == "*");
    (says_nothing ? texts.missing : texts.known)[i] = true;
  }
  return texts;
}

bool reads_as_number(const Texts& texts) {
  bool any = false;
  for (size_t i = 0; i < texts.known.size(); ++i) {
    if (!texts.known[i]) continue;
    any = true;
    const std::string& text = texts.column->texts[i];
    const bool number = parse_number(text) && !has_leading_zero(text);
    if (!number && !(bracketed(text) && read_extent(text))) return false;
  }
  return any;
}

bool is_numeric(std::span<const Texts> parts, const ColumnReading& reading) {
  if (reading.as != ReadAs::automatic) return reading.as == ReadAs::numeric;
  if (reading.tree) return false;
  bool any = false;
  for (const Texts& texts : parts) {
    if (std::find(texts.known.begin(), texts.known.end(), true) == texts.known.end()) continue;
    if (!reads_as_number(texts)) return false;
    any = true;
  }
  return any;
}

// Replaces text codes by cells.
void set_codes(const Texts& texts, const std::vector<uint32_t>& cell_of_text, Attribute& attribute) {
  attribute.codes.resize(texts.column->codes.size());
  texts.column->codes.visit([&](auto codes) {
    for (size_t row = 0; row < codes.size(); ++row) attribute.codes[row] = cell_of_text[codes[row]];
  });
  for (size_t i = 0; i < cell_of_text.size(); ++i) {
    const bool used = texts.known[i] || texts.missing[i];
    attribute.has_missing = attribute.has_missing || (used && cell_of_text[i] == Attribute::kMissing);
  }
}

// Open-ended intervals end where the column's finite numbers do.
void close_extents(std::vector<Extent>& extents) {
  double low = kInfinity, high = -kInfinity;
  for (const Extent& extent : extents) {
    for (double end : {extent.low, extent.high}) {
      if (!std::isfinite(end)) continue;
      low = std::min(low, end);
      high = std::max(high, end);
    }
  }
  for (Extent& extent : extents) {
    if (!std::isfinite(extent.low)) extent.low = std::min(low, extent.high);
    if (!std::isfinite(extent.high)) extent.high = std::max(high, extent.low);
  }
}

Attribute numeric_attribute(const Texts& texts, const ColumnReading& reading) {
  Attribute attribute;
  attribute.name = texts.column->name;
  attribute.numeric = true;
  std::vector<Extent> extents;
  for (size_t i = 0; i < texts.missing.size(); ++i) {
    const std::string& text = texts.column->texts[i];
    if (!texts.known[i]) continue;
    auto extent = read_extent(text);
    if (!extent) extent = extent_below(text, reading.tree);
    if (!extent) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' in the numeric column '{}' is neither a number nor a range; read the column as "
                              "categorical, or list the text under missing",
                              text, attribute.name));
    }
    extents.push_back(*extent);
  }
  close_extents(extents);
  attribute.extents = extents;
  const auto before = [](const Extent& a, const Extent& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; };
  std::sort(attribute.extents.begin(), attribute.extents.end(), before);
  attribute.extents.erase(std::unique(attribute.extents.begin(), attribute.extents.end()), attribute.extents.end());
  std::vector<uint32_t> cell_of_text;
  size_t next = 0;
  for (size_t i = 0; i < texts.missing.size(); ++i) {
    if (!texts.known[i]) {
      cell_of_text.push_back(Attribute::kMissing);
      continue;
    }
    const Extent& extent = extents[next++];
    const auto found = std::lower_bound(attribute.extents.begin(), attribute.extents.end(), extent, before);
    cell_of_text.push_back(static_cast<uint32_t>(found - attribute.extents.begin()));
    attribute.has_vague = attribute.has_vague || !extent.exact();
  }
  set_codes(texts, cell_of_text, attribute);
  return attribute;
}

std::vector<std::string> categories_of(std::span<const Texts> parts, const ColumnReading& reading) {
  std::set<std::string> present;
  for (const Texts& texts : parts) {
    for (size_t i = 0; i < texts.missing.size(); ++i) {
      if (texts.known[i]) present.insert(texts.column->texts[i]);
    }
  }
  if (reading.as == ReadAs::released) return {present.begin(), present.end()};
  return CategoryTree::finest(present, reading.tree);
}

Attribute categorical_attribute(const Texts& texts, std::vector<std::string> categories, const ColumnReading& reading) {
  Attribute attribute;
  attribute.name = texts.column->name;
  attribute.categories = std::move(categories);
  const bool released = reading.as == ReadAs::released;
  const CategoryTree tree(attribute.categories, released ? std::nullopt : reading.tree);
  std::map<std::vector<uint32_t>, uint32_t> set_codes_by_members;
  std::vector<uint32_t> cell_of_text;
  for (size_t i = 0; i < texts.missing.size(); ++i) {
    const auto meaning = texts.known[i] ? tree.meaning(texts.column->texts[i]) : std::vector<uint32_t>{};
    if (meaning.empty() || (meaning.size() > 1 && meaning.size() == attribute.categories.size())) {
      cell_of_text.push_back(Attribute::kMissing);  // any of all: nothing known
    } else if (meaning.size() == 1) {
      cell_of_text.push_back(meaning[0]);
    } else {
      const auto code = static_cast<uint32_t>(attribute.categories.size() + attribute.sets.size());
      const auto [found, is_new] = set_codes_by_members.emplace(meaning, code);
      if (is_new) attribute.sets.push_back(meaning);
      cell_of_text.push_back(found->second);
      attribute.has_vague = true;
    }
  }
  set_codes(texts, cell_of_text, attribute);
  return attribute;
}

const TextColumn& column_named(std::span<const TextColumn> columns, const std::string& name) {
  for (const TextColumn& column : columns) {
    if (column.name == name) return column;
  }
  throw Error(ErrorKind::input, fmt::format("there is no column '{}', which the model was trained on", name));
}

const TextColumn& target_of(std::span<const TextColumn> columns, const std::string& target) {
  for (const TextColumn& column : columns) {
    if (column.name == target) return column;
  }
  throw Error(ErrorKind::job, fmt::format("there is no target column '{}'; name the class to predict", target));
}

std::vector<std::string> class_texts(std::span<const Texts> parts) {
  TextSet classes;
  for (const Texts& texts : parts) {
    for (size_t i = 0; i < texts.missing.size(); ++i) {
      if (texts.missing[i]) {
        throw Error(ErrorKind::input,
                    fmt::format("a cell of the target column '{}' is missing ('{}'); leave such rows out",
                                texts.column->name, texts.column->texts[i]));
      }
      if (texts.known[i]) classes.insert(texts.column->texts[i]);
    }
  }
  return {classes.begin(), classes.end()};
}

void set_classes(const Texts& texts, std::vector<std::string> classes, Dataset& data) {
  data.class_name = texts.column->name;
  data.classes = std::move(classes);
  std::vector<uint32_t> class_of_text;
  for (size_t i = 0; i < texts.known.size(); ++i) {
    const std::string& text = texts.column->texts[i];
    const auto found = std::lower_bound(data.classes.begin(), data.classes.end(), text);
    if (!texts.known[i] && !texts.missing[i]) {
      class_of_text.push_back(0);
      continue;
    }
    if (found == data.classes.end() || *found != text) {
      throw Error(ErrorKind::input,
                  fmt::format("class '{}' of column '{}' does not occur in the training table", text, data.class_name));
    }
    class_of_text.push_back(static_cast<uint32_t>(found - data.classes.begin()));
  }
  data.rows = texts.column->codes.size();
  data.weights.assign(data.rows, 1.0);
  data.class_of.resize(data.rows);
  for (size_t row = 0; row < data.rows; ++row) data.class_of[row] = class_of_text[texts.column->codes[row]];
}

}  // namespace

const ColumnReading& DatasetReading::reading(std::string_view column) const {
  static const ColumnReading kAutomatic;
  for (const auto& [name, how] : columns) {
    if (name == column) return how;
  }
  return kAutomatic;
}

Dataset read_dataset(std::span<const TextColumn> columns, const DatasetReading& reading) {
  Dataset data;
  const Texts target = texts_of(target_of(columns, reading.target), reading);
  set_classes(target, class_texts(std::span(&target, 1)), data);
  for (const TextColumn& column : columns) {
    if (column.name == reading.target) continue;
    const Texts texts = texts_of(column, reading);
    const ColumnReading& how = reading.reading(column.name);
    const std::span<const Texts> parts(&texts, 1);
    data.attributes.push_back(is_numeric(parts, how) ? numeric_attribute(texts, how)
                                                     : categorical_attribute(texts, categories_of(parts, how), how));
  }
  return data;
}

Dataset read_dataset_like(const Dataset& train, std::span<const TextColumn> columns, const DatasetReading& reading) {
  Dataset data;
  set_classes(texts_of(target_of(columns, train.class_name), reading), train.classes, data);
  for (const Attribute& attribute : train.attributes) {
    const Texts texts = texts_of(column_named(columns, attribute.name), reading);
    const ColumnReading& how = reading.reading(attribute.name);
    data.attributes.push_back(attribute.numeric ? numeric_attribute(texts, how)
                                                : categorical_attribute(texts, attribute.categories, how));
  }
  return data;
}

TrainTest read_presplit(std::span<const TextColumn> train, std::span<const TextColumn> test,
                        const DatasetReading& reading) {
  TrainTest both;
  const std::vector<Texts> targets{texts_of(target_of(train, reading.target), reading),
                                   texts_of(target_of(test, reading.target), reading)};
  set_classes(targets[0], class_texts(targets), both.train);
  set_classes(targets[1], class_texts(targets), both.test);
  for (const TextColumn& column : train) {
    if (column.name == reading.target) continue;
    const std::vector<Texts> parts{texts_of(column, reading), texts_of(column_named(test, column.name), reading)};
    const ColumnReading& how = reading.reading(column.name);
    const bool numeric = is_numeric(parts, how);
    const auto categories = numeric ? std::vector<std::string>{} : categories_of(parts, how);
    both.train.attributes.push_back(numeric ? numeric_attribute(parts[0], how)
                                            : categorical_attribute(parts[0], categories, how));
    both.test.attributes.push_back(numeric ? numeric_attribute(parts[1], how)
                                           : categorical_attribute(parts[1], categories, how));
  }
  return both;
}

}  // namespace shoal
