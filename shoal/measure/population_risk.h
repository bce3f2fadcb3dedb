// Risks of a table that is a sample: what its groups say about the population they were drawn from.
//
// A group of f rows in the sample stands for F people of the population: f·N/n where all rows were drawn alike, the sum
// of its weights where each row has one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shoal {

// The chance to name the right person behind a row of a group with f rows in the sample and F people (estimated) in the
// population: the mean of 1/F given f (Benedetti, Franconi 1998), with p = f/F. F below f counts as f. Requires f >= 1.
double individual_risk(uint64_t f, double people);

// How many people of the population are unique on the same columns.
enum class UniquesModel { zayatz, pitman, snb };
std::string to_string(UniquesModel model);

struct PopulationUniques {
  // Nothing where a model does not fit the sample (its equations have no solution).
  std::optional<double> zayatz, pitman, snb;
  // Chosen by the rule of Dankar, El Emam, Neisa, Roffey (2012): Pitman for samples of up to a tenth of the population,
  // else the smaller of Zayatz and SNB; Zayatz where the others do not fit.
  UniquesModel chosen = UniquesModel::zayatz;
  double people = 0;  // by the chosen model
};
// From the group sizes of a sample of as many rows as they add up to. Requires groups, and people >= rows.
//  zayatz  Zayatz 1991: group sizes of the population are spread as those of the sample
//  pitman  Hoshino 2001: Pitman's sampling formula, its two parameters by maximum likelihood
//  snb     Chen, Keller-McNulty 1998: group sizes of the population are 1 + negative binomial; parameters such that the
//          expected numbers of groups and of uniques in the sample are those found
PopulationUniques population_uniques(std::span<const uint32_t> group_sizes, uint64_t people);

// What a report says about a sample.
struct PopulationRisk {
  double people = 0;                  // size of the population, given or the sum of the weights
  double sampling_fraction = 0;       // rows / people
  double smallest_group = 0;          // people, estimated: k-map
  double risk_max = 0, risk_sum = 0;  // individual risk: the highest, and how many rows an attacker is expected to name
  PopulationUniques uniques;
};
// `people_of_group`: F of each group.
PopulationRisk population_risk(std::span<const uint32_t> group_sizes, std::span<const double> people_of_group);

}  // namespace shoal
