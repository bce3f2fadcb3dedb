#include "shoal/release/promise_of.h"

#include <algorithm>

#include "shoal/encode/raw_table.h"
#include "shoal/encode/roles.h"
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

void add_inputs(Promise& promise, const Job& job, TableSource& original, const Progress& progress,
                std::span<const uint32_t> times) {
  for (const ModelSpec& model : all_models(job)) {
    for (const std::string& name : promise.sensitive) {
      // The others of a joint model: how their cells are spelled.
      if (name != model.column && !model.joint) continue;
      if (promise.inputs.contains(name) || !original.find(name)) continue;
      const RawColumn raw =
          std::move(read_columns(original, {*original.find(name)}, {}, progress, times).columns.front());
      const Domain domain{name, raw.texts, raw.counts};
      auto input = std::make_shared<InputColumn>();
      input->encoding =
          make_encoding(job, std::span(&domain, 1),
                        {original.name(), [&](size_t, size_t text) { return original.place(raw.first_rows[text]); }});
      const ColumnEncoding& column = input->encoding.sensitive[0];
      input->whole.counts.assign(column.leaf_texts.size(), 0);
      for (size_t text = 0; text < raw.texts.size(); ++text) {
        input->whole.counts[column.leaf_of_text[text]] += static_cast<uint32_t>(raw.counts[text]);
      }
      input->whole.values = column.leaf_texts;
      input->whole.order = column.order;
      if (column.has_tree) input->whole.tree = &input->encoding.sensitive_hierarchies[0];
      promise.inputs.emplace(name, std::move(input));
    }
  }
}

std::string promise_sql_of(const Job& job, const std::string& relation) {
  return promise_script(promise_of(job, nullptr), {sql_quoted_name(relation), {}});
}

}  // namespace shoal
