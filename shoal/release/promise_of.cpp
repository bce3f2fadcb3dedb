#include "shoal/release/promise_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/encode/raw_table.h"
#include "shoal/encode/roles.h"
#include "shoal/error.h"
#include "shoal/job/released_means.h"
#include "shoal/job/requirements.h"
#include "shoal/verify/promise_sql.h"

namespace shoal {
namespace {

// In the order of the table, where it is known: requirements of lkc follow it.
std::vector<std::string> quasi_in_order(const Job& job, const std::vector<std::string>* original_columns) {
  std::vector<std::string> quasi = quasi_names(job);
  if (original_columns == nullptr) return quasi;
  const auto place = [&](const std::string& name) {
    return std::find(original_columns->begin(), original_columns->end(), name);
  };
  std::stable_sort(quasi.begin(), quasi.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return quasi;
}

}  // namespace

Promise promise_of(const Job& job, const std::vector<std::string>* original_columns) {
  Promise promise;
  for (const ColumnJob& column : job.columns) {
    const Role role = job.role_of(column.name);
    if (is_released(role)) {
      promise.columns.push_back({column.name, role == Role::quasi, column.type});
    } else if (role != Role::none) {
      promise.hidden.push_back(column.name);
    }
  }
  promise.others = job.others_plain && original_columns == nullptr;
  if (job.others_plain && original_columns) {
    for (const std::string& name : *original_columns) {
      if (!job.find_column(name)) promise.columns.push_back({name, false});
    }
  }
  const std::vector<std::string> quasi = quasi_in_order(job, original_columns);
  for (const Requirement& requirement : requirements_of(job, quasi)) {
    PromisedRequirement promised{{}, requirement.k, requirement.models};
    for (size_t j : requirement.columns) promised.columns.push_back(quasi[j]);
    promise.requirements.push_back(std::move(promised));
  }
  promise.missing = job.missing;
  promise.means = columns_with_means(job);
  promise.most_dropped = job.suppress_rows.value_or(0);
  promise.sensitive = sensitive_names(job);
  if (const ColumnJob* person = person_column(job)) promise.person = person->name;
  return promise;
}

void refuse_too_many_to_compare(const Job& job, uint64_t rows) {
  if (rows <= kMostRows) return;
  for (const ModelSpec& model : all_models(job)) {
    if (!compares_with_whole(model)) continue;
    throw Error(ErrorKind::input, fmt::format("model {} compares groups with the whole table, whose {} rows are more "
                                              "than it can count exactly ({})",
                                              model_text(model), rows, kMostRows));
  }
}

namespace {

// The sensitive columns that models are about, each once.
std::vector<std::string> asked_columns(const Job& job) {
  const std::vector<ModelSpec> models = all_models(job);
  std::vector<std::string> names = sensitive_names(job);
  std::erase_if(names, [&](const std::string& name) {
    // The others of a joint model: how their cells are spelled.
    return std::none_of(models.begin(), models.end(),
                        [&](const ModelSpec& model) { return model.joint || model.column == name; });
  });
  return names;
}

std::shared_ptr<const InputColumn> input_of(const Job& job, const Domain& domain, const DomainPlaces& places) {
  auto input = std::make_shared<InputColumn>();
  input->encoding = make_encoding(job, std::span(&domain, 1), places);
  const ColumnEncoding& column = input->encoding.sensitive[0];
  std::vector<uint64_t> counts(column.leaf_texts.size(), 0);
  for (size_t text = 0; text < domain.texts.size(); ++text) counts[column.leaf_of_text[text]] += domain.counts[text];
  // Only models that compare with the whole input look at them.
  for (uint64_t count : counts) input->whole.counts.push_back(static_cast<uint32_t>(std::min(count, kMostRows)));
  input->whole.values = column.leaf_texts;
  input->whole.order = column.order;
  if (column.has_tree) input->whole.tree = &input->encoding.sensitive_hierarchies[0];
  return input;
}

}  // namespace

std::vector<std::string> compared_columns(const Job& job) {
  const std::vector<ModelSpec> models = all_models(job);
  const bool compares = std::any_of(models.begin(), models.end(), compares_with_whole);
  return compares ? asked_columns(job) : std::vector<std::string>();
}

void add_inputs(Promise& promise, const Job& job, TableSource& original, const Progress& progress,
                std::span<const uint32_t> times) {
  for (const std::string& name : asked_columns(job)) {
    if (!original.find(name)) continue;
    const RawColumn raw =
        std::move(read_columns(original, {*original.find(name)}, {}, progress, times).columns.front());
    const DomainPlaces places{original.name(),
                              [&](size_t, size_t text) { return original.place(raw.first_rows[text]); }};
    promise.inputs.emplace(name, input_of(job, {name, raw.texts, raw.counts}, places));
  }
}

void add_inputs(Promise& promise, const Job& job, std::span<const Domain> domains) {
  const std::vector<std::string> asked = asked_columns(job);
  for (const Domain& domain : domains) {
    if (std::find(asked.begin(), asked.end(), domain.name) == asked.end()) continue;
    refuse_too_many_to_compare(job, std::accumulate(domain.counts.begin(), domain.counts.end(), uint64_t{0}));
    promise.inputs.emplace(domain.name, input_of(job, domain, {"the whole table", {}}));
  }
}

std::string promise_sql_of(const Job& job, const std::string& relation) {
  return promise_script(promise_of(job, nullptr), {sql_quoted_name(relation), {}});
}

}  // namespace shoal
