#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "shoal/error.h"
#include "shoal/model/model_fields.h"
#include "shoal/nearest_word.h"

namespace shoal {
namespace {

using Type = ModelParameter::Type;

Fraction ModelSpec::*number_of(std::string_view name) {
  static constexpr std::pair<std::string_view, Fraction ModelSpec::*> kNumbers[] = {
      {"k", &ModelSpec::k},         {"l", &ModelSpec::l},       {"c", &ModelSpec::c},
      {"alpha", &ModelSpec::alpha}, {"t", &ModelSpec::t},       {"beta", &ModelSpec::beta},
      {"delta", &ModelSpec::delta}, {"risk", &ModelSpec::risk}, {"min", &ModelSpec::lowest},
      {"max", &ModelSpec::highest},
  };
  for (const auto& [word, member] : kNumbers)
    if (word == name) return member;
  throw std::logic_error("a parameter of models without a place");
}

std::string range_words(const ModelParameter& parameter) {
  const bool open = parameter.maximum.numerator == Fraction::kLimit;
  const std::string kind = parameter.type == Type::whole ? "a whole number" : "a number";
  const std::string from = fraction_text(parameter.minimum);
  if (open) return fmt::format("{} {} {}", kind, parameter.above_minimum ? "above" : "of at least", from);
  return fmt::format("{} {} {} and at most {}", kind, parameter.above_minimum ? "above" : "of at least", from,
                     fraction_text(parameter.maximum));
}

bool in_range(const ModelParameter& parameter, const Fraction& number) {
  if (parameter.type == Type::whole && !number.whole()) return false;
  if (parameter.above_minimum ? !below(parameter.minimum, number) : below(number, parameter.minimum)) return false;
  return !below(parameter.maximum, number);
}

std::vector<std::string> parameter_names(const ModelEntry& entry) {
  std::vector<std::string> names;
  for (const ModelParameter& parameter : entry.parameters) names.emplace_back(parameter.name);
  return names;
}

std::string choice_text(const ModelSpec& spec, std::string_view name) {
  if (name == "joint") return spec.joint ? "true" : "false";
  if (name == "form") return spec.enhanced ? "enhanced" : "basic";
  return spec.distance == Distance::equal ? "equal" : spec.distance == Distance::ordered ? "ordered" : "hierarchical";
}

// A piece of the flag form, and the same piece with its backslashes gone.
struct Piece {
  std::string_view raw;
  std::string text() const {
    std::string plain;
    for (size_t i = 0; i < raw.size(); ++i) plain += raw[i] == '\\' && i + 1 < raw.size() ? raw[++i] : raw[i];
    return plain;
  }
};

// Parts at every `border` that no backslash precedes.
std::vector<Piece> parted(std::string_view text, char border) {
  std::vector<Piece> pieces;
  size_t from = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == border) {
      pieces.push_back({text.substr(from, i - from)});
      from = i + 1;
    }
  }
  pieces.push_back({text.substr(from)});
  return pieces;
}

std::string guarded(std::string_view text) {
  std::string result;
  for (char letter : text) {
    if (std::string_view("\\:,|=").find(letter) != std::string_view::npos) result += '\\';
    result += letter;
  }
  return result;
}

std::string example_text(const ModelEntry& entry) {
  std::string text(entry.word);
  if (entry.has_column) text += ":column";
  char border = ':';
  for (const ModelParameter& parameter : entry.parameters) {
    if (!parameter.default_value.empty() || parameter.type == Type::values) continue;
    const bool half_is_too_small = below({1, 2}, parameter.minimum);
    text += fmt::format("{}{}={}", border, parameter.name, half_is_too_small ? "3" : "0.5");
    border = ',';
  }
  return text;
}

// `texts`: one, except for values.
void set_known(ModelSpec& spec, const ModelEntry& entry, const ModelParameter& parameter,
               std::vector<std::string> texts) {
  const std::string label = fmt::format("model '{}': {}", entry.word, parameter.name);
  if (parameter.type == Type::values) {
    spec.values = std::move(texts);
    return;
  }
  if (texts.size() != 1) throw Error(ErrorKind::job, fmt::format("{} is a list; write one value", label));
  const std::string& text = texts[0];
  if (parameter.type != Type::choice) {
    spec.*number_of(parameter.name) = parse_fraction(text, label);
    return;
  }
  if (std::find(parameter.choices.begin(), parameter.choices.end(), text) == parameter.choices.end()) {
    const std::vector<std::string> choices(parameter.choices.begin(), parameter.choices.end());
    throw Error(ErrorKind::job, fmt::format("{} is '{}', which is none of {}{}", label, text, fmt::join(choices, ", "),
                                            did_you_mean(text, choices)));
  }
  if (parameter.name == "joint") spec.joint = text == "true";
  if (parameter.name == "form") spec.enhanced = text == "enhanced";
  if (parameter.name == "distance")
    spec.distance = text == "equal" ? Distance::equal : text == "ordered" ? Distance::ordered : Distance::hierarchical;
}

std::vector<std::string> texts_of(const ModelParameter& parameter, const Piece& given) {
  if (parameter.type != Type::values) return {given.text()};
  std::vector<std::string> texts;
  for (const Piece& value : parted(given.raw, '|')) texts.push_back(value.text());
  return texts;
}

const ModelParameter& known_parameter(const ModelEntry& entry, std::string_view name) {
  for (const ModelParameter& parameter : entry.parameters)
    if (parameter.name == name) return parameter;
  throw Error(ErrorKind::job,
              fmt::format("model '{}' has no parameter '{}'{}; it has {}", entry.word, name,
                          did_you_mean(name, parameter_names(entry)), fmt::join(parameter_names(entry), ", ")));
}

// `said`: the model as it was given, for the message.
void must_have_all(const ModelEntry& entry, const std::vector<std::string>& given, std::string_view said) {
  for (const ModelParameter& parameter : entry.parameters) {
    const bool optional = !parameter.default_value.empty() || parameter.type == Type::values;
    if (!optional && std::find(given.begin(), given.end(), parameter.name) == given.end())
      throw Error(ErrorKind::job, fmt::format("model '{}' needs {} ({}), as in {}", said, parameter.name,
                                              parameter.meaning, example_text(entry)));
  }
}

ModelEntry entry_of_word(std::string_view word) {
  std::vector<std::string> words;
  for (ModelEntry& entry : model_entries()) {
    if (entry.word == word) return entry;
    words.emplace_back(entry.word);
  }
  throw Error(ErrorKind::job, fmt::format("there is no model '{}'{}; models are {}", word, did_you_mean(word, words),
                                          fmt::join(words, ", ")));
}

}  // namespace

void set_parameter(ModelSpec& spec, std::string_view name, std::string_view text) {
  const ModelEntry entry = model_entry(spec.kind);
  const ModelParameter& parameter = known_parameter(entry, name);
  set_known(spec, entry, parameter, texts_of(parameter, {text}));
}

void check_model(const ModelSpec& spec) {
  const ModelEntry entry = model_entry(spec.kind);
  auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::job, fmt::format("model '{}'{}, as in {}", entry.word, what, example_text(entry)));
  };
  if (entry.has_column && spec.column.empty()) refuse(" needs a column");
  if (!entry.has_column && !spec.column.empty()) refuse(fmt::format(" takes no column, but has '{}'", spec.column));
  for (const ModelParameter& parameter : entry.parameters) {
    if (parameter.type != Type::whole && parameter.type != Type::fraction) continue;
    const Fraction& number = spec.*number_of(parameter.name);
    if (!in_range(parameter, number))
      refuse(fmt::format(": {} is {}, but must be {}", parameter.name, fraction_text(number), range_words(parameter)));
  }
  if (spec.kind == ModelKind::delta_presence && below(spec.highest, spec.lowest))
    refuse(fmt::format(": min is {}, above max, {}", fraction_text(spec.lowest), fraction_text(spec.highest)));
}

ModelSpec parse_model(std::string_view text) {
  const std::vector<Piece> pieces = parted(text, ':');
  const ModelEntry entry = entry_of_word(pieces[0].text());
  ModelSpec spec;
  spec.kind = entry.kind;
  auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::job, fmt::format("model '{}' {}, as in {}", text, what, example_text(entry)));
  };
  if (pieces.size() != (entry.has_column ? 3 : 2))
    refuse(entry.has_column ? "is not a word, a column and parameters" : "is not a word and parameters");
  if (entry.has_column) spec.column = pieces[1].text();
  std::vector<std::string> given;
  for (const Piece& assignment : parted(pieces.back().raw, ',')) {
    const std::vector<Piece> sides = parted(assignment.raw, '=');
    if (sides.size() != 2) refuse(fmt::format("has '{}' where a parameter is given", assignment.raw));
    const std::string name = sides[0].text();
    if (std::find(given.begin(), given.end(), name) != given.end()) refuse(fmt::format("gives {} twice", name));
    given.push_back(name);
    const ModelParameter& parameter = known_parameter(entry, name);
    set_known(spec, entry, parameter, texts_of(parameter, sides[1]));
  }
  must_have_all(entry, given, text);
  check_model(spec);
  return spec;
}

ModelSpec model_of_fields(const std::vector<ModelField>& fields) {
  const auto only_text = [&](const ModelField& field) {
    if (field.texts.size() != 1)
      throw Error(ErrorKind::job, fmt::format("{} of a model is a list; write one name", field.name));
    return field.texts[0];
  };
  const auto word =
      std::find_if(fields.begin(), fields.end(), [](const ModelField& field) { return field.name == "model"; });
  if (word == fields.end())
    throw Error(ErrorKind::job, "a model without its name; write {model: distinct-l, column: diagnosis, l: 3}");
  const ModelEntry entry = entry_of_word(only_text(*word));
  ModelSpec spec;
  spec.kind = entry.kind;
  std::vector<std::string> given;
  for (const ModelField& field : fields) {
    if (field.name == "model") continue;
    if (field.name == "column") {
      spec.column = only_text(field);
      continue;
    }
    given.push_back(field.name);
    set_known(spec, entry, known_parameter(entry, field.name), field.texts);
  }
  must_have_all(entry, given, entry.word);
  check_model(spec);
  return spec;
}

std::vector<ModelField> model_fields(const ModelSpec& spec) {
  const ModelEntry entry = model_entry(spec.kind);
  std::vector<ModelField> fields{{"model", {std::string(entry.word)}}};
  if (entry.has_column) fields.push_back({"column", {spec.column}});
  for (const ModelParameter& parameter : entry.parameters) {
    ModelField field{std::string(parameter.name), {}};
    if (parameter.type == Type::values) {
      if (spec.values.empty()) continue;
      field.texts = spec.values;
    } else if (parameter.type == Type::choice) {
      field.texts = {choice_text(spec, parameter.name)};
      if (field.texts[0] == parameter.default_value) continue;
    } else {
      field.texts = {fraction_text(spec.*number_of(parameter.name))};
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::string model_text(const ModelSpec& spec) {
  std::string text;
  char border = ':';
  for (const ModelField& field : model_fields(spec)) {
    std::string value = guarded(field.texts[0]);
    for (size_t i = 1; i < field.texts.size(); ++i) value += "|" + guarded(field.texts[i]);
    if (field.name == "model") {
      text = value;
    } else if (field.name == "column") {
      text += ":" + value;
    } else {
      text += fmt::format("{}{}={}", border, field.name, value);
      border = ',';
    }
  }
  return text;
}

}  // namespace shoal
