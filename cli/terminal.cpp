#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "shoal/error.h"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kRedraw{100};
constexpr milliseconds kLinesAfter{3000};  // plain lines only for runs longer than this
constexpr milliseconds kLineEvery{10000};  // and then within a stage this often
constexpr int kBarWidth = 30;

// A signal handler can reach nothing but a global.
std::atomic<Progress*> running{nullptr};

extern "C" void ask_to_stop(int) {
  if (Progress* progress = running.load()) progress->cancel();
}

void handle_signals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // no restart: a read that waits for standard input must end, too
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

TerminalProgress::TerminalProgress(bool quiet)
    : style_(quiet                        ? Style::none
             : isatty(STDERR_FILENO) != 0 ? Style::bar
                                          : Style::lines),
      start_(Clock::now()) {
  if (style_ == Style::lines) next_show_ = Clock::duration(kLinesAfter).count();
  running = this;
  handle_signals(ask_to_stop);
}

TerminalProgress::~TerminalProgress() {
  handle_signals(SIG_DFL);
  running = nullptr;
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
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
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
}

void TerminalProgress::draw_line() {
  const double fraction = fraction_;
  const std::string share = fraction > 0 ? fmt::format(" {:.0f} %", fraction * 100) : "";
  fmt::print(stderr, "shoal: {}{}\n", stage_, share);
  stage_of_line_ = stage_;
}

void write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) throw Error(ErrorKind::job, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    return;
  }
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  std::ofstream stream(temporary, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) fs::rename(temporary, path, error);
  if (!stream || error) {
    const std::string why = error ? error.message() : std::strerror(errno);
    fs::remove(temporary, error);
    throw Error(ErrorKind::job, fmt::format("cannot write '{}': {}", path, why));
  }
}

void check_folder(const std::string& flag, const std::string& path) {
  if (path.empty() || path == "-") return;
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    throw Error(ErrorKind::job, fmt::format("{}: there is no folder '{}'; make it first", flag, folder.string()));
  }
  if (fs::is_directory(path, error)) {
    throw Error(ErrorKind::job, fmt::format("{}: '{}' is a folder; name a file in it", flag, path));
  }
}

std::FILE* words_stream(bool data_on_standard_output) { return data_on_standard_output ? stderr : stdout; }

}  // namespace shoal::cli
