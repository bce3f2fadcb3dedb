#include "shoal/hierarchy/build.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/error.h"
#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/choose_builder.h"
#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/value_order.h"

namespace shoal {
namespace {

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

// "intervals width=5": what messages call a tree that came from no file.
std::string words_of(const BuilderSpec& spec) {
  std::string words = spec.kind;
  for (const auto& [name, value] : spec.settings) words.append(" ").append(name).append("=").append(value);
  return words;
}

// Empty cells are missing, and "*" is the root: neither can be a leaf.
void refuse_impossible_leaves(std::span<const std::string> values) {
  std::vector<size_t> wrong;
  for (size_t value = 0; value < values.size(); ++value) {
    if (values[value].empty() || values[value] == "*") wrong.push_back(value);
  }
  if (!wrong.empty()) {
    refuse_values(values, wrong, "cannot be a value of a tree, since '*' is the root and empty cells are missing",
                  "list such texts under `missing` in the job");
  }
}

Tree build_flat(const BuilderSpec& spec, std::span<const std::string> values, std::span<const uint64_t> counts) {
  const BuilderSettings settings(spec, {});
  GrowingTree tree;
  for (size_t value : most_frequent_first(values, counts)) tree.leaf(0, values[value]);
  return std::move(tree).take();
}

}  // namespace

BuilderSettings::BuilderSettings(const BuilderSpec& spec, std::initializer_list<std::string_view> allowed)
    : spec_(spec) {
  for (const auto& [name, value] : spec.settings) {
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    const std::span<const std::string_view> candidates(allowed.begin(), allowed.size());
    throw Error(
        ErrorKind::job,
        fmt::format("hierarchy builder '{}' has no setting {}{} It {}", spec.kind, quoted_label(name),
                    candidates.empty() || meant_label(name, candidates).empty() ? "." : meant_label(name, candidates),
                    candidates.empty() ? "takes none" : "takes " + joined(candidates)));
  }
}

void BuilderSettings::refuse(const std::string& name, const std::string& why) const {
  const std::string given = has(name) ? "=" + spec_.settings.at(name) : "";
  throw Error(ErrorKind::job, fmt::format("hierarchy builder '{}': setting {}{} {}", spec_.kind, name, given, why));
}

std::string BuilderSettings::text(const std::string& name, const std::string& otherwise) const {
  return has(name) ? spec_.settings.at(name) : otherwise;
}

std::string BuilderSettings::number(const std::string& name, const std::optional<std::string>& otherwise) const {
  if (!has(name)) {
    if (!otherwise) refuse(name, "is needed");
    return *otherwise;
  }
  if (!label_number(spec_.settings.at(name))) refuse(name, "must be a number");
  return spec_.settings.at(name);
}

uint32_t BuilderSettings::whole(const std::string& name, std::optional<uint32_t> otherwise, uint32_t least,
                                uint32_t greatest) const {
  if (!has(name) && otherwise) return *otherwise;
  const double number = *label_number(this->number(name, std::nullopt));
  if (!(number >= least && number <= greatest) || number != static_cast<double>(static_cast<uint32_t>(number))) {
    refuse(name, fmt::format("must be a whole number from {} to {}", least, greatest));
  }
  return static_cast<uint32_t>(number);
}

std::vector<std::string> BuilderSettings::list(const std::string& name) const {
  std::vector<std::string> parts;
  if (!has(name)) return parts;
  parts.emplace_back();
  for (char c : spec_.settings.at(name)) {
    if (c == ',') {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  return parts;
}

uint32_t GrowingTree::inner(uint32_t parent, const std::string& label) {
  const auto [known, fresh] = inner_.try_emplace(label, static_cast<uint32_t>(tree_.nodes.size()));
  if (fresh) tree_.nodes.push_back({label, parent, 0, false});
  return known->second;
}

void refuse_values(std::span<const std::string> values, const std::vector<size_t>& wrong, const std::string& why,
                   const std::string& what_to_do) {
  std::string named;
  for (size_t i = 0; i < std::min(wrong.size(), kValuesNamed); ++i) {
    named += (i == 0 ? "" : ", ") + quoted_label(values[wrong[i]]);
  }
  if (wrong.size() > kValuesNamed) named += ", ...";
  throw Error(ErrorKind::input,
              fmt::format("{} of {} values {}: {}; {}", wrong.size(), values.size(), why, named, what_to_do));
}

std::vector<NumberValue> number_values(const BuilderSettings& settings, std::span<const std::string> values) {
  std::vector<std::string_view> texts;
  std::vector<double> doubles;
  std::vector<size_t> wrong;
  for (size_t value = 0; value < values.size(); ++value) {
    if (const auto number = label_number(values[value])) {
      texts.push_back(without_blanks(values[value]));
      doubles.push_back(*number);
    } else {
      wrong.push_back(value);
    }
  }
  if (!wrong.empty()) {
    refuse_values(values, wrong, "are not numbers, which hierarchy builder '" + settings.kind() + "' needs",
                  "list texts that mean missing under `missing` in the job, or choose another builder");
  }
  const std::vector<uint32_t> places = exact_places(texts, doubles);
  std::vector<NumberValue> numbers;
  for (size_t value = 0; value < values.size(); ++value) numbers.push_back({places[value], value});
  std::stable_sort(numbers.begin(), numbers.end(),
                   [](const NumberValue& a, const NumberValue& b) { return a.place < b.place; });
  return numbers;
}

std::vector<std::string> builder_kinds() {
  return {"intervals", "quantiles", "mask", "dates", "codes", "ordinal", "frequency", "flat", "auto"};
}

Tree build_tree(const BuilderSpec& spec, std::span<const std::string> values, std::span<const uint64_t> counts) {
  const std::vector<std::string> kinds = builder_kinds();
  if (std::find(kinds.begin(), kinds.end(), spec.kind) == kinds.end()) {
    const std::vector<std::string_view> words(kinds.begin(), kinds.end());
    const std::string meant = meant_label(spec.kind, words);
    throw Error(ErrorKind::job, fmt::format("no hierarchy builder is called {}{} There are {}", quoted_label(spec.kind),
                                            meant.empty() ? "." : meant, joined(words)));
  }
  refuse_impossible_leaves(values);
  if (spec.kind == "auto") {
    const BuilderSettings settings(spec, {});
    return build_tree(choose_builder(values, counts).builder, values, counts);
  }
  Tree tree;
  if (spec.kind == "intervals") tree = build_intervals(spec, values);
  if (spec.kind == "quantiles") tree = build_quantiles(spec, values, counts);
  if (spec.kind == "mask") tree = build_mask(spec, values);
  if (spec.kind == "dates") tree = build_dates(spec, values);
  if (spec.kind == "codes") tree = build_codes(spec, values);
  if (spec.kind == "ordinal") tree = build_ordinal(spec, values);
  if (spec.kind == "frequency") tree = build_frequency(spec, values, counts);
  if (spec.kind == "flat") tree = build_flat(spec, values, counts);
  tree.source = words_of(spec);
  return tree;
}

}  // namespace shoal
