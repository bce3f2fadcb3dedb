// Cells are NULL where they are missing, and NULL equals NULL in GROUP BY and PARTITION BY only. So groups are never
// joined: what every group needs is added by UNION ALL with counts of 0, and added up. SUM(1) rather than COUNT(*): in
// DuckDB a sum has 128 bits, so that products of counts do not overflow.
#include "shoal/model/model_sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace shoal {
namespace {

std::string doubled(std::string_view text, char quote) {
  std::string result(1, quote);
  for (char letter : text) result += letter == quote ? std::string(2, quote) : std::string(1, letter);
  return result + quote;
}

class Writer {
 public:
  Writer(const ModelSpec& spec, const ModelQuery& query) : spec_(spec), query_(query) {
    for (size_t i = 0; i < std::max<size_t>(1, query.group_columns.size()); ++i)
      keys_ += fmt::format("{}g{}", i == 0 ? "" : ", ", i + 1);
    if (query.whole) rows_ = std::accumulate(query.whole->counts.begin(), query.whole->counts.end(), uint64_t{0});
  }

  std::string text() {
    switch (spec_.kind) {
      case ModelKind::persons:
      case ModelKind::distinct_l:
      case ModelKind::entropy_l:
      case ModelKind::recursive_l:
        return diversity();
      case ModelKind::confidence:
        return confidence();
      case ModelKind::beta_likeness:
        return beta();
      case ModelKind::delta_disclosure:
        return delta();
      case ModelKind::t_closeness:
        return spec_.distance == Distance::equal     ? equal_closeness()
               : spec_.distance == Distance::ordered ? ordered_closeness()
                                                     : hierarchical_closeness();
      case ModelKind::k_map:
      case ModelKind::delta_presence:
        return population();
      case ModelKind::average_risk:
        return average_risk();
      case ModelKind::lkc:
        break;
    }
    throw std::logic_error("lkc is checked by its requirements");
  }

 private:
  // ---- pieces that the models share ----

  // shoal_cells: g1, g2, ... are the group's cells and v is the column the model asks for, whatever they are called; t,
  // where there is such a column, is for how many rows each stands.
  std::string cells(const std::string& column) const {
    std::string text = "WITH shoal_cells AS (SELECT ";
    for (size_t i = 0; i < query_.group_columns.size(); ++i)
      text += fmt::format("{} AS g{}, ", doubled(query_.group_columns[i], '"'), i + 1);
    if (query_.group_columns.empty()) text += "0 AS g1, ";
    if (!query_.times.empty()) text += fmt::format("{} AS t, ", doubled(query_.times, '"'));
    return text + fmt::format("{} AS v FROM {})", column.empty() ? "0" : doubled(column, '"'), query_.relation);
  }
  // How many rows some of shoal_cells stand for.
  std::string rows() const { return query_.times.empty() ? "SUM(1)" : "SUM(t)"; }
  // shoal_counts: one row for each value in each group, c rows have it.
  std::string counts() const {
    return cells(spec_.column) +
           fmt::format(",\nshoal_counts AS (SELECT {0}, v, {1} AS c FROM shoal_cells GROUP BY {0}, v)", keys_, rows());
  }
  // shoal_groups: n rows each.
  std::string groups() const {
    return fmt::format(",\nshoal_groups AS (SELECT {0}, SUM(c) AS n FROM shoal_counts GROUP BY {0})", keys_);
  }
  // The groups of `relation`, a SELECT's source, for which `broken` is true.
  std::string select(const std::string& relation, const std::string& rows, const std::string& broken) const {
    std::string text = "\nSELECT ";
    for (size_t i = 0; i < query_.group_columns.size(); ++i)
      text += fmt::format("g{} AS {}, ", i + 1, doubled(query_.group_columns[i], '"'));
    return text + fmt::format("{} AS shoal_rows FROM {} GROUP BY {}\nHAVING {}", rows, relation, keys_, broken);
  }
  std::string literal(size_t code) const {
    if (query_.missing && code == *query_.missing) return "NULL";
    return doubled(whole().values.at(code), '\'');
  }
  const WholeColumn& whole() const {
    if (!query_.whole || query_.whole->values.size() != query_.whole->counts.size())
      throw std::logic_error("the query for this model needs the whole table's values");
    return *query_.whole;
  }
  // shoal_whole: value v has w of the N rows of the whole table, and place p in the order.
  std::string whole_table(bool ordered) const {
    std::string rows;
    size_t place = 0;
    for (size_t i = 0; i < whole().counts.size(); ++i) {
      const size_t code = ordered ? whole().order.at(i) : i;
      if (whole().counts[code] == 0) continue;
      rows += fmt::format("{}({}, {}, {})", rows.empty() ? "" : ", ", literal(code), whole().counts[code], place++);
    }
    if (rows.empty()) rows = "(NULL, 0, 0)";
    return fmt::format(",\nshoal_whole(v, w, p) AS (VALUES {})", rows);
  }
  size_t values_that_occur() const {
    size_t values = 0;
    for (uint32_t count : whole().counts) values += count > 0 ? 1 : 0;
    return values;
  }
  // shoal_sized: counts beside those of the whole table (0 for an unknown value) and the group's n rows.
  std::string sized() const {
    return counts() + whole_table(false) +
           fmt::format(
               ",\nshoal_sized AS (SELECT {0}, c, COALESCE(w, 0) AS w, SUM(c) OVER (PARTITION BY {0}) AS n\n"
               "  FROM shoal_counts LEFT JOIN shoal_whole ON shoal_whole.v IS NOT DISTINCT FROM shoal_counts.v)",
               keys_);
  }
  static std::string any(const std::string& condition) {
    return fmt::format("MAX(CASE WHEN {} THEN 1 ELSE 0 END) = 1", condition);
  }

  // ---- the models ----

  std::string diversity() const {
    const std::string n = "SUM(c)";
    if (spec_.kind == ModelKind::distinct_l || spec_.kind == ModelKind::persons)
      return counts() +
             select("shoal_counts", n,
                    fmt::format("COUNT(*) < {}", (spec_.kind == ModelKind::persons ? spec_.k : spec_.l).numerator));
    if (spec_.kind == ModelKind::entropy_l)
      return counts() +
             select("shoal_counts", n,
                    fmt::format("LN(1e0 * SUM(c)) - SUM(c * LN(1e0 * c)) / SUM(c) < LN(1e0 * {} / {}) - 1e-9",
                                spec_.l.numerator, spec_.l.denominator));
    return counts() +
           fmt::format(
               ",\nshoal_ranks AS (SELECT {0}, c, ROW_NUMBER() OVER (PARTITION BY {0} ORDER BY c DESC) AS r FROM "
               "shoal_counts)",
               keys_) +
           select("shoal_ranks", n,
                  fmt::format("MAX(c) * {} >= {} * SUM(CASE WHEN r >= {} THEN c ELSE 0 END)", spec_.c.denominator,
                              spec_.c.numerator, spec_.l.numerator));
  }

  std::string confidence() const {
    std::string hidden;
    for (const std::string& named : spec_.values) {
      const bool is_missing = query_.missing && query_.whole && whole().values.at(*query_.missing) == named;
      hidden += (hidden.empty() ? "" : " OR ") + (is_missing ? "v IS NULL" : "v = " + doubled(named, '\''));
    }
    const std::string most = hidden.empty() ? "MAX(c)" : fmt::format("MAX(CASE WHEN {} THEN c ELSE 0 END)", hidden);
    return counts() +
           select("shoal_counts", "SUM(c)",
                  fmt::format("{} * {} > {} * SUM(c)", most, spec_.alpha.denominator, spec_.alpha.numerator));
  }

  std::string beta() const {
    std::string broken =
        fmt::format("({0} * c - n * w) * {1} > n * w * {2}", rows_, spec_.beta.denominator, spec_.beta.numerator);
    if (spec_.enhanced)  // w = 0 is caught before it divides
      broken = fmt::format(
          "CASE WHEN w = 0 OR {0} THEN 1 WHEN {1} * c - n * w > n * w * LN(1e0 * {1} / w) * (1 + 1e-9) THEN 1 ELSE 0 "
          "END = 1",
          broken, rows_);
    return sized() + select("shoal_sized", "SUM(c)", any(broken));
  }

  std::string delta() const {
    // Shares differ by less than a factor of 2^32, so that a larger delta forbids absence alone.
    const bool large = spec_.delta.numerator / spec_.delta.denominator >= 32;
    const std::string factor = large                 ? "4294967296"
                               : spec_.delta.whole() ? fmt::format("{}", uint64_t{1} << spec_.delta.numerator)
                                                     : fmt::format("{:.17e}", std::exp2(spec_.delta.number()));
    return sized() +
           select("shoal_sized", "SUM(c)",
                  fmt::format("COUNT(*) < {} OR {}", values_that_occur(),
                              any(fmt::format("c * {0} >= n * w * {1} OR n * w >= c * {0} * {1}", rows_, factor))));
  }

  std::string equal_closeness() const {
    return sized() + select("shoal_sized", "SUM(c)",
                            fmt::format("MIN(w) = 0 OR SUM(CASE WHEN {0} * c > n * w THEN {0} * c - n * w ELSE 0 END) "
                                        "* {1} > {2} * {0} * MAX(n)",
                                        rows_, spec_.t.denominator, spec_.t.numerator));
  }

  std::string ordered_closeness() const {
    const size_t steps = std::max<size_t>(1, values_that_occur()) - 1;
    return counts() + whole_table(true) +
           fmt::format(
               ",\nshoal_placed AS (SELECT {0}, COALESCE(p, -1) AS p, c, 0 AS w\n"
               "  FROM shoal_counts LEFT JOIN shoal_whole ON shoal_whole.v IS NOT DISTINCT FROM shoal_counts.v\n"
               "  UNION ALL SELECT {0}, p, 0, w FROM (SELECT DISTINCT {0} FROM shoal_counts) AS shoal_distinct CROSS "
               "JOIN shoal_whole),\n"
               "shoal_steps AS (SELECT {0}, p, SUM(c) AS c, SUM(w) AS w FROM shoal_placed GROUP BY {0}, p),\n"
               "shoal_sums AS (SELECT {0}, p, SUM(c) OVER (PARTITION BY {0} ORDER BY p) AS c, SUM(w) OVER (PARTITION "
               "BY {0} ORDER BY p) AS w,\n"
               "  SUM(c) OVER (PARTITION BY {0}) AS n FROM shoal_steps)",
               keys_) +
           select("shoal_sums", "MAX(n)",
                  fmt::format("MIN(p) < 0 OR SUM(ABS({0} * c - n * w)) * {1} > {2} * {0} * MAX(n) * {3}", rows_,
                              spec_.t.denominator, spec_.t.numerator, steps));
  }

  // shoal_under: value v lies under this child of this inner node. shoal_children: a child has w rows of the whole
  // table.
  std::string tree_tables(const std::vector<uint32_t>& heights) const {
    const Hierarchy& tree = *whole().tree;
    std::string under, children;
    for (uint32_t node = 0; node < tree.nodes(); ++node) {
      if (tree.is_leaf(node)) continue;
      for (uint32_t child : tree.children(node)) {
        uint64_t rows = 0;
        for (uint32_t leaf = tree.node(child).first; leaf <= tree.node(child).last; ++leaf) {
          rows += whole().counts[leaf];
          if (whole().counts[leaf] > 0)
            under += fmt::format("{}({}, {}, {})", under.empty() ? "" : ", ", literal(leaf), node, child);
        }
        children += fmt::format("{}({}, {}, {}, {})", children.empty() ? "" : ", ", node, child, heights[node], rows);
      }
    }
    if (under.empty()) under = "(NULL, 0, 0)";
    if (children.empty()) children = "(0, 0, 0, 0)";
    return fmt::format(
        ",\nshoal_under(v, node, child) AS (VALUES {}),\nshoal_children(node, child, height, w) AS (VALUES {})", under,
        children);
  }

  std::string hierarchical_closeness() const {
    const Hierarchy* tree = whole().tree;
    if (!tree) throw std::logic_error("the query for hierarchical distance needs a hierarchy");
    std::vector<uint32_t> heights(tree->nodes(), 0);
    for (size_t node = tree->nodes(); node-- > 1;) {
      uint32_t& above = heights[tree->node(static_cast<uint32_t>(node)).parent];
      above = std::max(above, heights[node] + 1);
    }
    return counts() + groups() + tree_tables(heights) +
           fmt::format(
               ",\nshoal_placed AS (SELECT {0}, COALESCE(node, -1) AS node, COALESCE(child, -1) AS child, 0 AS height, "
               "c, 0 AS w, 0 AS n\n"
               "  FROM shoal_counts LEFT JOIN shoal_under ON shoal_under.v IS NOT DISTINCT FROM shoal_counts.v\n"
               "  UNION ALL SELECT {0}, node, child, height, 0, w, n FROM shoal_groups CROSS JOIN shoal_children),\n"
               "shoal_extras AS (SELECT {0}, node, child, SUM(height) AS height, {1} * SUM(c) - SUM(n) * SUM(w) AS "
               "extra, SUM(n) AS n\n"
               "  FROM shoal_placed GROUP BY {0}, node, child),\n"
               "shoal_nodes AS (SELECT {0}, node, MAX(height) AS height, MAX(n) AS n, SUM(CASE WHEN extra > 0 THEN "
               "extra ELSE 0 END) AS pos,\n"
               "  SUM(CASE WHEN extra < 0 THEN -extra ELSE 0 END) AS neg FROM shoal_extras GROUP BY {0}, node)",
               keys_, rows_) +
           select("shoal_nodes", "MAX(n)",
                  fmt::format("MIN(node) < 0 OR SUM(height * CASE WHEN pos < neg THEN pos ELSE neg END) * {1} > {2} * "
                              "{0} * MAX(n) * {3}",
                              rows_, spec_.t.denominator, spec_.t.numerator, heights.empty() ? 0 : heights[0]));
  }

  std::string population() const {
    if (query_.population.empty()) throw std::logic_error("the query for this model needs a column of the population");
    const std::string fit = "COALESCE(MIN(v), 0)";
    const Fraction &low = spec_.lowest, &high = spec_.highest;
    const std::string broken =
        spec_.kind == ModelKind::k_map
            ? fmt::format("{} < {}", fit, spec_.k.numerator)
            : fmt::format("{5} * {1} > {2} * {0} OR {5} * {3} < {4} * {0}", fit, high.denominator, high.numerator,
                          low.denominator, low.numerator, rows());
    return cells(query_.population) + select("shoal_cells", rows(), broken);
  }

  std::string average_risk() const {
    return cells("") +
           fmt::format(
               ",\nshoal_groups AS (SELECT {0}, {3} AS n FROM shoal_cells GROUP BY {0}),\n"
               "shoal_table AS (SELECT COUNT(*) AS shoal_groups, SUM(n) AS shoal_rows FROM shoal_groups)\n"
               "SELECT shoal_groups, shoal_rows FROM shoal_table WHERE shoal_groups * {1} > {2} * shoal_rows",
               keys_, spec_.risk.denominator, spec_.risk.numerator, rows());
  }

  const ModelSpec& spec_;
  const ModelQuery& query_;
  std::string keys_;  // g1, g2, ...
  uint64_t rows_ = 0;
};

}  // namespace

std::string violations_sql(const ModelSpec& spec, const ModelQuery& query) { return Writer(spec, query).text(); }

}  // namespace shoal
