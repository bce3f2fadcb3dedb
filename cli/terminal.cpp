#include "cli/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRedraw{100};
constexpr milliseconds kLinesAfter{3000};  // plain lines only for runs longer than this
constexpr milliseconds kLineEvery{10000};  // and then within a stage this often
constexpr int kBarWidth = 30;

// A signal handler can reach nothing but globals.
std::atomic<Progress*> running{nullptr};
std::atomic<bool> outputs_may_stand{false};

extern "C" void stop(int signal) {
  if (Progress* progress = running.load()) {
    progress->cancel();
    return;
  }
  // Too late: what the run wrote stands, and the exit code must say so. A second signal ends the printing of words.
  if (outputs_may_stand.exchange(false)) return;
  remove_temporary_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A mistake of ours ends the program at once, but leaves no copy of a table behind.
extern "C" void crash(int signal) {
  remove_temporary_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void set_handler(int signal, void (*handler)(int), bool even_if_set) {
  struct sigaction action {};
  if (!even_if_set && (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)) return;
  action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // no restart: a read that waits for standard input must end, too
  sigaction(signal, &action, nullptr);
}

}  // namespace

TerminalProgress::TerminalProgress(bool quiet)
    : style_(quiet                        ? Style::none
             : isatty(STDERR_FILENO) != 0 ? Style::bar
                                          : Style::lines),
      start_(Clock::now()) {
  if (style_ == Style::lines) next_show_ = Clock::duration(kLinesAfter).count();
  running = this;
}

TerminalProgress::~TerminalProgress() {
  outputs_may_stand = true;
  running = nullptr;
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void TerminalProgress::stage(std::string_view name) {
  if (style_ == Style::none) return;
  const std::lock_guard lock(mutex_);
  stage_ = name;
  fraction_ = 0;
  show(true);
}

void TerminalProgress::update(double fraction) {
  if (style_ == Style::none) return;
  fraction_.store(std::clamp(fraction, 0.0, 1.0), std::memory_order_relaxed);
  if ((Clock::now() - start_).count() < next_show_.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);  // whoever draws now draws for all
  if (lock.owns_lock()) show(false);
}

// Requires the lock.
void TerminalProgress::show(bool at_once) {
  const Clock::duration now = Clock::now() - start_;
  if (style_ == Style::bar) {
    if (!at_once && now.count() < next_show_) return;
    next_show_ = (now + kRedraw).count();
    draw_bar();
    drawn_ = true;
  } else if (now >= kLinesAfter && (now.count() >= next_show_ || stage_ != stage_of_line_)) {
    next_show_ = (now + kLineEvery).count();
    draw_line();
  }
}

void TerminalProgress::draw_bar() const {
  const double fraction = fraction_;
  const int filled = static_cast<int>(fraction * kBarWidth);
  winsize size{};
  const int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  std::string line = fmt::format("{:<8} [{}{}] {:3.0f} %", stage_, std::string(static_cast<size_t>(filled), '#'),
                                 std::string(static_cast<size_t>(kBarWidth - filled), '.'), fraction * 100);
  line.resize(std::min(line.size(), static_cast<size_t>(columns - 1)));  // a wrapped line could not be erased
  print_words(stderr, fmt::format("\r{}\x1b[K", line));
  std::fflush(stderr);
}

void TerminalProgress::draw_line() {
  const double fraction = fraction_;
  const std::string share = fraction > 0 ? fmt::format(" {:.0f} %", fraction * 100) : "";
  print_words(stderr, fmt::format("shoal: {}{}\n", stage_, share));
  stage_of_line_ = stage_;
}

void handle_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT}) set_handler(signal, stop, true);
  // A caller that ignores these (nohup) wants the run to go on.
  for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU}) {
    set_handler(signal, stop, false);
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) set_handler(signal, crash, false);
  for (const int signal : {SIGPIPE, SIGXFSZ}) set_handler(signal, SIG_IGN, true);
}

void keep_standard_files_apart() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Standard output is opened in the wrong direction: to write data there fails, as it would have.
    if (fcntl(number, F_GETFD) < 0) open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_RDWR);
  }
}

void print_words(std::FILE* stream, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() || errno == EPIPE || stream == stderr) return;
  throw Error(ErrorKind::job, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_notices(const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) print_words(stderr, fmt::format("shoal: note: {}\n", notice));
}

std::FILE* words_stream(bool data_on_standard_output) { return data_on_standard_output ? stderr : stdout; }

void publish_and_tell(Outputs& outputs, const std::string& words) {
  run_with_progress(true, [&](Progress& progress) { outputs.publish(progress); });
  print_words(words_stream(outputs.uses_standard_output()), words);
}

}  // namespace shoal::cli
