// Job files: a job that is read can be written, and reads back as the same.
#include "fuzz/fuzz.h"
#include "shoal/read/read_job.h"

using namespace shoal;

FUZZ_TARGET(bytes) {
  const FileJob job = parse_job(bytes.rest(), "job.yaml", "");
  const std::string written = job_yaml(job);
  fuzz::expect(job_yaml(parse_job(written, "again.yaml", "")) == written, "a written job reads back as the same");
  check_files(job.files);
  check_job(job);
}
