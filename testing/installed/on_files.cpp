// Anonymizes a file by the public face: on_files JOB.yaml RELEASE.csv
#include <shoal/shoal.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  shoal::FileJob job = shoal::read_job(argv[1]);
  job.files.output = argv[2];
  shoal::Progress progress;
  const shoal::Report report = shoal::anonymize_files(job, progress);
  std::cout << report.rows_out << " rows by " << report.method << " in " << report.output << "\n";
  return report.status == shoal::Status::released ? 0 : 1;
}
