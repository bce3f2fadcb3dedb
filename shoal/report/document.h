// What a command found, stated once for every reader: a verdict, findings, and sections of facts, tables and charts.
//
// Plain data. Builders (release_document.h, measure_document.h, ...) fill it; renderers (render.h) draw it on the
// terminal, as JSON and as an HTML page, and they alone know how numbers are printed and what must be escaped. A value
// that could quote a cell of the table or of a hierarchy is marked, so that a rendering for the public leaves it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "shoal/examine/finding.h"
#include "shoal/run/variant.h"

namespace shoal {

// What a value is, which decides how people read it; machines get the bare number or text.
enum class Unit {
  count,    // 30,162
  share,    // 0.123 is 12.3 %
  number,   // four digits that count
  seconds,  // 3 min 20 s
  bytes,    // 123 MB
  text,     // words, also the names of columns and methods
  texts,    // a list of them
  file,     // a path; people and the public see its last part
  hash,     // a fingerprint
  yes_no,   // true or false, in words of its own
  nothing,  // not known or not meant: null, "-"
  absent,   // machines do not even see the key
};

struct Value {
  Unit unit = Unit::nothing;
  Variant<std::monostate, bool, uint64_t, double, std::string, std::vector<std::string>, std::vector<double>> content{};
  std::string yes{}, no{};  // words of a yes_no
  bool holds_data = false;  // may quote values of the table: internal readers only

  static Value count(uint64_t number) { return {Unit::count, number}; }
  static Value share(double share) { return {Unit::share, share}; }
  static Value shares(std::vector<double> shares) { return {Unit::share, std::move(shares)}; }
  static Value number(double number) { return {Unit::number, number}; }
  static Value numbers(std::vector<double> numbers) { return {Unit::number, std::move(numbers)}; }
  static Value counts(const std::vector<uint64_t>& counts);
  static Value seconds(double seconds) { return {Unit::seconds, seconds}; }
  static Value bytes(uint64_t bytes) { return {Unit::bytes, bytes}; }
  static Value text(std::string words) { return {Unit::text, std::move(words)}; }
  static Value texts(std::vector<std::string> list) { return {Unit::texts, std::move(list)}; }
  static Value file(std::string path) { return {Unit::file, std::move(path)}; }
  static Value hash(std::string hexadecimal) { return {Unit::hash, std::move(hexadecimal)}; }
  static Value yes_no(bool answer, std::string yes = "yes", std::string no = "no") {
    return {Unit::yes_no, answer, std::move(yes), std::move(no)};
  }
  static Value nothing() { return {}; }
  static Value absent() { return {Unit::absent}; }

  // The same value, but nothing where the text (list, path, hash) is empty.
  Value or_nothing() &&;
  // The same value, marked: it may quote the table.
  Value as_data() &&;
};

// Which way is better, of a measure.
enum class Direction { neutral, lower_is_better, higher_is_better };

// Who gets to see a part of the document. Machines read JSON.
enum Readers : unsigned {
  kTerminal = 1,
  kPage = 2,
  kMachines = 4,
  kPeople = kTerminal | kPage,
  kPageAndMachines = kPage | kMachines,
  kTerminalAndMachines = kTerminal | kMachines,
  kEveryone = kPeople | kMachines,
};

// A named value. Machines find it under `key` (where that is not empty), people beside `label`.
struct Fact {
  std::string key, label;
  Value value;
  std::string meaning{};
  Direction direction = Direction::neutral;
  Readers readers = kEveryone;
};
Fact for_machines(std::string key, Value value);

// ---- blocks of a section ----
//
// `path` says where in the JSON the block goes, under the path of its section: "", "measures", "search.details",
// "evaluations[0].results". Blocks with the same path are merged.

struct Paragraph {
  Value text;  // of Unit::text
  Readers readers = kPeople;
  bool verbatim = false;  // line by line as it is, on the page
};
Paragraph for_people(std::string words);

struct Facts {
  std::string path{};
  std::vector<Fact> facts{};
  bool as_tiles = false;  // on the page: large numbers at the top
};

struct Heading {
  std::string key, label{};  // key: a path inside the record of a row, as in "raw.error"; "": not for machines
  Readers readers = kEveryone;
};

struct Row {
  std::vector<Value> cells;
  std::string key{};  // where each column is a record
  Readers readers = kEveryone;
};

struct FactTable {
  std::string path{};
  std::vector<Heading> columns{};
  std::vector<Row> rows{};
  // Machines read a list of records, one per row; or, where rows are the facts and columns are what they are about
  // (before, after), a record per column: {"risk_before": {"groups": 3}, "risk": {"groups": 1}}.
  bool record_per_column = false;
};

// A list of remarks.
struct Remarks {
  std::string path{};
  std::string lead{};  // before each of them on the terminal: "Note"; heading of the list on the page
  std::vector<Value> remarks{};
  Readers readers = kEveryone;
};

// Terms and what they mean, each meaning a paragraph.
struct Entries {
  struct Entry {
    std::string term;
    std::vector<std::string> paragraphs;
  };
  std::vector<Entry> entries{};
};

// A picture for the page of numbers that stand in a table as well.
struct Chart {
  enum class Kind {
    bars,    // shares in [0,1] on one scale; with two series: before and after
    parts,   // one bar cut into parts in proportion
    points,  // two shares each: from left to right, and from the bottom to the top in equal ratios
  };
  struct Bar {
    std::string name;
    std::vector<Value> values;  // one per series; a part has one, a point two
    size_t series = 0;          // of a point
  };
  Kind kind = Kind::bars;
  std::string title{};  // read out by screen readers
  std::vector<std::string> series{};
  std::vector<Bar> bars{};
  std::string across{}, upward{};  // what the two shares of points are
  bool to_largest = false;         // bars: the longest fills its line, for shares that are all small
  bool holds_data = false;         // its names may quote values of the table: internal readers only
};

// Where those who answer for the release put their names; on the page alone.
struct SignOff {
  std::string statement{};
  std::vector<Fact> about{};          // what is signed for: file, fingerprint
  std::vector<std::string> lines{};   // "To whom", ...: a whole line to write on for each
  std::vector<std::string> fields{};  // "Name", "Date", ...: side by side
};

using Block = std::variant<Paragraph, Facts, FactTable, Remarks, Entries, Chart, SignOff>;

struct Section {
  std::string title{};
  std::string path{};
  std::vector<Block> blocks{};
  Readers readers = kEveryone;
  Readers title_readers = kPeople;
  bool folded = false;       // on the page: opened by whoever wants to read it; on paper as the others
  bool starts_page = false;  // on paper
};

enum class Tone { neutral, good, bad };

struct Verdict {
  Tone tone = Tone::neutral;
  std::string headline{};
  Value reason{};  // text or nothing
};

struct Document {
  std::string title{};
  Value subtitle{};
  std::optional<Verdict> verdict{};
  std::optional<std::vector<Finding>> findings{};  // not there: nobody looked for any
  std::vector<Section> sections{};
};

}  // namespace shoal
