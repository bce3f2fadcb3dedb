#include "shoal/examine/attack.h"

#include <fmt/format.h>

#include "shoal/encode/joined_table.h"
#include "shoal/error.h"

namespace shoal {
namespace {

// A release has no identifiers, and outsiders need have none either.
Job without_identifiers(Job job) {
  std::erase_if(job.columns, [](const ColumnJob& column) { return column.role == Role::identifier; });
  return job;
}

std::vector<ModelSpec> all_models(const Job& job) {
  std::vector<ModelSpec> models = job.models;
  for (const RequirementJob& requirement : job.requirements) {
    models.insert(models.end(), requirement.models.begin(), requirement.models.end());
  }
  return models;
}

}  // namespace

AttackReport attack_release(const Job& asked, const AttackTables& tables, size_t sample, Progress& progress) {
  progress.stage("read");
  const Job job = without_identifiers(asked);
  plan_requirements(job, plan_columns(job, tables.original));  // mistakes are named before anything is read
  std::optional<JoinedTable> joined;
  if (tables.outsiders) joined.emplace(tables.original, *tables.outsiders);
  TableSource& people = joined ? static_cast<TableSource&>(*joined) : tables.original;
  ReadTimings timings;
  const EncodedTable encoded = encode_table(job, people, {.with_rest = false}, timings, progress);
  const size_t members = joined ? joined->rows_of_first() : encoded.table.rows;
  AttackScene scene{encoded.table, encoded.encoding.hierarchies, members,
                    read_attacked(tables.release, encoded, progress)};
  if (scene.release.rows() > members) {
    throw Error(ErrorKind::input,
                fmt::format("'{}' has more rows ({}) than the original ({}); is it a release of this table?",
                            tables.release.name(), scene.release.rows(), members));
  }
  for (TableSource* earlier : tables.earlier) scene.earlier.push_back(read_attacked(*earlier, encoded, progress));
  scene.threads = job.thread_count();
  scene.seed = job.seed;
  scene.sample = sample;

  progress.stage("attack");
  AttackReport report;
  report.rows_in = members;
  report.rows_out = scene.release.rows();
  report.groups = scene.release.groups();
  report.outsiders = encoded.table.rows - members;
  report.sample = sample;
  report.seed = job.seed;
  const uint64_t k = job.k || !job.requirements.empty() ? c_avg_k(job) : 1;
  report.linkage = linkage_attack(scene, progress);
  if (report.linkage.prosecutor.value == 0) {
    throw Error(ErrorKind::input, fmt::format("no row of '{}' could be one of the original's; is it a release of this "
                                              "table?",
                                              tables.release.name()));
  }
  report.values = value_attacks(scene, progress);
  report.membership = membership_attack(scene, progress);
  report.downcoding = downcoding_attack(scene, progress);
  report.clusters = cluster_attack(scene, progress);
  report.minimality = minimality_attacks(scene, all_models(job), k, progress);
  report.intersection = intersection_attacks(scene, k, progress);
  report.singling_out = singling_out_attack(scene, progress);
  report.reconstruction = reconstruction_attack(scene, progress);
  return report;
}

}  // namespace shoal
