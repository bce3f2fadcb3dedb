// Anonymizes a table in memory: a hundred made-up patients go in as an Arrow stream, the release comes out as one.
#include <shoal/shoal.h>
#include <cstdio>

int main() {
  using namespace shoal;
  ArrowColumn age = ArrowColumn::of_texts("age"), sex = ArrowColumn::of_texts("sex"),
              diagnosis = ArrowColumn::of_texts("diagnosis");
  for (int i = 0; i < 100; ++i) {
    age.add_text(std::to_string(20 + i * 37 % 60));
    sex.add_text(i % 2 ? "female" : "male");
    diagnosis.add_text(i % 3 ? "asthma" : "flu");
  }
  ArrowArrayStream stream{};
  ArrowColumns({age, sex, diagnosis}).stream(stream);  // a stream of pyarrow, polars or DuckDB would do as well
  ArrowTable patients(stream, "patients");

  Job job;
  job.column("age").role = Role::quasi;
  job.column("sex").role = Role::quasi;
  job.column("diagnosis").role = Role::sensitive;
  job.k = 5;
  Progress progress;
  const Release release = anonymize(job, patients, progress);
  std::printf("%s: %lld rows, loss %.3f, smallest group %llu\n", to_string(release.report.status).c_str(),
              static_cast<long long>(release.table.rows()), release.report.measures.gcp,
              static_cast<unsigned long long>(release.report.requirements[0].min_group));
  return release.report.status == Status::released ? 0 : 1;
}
