// How a release was made: search, time, and what it takes to make it again.
#include <fmt/format.h>

#include "shoal/report/format.h"
#include "shoal/report/release_parts.h"
#include "shoal/version.h"

namespace shoal {

Section search_details(const Report& report) {
  const SearchStats& stats = report.search;
  const auto page = [](std::string label, Value value) {
    return Fact{"", std::move(label), std::move(value), "", Direction::neutral, kPage};
  };
  const auto both = [](const char* key, std::string label, Value value) {
    return Fact{key, std::move(label), std::move(value), "", Direction::neutral, kPageAndMachines};
  };
  Facts facts{"search", {page("method", Value::text(fmt::format("{} ({})", report.method, to_string(report.shape))))}};
  for (const auto& [name, value] : report.params) facts.facts.push_back(page("parameter " + name, Value::text(value)));
  facts.facts.push_back(both("generated", "states looked at", Value::count(stats.generated)));
  facts.facts.push_back(both("expanded", "states counted", Value::count(stats.expanded)));
  facts.facts.push_back(both("pruned", "states decided without counting", Value::count(stats.pruned)));
  facts.facts.push_back(both("optimal", "proven best for its objective", Value::yes_no(stats.optimal)));
  facts.facts.push_back(
      both("bound", "bound of the objective", stats.bound ? Value::number(*stats.bound) : Value::nothing()));
  facts.facts.push_back(page("seed", Value::text(std::to_string(report.seed))));
  facts.facts.push_back(page("threads", Value::count(static_cast<uint64_t>(report.threads))));
  Facts details{"search.details"};
  for (const auto& [name, words] : stats.details) details.facts.push_back(both(name.c_str(), name, Value::text(words)));

  // Steps name the values that were told apart on the way, which the release need not show.
  FactTable steps{"search.steps", {{"what", "", kMachines}}, {}};
  for (const SearchStep& step : stats.steps) {
    Row row{{Value::text(step.what).as_data()}};
    for (const auto& [name, number] : step.numbers) {
      size_t place = 1;
      while (place < steps.columns.size() && steps.columns[place].key != name) ++place;
      if (place == steps.columns.size()) steps.columns.push_back({name, "", kMachines});
      if (row.cells.size() <= place) row.cells.resize(place + 1, Value::absent());
      row.cells[place] = Value::number(number);
    }
    steps.rows.push_back(std::move(row));
  }
  Section section{"Search", "", {std::move(facts), std::move(details)}, kPageAndMachines, kPeople, true};
  if (!stats.steps.empty()) section.blocks.push_back(std::move(steps));
  return section;
}

Section time_and_memory(const Report& report) {
  const Timings& t = report.timings;
  const std::pair<const char*, double> stages[] = {{"read", t.read},     {"encode", t.encode},     {"search", t.search},
                                                   {"recode", t.recode}, {"findings", t.findings}, {"write", t.write},
                                                   {"verify", t.verify}};
  Facts facts{"timings"};
  Chart chart{Chart::Kind::parts, "Time by stage", {}, {}};
  for (const auto& [name, seconds] : stages) {
    facts.facts.push_back({name, "", Value::seconds(seconds), "", Direction::neutral, kMachines});
    chart.bars.push_back({name, {Value::seconds(seconds)}});
  }
  facts.facts.push_back({"total", "in all", Value::seconds(t.total), "", Direction::neutral, kPageAndMachines});
  const std::pair<const char*, double> processor[] = {{"processor_search", t.processor_search},
                                                      {"processor_findings", t.processor_findings},
                                                      {"processor_total", t.processor_total}};
  for (const auto& [name, seconds] : processor) {
    facts.facts.push_back({name, "", Value::seconds(seconds), "", Direction::neutral, kMachines});
  }
  Facts memory{"",
               {{"peak_memory_bytes", "memory at most", Value::bytes(report.peak_memory_bytes), "", Direction::neutral,
                 kPageAndMachines}}};
  return {"Time and memory", "",      {std::move(chart), std::move(facts), std::move(memory)},
          kPageAndMachines,  kPeople, true};
}

// The input's hash would let anybody who guesses the table make sure of it, so that it counts as data.
Section how_to_repeat(const Report& report) {
  const auto label = [](const char* what, const std::string& path) {
    return path.empty() ? std::string(what) : fmt::format("{} {}", what, words_of(Value::file(path)));
  };
  const auto fact = [](const char* key, std::string name, Value value) {
    const Readers readers = value.unit == Unit::nothing ? kMachines : kPageAndMachines;
    return Fact{key, std::move(name), std::move(value), "", Direction::neutral, readers};
  };
  Value input = Value::hash(report.hashes.input).or_nothing();
  Facts facts{"hashes",
              {fact("input", label("input", report.input), std::move(input).as_data()),
               fact("output", label("output", report.output), Value::hash(report.hashes.output).or_nothing()),
               fact("job", "job", Value::hash(report.hashes.job).or_nothing())}};
  Section section{"How to repeat it", "", {}, kPageAndMachines};
  const std::string words = fmt::format(
      "Shoal {} makes the same release of the same input again from the job below, whatever the machine and its number "
      "of "
      "threads: save it beside the input and give it to `anonymize` as its job. Fingerprints (SHA-256) tell whether "
      "files "
      "are the same.",
      version());
  section.blocks.push_back(Paragraph{Value::text(words), kPage});
  section.blocks.push_back(std::move(facts));
  if (!report.job.empty()) section.blocks.push_back(Paragraph{Value::text(report.job).as_data(), kPage, true});
  return section;
}

// The whole input's shares of sensitive values, which models compare with: data, whoever reads.
Section distributions(const Report& report) {
  Section section{"", "", {}, kMachines};
  for (size_t i = 0; i < report.distributions.size(); ++i) {
    const Distribution& of = report.distributions[i];
    const std::string path = fmt::format("distributions[{}]", i);
    section.blocks.push_back(Facts{path, {{"column", "", Value::text(of.column), "", Direction::neutral, kMachines}}});
    FactTable table{path + ".values", {{"value", "", kMachines}, {"rows", "", kMachines}}, {}};
    for (size_t v = 0; v < of.values.size(); ++v) {
      table.rows.push_back({{Value::text(of.values[v]).as_data(), Value::count(of.rows[v]).as_data()}});
    }
    section.blocks.push_back(std::move(table));
  }
  return section;
}

}  // namespace shoal
