// What one person is working on: a table, what inspect found in it, the job as it stands, and the runs. The job is all
// that is decided; everything else follows from it, so that a job file can be opened and continued.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "shoal/shoal.h"
#include "web/folder.h"
#include "web/http.h"
#include "web/run.h"

namespace shoal::web {

// What a look at a table found.
struct LookedAt {
  FileInspection found;
  TablePreview preview;
};

// What a release left behind.
struct ReleaseOutcome {
  Report report;
  std::vector<std::string> files;  // in the folder
  FileJob job;
};

// How loss and risk go with k, on a sample.
struct Curve {
  ComparisonReport report;
  std::string key;  // of the job that it is for
};

// The values of a column, for its hierarchy.
struct ColumnLeaves {
  std::string column;
  ValueCounts values;
};

inline constexpr const char* kRunNames[] = {"look", "findings", "curve", "compare", "release", "values"};

// Not safe by itself: the site holds `mutex` whenever it uses one. Runs go on outside of it.
class Session {
 public:
  std::mutex mutex;

  // ---- the table ----
  // A table or a job (.yaml) of the folder. Throws Error.
  void open(const std::string& name);
  void open(std::unique_ptr<PrivateTable> dropped);
  bool has_table() const { return table_number_ > 0; }
  uint64_t table_number() const { return table_number_; }  // another one is another table
  std::string table_name() const;                          // as people know it
  bool dropped() const { return dropped_ != nullptr; }
  const std::string& job_file() const { return job_file_; }  // that was opened; "": none
  // nullptr until it has been looked at.
  std::shared_ptr<const LookedAt> looked_at() const { return look.result(); }
  // The job is there to be changed; brings in what a look that has ended since found.
  bool ready();

  // ---- the job ----
  const FileJob& job() const { return job_; }
  void set_columns(const Fields& form);  // role-N, type-N for the Nth column of the table
  void set_goal(const Fields& form);
  void set_hierarchy(const std::string& column, std::optional<HierarchySpec> hierarchy);
  void take_method(const Job& job);  // the method, params and k of a comparison's run
  // "code:column" with a reason that the reports repeat.
  void accept(const std::string& finding, const std::string& reason);
  void withdraw(const std::string& finding);
  const std::map<std::string, std::string>& reasons() const { return reasons_; }
  // As a job file in the folder, with inspect's reasons and those of the person.
  std::string job_text() const;
  // Writes it there. Returns the name.
  std::string save_job(const std::string& name);
  // Texts for a file of a hierarchy of this column: its name.
  std::string hierarchy_file(const std::string& column) const;

  // ---- releases ----
  const std::string& stem() const { return stem_; }
  void set_stem(const std::string& stem);
  const std::string& format() const { return format_; }  // ending of the release
  void set_format(const std::string& ending);
  FileJob release_job() const;  // the job with all its outputs
  void start_findings();
  void start_release();
  void start_compare(const CompareTableSettings& settings);
  void start_curve();
  std::string curve_key() const;
  // The values of this column; nullptr while they are read, which this begins where nobody has.
  std::shared_ptr<const ColumnLeaves> values_of(const std::string& column);
  // May be sent to the browser: written by this session.
  bool is_ours(const std::string& file) const;
  void remember_files(const std::vector<std::string>& files);

  std::array<RunStatus, 6> statuses() const;  // as kRunNames
  void cancel(std::string_view run);

  Run<LookedAt> look;
  Run<RiskReport> findings;
  Run<Curve> curve;
  Run<ComparisonReport> compare;
  Run<ReleaseOutcome> release;
  Run<ColumnLeaves> values;

 private:
  void begin(FileJob asked, std::optional<FileJob> opened);
  void choose_stem();

  uint64_t table_number_ = 0, adopted_ = 0;
  std::unique_ptr<PrivateTable> dropped_;
  std::vector<std::unique_ptr<PrivateTable>> left_;  // runs that were cancelled may still read them
  std::string job_file_, stem_, format_ = ".csv";
  std::optional<FileJob> opened_;
  FileJob job_;
  std::map<std::string, std::string> reasons_;
  std::vector<std::string> ours_;
  std::string wanted_values_;  // the column that `values` reads
};

}  // namespace shoal::web
