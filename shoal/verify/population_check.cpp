#include "shoal/verify/population_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "shoal/job/requirements.h"
#include "shoal/table/dictionary.h"
#include "shoal/verify/column_spans.h"

namespace shoal {
namespace {

// Rows of whole numbers and texts made on the spot.
class MadeRows : public TextStream {
 public:
  explicit MadeRows(size_t columns) : columns_(columns), views_(columns) { cells_.resize(columns); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool next() override {
    const bool more = !given_ && !rows_.empty();
    given_ = true;
    size_ = more ? rows_.size() : 0;
    for (size_t j = 0; j < columns_; ++j) {
      views_[j].clear();
      for (const auto& row : rows_) views_[j].emplace_back(row[j]);
      cells_[j] = views_[j].data();
    }
    return more;
  }

 private:
  size_t columns_;
  bool given_ = false;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::vector<std::string_view>> views_;
};

// The rows of a stream with each cell as the place of its text.
class PlacedRows : public TextStream {
 public:
  PlacedRows(TextStream& rows, const std::vector<Dictionary>& texts, const std::vector<ColumnSpans>& spans)
      : rows_(rows), views_(texts.size()), places_(texts.size()) {
    cells_.resize(texts.size());
    for (size_t j = 0; j < texts.size(); ++j) {
      for (size_t text = 0; text < texts[j].size(); ++text) {
        places_[j].emplace(texts[j].texts()[text], std::to_string(spans[j].position[text]));
      }
    }
  }
  bool next() override {
    const bool more = rows_.next();
    size_ = more ? rows_.size() : 0;
    for (size_t j = 0; j < views_.size(); ++j) {
      views_[j].clear();
      for (size_t row = 0; row < size_; ++row) views_[j].emplace_back(places_[j].at(rows_.cell(j, row)));
      cells_[j] = views_[j].data();
    }
    return more;
  }

 private:
  TextStream& rows_;
  std::vector<std::vector<std::string_view>> views_;
  std::vector<std::unordered_map<std::string_view, std::string>> places_;  // of each text; views into the dictionaries
};

std::vector<Dictionary> texts_of(TableSource& table, const std::vector<size_t>& columns, const Progress& progress) {
  std::vector<Dictionary> texts;
  table.read(columns, progress, [&](TextStream& rows) {
    texts = std::vector<Dictionary>(columns.size());
    while (rows.next()) {
      for (size_t j = 0; j < columns.size(); ++j) {
        for (size_t row = 0; row < rows.size(); ++row) texts[j].code(rows.cell(j, row));
      }
    }
  });
  return texts;
}

// One requirement's columns in both tables, and the SQL that joins them.
class PopulationJoin {
 public:
  PopulationJoin(const Promise& promise, const PromisedRequirement& requirement, const ReleaseToVerify& release,
                 const Progress& progress)
      : requirement_(requirement), release_(release) {
    std::vector<size_t> in_release, in_population;
    for (const std::string& name : requirement.columns) {
      const auto place = release.population->find(name);
      if (!place) {
        why_not_ = fmt::format("the population has no column '{}'", name);
        return;
      }
      in_population.push_back(*place);
      in_release.push_back(*release.table.find(name));
    }
    const std::vector<Dictionary> people = texts_of(*release.population, in_population, progress);
    const std::vector<Dictionary> released = texts_of(release.table, in_release, progress);
    std::set<std::string, std::less<>> missing(promise.missing.begin(), promise.missing.end());
    missing.insert("");
    for (size_t j = 0; j < requirement.columns.size(); ++j) {
      const PromisedColumn& column = *promise.find(requirement.columns[j]);
      const CellCoverage coverage(column.type, column.tree, missing);
      spans_.push_back(column_spans(coverage, people[j].texts(), released[j].texts()));
      if (spans_.back().exact) continue;
      why_not_ = fmt::format("what the cells of '{}' cover are no neighbours in any order", column.name);
      return;
    }
    choose_expanded(people);
    for (size_t j = 0; j < spans_.size(); ++j) create_spans(j, released[j]);
    release.population->read(in_population, progress, [&](TextStream& rows) {
      PlacedRows places(rows, people, spans_);
      release.engine.create_table("shoal_population", columns_named("p"), places);
    });
  }

  // Why it cannot be asked; "": it can.
  const std::string& why_not() const { return why_not_; }

  // The release's rows with how many people fit each. Texts without a cell are empty ones.
  std::string relation(const std::string& people) const {
    std::string cells, own, lows, joins, inside, places;
    for (size_t j = 0; j < spans_.size(); ++j) {
      const std::string comma = j == 0 ? "" : ", ", n = std::to_string(j + 1);
      own += fmt::format("{}COALESCE({}, '') AS c{}", comma, cell(j), n);
      cells += fmt::format("{}c{}", comma, n);
      places += fmt::format("{}CAST(p{} AS BIGINT) AS p{}", comma, n, n);
      joins += fmt::format(" JOIN shoal_spans_{0} AS s{0} ON COALESCE(s{0}.cell, '') = c{0}", n);
      lows += fmt::format(", CAST(s{0}.lo AS BIGINT) AS lo{0}, CAST(s{0}.hi AS BIGINT) AS hi{0}", n);
      inside += j == expanded_ ? fmt::format("{}p{} = lo{}", j == 0 ? "" : " AND ", n, n)
                               : fmt::format("{}p{} BETWEEN lo{} AND hi{}", j == 0 ? "" : " AND ", n, n, n);
    }
    std::string same, named;
    for (size_t j = 0; j < spans_.size(); ++j) {
      same += fmt::format("{}shoal_fits.c{} = shoal_rows_of.c{}", j == 0 ? "" : " AND ", j + 1, j + 1);
      named += fmt::format("shoal_rows_of.c{} AS {}, ", j + 1, sql_quoted_name(requirement_.columns[j]));
    }
    return fmt::format(
        "(WITH shoal_rows_of AS (SELECT {own} FROM {release}),\n"
        "shoal_boxes AS (SELECT DISTINCT {cells} FROM shoal_rows_of),\n"
        "shoal_placed AS (SELECT {cells}{lows} FROM shoal_boxes{joins}),\n"
        "shoal_people AS (SELECT {cells_p}, SUM(1) AS people FROM (SELECT {places} FROM shoal_population) AS "
        "shoal_points GROUP BY {cells_p}),\n"
        "shoal_fits AS (SELECT {cells}, SUM(people) AS people FROM shoal_placed JOIN shoal_people ON {inside} GROUP BY "
        "{cells})\n"
        "SELECT {named}COALESCE(shoal_fits.people, 0) AS {people} FROM shoal_rows_of LEFT JOIN shoal_fits ON {same}) "
        "AS "
        "release_people",
        fmt::arg("own", own), fmt::arg("release", release_.names.relation), fmt::arg("cells", cells),
        fmt::arg("lows", lows), fmt::arg("joins", joins), fmt::arg("cells_p", fmt::join(columns_named("p"), ", ")),
        fmt::arg("places", places), fmt::arg("inside", inside), fmt::arg("named", named), fmt::arg("same", same),
        fmt::arg("people", sql_quoted_name(people)));
  }

 private:
  // Beyond that many pairs a join by equality costs more than it saves.
  static constexpr uint64_t kMostExpanded = 2'000'000;
  static constexpr size_t kNone = SIZE_MAX;

  std::string cell(size_t j) const {
    const std::string& name = requirement_.columns[j];
    return release_.names.column ? release_.names.column(name) : sql_quoted_name(name);
  }
  std::vector<std::string> columns_named(const std::string& letter) const {
    std::vector<std::string> names;
    for (size_t j = 0; j < spans_.size(); ++j) names.push_back(letter + std::to_string(j + 1));
    return names;
  }

  // The column whose released texts cover the smallest part of it is listed place by place, so that engines join by
  // equality there.
  void choose_expanded(const std::vector<Dictionary>& people) {
    double least = 0.5;
    for (size_t j = 0; j < spans_.size(); ++j) {
      uint64_t places = 0;
      for (const PositionSpan& span : spans_[j].spans)
        places += span.empty() ? 0 : span.last - span.first + uint64_t{1};
      if (spans_[j].spans.empty() || people[j].texts().empty() || places > kMostExpanded) continue;
      const double share = static_cast<double>(places) / static_cast<double>(spans_[j].spans.size()) /
                           static_cast<double>(people[j].texts().size());
      if (share >= least) continue;
      least = share;
      expanded_ = j;
    }
  }

  void create_spans(size_t j, const Dictionary& released) {
    MadeRows rows(3);
    for (size_t text = 0; text < released.texts().size(); ++text) {
      const PositionSpan& span = spans_[j].spans[text];
      const auto add = [&](uint64_t lo, uint64_t hi) {
        rows.add({released.texts()[text], std::to_string(lo), std::to_string(hi)});
      };
      if (j != expanded_) {
        add(span.first, span.last);
        continue;
      }
      for (uint64_t place = span.first; place <= span.last; ++place) add(place, place);  // none where it is empty
    }
    release_.engine.create_table(fmt::format("shoal_spans_{}", j + 1), {"cell", "lo", "hi"}, rows);
  }

  const PromisedRequirement& requirement_;
  const ReleaseToVerify& release_;
  std::string why_not_;
  std::vector<ColumnSpans> spans_;
  size_t expanded_ = kNone;
};

VerificationCheck misfit_check(const PromiseStatement& statement, SqlEngine& engine) {
  const auto answer = engine.query(
      fmt::format("SELECT count(*), coalesce(sum(shoal_rows), 0) FROM ({}) AS broken_groups", statement.sql));
  if (answer.size() != 1 || answer[0].size() != 2) {
    return {statement.about, CheckResult::failed, "the engine that counts people gave no answer"};
  }
  if (answer[0][0] == "0") return {statement.about, CheckResult::passed, "no group breaks it"};
  return {statement.about, CheckResult::failed, broken_groups_text(answer[0][0], answer[0][1])};
}

}  // namespace

std::vector<VerificationCheck> check_population(const Promise& promise, const ReleaseToVerify& release,
                                                const Progress& progress) {
  std::vector<VerificationCheck> checks;
  for (const PromisedRequirement& requirement : promise.requirements) {
    std::vector<ModelSpec> models = requirement.models;
    std::erase_if(models, [](const ModelSpec& model) { return !of_population(model); });
    if (models.empty()) continue;
    progress.check();
    std::optional<PopulationJoin> join;
    if (release.population != nullptr) join.emplace(promise, requirement, release, progress);
    for (const ModelSpec& model : models) {
      const std::string about = misfits_sql(requirement, model, "", "people").about;
      if (!join || !join->why_not().empty()) {
        checks.push_back({about, CheckResult::not_checked, join ? join->why_not() : what_it_lacks(model)});
        continue;
      }
      checks.push_back(
          misfit_check(misfits_sql(requirement, model, join->relation("shoal_fit"), "shoal_fit"), release.engine));
    }
  }
  return checks;
}

}  // namespace shoal
