#include "shoal/files/earlier_files.h"

namespace shoal {

EarlierFiles::EarlierFiles(const FileJob& job, DuckDb& duck, Progress& progress, Notices& notices) {
  for (const std::string& path : job.files.earlier) {
    sources_.push_back(std::make_unique<Source>(path, reading_of_release(job, path), duck, progress));
    notices.add(sources_.back()->notices());
    files_.push_back(std::make_unique<FileTable>(*sources_.back(), duck));
    const bool escaped = job.files.escape_formulas && sources_.back()->format() == FileFormat::csv;
    tables_.push_back(std::make_unique<EscapedTable>(*files_.back(), escaped));
  }
}

std::vector<TableSource*> EarlierFiles::tables() const {
  std::vector<TableSource*> all;
  for (const auto& table : tables_) all.push_back(table.get());
  return all;
}

}  // namespace shoal
