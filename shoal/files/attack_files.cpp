#include "shoal/files/attack_files.h"

#include <memory>
#include <optional>

#include "shoal/read/escaped_table.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"

namespace shoal {

AttackReport attack_files(const FileJob& asked, const AttackFiles& files, size_t sample, Progress& progress,
                          Notices* told) {
  Notices unasked;
  Notices& notices = told != nullptr ? *told : unasked;
  const FileJob job = with_hierarchies_read(asked, notices.data_notices);
  const auto open = [&](const std::string& path) {
    return std::make_unique<InputFile>(path, reading_releases(job, path), progress, &notices);
  };
  InputFile original(job.files.input, job, progress, &notices);
  const auto release = open(files.release);
  std::vector<std::unique_ptr<InputFile>> earlier;
  const auto escaped = [&](const InputFile& file) {
    return job.files.escape_formulas && file.source.format() == FileFormat::csv;
  };
  EscapedTable release_table(release->table, escaped(*release));
  std::vector<std::unique_ptr<EscapedTable>> earlier_tables;
  AttackTables tables{release_table, original.table};
  for (const std::string& path : files.earlier) {
    earlier.push_back(open(path));
    earlier_tables.push_back(std::make_unique<EscapedTable>(earlier.back()->table, escaped(*earlier.back())));
    tables.earlier.push_back(earlier_tables.back().get());
  }
  std::unique_ptr<InputFile> outsiders;
  if (!files.outsiders.empty()) {
    // People who are not in the table, written as its people are.
    FileJob other = job;
    if (!file_kind(files.outsiders).delimiter.empty()) other.files.delimiter.clear();
    outsiders = std::make_unique<InputFile>(files.outsiders, other, progress, &notices);
    tables.outsiders = &outsiders->table;
  }
  return attack_release(job, tables, sample, progress);
}

}  // namespace shoal
