// Job files to Job. Every value is taken as text and understood by us: the mistakes of a person who does not know YAML
// (tabs, a missing space after a colon, a bare null) must end in words about the job, with the line.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "shoal/error.h"
#include "shoal/job/job_keys.h"
#include "shoal/job/job_text.h"
#include "shoal/job/strength.h"
#include "shoal/model/model_fields.h"
#include "shoal/read/read_job.h"
#include "shoal/read/whole_file.h"

namespace shoal {
namespace {

namespace fs = std::filesystem;

// The parser takes the end of the file for the end of an open quote, which would swallow the rest of the job in
// silence. This comment is put behind the text: a value that holds it had no closing quote.
constexpr std::string_view kEnd = "# (end of job)";

// Notes where documents begin.
class DocumentStarts : public YAML::EventHandler {
 public:
  int last_line = 1;
  void OnDocumentStart(const YAML::Mark& mark) override { last_line = mark.is_null() ? 1 : mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// The line of the second document, if there is one. No more than two are asked for: behind a stray bracket the parser
// finds empty documents without end, and LoadAll() would never come back.
std::optional<int> second_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  if (!parser.HandleNextDocument(starts) || !parser.HandleNextDocument(starts)) return std::nullopt;
  return starts.last_line;
}

class JobReader {
 public:
  JobReader(std::string file, std::string folder) : file_(std::move(file)), folder_(std::move(folder)) {}

  FileJob read(const std::string& text) {
    const YAML::Node document = load(text);
    for (const Entry& entry : entries(document, "the job")) read_entry(entry);
    return std::move(job_);
  }

 private:
  struct Entry {
    std::string key;
    YAML::Node value;
    int line;  // of the key
  };

  [[noreturn]] void wrong(int line, const std::string& message) const {
    throw Error(ErrorKind::job, fmt::format("{} line {}: {}", file_, line, message));
  }
  static int line_of(const YAML::Node& node, int otherwise) {
    return node.Mark().is_null() ? otherwise : node.Mark().line + 1;
  }

  const std::string& scalar(const YAML::Node& node, int line) const {
    if (node.Scalar().find(kEnd) != std::string::npos) {
      wrong(line_of(node, line), "not valid YAML: a quote that is never closed");
    }
    return node.Scalar();
  }

  // Runs one of the parsers of job_text.h and puts the place before its message.
  template <typename Parse>
  auto at(int line, Parse parse) const {
    try {
      return parse();
    } catch (const Error& error) {
      if (std::string_view(error.what()).starts_with(file_ + " line ")) throw;  // it knows its place
      wrong(line, error.what());
    }
  }

  // In block style a tab is read as something else than what the eye sees, so it is refused before parsing. Inside
  // brackets (JSON) tabs are harmless.
  void refuse_tabs(const std::string& text) const {
    const size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string::npos || text[first] == '{') return;
    int line = 1;
    for (size_t start = 0; start < text.size(); ++line) {
      const size_t end = std::min(text.find('\n', start), text.size());
      const size_t indent_end = std::min(text.find_first_not_of(" \t\r", start), end);
      const bool content = indent_end < end && text[indent_end] != '#';
      const size_t tab = text.find('\t', start);
      if (content && tab < indent_end) wrong(line, "a tab; YAML wants spaces");
      start = end + 1;
    }
  }

  YAML::Node load(const std::string& text) const {
    refuse_tabs(text);
    try {
      const std::string ended = fmt::format("{}\n{}\n", text, kEnd);
      if (const auto second = second_document(ended)) {
        wrong(*second, "a second document, or a stray bracket; a job file holds one job");
      }
      YAML::Node document = YAML::Load(ended);
      if (document.IsNull()) {
        throw Error(ErrorKind::job, fmt::format("{}: an empty job; write at least the quasi columns and k", file_));
      }
      if (!document.IsMap()) wrong(line_of(document, 1), "not a job; write 'key: value' lines, as in 'k: 5'");
      return document;
    } catch (const YAML::Exception& error) {
      wrong(error.mark.is_null() ? 1 : error.mark.line + 1, fmt::format("not valid YAML: {}", error.msg));
    }
  }

  // The pairs of a mapping, in file order; refuses keys that are no text and keys given twice.
  std::vector<Entry> entries(const YAML::Node& map, const std::string& what) const {
    std::vector<Entry> result;
    for (const auto& pair : map) {
      const int line = line_of(pair.first, line_of(map, 1));
      if (!pair.first.IsScalar()) {
        wrong(line, fmt::format("a key in {} is not a text; put names like null or ~ in quotes", what));
      }
      const std::string& key = scalar(pair.first, line);
      for (const Entry& earlier : result) {
        if (earlier.key != key) continue;
        const std::string name =
            what == "columns" ? fmt::format("column '{}'", earlier.key) : fmt::format("'{}'", earlier.key);
        wrong(line, fmt::format("{} is listed twice (first on line {})", name, earlier.line));
      }
      result.push_back({key, pair.second, line});
    }
    return result;
  }

  static std::string kind_of(const YAML::Node& node) {
    if (node.IsMap()) return "a mapping";
    if (node.IsSequence()) return "a list";
    return "nothing (or a bare null)";
  }

  // What stands where something else was wanted, for messages.
  std::string found(const YAML::Node& node, int line) const {
    return node.IsScalar() ? fmt::format("'{}'", scalar(node, line)) : kind_of(node);
  }

  const std::string& text(const Entry& entry) const {
    if (!entry.value.IsScalar()) {
      wrong(entry.line, fmt::format("{}: wanted one value, found {}{}", entry.key, kind_of(entry.value),
                                    entry.value.IsNull() ? "; put texts like null or ~ in quotes" : ""));
    }
    return scalar(entry.value, entry.line);
  }

  // A list of texts; a single text is a list of one.
  std::vector<std::string> texts(const Entry& entry) const {
    if (entry.value.IsScalar()) return {text(entry)};
    if (!entry.value.IsSequence()) {
      wrong(entry.line, fmt::format("{}: wanted a list like [a, b], found {}", entry.key, kind_of(entry.value)));
    }
    std::vector<std::string> result;
    for (const YAML::Node& item : entry.value) {
      if (!item.IsScalar()) {
        wrong(line_of(item, entry.line),
              fmt::format("{}: wanted a list of texts, found {} in it{}", entry.key, kind_of(item),
                          item.IsNull() ? "; put texts like null or ~ in quotes" : ""));
      }
      result.push_back(scalar(item, entry.line));
    }
    return result;
  }

  uint64_t whole_number(const Entry& entry) const {
    return at(entry.line, [&] { return parse_whole_number(entry.key, text(entry)); });
  }
  double number(const Entry& entry) const {
    return at(entry.line, [&] { return parse_number(entry.key, text(entry)); });
  }
  bool truth(const Entry& entry) const {
    std::string word = text(entry);
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word == "true" || word == "yes" || word == "on") return true;
    if (word == "false" || word == "no" || word == "off") return false;
    wrong(entry.line, fmt::format("{}: '{}' is neither true nor false", entry.key, text(entry)));
  }
  std::string file(const Entry& entry) const { return file(entry, text(entry)); }
  std::vector<std::string> files(const Entry& entry) const {
    std::vector<std::string> names = texts(entry);
    for (std::string& name : names) name = file(entry, name);
    return names;
  }
  std::string file(const Entry& entry, const std::string& name) const {
    if (name.empty()) wrong(entry.line, fmt::format("{}: an empty file name", entry.key));
    if (name == "-" || folder_.empty() || fs::path(name).is_absolute()) return name;
    return (fs::path(folder_) / name).lexically_normal().string();
  }

  // Rows shuffled by a seed that the report names could be put back in order by anybody.
  [[noreturn]] void refuse_shuffle(const Entry& entry) const {
    wrong(entry.line, truth(entry)
                          ? "shuffle is gone, for the seed undoes it; leave it out: rows are sorted by what is released"
                          : "shuffle is gone; write order: input to keep the order of the input");
  }

  [[noreturn]] void unknown_key(const Entry& entry, const std::vector<std::string>& known,
                                const std::string& where) const {
    wrong(entry.line, fmt::format("unknown key '{}'{}{}", entry.key, where, advice_on(entry.key, known, "keys")));
  }

  void read_entry(const Entry& entry);
  void read_columns(const Entry& entry);
  ColumnJob read_column(const Entry& entry) const;
  HierarchySpec read_hierarchy(const Entry& entry, const std::string& column) const;
  void read_requirements(const Entry& entry);
  RequirementJob read_requirement(const YAML::Node& node, int line) const;
  std::vector<ModelSpec> read_models(const Entry& entry) const;
  ModelSpec read_model(const YAML::Node& node, int line) const;
  std::map<std::string, std::string> texts_by_name(const Entry& entry) const;
  void read_threads(const Entry& entry);

  std::string file_, folder_;
  FileJob job_;
};

void JobReader::read_entry(const Entry& entry) {
  using Read = void (*)(JobReader&, const Entry&);
  struct Key {
    const char* name;
    Read read;
  };
  static constexpr Key kKeys[] = {
      {"input", [](JobReader& r, const Entry& e) { r.job_.files.input = r.file(e); }},
      {"output", [](JobReader& r, const Entry& e) { r.job_.files.output = r.file(e); }},
      {"delimiter",
       [](JobReader& r, const Entry& e) {
         r.job_.files.delimiter = r.at(e.line, [&] { return parse_delimiter(r.text(e)); });
       }},
      {"encoding",
       [](JobReader& r, const Entry& e) {
         r.job_.files.encoding = r.at(e.line, [&] { return parse_encoding(r.text(e)); });
       }},
      {"decimal",
       [](JobReader& r, const Entry& e) {
         r.job_.files.decimal = r.at(e.line, [&] { return parse_decimal_mark(r.text(e)); });
       }},
      {"thousands",
       [](JobReader& r, const Entry& e) {
         r.job_.files.thousands = r.at(e.line, [&] { return parse_thousands(r.text(e)); });
       }},
      {"columns", [](JobReader& r, const Entry& e) { r.read_columns(e); }},
      {"others", [](JobReader& r,
                    const Entry& e) { r.job_.others_plain = r.at(e.line, [&] { return parse_others(r.text(e)); }); }},
      {"k", [](JobReader& r, const Entry& e) { r.job_.k = r.whole_number(e); }},
      {"requirements", [](JobReader& r, const Entry& e) { r.read_requirements(e); }},
      {"models", [](JobReader& r, const Entry& e) { r.job_.models = r.read_models(e); }},
      {"union", [](JobReader& r, const Entry& e) { r.job_.unite = r.truth(e); }},
      {"hierarchies", [](JobReader& r, const Entry& e) { r.job_.files.hierarchies = r.file(e); }},
      {"method", [](JobReader& r, const Entry& e) { r.job_.method = r.text(e); }},
      {"params", [](JobReader& r, const Entry& e) { r.job_.params = r.texts_by_name(e); }},
      {"suppress_rows", [](JobReader& r, const Entry& e) { r.job_.suppress_rows = r.number(e); }},
      {"missing", [](JobReader& r, const Entry& e) { r.job_.missing = r.texts(e); }},
      {"unknown_values",
       [](JobReader& r, const Entry& e) {
         r.job_.unknown_values_under_root = r.at(e.line, [&] { return parse_unknown_values(r.text(e)); });
       }},
      {"order",
       [](JobReader& r, const Entry& e) { r.job_.order = r.at(e.line, [&] { return parse_order(r.text(e)); }); }},
      {"escape_formulas", [](JobReader& r, const Entry& e) { r.job_.files.escape_formulas = r.truth(e); }},
      {"accept",
       [](JobReader& r, const Entry& e) {
         for (const std::string& text : r.texts(e)) {
           r.job_.accept.push_back(r.at(e.line, [&] { return parse_accepted(text); }));
         }
       }},
      {"reasons", [](JobReader& r, const Entry& e) { r.job_.reasons = r.texts_by_name(e); }},
      {"population", [](JobReader& r, const Entry& e) { r.job_.files.population = r.file(e); }},
      {"earlier", [](JobReader& r, const Entry& e) { r.job_.files.earlier = r.files(e); }},
      {"ranges",
       [](JobReader& r, const Entry& e) { r.job_.ranges = r.at(e.line, [&] { return parse_ranges(r.text(e)); }); }},
      {"seed", [](JobReader& r, const Entry& e) { r.job_.seed = r.whole_number(e); }},
      {"threads", [](JobReader& r, const Entry& e) { r.read_threads(e); }},
      {"distortion_beta", [](JobReader& r, const Entry& e) { r.job_.distortion_beta = r.number(e); }},
      {"time_budget", [](JobReader& r, const Entry& e) { r.job_.time_budget = r.number(e); }},
      {"memory_limit",
       [](JobReader& r, const Entry& e) {
         r.job_.memory_limit = r.at(e.line, [&] { return parse_memory(r.text(e)); });
       }},
      {"json", [](JobReader& r, const Entry& e) { r.job_.files.json = r.file(e); }},
      {"report", [](JobReader& r, const Entry& e) { r.job_.files.report = r.file(e); }},
      {"report_public", [](JobReader& r, const Entry& e) { r.job_.files.report_public = r.file(e); }},
      {"recoding", [](JobReader& r, const Entry& e) { r.job_.files.recoding = r.file(e); }},
      {"recoding_public", [](JobReader& r, const Entry& e) { r.job_.files.recoding_public = r.file(e); }},
  };
  const std::vector<std::string> known = job_key_names(JobPart::job);
  if (entry.key == "shuffle") refuse_shuffle(entry);
  if (std::find(known.begin(), known.end(), entry.key) == known.end()) unknown_key(entry, known, "");
  for (const Key& key : kKeys) {
    if (entry.key == key.name) return key.read(*this, entry);
  }
  throw std::logic_error("a key that is listed and not read: " + entry.key);
}

void JobReader::read_columns(const Entry& entry) {
  if (!entry.value.IsMap()) {
    wrong(entry.line, fmt::format("columns: wanted 'name: role' lines, as in 'age: quasi', found {}",
                                  found(entry.value, entry.line)));
  }
  for (const Entry& column : entries(entry.value, "columns")) {
    if (column.key.empty()) wrong(column.line, "columns: a column without a name");
    job_.columns.push_back(read_column(column));
  }
}

ColumnJob JobReader::read_column(const Entry& entry) const {
  ColumnJob column;
  column.name = entry.key;
  if (entry.value.IsScalar()) {
    column.role = at(entry.line, [&] { return parse_role(text(entry)); });
    return column;
  }
  if (!entry.value.IsMap()) {
    wrong(entry.line, fmt::format("column '{}': wanted a role or {{role: ..., type: ...}}, found {}", entry.key,
                                  kind_of(entry.value)));
  }
  for (const Entry& setting : entries(entry.value, fmt::format("column '{}'", entry.key))) {
    if (setting.key == "role") {
      column.role = at(setting.line, [&] { return parse_role(text(setting)); });
    } else if (setting.key == "type") {
      column.type = at(setting.line, [&] { return parse_column_type(text(setting)); });
    } else if (setting.key == "weight") {
      column.weight = at(setting.line,
                         [&] { return parse_number(fmt::format("weight of column '{}'", entry.key), text(setting)); });
    } else if (setting.key == "hierarchy") {
      column.hierarchy = read_hierarchy(setting, entry.key);
    } else if (setting.key == "order") {
      column.order = texts(setting);
    } else {
      unknown_key(setting, job_key_names(JobPart::column), fmt::format(" in column '{}'", entry.key));
    }
  }
  return column;
}

HierarchySpec JobReader::read_hierarchy(const Entry& entry, const std::string& column) const {
  HierarchySpec result;
  if (entry.value.IsScalar()) {
    result.file = file(entry);
    return result;
  }
  if (!entry.value.IsMap()) {
    wrong(entry.line, fmt::format("hierarchy of column '{}': wanted a file name or {{build: ...}}, found {}", column,
                                  kind_of(entry.value)));
  }
  const std::string what = fmt::format("the hierarchy of column '{}'", column);
  std::map<std::string, std::string> settings;
  int settings_line = entry.line;
  for (const Entry& setting : entries(entry.value, what)) {
    if (setting.key == "file") {
      result.file = file(setting);
    } else if (setting.key == "build") {
      result.builder = BuilderSpec{};
      result.builder->kind = at(setting.line, [&] { return parse_builder_kind(text(setting)); });
    } else {  // the builder knows its settings; a list is written with commas between its parts
      settings[setting.key] = fmt::format("{}", fmt::join(texts(setting), ","));
      settings_line = setting.line;
    }
  }
  if (result.builder && !result.file.empty())
    wrong(entry.line, fmt::format("{} has both a file and a builder; keep one", what));
  if (!settings.empty() && !result.builder) {
    wrong(settings_line, fmt::format("{} has settings but no builder; write build: KIND, as in {{build: mask}}", what));
  }
  if (result.builder) result.builder->settings = std::move(settings);
  return result;
}

void JobReader::read_requirements(const Entry& entry) {
  if (!entry.value.IsSequence()) {
    wrong(entry.line, fmt::format("requirements: wanted a list of {{columns: [a, b], k: 5}}, found {}",
                                  found(entry.value, entry.line)));
  }
  for (const YAML::Node& item : entry.value) add_requirement(job_, read_requirement(item, line_of(item, entry.line)));
}

RequirementJob JobReader::read_requirement(const YAML::Node& node, int line) const {
  if (!node.IsMap()) {
    wrong(line, fmt::format("requirements: wanted {{columns: [a, b], k: 5}}, found {}", found(node, line)));
  }
  RequirementJob requirement;
  bool has_k = false;
  for (const Entry& entry : entries(node, "a requirement")) {
    if (entry.key == "columns") {
      requirement.columns = texts(entry);
    } else if (entry.key == "k") {
      requirement.k = whole_number(entry);
      has_k = true;
    } else if (entry.key == "models") {
      requirement.models = read_models(entry);
    } else {
      unknown_key(entry, job_key_names(JobPart::requirement), " in a requirement");
    }
  }
  if (requirement.columns.empty()) wrong(line, "a requirement without columns; write {columns: [a, b], k: 5}");
  if (!has_k) wrong(line, "a requirement without k; write {columns: [a, b], k: 5}");
  return requirement;
}

std::vector<ModelSpec> JobReader::read_models(const Entry& entry) const {
  if (!entry.value.IsSequence()) {
    wrong(entry.line, fmt::format("models: wanted a list of {{model: distinct-l, column: diagnosis, l: 3}}, found {}",
                                  found(entry.value, entry.line)));
  }
  std::vector<ModelSpec> models;
  for (const YAML::Node& item : entry.value) models.push_back(read_model(item, line_of(item, entry.line)));
  return models;
}

// Fields, or the short text of the flag.
ModelSpec JobReader::read_model(const YAML::Node& node, int line) const {
  if (node.IsScalar()) {
    return at(line, [&] { return parse_model(scalar(node, line)); });
  }
  if (!node.IsMap()) {
    wrong(line, fmt::format("models: wanted {{model: distinct-l, column: diagnosis, l: 3}}, found {}", kind_of(node)));
  }
  std::vector<ModelField> fields;
  for (const Entry& entry : entries(node, "a model")) fields.push_back({entry.key, texts(entry)});
  return at(line, [&] { return model_of_fields(fields); });
}

std::map<std::string, std::string> JobReader::texts_by_name(const Entry& entry) const {
  if (!entry.value.IsMap()) {
    wrong(entry.line, fmt::format("{}: wanted {{name: value}}, found {}", entry.key, found(entry.value, entry.line)));
  }
  std::map<std::string, std::string> texts;
  for (const Entry& named : entries(entry.value, entry.key)) texts[named.key] = text(named);
  return texts;
}

void JobReader::read_threads(const Entry& entry) {
  const uint64_t threads = whole_number(entry);
  if (threads > 4096) wrong(entry.line, fmt::format("threads: {} is more than any machine has", threads));
  job_.threads = static_cast<int>(threads);
}

}  // namespace

FileJob parse_job(const std::string& text, const std::string& file_name, const std::string& folder) {
  return JobReader(file_name, folder).read(text);
}

FileJob read_job(const std::string& path) {
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || fs::is_directory(path, ignored)) {
    throw Error(ErrorKind::job, fmt::format("cannot read the job file '{}'; is the path right?", path));
  }
  return parse_job(whole_file(path, "the job file"), path, fs::path(path).parent_path().string());
}

}  // namespace shoal
