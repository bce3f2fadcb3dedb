#include "shoal/read/text_reading.h"

#include "shoal/read/source.h"

namespace shoal {

TextReading reading_of(const FileJob& job) {
  TextReading reading(job.files.delimiter);
  reading.encoding = job.files.encoding;
  reading.decimal = job.files.decimal;
  reading.thousands = job.files.thousands;
  reading.missing = job.missing;
  for (const ColumnJob& column : job.columns) {
    const bool quasi =
        column.role == Role::quasi && (column.type == ColumnType::numeric || column.type == ColumnType::automatic);
    if (quasi || (column.role == Role::sensitive && column.type == ColumnType::numeric)) {
      reading.numbers.push_back(column.name);
    }
  }
  return reading;
}

TextReading reading_of_release(const FileJob& job, const std::string& release) {
  return reading_of(reading_releases(job, release));
}

FileJob reading_releases(FileJob job, const std::string& release) {
  job.files.encoding.clear();
  job.files.decimal = ".";
  job.files.thousands.clear();
  if (!file_kind(release).delimiter.empty()) job.files.delimiter.clear();
  return job;
}

}  // namespace shoal
