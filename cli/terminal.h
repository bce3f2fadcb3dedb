// The terminal side of a run: progress, interruption, and what is printed where.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "shoal/shoal.h"

namespace shoal::cli {

// A bar on standard error when that is a terminal, redrawn at most ten times a second and erased at the end; else a
// plain line for every stage of a run that is longer than a few seconds; with `quiet` nothing. While one lives,
// signals (Ctrl-C, termination, a lost terminal) ask the run to stop instead of ending the program. One at a time.
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

// Ends the program in order when it is told to stop: while a TerminalProgress lives the run is asked to stop, else the
// temporary files are removed and the signal has its way. A reader of standard output that goes away, and a file that
// grows beyond a limit, become errors of the writer instead. For main(), once.
void handle_signals();

// Started with one of the three standard files closed, the next file opened would take its number, and words or data
// meant for the one would go into the other. For main(), before anything is opened.
void keep_standard_files_apart();

// Prints words for the user. Those for a reader who has gone (`| head`) are lost, which harms nothing, and so are those
// that standard error does not take: nobody is left to tell. Throws Error(job) when standard output refuses otherwise.
void print_words(std::FILE* stream, const std::string& text);

// What a careful user should know, a line each on standard error; for runs that are otherwise quiet.
void print_notices(const std::vector<std::string>& notices);

// Where words for the user go: standard error when standard output carries data.
std::FILE* words_stream(bool data_on_standard_output);

// Puts the outputs in their places, then prints the words about them. The words are made before, and all of them:
// nothing that can fail for want of memory comes after the outputs.
void publish_and_tell(Outputs& outputs, const std::string& words);

}  // namespace shoal::cli
