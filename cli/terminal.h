// The terminal side of a run: progress, interruption, and writing text to files or standard output.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "shoal/progress.h"

namespace shoal::cli {

// A bar on standard error when that is a terminal, redrawn at most ten times a second and erased at the end; else a
// plain line for every stage of a run that is longer than a few seconds; with `quiet` nothing. While one lives,
// interruption (Ctrl-C) and termination ask the run to stop instead of ending the program. One at a time.
class TerminalProgress : public Progress {
 public:
  explicit TerminalProgress(bool quiet);
  ~TerminalProgress() override;
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  void stage(std::string_view name) override;
  void update(double fraction) override;

 private:
  enum class Style { none, lines, bar };
  void show(bool at_once);
  void draw_bar() const;
  void draw_line();

  Style style_;
  Clock::time_point start_;
  std::mutex mutex_;  // guards what follows, and the drawing
  std::string stage_, stage_of_line_;
  bool drawn_ = false;
  std::atomic<double> fraction_{0};
  std::atomic<int64_t> next_show_{0};  // in ticks of Clock since start_
};

// Runs `work(progress)` under a TerminalProgress. Whatever error a run ends with after the user asked it to stop (a
// read cut short, say), it is the interruption.
template <typename Work>
auto run_with_progress(bool quiet, Work work) {
  TerminalProgress progress(quiet);
  try {
    return work(progress);
  } catch (const Error&) {
    progress.check();
    throw;
  }
}

// Writes to a temporary file beside `path` and renames it, so that a reader never sees half a file; "-" is standard
// output. Throws Error(job) when the place cannot be written.
void write_text(const std::string& path, const std::string& text);

// Throws Error(job) when the folder of `path` is not there: better before the work than after it. `flag` for the
// message. Nothing to check for "" and "-".
void check_folder(const std::string& flag, const std::string& path);

// Where words for the user go: standard error when standard output carries data.
std::FILE* words_stream(bool data_on_standard_output);

}  // namespace shoal::cli
