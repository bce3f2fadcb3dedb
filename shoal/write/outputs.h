// All that a run writes, as one transaction: outputs appear whole, together, or not at all.
//
//   Outputs outputs;
//   outputs.reads("the table", job.files.input);            // what must survive
//   Output& report = outputs.writes("the report", path);
//   outputs.prepare();                                // before the work: may all this be written?
//   report.write(text);                               // into a private file beside its place
//   outputs.publish(progress);                        // after the work: every output gets its name, or none
//
// An output that is never written (the work failed) is not published, and what lies at its place stays. When anything
// goes wrong the private files go with the object. Not for several threads at once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/job/file_job.h"
#include "shoal/read/temporary_file.h"
#include "shoal/run/progress.h"
#include "shoal/write/place.h"

namespace shoal {

class Output {
 public:
  // As the user wrote it; "": not wanted, and all that is done with it has no effect; "-": standard output.
  const std::string& name() const { return name_; }
  bool wanted() const { return !name_.empty(); }
  // Standard output, a device, a pipe: written into by publish(), never replaced.
  bool is_stream() const { return place_.is_stream(); }

  // The whole content. Throws Error(job): disk full and the like.
  void write(std::string_view text);
  // For content that has to be looked at before it may be published: a private file, empty at first, with the endings
  // that tell its format; opened by its name or filled with a text. Then say done().
  const std::string& path();
  void fill(std::string_view text);
  void done() { done_ = wanted(); }

 private:
  friend class Outputs;
  Output(std::string what, std::string name) : what_(std::move(what)), name_(std::move(name)) {}
  std::string quoted_name() const;

  std::string what_, name_;
  Place place_;
  std::unique_ptr<TemporaryFile> file_;  // streams have one only when path() is asked for
  std::string text_;                     // of a stream
  unsigned rights_ = 0;                  // of the file once it is published
  bool done_ = false;
};

class Outputs {
 public:
  // A file that the run reads: no output may be the same file, by whatever name or link. "-": standard input.
  void reads(const std::string& what, const std::string& path);
  // The job's table, hierarchy files and those that its columns have in its folder of hierarchies.
  void reads(const FileJob& job);

  // An output, for publish(). The reference stays valid. `what` as in "the release", for messages and for at().
  Output& writes(const std::string& what, const std::string& path);
  // The one that was called `what`; an output that is not wanted where there is none.
  Output& at(std::string_view what);

  // Whether one goes to standard output: words for the user should then go elsewhere.
  bool uses_standard_output() const;

  // Once, after all of these and before the work. Throws Error(job) unless every output can be written without harm: no
  // output is read by the run or is another output; folders are there and can be written; nothing is a folder, a disk
  // or read-only. Removes what killed runs left beside the outputs.
  void prepare();

  // Gives every output that is done its name. Streams are written first, since that can fail and cannot be undone; when
  // a file cannot be put in its place after others were, those are put back. Does not stop half-way when interrupted.
  // Throws Error(job), or Error(cancelled) before the first file is in place.
  void publish(const Progress& progress);

 private:
  struct Input {
    std::string what, name;
    Place place;
  };
  void check_against_inputs(const Output& output) const;
  void check_against_outputs(size_t index) const;
  void write_streams(const Progress& progress);

  std::vector<Input> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace shoal
