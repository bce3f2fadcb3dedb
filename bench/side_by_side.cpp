// Runs commands side by side, several rounds interleaved, and prints for each the median wall time, its ratio to the
// first command's, processor time and peak memory.
//   side_by_side ROUNDS  NAME COMMAND  [NAME COMMAND ...]        commands run by sh
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Run {
  double wall = 0, processor = 0, peak_mb = 0;
  int status = 0;
};

Run run(const char* command) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", (std::string("exec ") + command).c_str(), nullptr);
    _exit(127);
  }
  rusage usage{};
  Run result;
  wait4(child, &result.status, 0, &usage);
  result.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
  result.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.peak_mb = double(usage.ru_maxrss) / 1024;
  return result;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc % 2 != 0) {
    fmt::print(stderr, "usage: side_by_side ROUNDS NAME COMMAND [NAME COMMAND ...]\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  const size_t count = static_cast<size_t>(argc - 2) / 2;
  std::vector<std::vector<double>> wall(count), processor(count), peak(count);
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < count; ++i) {
      const Run result = run(argv[3 + 2 * i]);
      if (result.status != 0) {
        fmt::print(stderr, "failed: {}\n", argv[3 + 2 * i]);
        return 1;
      }
      wall[i].push_back(result.wall);
      processor[i].push_back(result.processor);
      peak[i].push_back(result.peak_mb);
    }
  }
  fmt::print("{:<34} {:>9} {:>8} {:>9} {:>9}\n", "", "wall s", "ratio", "cpu s", "peak MB");
  for (size_t i = 0; i < count; ++i) {
    fmt::print("{:<34} {:>9.2f} {:>8.2f} {:>9.2f} {:>9.0f}\n", argv[2 + 2 * i], median(wall[i]),
               median(wall[i]) / median(wall[0]), median(processor[i]),
               *std::max_element(peak[i].begin(), peak[i].end()));
  }
  return 0;
}
