#include "shoal/files/anonymize_arrow.h"

#include <fmt/format.h>

#include "shoal/error.h"
#include "shoal/files/duck_table.h"
#include "shoal/read/duck.h"
#include "shoal/read/hierarchies.h"

namespace shoal {
namespace {

// Columns of the released table as a table of texts in a DuckDB of its own.
class DuckCopy : public SqlEngine {
 public:
  DuckCopy(TableSource& release, const std::vector<size_t>& columns, const Job& job, const Progress& progress)
      : duck_(job.thread_count(), job.memory_limit), progress_(progress) {
    std::vector<std::string> names;
    for (size_t j : columns) names.push_back(release.columns()[j]);
    release.read(columns, progress, [&](TextStream& rows) { create_table("release", names, rows); });
  }

  std::vector<std::vector<std::string>> query(const std::string& sql) override {
    try {
      return duck_.query(sql, progress_);
    } catch (const DuckError& error) {
      throw Error(ErrorKind::input, fmt::format("the release cannot be counted: {}", error.what()));
    }
  }

  void create_table(const std::string& name, const std::vector<std::string>& columns, TextStream& rows) override {
    try {
      create_duck_table(duck_, name, columns, rows, progress_);
    } catch (const DuckError& error) {
      throw Error(ErrorKind::input, fmt::format("the release cannot be counted: {}", error.what()));
    }
  }

 private:
  DuckDb duck_;
  const Progress& progress_;
};

}  // namespace

Release anonymize(const Job& asked, TableSource& source, Progress& progress, const TablesBeside& beside) {
  std::vector<std::string> notices;
  const Job job = with_hierarchies_read(FileJob{asked, {}}, notices);
  Release release = anonymize(
      job, source,
      [&](TableSource& table, const std::vector<size_t>& columns) {
        return std::make_unique<DuckCopy>(table, columns, job, progress);
      },
      progress, beside);
  release.report.data_notices = std::move(notices);  // they quote labels
  return release;
}

}  // namespace shoal
