#include "shoal/encode/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "shoal/encode/raw_encoding.h"
#include "shoal/error.h"
#include "shoal/hierarchy/build.h"
#include "shoal/hierarchy/tree.h"
#include "shoal/hierarchy/value_order.h"
#include "shoal/job/implied_hierarchy.h"
#include "shoal/model/model.h"
#include "shoal/run/clock.h"
#include "shoal/run/counted.h"
#include "shoal/table/missing_texts.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

// The values of a quasi column without the missing ones, and where each text went.
struct KnownValues {
  static constexpr uint32_t kMissing = UINT32_MAX;
  std::vector<std::string> values;
  std::vector<uint64_t> counts;
  std::vector<size_t> text_of_value;
  std::vector<uint32_t> value_of_text;  // index into values, or kMissing
  bool has_missing = false;
  std::string missing_text;  // the one spelling, "" when there are several or it is *
};

KnownValues known_values(const Domain& domain, const MissingTexts& missing) {
  KnownValues known;
  for (size_t text = 0; text < domain.texts.size(); ++text) {
    if (missing(domain.texts[text])) {
      // As it is written, unless a release would say "hidden" by it.
      known.missing_text = known.has_missing || domain.texts[text] == "*" ? "" : domain.texts[text];
      known.has_missing = true;
      known.value_of_text.push_back(KnownValues::kMissing);
      continue;
    }
    known.value_of_text.push_back(static_cast<uint32_t>(known.values.size()));
    known.values.push_back(domain.texts[text]);
    known.counts.push_back(domain.counts[text]);
    known.text_of_value.push_back(text);
  }
  return known;
}

// The numbers of all values when the column is numeric: said so by the job, or, without a hierarchy, by every value.
std::vector<double> numbers_of(const KnownValues& known, const ColumnJob& column, bool has_hierarchy,
                               const std::function<std::string(size_t)>& where) {
  const bool number_like = column.type == ColumnType::numeric || column.type == ColumnType::automatic;
  if (!number_like || known.values.empty()) return {};
  const bool declared = column.type == ColumnType::numeric;
  if (!declared && has_hierarchy) return {};
  std::vector<double> numbers;
  for (size_t i = 0; i < known.values.size(); ++i) {
    const auto number = parse_number(known.values[i]);
    if (number && (declared || !has_leading_zero(known.values[i]))) {
      numbers.push_back(*number);
      continue;
    }
    if (!declared) return {};
    throw Error(ErrorKind::input,
                fmt::format("{}: '{}' in the numeric column '{}' is not a finite number; mend the cell, list the "
                            "text under missing, or treat the column as categorical",
                            where(i), known.values[i], column.name));
  }
  return numbers;
}

std::optional<Tree> tree_of(const ColumnJob& column, const KnownValues& known, ColumnEncoding& encoding) {
  encoding.hierarchy = "flat";
  const std::optional<HierarchySpec> given = column.hierarchy ? column.hierarchy : implied_hierarchy(column);
  if (!given) return std::nullopt;
  const HierarchySpec& spec = *given;
  if (spec.builder) {
    encoding.hierarchy = "build: " + spec.builder->kind;
    try {
      return build_tree(*spec.builder, known.values, known.counts);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("column '{}': {}", column.name, error.what()));
    }
  }
  if (!spec.tree) throw std::logic_error("the hierarchy file '" + spec.file + "' was not read");
  encoding.hierarchy = spec.file.empty() ? spec.tree->source : spec.file;
  return spec.tree;
}

// The order of a sensitive column: stated, or that of its numbers.
std::vector<uint32_t> order_of_values(const ColumnJob& column, const KnownValues& known, const BoundHierarchy& bound,
                                      const std::function<std::string(size_t)>& where) {
  if (column.order.empty()) return order_of(bound.hierarchy);
  std::vector<uint32_t> order;
  for (const std::string& text : column.order) {
    const auto found = std::find(known.values.begin(), known.values.end(), text);
    if (found != known.values.end())
      order.push_back(bound.leaf_of_value[static_cast<size_t>(found - known.values.begin())]);
  }
  for (size_t value = 0; value < known.values.size(); ++value) {
    if (std::find(column.order.begin(), column.order.end(), known.values[value]) != column.order.end()) continue;
    throw Error(ErrorKind::input, fmt::format("{}: '{}' in the column '{}' is not in its stated order; add it there",
                                              where(value), known.values[value], column.name));
  }
  if (known.has_missing) order.push_back(bound.missing_leaf);
  return order;
}

// Values without a tree, by how frequent they are.
BoundHierarchy bind_by_frequency(ColumnValues values, const std::vector<uint64_t>& counts) {
  const std::vector<size_t> order = most_frequent_first(values.values, counts);
  std::vector<std::string> sorted;
  sorted.reserve(order.size());
  for (size_t value : order) sorted.push_back(values.values[value]);
  values.values = sorted;
  BoundHierarchy bound = bind_flat(values);
  std::vector<uint32_t> leaf_of_value(order.size());
  for (size_t i = 0; i < order.size(); ++i) leaf_of_value[order[i]] = bound.leaf_of_value[i];
  bound.leaf_of_value = std::move(leaf_of_value);
  return bound;
}

void add_column(const Job& job, const Domain& domain, const MissingTexts& missing, const DomainPlaces& places,
                Encoding& encoding) {
  const KnownValues known = known_values(domain, missing);
  const ColumnJob& column = *job.find_column(domain.name);
  const bool sensitive = column.role == Role::sensitive;
  ValuePlace place;
  if (places.place) {
    place = [&, j = encoding.columns.size() + encoding.sensitive.size()](size_t value) {
      return places.place(j, known.text_of_value[value]);
    };
  }
  ColumnEncoding quasi;
  quasi.name = domain.name;
  const std::optional<Tree> tree = tree_of(column, known, quasi);
  quasi.has_tree = tree.has_value();
  ColumnValues values{domain.name, known.values, known.has_missing, known.missing_text, {}};
  const auto where = [&](size_t value) { return fmt::format("'{}'{}", places.table, place ? " " + place(value) : ""); };
  // A stated order is one of names, whatever they look like.
  if (column.order.empty()) values.numbers = numbers_of(known, column, quasi.has_tree, where);
  const bool of_names = column.type == ColumnType::ordinal || column.type == ColumnType::date;
  quasi.type = !values.numbers.empty() ? "numeric" : of_names ? to_string(column.type) : "categorical";
  const auto unknown = job.unknown_values_under_root ? UnknownValues::under_root : UnknownValues::refuse;
  BoundHierarchy bound = tree                     ? bind_tree(*tree, values, unknown, place)
                         : values.numbers.empty() ? bind_by_frequency(values, known.counts)
                                                  : bind_flat(values);
  quasi.texts = domain.texts;
  for (uint32_t value : known.value_of_text) {
    quasi.leaf_of_text.push_back(value == KnownValues::kMissing ? bound.missing_leaf : bound.leaf_of_value[value]);
  }
  quasi.leaf_texts = std::move(bound.leaf_texts);
  if (sensitive) quasi.order = order_of_values(column, known, bound, where);
  const bool nodes =
      !sensitive && job.ranges == Ranges::nodes && bound.hierarchy.numeric() && bound.hierarchy.has_inner_nodes();
  (sensitive ? encoding.sensitive : encoding.columns).push_back(std::move(quasi));
  (sensitive ? encoding.sensitive_hierarchies : encoding.hierarchies)
      .push_back(nodes ? bound.hierarchy.releasing_nodes() : std::move(bound.hierarchy));
}

// For each text of the column, its leaf. Throws Error(input) for a text that the encoding does not know.
std::vector<uint32_t> leaves_of(const RawColumn& column, const ColumnEncoding& encoding, const TableSource& source) {
  if (column.texts == encoding.texts) return encoding.leaf_of_text;
  std::unordered_map<std::string_view, uint32_t> leaf_of;
  for (size_t text = 0; text < encoding.texts.size(); ++text) {
    leaf_of.emplace(encoding.texts[text], encoding.leaf_of_text[text]);
  }
  std::vector<uint32_t> leaves;
  for (size_t text = 0; text < column.texts.size(); ++text) {
    const auto found = leaf_of.find(column.texts[text]);
    if (found == leaf_of.end()) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' {}: '{}' in the column '{}' is not among the values that the "
                              "encoding was made from",
                              source.name(), source.place(column.first_rows[text]), column.texts[text], column.name));
    }
    leaves.push_back(found->second);
  }
  return leaves;
}

Codes leaf_codes(const Codes& raw_codes, const std::vector<uint32_t>& leaf_of_text, size_t leaves) {
  Codes result(raw_codes.size(), leaves);
  raw_codes.visit([&](auto raw) {
    result.visit([&](auto codes) {
      using Code = typename decltype(codes)::value_type;
      for (size_t row = 0; row < raw.size(); ++row) codes[row] = static_cast<Code>(leaf_of_text[raw[row]]);
    });
  });
  return result;
}

}  // namespace

// Texts in the order of their bytes: in the order of their first appearance they would tell methods, which break ties
// by the number of a value, how the rows stand.
std::vector<uint32_t> number_by_text(RawColumn& column) {
  const size_t count = column.texts.size();
  std::vector<uint32_t> order(count), place(count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return column.texts[a] < column.texts[b]; });
  std::vector<std::string> texts(count);
  std::vector<uint64_t> counts(count), first_rows(count);
  for (size_t i = 0; i < count; ++i) {
    place[order[i]] = static_cast<uint32_t>(i);
    texts[i] = std::move(column.texts[order[i]]);
    counts[i] = column.counts[order[i]];
    first_rows[i] = column.first_rows[order[i]];
  }
  column.texts = std::move(texts);
  column.counts = std::move(counts);
  column.first_rows = std::move(first_rows);
  column.codes.visit([&](auto codes) {
    using Code = typename decltype(codes)::value_type;
    for (Code& code : codes) code = static_cast<Code>(place[code]);
  });
  return place;
}

void refuse_missing_persons(const RawColumn& column, const MissingTexts& missing, const TableSource& source) {
  for (size_t text = 0; text < column.texts.size(); ++text) {
    if (!missing(column.texts[text])) continue;
    throw Error(ErrorKind::input,
                fmt::format("'{}' {}: the cell of the person column '{}' is missing ({}); every row must say who "
                            "it is about: fill these cells or remove the rows",
                            source.name(), source.place(column.first_rows[text]), column.name,
                            counted(column.counts[text], "row")));
  }
}

Encoding encoding_of(const Job& job, const std::vector<RawColumn*>& columns, const TableSource& source) {
  std::vector<Domain> domains;
  domains.reserve(columns.size());
  for (const RawColumn* column : columns) domains.push_back({column->name, column->texts, column->counts});
  try {
    return make_encoding(job, domains, {source.name(), [&](size_t j, size_t text) {
                                          return source.place(columns[j]->first_rows[text]);
                                        }});
  } catch (const Error&) {
    std::vector<std::vector<size_t>> order;  // [column][place by first appearance]: text
    for (size_t j = 0; j < columns.size(); ++j) {
      const RawColumn& column = *columns[j];
      std::vector<size_t>& texts = order.emplace_back(column.texts.size());
      std::iota(texts.begin(), texts.end(), size_t{0});
      std::sort(texts.begin(), texts.end(),
                [&](size_t a, size_t b) { return column.first_rows[a] < column.first_rows[b]; });
      for (size_t i = 0; i < texts.size(); ++i) {
        domains[j].texts[i] = column.texts[texts[i]];
        domains[j].counts[i] = column.counts[texts[i]];
      }
    }
    make_encoding(job, domains, {source.name(), [&](size_t j, size_t text) {
                                   return source.place(columns[j]->first_rows[order[j][text]]);
                                 }});
    throw;
  }
}

namespace {

void check_times(const Table& table, const TableSource& source) {
  const auto none = std::find(table.times.begin(), table.times.end(), 0U);
  if (none != table.times.end()) {
    throw Error(ErrorKind::input, fmt::format("'{}' {}: it stands for no row at all; leave it out", source.name(),
                                              source.place(static_cast<uint64_t>(none - table.times.begin()))));
  }
  if (table.input_rows() <= kMostRows) return;
  throw Error(ErrorKind::input,
              fmt::format("the rows of '{}' stand for {} rows, and {} are the most that can be counted", source.name(),
                          table.input_rows(), kMostRows));
}

}  // namespace

Encoding make_encoding(const Job& job, std::span<const Domain> domains, const DomainPlaces& places) {
  const MissingTexts missing(job.missing);
  Encoding encoding;
  for (const Domain& domain : domains) add_column(job, domain, missing, places, encoding);
  return encoding;
}

EncodedTable encode_table(const Job& job, TableSource& source, const EncodeSettings& settings, ReadTimings& timings,
                          Progress& progress) {
  const auto start = Clock::now();
  const auto plan = plan_columns(job, source);
  std::vector<size_t> columns, fingerprint;
  for (size_t j = 0; j < plan.size(); ++j) {
    const Role role = plan[j].role;
    if (role == Role::quasi || role == Role::sensitive || role == Role::target || role == Role::person) {
      columns.push_back(j);
    }
    if (settings.with_rest && (role == Role::plain || role == Role::sensitive)) fingerprint.push_back(j);
  }
  RawTable raw = read_columns(source, columns, fingerprint, progress, settings.times);
  for (RawColumn& column : raw.columns) number_by_text(column);
  const auto read_end = Clock::now();
  timings.read += seconds_between(start, read_end);

  EncodedTable encoded;
  encoded.table.rows = raw.rows;
  encoded.table.rest = std::move(raw.rest);
  encoded.table.times.assign(settings.times.begin(), settings.times.end());
  check_times(encoded.table, source);
  std::vector<RawColumn*> bound;  // quasi and sensitive
  for (size_t i = 0; i < columns.size(); ++i) {
    RawColumn& column = raw.columns[i];
    const Role role = plan[columns[i]].role;
    if (role == Role::quasi || role == Role::sensitive) {
      bound.push_back(&column);
    } else if (role == Role::target) {
      encoded.table.target = Column{column.name, std::move(column.codes), std::move(column.texts)};
    } else {
      refuse_missing_persons(column, MissingTexts(job.missing), source);
      encoded.table.person = Column{column.name, std::move(column.codes), {}};
    }
  }
  if (settings.encoding != nullptr) {
    encoded.encoding = *settings.encoding;
  } else {
    encoded.encoding = encoding_of(job, bound, source);
  }
  for (RawColumn* column : bound) {
    progress.check();
    const bool sensitive = job.find_column(column->name)->role == Role::sensitive;
    std::vector<Column>& into = sensitive ? encoded.table.sensitive : encoded.table.quasi;
    const ColumnEncoding& encoding = (sensitive ? encoded.encoding.sensitive : encoded.encoding.columns)[into.size()];
    const auto leaf_of_text = leaves_of(*column, encoding, source);
    into.push_back(
        {column->name, leaf_codes(column->codes, leaf_of_text, encoding.leaf_texts.size()), encoding.leaf_texts});
    column->codes = Codes();
  }
  timings.encode += seconds_since(read_end);
  return encoded;
}

}  // namespace shoal
