#include "shoal/report/attack_document.h"

#include <fmt/format.h>

#include "shoal/measure/risk.h"
#include "shoal/report/format.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

Fact lower(const char* key, std::string label, Value value, const char* meaning = "") {
  return {key, std::move(label), std::move(value), meaning, Direction::lower_is_better};
}

// A share that may have been found on a sample: people read the error beside it, machines under a key of its own.
void add_share(const std::string& key, const std::string& label, const Estimate& estimate, Facts& facts) {
  const std::string error = estimate.error > 0 ? fmt::format(" (± {})", percent(estimate.error)) : "";
  facts.facts.push_back({key, label + error, Value::share(estimate.value), "", Direction::lower_is_better});
  facts.facts.push_back({key + "_error", "", Value::share(estimate.error), "", Direction::neutral, kMachines});
}

double share_of(uint64_t part, uint64_t whole) { return whole == 0 ? 0 : double(part) / double(whole); }

Section linkage(const LinkageAttack& attack) {
  Facts facts{"linkage"};
  add_share("prosecutor", "chance to find the row of a person known to be in it", attack.prosecutor, facts);
  facts.facts.push_back(
      lower("prosecutor_highest", "the same for the person at most risk", Value::share(attack.highest)));
  add_share("above_threshold", fmt::format("persons with a chance above {}", percent(kRiskThreshold)),
            attack.above_threshold, facts);
  facts.facts.push_back({"candidates", "rows that could be a person's, mean", Value::number(attack.candidates.value),
                         "", Direction::higher_is_better});
  add_share("journalist", "chance to name the person of a released row", attack.journalist, facts);
  facts.facts.push_back(
      lower("journalist_highest", "the same for the row at most risk", Value::share(attack.journalist_highest)));
  facts.facts.push_back(for_machines("unlinked", Value::count(attack.unlinked)));
  return {"Linkage: who is that?", "", {std::move(facts)}};
}

Section values(const std::vector<ValueAttack>& attacks) {
  Section section{"Homogeneity and skew: what does that person have?", "", {FactTable{"homogeneity", {}, {}}}};
  if (attacks.empty()) {
    section.blocks.push_back(for_people("  no sensitive column in the release"));
    return section;
  }
  for (size_t i = 0; i < attacks.size(); ++i) {
    const ValueAttack& attack = attacks[i];
    Facts facts{fmt::format("homogeneity[{}]", i)};
    facts.facts.push_back(for_machines("column", Value::text(attack.column)));
    facts.facts.push_back(for_machines("one_value_groups", Value::count(attack.one_value_groups)));
    facts.facts.push_back(lower("one_value_rows", fmt::format("{}: rows in groups with one value", attack.column),
                                Value::count(attack.one_value_rows)));
    facts.facts.push_back(
        lower("best_guess", "right by the commonest value of the group", Value::share(attack.best_guess)));
    facts.facts.push_back(
        {"prior_guess", "right by the commonest value of the table", Value::share(attack.prior_guess)});
    facts.facts.push_back(lower("skew", "distance of groups from the table, mean", Value::number(attack.skew)));
    facts.facts.push_back(lower("worst_skew", "distance of the farthest group", Value::number(attack.worst_skew)));
    facts.facts.push_back(lower("strongest_gain", "a value's share in a group against the table, most",
                                Value::number(attack.strongest_gain)));
    add_share("guessed", "right by all rows that could be the person's", attack.guessed, facts);
    add_share("certain", "persons whose rows all have one value", attack.certain, facts);
    section.blocks.push_back(std::move(facts));
  }
  return section;
}

Section membership(const MembershipAttack& attack) {
  Facts facts{"membership"};
  add_share("advantage", "members and outsiders told apart", attack.advantage, facts);
  facts.facts.push_back(
      {"outsiders_given", "", Value::yes_no(attack.outsiders_given), "", Direction::neutral, kMachines});
  facts.facts.push_back(for_machines("looked_at", Value::count(attack.looked_at)));
  const std::string how =
      attack.outsiders_given
          ? fmt::format("  on {} known to be outside", counted(attack.looked_at, "person"))
          : fmt::format("  on {}, each taken out of the release in turn", counted(attack.looked_at, "member"));
  return {"Membership: is that person in the table?", "", {std::move(facts), for_people(how)}};
}

std::string part_words(double rows) { return fmt::format("  looked at groups with {} of the rows", percent(rows)); }

// Rows told by where the cluster of their group is.
void add_clusters(const ClusterAttack& attack, Facts& facts) {
  facts.facts.push_back(for_machines("far_rows_claimed", Value::count(attack.claimed)));
  facts.facts.push_back(for_machines("clusters_from_outsiders", Value::yes_no(attack.outsiders_known)));
  if (attack.claimed == 0) return;
  facts.facts.push_back(
      lower("far_rows_told", "rows far from a known cluster, told as a whole", Value::count(attack.right)));
  facts.facts.push_back(
      lower("far_rows_right", "such claims that are right", Value::share(share_of(attack.right, attack.claimed))));
  facts.facts.push_back(for_machines("far_rows_looked_at", Value::share(attack.rows_looked_at)));
  facts.facts.push_back(for_machines("far_rows_blindly", Value::share(attack.right_blindly / double(attack.claimed))));
}

Section downcoding(const DowncodingAttack& attack, const ClusterAttack& clusters) {
  Facts facts{"downcoding"};
  facts.facts.push_back(for_machines("recoded_cells", Value::count(attack.recoded_cells)));
  facts.facts.push_back(for_machines("claimed", Value::count(attack.claimed)));
  facts.facts.push_back(for_machines("right", Value::count(attack.right)));
  facts.facts.push_back(
      lower("told", "recoded cells whose value is told", Value::share(share_of(attack.right, attack.recoded_cells))));
  facts.facts.push_back(
      lower("right_share", "claims that are right", Value::share(share_of(attack.right, attack.claimed))));
  facts.facts.push_back(lower("rows_recovered", "rows told as a whole", Value::count(attack.rows_recovered)));
  add_clusters(clusters, facts);
  facts.facts.push_back(for_machines("rows_looked_at", Value::share(attack.rows_looked_at)));
  Section section{"Downcoding: which cells are wider than they need to be?", "", {std::move(facts)}};
  if (attack.rows_looked_at < 1) section.blocks.push_back(for_people(part_words(attack.rows_looked_at)));
  if (attack.claimed == 0) {
    section.blocks.push_back(
        for_people("  nothing to claim: no range, and no node over two values, belongs to one group"));
  }
  return section;
}

Section minimality(const std::vector<MinimalityAttack>& attacks) {
  Section section{"Minimality: why were these rows made alike?", "", {FactTable{"minimality", {}, {}}}};
  if (attacks.empty()) {
    section.blocks.push_back(for_people("  not applicable: no model bounds how frequent a sensitive value may be"));
    return section;
  }
  for (size_t i = 0; i < attacks.size(); ++i) {
    const MinimalityAttack& attack = attacks[i];
    Facts facts{fmt::format("minimality[{}]", i)};
    facts.facts.push_back(for_machines("column", Value::text(attack.column)));
    facts.facts.push_back(for_machines("bound", Value::share(attack.bound)));
    facts.facts.push_back(for_machines("groups", Value::count(attack.groups)));
    facts.facts.push_back(
        lower("rows", fmt::format("{}: rows that it says something about", attack.column), Value::count(attack.rows)));
    facts.facts.push_back(lower("credibility", "belief in their likeliest value", Value::share(attack.credibility)));
    facts.facts.push_back({"plain", "the same without knowing the method", Value::share(attack.plain)});
    facts.facts.push_back(lower("highest", "the strongest belief", Value::share(attack.highest)));
    facts.facts.push_back(lower("rows_above", fmt::format("rows believed above {}", percent(attack.bound)),
                                Value::count(attack.rows_above)));
    section.blocks.push_back(std::move(facts));
  }
  return section;
}

Section intersection(const std::vector<IntersectionAttack>& attacks) {
  Section section{"Intersection: what do several releases say together?", "", {FactTable{"intersection", {}, {}}}};
  if (attacks.empty()) section.blocks.push_back(for_people("  no earlier release was given"));
  for (size_t i = 0; i < attacks.size(); ++i) {
    const IntersectionAttack& attack = attacks[i];
    const std::string path = fmt::format("intersection[{}]", i);
    Facts facts{path};
    facts.facts.push_back({"earlier", "with", Value::file(attack.earlier)});
    facts.facts.push_back({"joined_by_line", "rows stand in the same order", Value::yes_no(attack.joined_by_line)});
    if (attack.joined_by_line) {
      facts.facts.push_back({"groups", "joint groups", Value::count(attack.groups)});
      facts.facts.push_back(lower("rows_below_k", "rows in joint groups below k", Value::count(attack.rows_below_k)));
      facts.facts.push_back(lower("unique", "rows alone in theirs", Value::count(attack.unique)));
    }
    section.blocks.push_back(std::move(facts));
    section.blocks.push_back(FactTable{path + ".sensitive", {}, {}});
    for (size_t s = 0; s < attack.sensitive.size(); ++s) {
      const IntersectionAttack::Column& column = attack.sensitive[s];
      Facts told{fmt::format("{}.sensitive[{}]", path, s)};
      told.facts.push_back(for_machines("column", Value::text(column.name)));
      add_share("certain_alone", fmt::format("{}: persons with one possible value, this release", column.name),
                column.certain_alone, told);
      add_share("certain", "persons with one possible value, both", column.certain, told);
      add_share("guessed", "right by the likeliest value, both", column.guessed, told);
      section.blocks.push_back(std::move(told));
    }
  }
  return section;
}

Section singling_out(const SinglingOutAttack& attack) {
  Facts facts{"singling_out"};
  facts.facts.push_back({"predicates", "descriptions made from the release", Value::count(attack.predicates)});
  facts.facts.push_back(for_machines("isolating", Value::count(attack.isolating)));
  facts.facts.push_back(lower("isolating_share", "that fit exactly one person",
                              Value::share(share_of(attack.isolating, attack.predicates))));
  facts.facts.push_back({"by_chance", "expected if the release told nothing", Value::share(attack.by_chance)});
  facts.facts.push_back(for_machines("rows_looked_at", Value::share(attack.rows_looked_at)));
  Section section{"Singling out: does a description fit one person only?", "", {std::move(facts)}};
  if (attack.rows_looked_at < 1) section.blocks.push_back(for_people(part_words(attack.rows_looked_at)));
  return section;
}

Section reconstruction(const ReconstructionAttack& attack) {
  Facts facts{"reconstruction"};
  facts.facts.push_back(for_machines("rows", Value::count(attack.rows)));
  facts.facts.push_back(for_machines("right", Value::count(attack.right)));
  facts.facts.push_back(
      lower("right_share", "rows written down again as they were", Value::share(share_of(attack.right, attack.rows))));
  facts.facts.push_back({"right_by_chance", "the same from the columns' distributions alone",
                         Value::share(share_of(attack.right_by_chance, attack.rows))});
  facts.facts.push_back(for_machines("unique", Value::count(attack.unique)));
  facts.facts.push_back(for_machines("unique_right", Value::count(attack.unique_right)));
  facts.facts.push_back(lower("unique_right_share", "of the rows that stand alone in the original",
                              Value::share(share_of(attack.unique_right, attack.unique))));
  return {"Reconstruction: can the table be written down again?", "", {std::move(facts)}};
}

}  // namespace

Document attack_document(const std::string& release, const std::string& original, const AttackReport& report) {
  Document document;
  document.title = "Attacks on a release";
  document.subtitle = Value::file(release);
  const uint64_t looked_at = std::min<uint64_t>(report.rows_in, report.sample);
  document.sections = {
      {"",
       "",
       {Facts{"",
              {for_machines("release", Value::file(release)), for_machines("original", Value::file(original)),
               for_machines("rows_in", Value::count(report.rows_in)),
               for_machines("rows_out", Value::count(report.rows_out)),
               for_machines("groups", Value::count(report.groups)),
               for_machines("outsiders", Value::count(report.outsiders)),
               for_machines("sample", Value::count(report.sample)), for_machines("seed", Value::count(report.seed))}},
        for_people(fmt::format("{} against {}: {} of {} in {}", release, original, with_commas(report.rows_out),
                               counted(report.rows_in, "row"), counted(report.groups, "group")))}},
      linkage(report.linkage),
      values(report.values),
      membership(report.membership),
      downcoding(report.downcoding, report.clusters),
      minimality(report.minimality),
      intersection(report.intersection),
      singling_out(report.singling_out),
      reconstruction(report.reconstruction)};
  if (looked_at < report.rows_in) {
    document.sections.front().blocks.push_back(
        for_people(fmt::format("  numbers with ± come from {} drawn by the seed", counted(looked_at, "row"))));
  }
  return document;
}

}  // namespace shoal
