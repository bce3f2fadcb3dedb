// Job to YAML. Written by hand rather than by a library, so that the file looks as a person would write it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "shoal/job/file_job.h"
#include "shoal/model/model_fields.h"

namespace shoal {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02X}", byte);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

bool is_number(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) &&
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}

// Texts that some YAML reader would take for something else than text.
bool is_reserved(std::string_view text) {
  std::string word(text);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::string_view kReserved[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  return std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved);
}

// A text, in quotes unless it is plainly a word or a path.
std::string text_yaml(std::string_view text) {
  constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
  const bool starts_well =
      !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) || text.front() == '_' ||
                        text.front() == '/' || text.starts_with("./") || text.starts_with("../"));
  if (starts_well && text.find_first_not_of(kSafe) == std::string_view::npos && !is_reserved(text)) {
    return std::string(text);
  }
  return quoted(text);
}

// A setting: as a text, but numbers need no quotes.
std::string setting_yaml(std::string_view text) { return is_number(text) ? std::string(text) : text_yaml(text); }

std::string list_yaml(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  parts.reserve(texts.size());
  for (const std::string& text : texts) parts.push_back(text_yaml(text));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string hierarchy_yaml(const HierarchySpec& hierarchy) {
  std::vector<std::string> parts;
  if (hierarchy.builder) {
    parts.push_back("build: " + text_yaml(hierarchy.builder->kind));
    for (const auto& [name, value] : hierarchy.builder->settings) {
      parts.push_back(text_yaml(name) + ": " + setting_yaml(value));
    }
  } else if (!hierarchy.file.empty()) {
    return text_yaml(hierarchy.file);
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string column_yaml(const ColumnJob& column) {
  std::vector<std::string> settings;
  if (column.type != ColumnType::automatic) settings.push_back("type: " + to_string(column.type));
  if (column.hierarchy) settings.push_back("hierarchy: " + hierarchy_yaml(*column.hierarchy));
  if (column.weight != 1) settings.push_back(fmt::format("weight: {}", column.weight));
  if (!column.order.empty()) settings.push_back("order: " + list_yaml(column.order));
  if (column.role != Role::none) {
    if (settings.empty()) return fmt::format("  {}: {}\n", text_yaml(column.name), to_string(column.role));
    settings.insert(settings.begin(), "role: " + to_string(column.role));
  }
  return fmt::format("  {}: {{{}}}\n", text_yaml(column.name), fmt::join(settings, ", "));
}

// Columns with their comments in the order of these, then the others.
std::string columns_yaml(const FileJob& job, const JobComments& comments) {
  std::string yaml;
  std::vector<std::string_view> written;
  for (const auto& [name, comment] : comments.columns) {
    const ColumnJob* column = job.find_column(name);
    yaml += "  " + comment;
    yaml += column != nullptr ? column_yaml(*column) : fmt::format("  # {}: left out\n", text_yaml(name));
    written.push_back(name);
  }
  for (const ColumnJob& column : job.columns) {
    if (std::find(written.begin(), written.end(), column.name) == written.end()) yaml += column_yaml(column);
  }
  return yaml;
}

std::string model_yaml(const ModelSpec& model) {
  std::vector<std::string> parts;
  for (const ModelField& field : model_fields(model)) {
    parts.push_back(field.name + ": " +
                    (field.name == "values" ? list_yaml(field.texts) : setting_yaml(field.texts.front())));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string requirement_yaml(const RequirementJob& requirement) {
  std::string models;
  for (const ModelSpec& model : requirement.models) models += (models.empty() ? "" : ", ") + model_yaml(model);
  return fmt::format("{{columns: {}, k: {}{}}}", list_yaml(requirement.columns), requirement.k,
                     models.empty() ? "" : fmt::format(", models: [{}]", models));
}

}  // namespace

std::string job_yaml(const FileJob& job) { return job_yaml(job, JobComments{}); }

std::string job_yaml(const FileJob& job, const JobComments& comments) {
  std::string yaml = comments.head;
  const auto line = [&](std::string_view key, const std::string& value) {
    yaml += fmt::format("{}: {}\n", key, value);
  };
  const auto file = [&](std::string_view key, const std::string& name) {
    if (!name.empty()) line(key, text_yaml(name));
  };
  file("input", job.files.input);
  file("output", job.files.output);
  if (!job.files.delimiter.empty()) line("delimiter", quoted(job.files.delimiter));
  if (!job.files.encoding.empty()) line("encoding", job.files.encoding);
  if (!job.files.decimal.empty()) line("decimal", quoted(job.files.decimal));
  if (!job.files.thousands.empty()) line("thousands", quoted(job.files.thousands));
  if (!job.columns.empty()) yaml += "columns:\n";
  yaml += columns_yaml(job, comments);
  if (job.others_plain) line("others", "plain");
  yaml += comments.before_k;
  if (job.k) line("k", fmt::format("{}", *job.k));
  if (!job.requirements.empty()) yaml += "requirements:\n";
  for (const RequirementJob& requirement : job.requirements) {
    yaml += fmt::format("  - {}\n", requirement_yaml(requirement));
  }
  if (!job.models.empty()) yaml += "models:\n";
  for (const ModelSpec& model : job.models) yaml += fmt::format("  - {}\n", model_yaml(model));
  if (job.requirements.size() + (job.k ? 1 : 0) > 1 || job.unite) line("union", job.unite ? "true" : "false");
  file("hierarchies", job.files.hierarchies);
  if (!job.method.empty()) line("method", text_yaml(job.method));
  if (!job.params.empty()) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : job.params) parts.push_back(text_yaml(name) + ": " + setting_yaml(value));
    line("params", fmt::format("{{{}}}", fmt::join(parts, ", ")));
  }
  if (job.suppress_rows) line("suppress_rows", fmt::format("{}", *job.suppress_rows));
  if (!job.missing.empty()) line("missing", list_yaml(job.missing));
  line("unknown_values", job.unknown_values_under_root ? "root" : "refuse");
  line("order", to_string(job.order));
  if (job.files.escape_formulas) line("escape_formulas", "true");
  if (!job.accept.empty()) line("accept", list_yaml(job.accept));
  if (!job.reasons.empty()) yaml += "reasons:\n";
  for (const auto& [accepted, reason] : job.reasons)
    yaml += fmt::format("  {}: {}\n", text_yaml(accepted), text_yaml(reason));
  file("population", job.files.population);
  if (!job.files.earlier.empty()) line("earlier", list_yaml(job.files.earlier));
  if (job.ranges != Ranges::tight) line("ranges", to_string(job.ranges));
  line("seed", fmt::format("{}", job.seed));
  line("threads", fmt::format("{}", job.threads));
  if (job.distortion_beta != 0) line("distortion_beta", fmt::format("{}", job.distortion_beta));
  if (job.time_budget) line("time_budget", fmt::format("{}", *job.time_budget));
  if (job.memory_limit) line("memory_limit", fmt::format("{}", *job.memory_limit));
  file("json", job.files.json);
  file("report", job.files.report);
  file("report_public", job.files.report_public);
  file("recoding", job.files.recoding);
  file("recoding_public", job.files.recoding_public);
  return yaml;
}

}  // namespace shoal
