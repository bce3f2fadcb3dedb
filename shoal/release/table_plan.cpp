#include "shoal/release/table_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "shoal/encode/problem.h"
#include "shoal/encode/raw_table.h"
#include "shoal/encode/roles.h"
#include "shoal/error.h"
#include "shoal/job/family_job.h"
#include "shoal/job/requirements.h"
#include "shoal/method/method.h"
#include "shoal/method/space/families_together.h"
#include "shoal/plan/pilot.h"
#include "shoal/recode/apply.h"
#include "shoal/release/promise_of.h"

namespace shoal {
namespace {

constexpr const char* kMark = "shoal table plan 2";

// The names of a table's columns, for those who ask nothing else of it.
class NamedColumns final : public TableSource {
 public:
  explicit NamedColumns(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  void read(std::span<const size_t>, const Progress&, const Body&) override {
    throw std::logic_error("a table of which only the columns are known was read");
  }
  std::string place(uint64_t row) const override { return fmt::format("row {}", row); }

 private:
  std::string name_ = "the table";
  std::vector<std::string> columns_;
};

template <typename Number>
Number number_from(std::string_view text, const char* what) {
  Number number{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorKind::input, fmt::format("'{}' is no {}", text, what));
  }
  return number;
}

// Calls f(cells of the named columns) for every row.
void for_each_row(TableSource& table, const std::vector<std::string>& columns, const Progress& progress,
                  const std::function<void(const TextStream&, size_t row)>& f, const std::function<void()>& begin) {
  std::vector<size_t> places;
  for (const std::string& column : columns) {
    const auto place = table.find(column);
    if (!place) throw Error(ErrorKind::input, fmt::format("no column '{}' in '{}'", column, table.name()));
    places.push_back(*place);
  }
  table.read(places, progress, [&](TextStream& rows) {
    begin();
    while (rows.next()) {
      progress.check();
      for (size_t row = 0; row < rows.size(); ++row) f(rows, row);
    }
  });
}

RawColumn read_column(TableSource& table, const std::string& name, const Progress& progress) {
  const auto place = table.find(name);
  if (!place) throw Error(ErrorKind::input, fmt::format("no column '{}' in '{}'", name, table.name()));
  return std::move(read_columns(table, {*place}, {}, progress).columns.front());
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::job, what); }

void must_go_by_fragments(const Job& job) {
  const MethodEntry& method = *find_method(chosen_method(job));
  if (method.shape != Shape::groups || method.releases_means) {
    refuse(
        fmt::format("method {} does not search in fragments; choose shoal, kaca, bottom-up or top-down", method.name));
  }
  if (job.time_budget) {
    refuse(
        "a time budget would make the release depend on how busy the machines are; leave it out for a table that is "
        "anonymized in parts, or choose less effort");
  }
  if (job.order == Order::input) {
    refuse("a table that is anonymized in parts has no order of its own: `order: input` is not possible");
  }
  for (const ModelSpec& model : all_models(job)) {
    if (of_population(model)) {
      refuse(
          fmt::format("model {} compares groups with a population, which no fragment of a table that is anonymized in "
                      "parts holds; choose a method of shape levels, cut or regions",
                      model_text(model)));
    }
  }
}

Encoding encoding_for(const Job& job, const TablePlan& plan) {
  const NamedColumns source(plan.columns);
  const auto columns = plan_columns(job, source);
  size_t next = 0;
  for (const ColumnPlan& column : columns) {
    if (column.role != Role::quasi && column.role != Role::sensitive) continue;
    if (next == plan.domains.size() || plan.domains[next].name != column.name) {
      throw Error(ErrorKind::input, fmt::format("the plan has no values of the column '{}'", column.name));
    }
    ++next;
  }
  return make_encoding(job, plan.domains, {source.name(), {}});
}

std::vector<std::string> quasi_columns(const Job& job, const TablePlan& plan) {
  std::vector<std::string> names;
  for (const std::string& name : plan.columns) {
    if (job.role_of(name) == Role::quasi) names.push_back(name);
  }
  return names;
}

Job job_of_plan(const Job& job, const TablePlan& plan) {
  if (!plan.family) return job;
  const std::vector<std::string> quasi = quasi_columns(job, plan);
  const std::vector<RequirementFamily> families = families_of(job, quasi);
  if (*plan.family >= families.size()) throw Error(ErrorKind::input, "the plan is for requirements of another job");
  return job_of_family(job, quasi, families[*plan.family]);
}

// How often each sensitive value occurs; of each domain, its texts are those of its encoding.
std::optional<WholeTable> whole_table(const TablePlan& plan, const Encoding& encoding) {
  if (plan.rows > kMostRows) return std::nullopt;
  WholeTable whole{plan.rows, {}, 0, {}};
  for (const ColumnEncoding& column : encoding.sensitive) {
    const auto domain = std::find_if(plan.domains.begin(), plan.domains.end(),
                                     [&](const Domain& known) { return known.name == column.name; });
    std::vector<uint32_t>& counts = whole.counts.emplace_back(column.leaf_texts.size(), 0);
    for (size_t text = 0; text < domain->counts.size(); ++text) {
      counts[column.leaf_of_text[text]] += static_cast<uint32_t>(domain->counts[text]);
    }
  }
  return whole;
}

}  // namespace

size_t TablePlan::fragments() const {
  return size_t{*std::max_element(fragment_of_leaf.begin(), fragment_of_leaf.end())} + 1;
}

std::string TablePlan::bytes() const {
  nlohmann::json domains_json = nlohmann::json::array();
  for (const Domain& domain : domains) domains_json.push_back({domain.name, domain.texts, domain.counts});
  // Cuts in the order in which they were made: children have the next free numbers.
  std::map<uint32_t, uint32_t> cut_leaf;
  for (uint32_t node = 0; node < tree.nodes().size(); ++node) {
    if (!tree.nodes()[node].is_leaf()) cut_leaf[tree.nodes()[node].left] = node;
  }
  nlohmann::json cuts = nlohmann::json::array();
  for (const auto& [left, node] : cut_leaf) {
    cuts.push_back({node, tree.nodes()[node].column, tree.nodes()[node].first_right});
  }
  const nlohmann::json of_family = family ? nlohmann::json(*family) : nlohmann::json();
  const nlohmann::json all = {kMark, rows, columns, domains_json, cuts, fragment_of_leaf, of_family};
  const std::vector<uint8_t> packed = nlohmann::json::to_cbor(all);
  return {packed.begin(), packed.end()};
}

TablePlan TablePlan::from_bytes(std::string_view bytes) {
  try {
    const nlohmann::json all = nlohmann::json::from_cbor(bytes);
    if (all.at(0) != kMark) throw std::invalid_argument("another mark");
    TablePlan plan;
    all.at(1).get_to(plan.rows);
    all.at(2).get_to(plan.columns);
    for (const auto& domain : all.at(3)) {
      plan.domains.push_back({domain.at(0), domain.at(1), domain.at(2)});
      if (plan.domains.back().texts.size() != plan.domains.back().counts.size()) throw std::invalid_argument("counts");
    }
    for (const auto& cut : all.at(4)) {
      const auto leaf = cut.at(0).get<uint32_t>();
      if (leaf >= plan.tree.nodes().size() || !plan.tree.nodes()[leaf].is_leaf()) throw std::invalid_argument("a cut");
      plan.tree.cut(leaf, cut.at(1).get<size_t>(), cut.at(2).get<uint32_t>());
    }
    all.at(5).get_to(plan.fragment_of_leaf);
    if (plan.fragment_of_leaf.size() != plan.tree.nodes().size()) throw std::invalid_argument("leaves");
    if (!all.at(6).is_null()) plan.family = all.at(6).get<size_t>();
    return plan;
  } catch (const std::exception& fault) {
    throw Error(ErrorKind::input, fmt::format("these bytes are not a plan that shoal wrote ({})", fault.what()));
  }
}

Domain read_domain(const std::string& column, TableSource& counted, const Progress& progress) {
  if (counted.columns().size() != 2) throw Error(ErrorKind::input, "wanted a table of values and their counts");
  std::map<std::string, uint64_t, std::less<>> counts;  // different values may be one text
  for_each_row(
      counted, counted.columns(), progress,
      [&](const TextStream& rows, size_t row) {
        counts[std::string(rows.cell(0, row))] += number_from<uint64_t>(rows.cell(1, row), "number of rows");
      },
      [&] { counts.clear(); });
  Domain domain{column, {}, {}};
  for (const auto& [text, count] : counts) {
    domain.texts.push_back(text);
    domain.counts.push_back(count);
  }
  return domain;
}

PlannedTable::PlannedTable(const Job& job, TablePlan plan) : whole_job_(job), plan_(std::move(plan)) {
  check_job(whole_job_);
  must_go_by_fragments(whole_job_);
  job_ = job_of_plan(whole_job_, plan_);
  refuse_too_many_to_compare(job_, plan_.rows);
  encoding_ = encoding_for(job_, plan_);
  whole_ = whole_table(plan_, encoding_);
  key_columns_ = united(requirements()).columns;
  for (const CutTree::Node& node : plan_.tree.nodes()) {
    if (!node.is_leaf() && std::find(key_columns_.begin(), key_columns_.end(), node.column) == key_columns_.end()) {
      throw Error(ErrorKind::input, "the plan cuts a column that no requirement is about");
    }
  }
}

std::vector<std::string> PlannedTable::key_columns() const {
  std::vector<std::string> names;
  for (size_t j : key_columns_) names.push_back(encoding_.columns[j].name);
  return names;
}

std::vector<TablePlan> PlannedTable::by_family() const {
  const size_t families = families_of(whole_job_, quasi_columns(whole_job_, plan_)).size();
  std::vector<TablePlan> plans;
  bool any_cut = false;
  for (size_t family = 0; families > 1 && family < families; ++family) {
    plans.push_back(plan_);
    plans.back().family = family;
    const FragmentPlanner planner(std::make_shared<const PlannedTable>(whole_job_, plans.back()));
    any_cut = any_cut || planner.sizes().fragments > 1;
  }
  return any_cut ? plans : std::vector<TablePlan>{plan_};
}

std::vector<std::string> PlannedTable::notices() const {
  if (!plan_.family || whole_job_.suppress_rows.value_or(0) == 0) return {};
  return {kNoRowsDroppedApart};
}

FragmentOfTable PlannedTable::fragment(size_t number, TableSource* found) const {
  return {encoding_, plan_.domains, plan_.fragments() > 1 ? std::optional(number) : std::nullopt,
          whole_ ? &*whole_ : nullptr, found};
}

namespace {

// A column's codes, as the whole table has them.
std::vector<uint32_t> codes_of(TableSource& rows, const ColumnEncoding& column, const Progress& progress) {
  const RawColumn raw = read_column(rows, column.name, progress);
  std::vector<uint32_t> leaf_of;
  for (size_t text = 0; text < raw.texts.size(); ++text) {
    const auto found = std::lower_bound(column.texts.begin(), column.texts.end(), raw.texts[text]);
    if (found == column.texts.end() || *found != raw.texts[text]) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' {}: '{}' in the column '{}' is not among the values that were counted before: the "
                              "table changed while it was read",
                              rows.name(), rows.place(raw.first_rows[text]), raw.texts[text], column.name));
    }
    leaf_of.push_back(column.leaf_of_text[static_cast<size_t>(found - column.texts.begin())]);
  }
  std::vector<uint32_t> codes;
  codes.reserve(raw.codes.size());
  raw.codes.visit([&](auto raw_codes) {
    for (auto code : raw_codes) codes.push_back(leaf_of[code]);
  });
  return codes;
}

}  // namespace

std::vector<std::vector<uint32_t>> PlannedTable::codes(TableSource& rows, const Progress& progress) const {
  std::vector<std::vector<uint32_t>> result;
  for (size_t j : key_columns_) result.push_back(codes_of(rows, encoding_.columns[j], progress));
  return result;
}

std::vector<Requirement> PlannedTable::requirements() const {
  return plan_requirements(job_, plan_columns(job_, NamedColumns(plan_.columns)));
}

std::optional<std::vector<std::string>> PlannedTable::model_columns() const {
  std::vector<ModelSpec> models;
  for (const Requirement& requirement : requirements()) {
    models.insert(models.end(), requirement.models.begin(), requirement.models.end());
  }
  if (models.empty() || !whole_) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string& name : plan_.columns) {
    const Role role = job_.role_of(name);
    if (role != Role::sensitive && role != Role::person) continue;
    const bool looked_at = std::any_of(models.begin(), models.end(), [&](const ModelSpec& model) {
      return model.column == name || (role == Role::sensitive && model.joint);
    });
    if (looked_at) names.push_back(name);
  }
  return names;
}

bool PlannedTable::keeps_models(TableSource& rows, std::vector<uint32_t> times, const Progress& progress) const {
  const auto looked_at = model_columns();
  if (!looked_at) return true;
  Table part;
  part.rows = times.size();
  part.times = std::move(times);
  for (const ColumnEncoding& column : encoding_.columns) part.quasi.push_back({column.name, {}, {}});
  for (const ColumnEncoding& column : encoding_.sensitive) {
    Column& codes = part.sensitive.emplace_back(Column{column.name, {}, {}});
    if (std::find(looked_at->begin(), looked_at->end(), column.name) == looked_at->end()) continue;
    codes.codes = Codes(codes_of(rows, column, progress));
  }
  if (const ColumnJob* person = person_column(job_)) {
    if (std::find(looked_at->begin(), looked_at->end(), person->name) != looked_at->end()) {
      part.person = Column{person->name, read_column(rows, person->name, progress).codes, {}};
    }
  }
  return impossible_alone(requirements(), part, encoding_, whole_beside(*whole_, part)).empty();
}

std::vector<std::string> PlannedTable::keys(TableSource& rows, const Progress& progress) const {
  const auto columns = codes(rows, progress);
  std::vector<std::string> keys(columns.empty() ? 0 : columns.front().size());
  for (size_t row = 0; row < keys.size(); ++row) {
    for (const auto& column : columns) {
      if (!keys[row].empty()) keys[row] += ',';
      keys[row] += fmt::format_int(column[row]).str();
    }
  }
  return keys;
}

std::vector<uint32_t> PlannedTable::parsed(std::string_view key) const {
  std::vector<uint32_t> codes;
  for (size_t j : key_columns_) {
    const size_t end = std::min(key.find(','), key.size());
    codes.push_back(number_from<uint32_t>(key.substr(0, end), "key of a row"));
    if (codes.back() >= encoding_.hierarchies[j].leaves()) throw Error(ErrorKind::input, "a key of another table");
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  if (!key.empty()) throw Error(ErrorKind::input, "a key of another table");
  return codes;
}

uint32_t PlannedTable::leaf(std::span<const uint32_t> codes) const {
  return plan_.tree.leaf_of([&](size_t column) {
    const auto place = std::lower_bound(key_columns_.begin(), key_columns_.end(), column);
    return codes[static_cast<size_t>(place - key_columns_.begin())];
  });
}

std::vector<uint64_t> PlannedTable::drawn(TableSource& tuples, size_t wanted, const Progress& progress) const {
  const RowDraw draw(wanted, plan_.rows);
  std::vector<uint64_t> result;
  for_each_row(
      tuples, {"key", "count"}, progress,
      [&](const TextStream& rows, size_t row) {
        result.push_back(
            draw.drawn(parsed(rows.cell(0, row)), number_from<uint64_t>(rows.cell(1, row), "number of rows")));
      },
      [&] { result.clear(); });
  return result;
}

std::vector<uint32_t> PlannedTable::leaves(TableSource& tuples, const Progress& progress) const {
  std::vector<uint32_t> result;
  for_each_row(
      tuples, {"key"}, progress,
      [&](const TextStream& rows, size_t row) { result.push_back(leaf(parsed(rows.cell(0, row)))); },
      [&] { result.clear(); });
  return result;
}

std::vector<uint32_t> PlannedTable::fragments(TableSource& rows, const Progress& progress) const {
  const auto columns = codes(rows, progress);
  std::vector<uint32_t> result(columns.empty() ? 0 : columns.front().size()), row_codes(columns.size());
  for (size_t row = 0; row < result.size(); ++row) {
    for (size_t i = 0; i < columns.size(); ++i) row_codes[i] = columns[i][row];
    result[row] = plan_.fragment_of_leaf[leaf(row_codes)];
  }
  return result;
}

}  // namespace shoal
