// Playing the attacker: what somebody gets out of a release, in numbers (docs/attacks.md says how each is computed).
//
// Every attack looks at the release as boxes (attack_scene.h) and is scored against the original. None needs to know
// which released row is which original row. All are deterministic by the seed; tables with more rows than the sample
// are looked at in part, and numbers then come with their standard error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/examine/attack_scene.h"
#include "shoal/job/job.h"
#include "shoal/run/progress.h"

namespace shoal {

// Who is that? An attacker who knows all quasi values of a person takes one of the released rows that could be theirs.
struct LinkageAttack {
  Estimate prosecutor;       // chance to take the right row, mean over persons known to be in the release
  double highest = 0;        // the same for the person at most risk, among those looked at
  Estimate above_threshold;  // share of persons with a chance above kRiskThreshold
  Estimate candidates;       // released rows that could be a person's, mean
  uint64_t unlinked = 0;     // persons looked at whom no released row covers: rows that were dropped
  Estimate journalist;       // chance that a released row's person is the one picked among all originals it covers
  double journalist_highest = 0;
};
LinkageAttack linkage_attack(const AttackScene& scene, const Progress& progress);

// What does that person have? One sensitive column.
struct ValueAttack {
  std::string column;
  // By group, as if the attacker knew the group of every person.
  uint64_t one_value_groups = 0, one_value_rows = 0;  // all rows of the group have the same value
  double best_guess = 0;                              // rows that have the most frequent value of their group, share
  double prior_guess = 0;                             // rows that have the most frequent value of the table, share
  double skew = 0, worst_skew = 0;  // half the sum of |share in the group - share in the table|: mean over rows, most
  double strongest_gain = 0;        // largest (share in the group) / (share in the table)
  // By what the attacker really knows: the values of all released rows that could be the person's.
  Estimate guessed;  // persons whose value is the most frequent among these
  Estimate certain;  // persons for whom these all have one value
};
std::vector<ValueAttack> value_attacks(const AttackScene& scene, const Progress& progress);

// Is that person in the table?
struct MembershipAttack {
  // Persons like the members but not in the table whom no box covers, less members whom no box covers: how far
  // "covered" tells members and outsiders apart. 0: not at all, 1: always.
  Estimate advantage;
  bool outsiders_given = false;  // measured on them; else on members, each taken out of the release in turn
  uint64_t looked_at = 0;        // outsiders, or members taken out
};
MembershipAttack membership_attack(const AttackScene& scene, const Progress& progress);

// Downcoding (Cohen 2022): releases that generalise no more than needed say more than they show. A range has a row at
// each of its ends; a node over two values has a row with each.
struct DowncodingAttack {
  uint64_t recoded_cells = 0;   // cells that are not released as one value
  uint64_t claimed = 0;         // of these, cells whose value the attacker names
  uint64_t right = 0;           // claims for which some original row in the box has the value
  uint64_t rows_recovered = 0;  // rows all of whose cells are told, rightly: groups with one recoded column
  // Only a part of the groups was looked at: the share of rows in these.
  double rows_looked_at = 1;
};
DowncodingAttack downcoding_attack(const AttackScene& scene, const Progress& progress);

// The same paper's attack on clustered tables: where most people of a box stand near one corner, one row is claimed to
// be the far one, at the other end of every recoded column. Of groups with several recoded columns, all of them with
// ends that are known to be values.
struct ClusterAttack {
  bool outsiders_known = false;  // where clusters are was learnt from outsiders; else from the members themselves
  uint64_t claimed = 0;          // whole rows that the attacker writes down
  uint64_t right = 0;            // rows of the original
  double right_blindly = 0;      // the same for corners of these boxes that are picked blindly
  double rows_looked_at = 1;
};
ClusterAttack cluster_attack(const AttackScene& scene, const Progress& progress);

// Minimality (Wong, Fu, Wang, Pei 2007): rows were made alike only because some of them alone would have broken the
// model. One sensitive column with a model that bounds how frequent a value may be.
struct MinimalityAttack {
  std::string column;
  double bound = 0;         // largest share of a value that the model allows
  uint64_t groups = 0;      // that the attack says something about
  uint64_t rows = 0;        // in them
  double credibility = 0;   // of the best supported value, mean over these rows, knowing that the release is minimal
  double plain = 0;         // the same without that knowledge
  double highest = 0;       // largest credibility
  uint64_t rows_above = 0;  // rows whose credibility is above the bound
};
std::vector<MinimalityAttack> minimality_attacks(const AttackScene& scene, const std::vector<ModelSpec>& models,
                                                 uint64_t k, const Progress& progress);
// The published posterior for one group: sizes of its subgroups of equal quasi values, how many of its rows have the
// value, and the largest share allowed. For each subgroup the chance that one of its rows has the value, given that not
// all subgroups kept to the share. Empty when they must have: minimality then says nothing. Requires: 0 < value_rows <=
// sum of sizes.
std::vector<double> minimality_credibility(const std::vector<uint32_t>& sizes, uint32_t value_rows,
                                           const Fraction& most);

// The same table released twice: what both together say.
struct IntersectionAttack {
  std::string earlier;
  bool joined_by_line = false;  // both have the same rows in the same order, as far as their cells can tell
  uint64_t groups = 0, rows_below_k = 0, unique = 0;  // joint groups; rows in those below k; rows alone
  struct Column {
    std::string name;
    Estimate certain_alone;  // persons with one possible value by this release alone
    Estimate certain;        // by what the covering groups of both have in common
    Estimate guessed;        // persons whose value is the most likely one by both
  };
  std::vector<Column> sensitive;
};
std::vector<IntersectionAttack> intersection_attacks(const AttackScene& scene, uint64_t k, const Progress& progress);

// Singling out: "in this box, and at this end of this range" is a predicate made from the release alone.
struct SinglingOutAttack {
  uint64_t predicates = 0;
  uint64_t isolating = 0;  // exactly one original row satisfies it
  double by_chance = 0;    // share that would isolate a row if columns were independent and the release said nothing
  double rows_looked_at = 1;
};
SinglingOutAttack singling_out_attack(const AttackScene& scene, const Progress& progress);

// The table as the attacker would write it down again, from the boxes and the columns' distributions.
struct ReconstructionAttack {
  uint64_t rows = 0;             // rebuilt
  uint64_t right = 0;            // rebuilt rows that are rows of the original, each original row once
  uint64_t unique_right = 0;     // of these, originals that stand alone
  uint64_t unique = 0;           // originals that stand alone
  uint64_t right_by_chance = 0;  // the same from the columns' distributions alone
};
ReconstructionAttack reconstruction_attack(const AttackScene& scene, const Progress& progress);

struct AttackReport {
  uint64_t rows_in = 0, rows_out = 0, groups = 0;
  uint64_t outsiders = 0;
  size_t sample = 0;
  uint64_t seed = 1;
  LinkageAttack linkage;
  std::vector<ValueAttack> values;
  MembershipAttack membership;
  DowncodingAttack downcoding;
  ClusterAttack clusters;
  std::vector<MinimalityAttack> minimality;
  std::vector<IntersectionAttack> intersection;
  SinglingOutAttack singling_out;
  ReconstructionAttack reconstruction;
};

struct AttackTables {
  TableSource& release;
  TableSource& original;
  std::vector<TableSource*> earlier = {};
  TableSource* outsiders = nullptr;  // people known not to be in the release
};
// All attacks. The job says roles, hierarchies, requirements and models; its hierarchies must be at hand. Throws
// Error(input) for a release that cannot be one of the original.
AttackReport attack_release(const Job& job, const AttackTables& tables, size_t sample, Progress& progress);

}  // namespace shoal
