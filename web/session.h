// What one person is working on: a table, what inspect found in it, the job as it stands, and the runs. The job is all
// that is decided; everything else follows from it, so that a job file can be opened and continued.
#pragma once

#include <cstdint>
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
  // Counts the changes by the functions below but for accept() and withdraw(): a form that holds the whole of something
  // must not take back what another tab has changed since it was drawn.
  uint64_t changes() const { return changes_; }
  void set_columns(const Fields& form);  // role-N, type-N for the Nth column of the table
  void set_goal(const Fields& form);
  void set_hierarchy(const std::string& column, std::optional<HierarchySpec> hierarchy);
  void take_method(const Job& job);  // the method, params and k of a comparison's run
  // "code:column" with a reason that the job keeps and the reports repeat.
  void accept(const std::string& finding, const std::string& reason);
  void withdraw(const std::string& finding);
  // As a job file in the folder, with inspect's reasons for the roles.
  std::string job_text() const;
  // Writes it there. Returns the name.
  std::string save_job(const std::string& name);
  std::string job_name() const { return stem_ + "_job.yaml"; }  // what it is called unless a person says otherwise
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
  // The job that the curve is drawn with: for a quick look, where its method has one and the job does not say
  // otherwise.
  FileJob curve_job() const;
  bool curve_is_quick() const { return curve_job().params != job_.params; }
  std::string curve_key() const;
  // The values of this column; nullptr while they are read, which this begins where nobody has.
  std::shared_ptr<const ColumnLeaves> values_of(const std::string& column);
  // May be sent to the browser: written by this session.
  bool is_ours(const std::string& file) const;
  // The name, if a file of it may be written: Folder::output, and nothing is there that this session has not written.
  // Throws Error(job).
  std::string check_output(const std::string& name) const;
  void remember_files(const std::vector<std::string>& files);

  // Every run with its name.
  template <typename Session, typename Visit>
  static void for_each_run(Session& session, const Visit& visit) {
    visit("look", session.look);
    visit("findings", session.findings);
    visit("curve", session.curve);
    visit("compare", session.compare);
    visit("release", session.release);
    visit("values", session.values);
  }
  void cancel(std::string_view run);

  Run<LookedAt> look;
  Run<RiskReport> findings;
  Run<Curve> curve;
  Run<ComparisonReport> compare;
  Run<ReleaseOutcome> release;
  Run<ColumnLeaves> values;

 private:
  void begin(FileJob asked, std::optional<FileJob> opened, std::shared_ptr<const PrivateTable> dropped);
  void choose_stem();
  // The job and the head of its file with no path that means something on this machine alone.
  FileJob saved_job(FileJob job) const;
  std::string saved_head() const;

  uint64_t table_number_ = 0, adopted_ = 0, changes_ = 0;
  std::shared_ptr<const PrivateTable> dropped_;  // runs hold it too: one that was cancelled may still read it
  std::string job_file_, stem_, format_ = ".csv";
  std::optional<FileJob> opened_;
  FileJob job_;
  std::vector<std::string> ours_;
  std::string wanted_values_;  // the column that `values` reads
};

}  // namespace shoal::web
