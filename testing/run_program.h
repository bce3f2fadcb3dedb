// The command line as a user meets it: an empty folder of its own, the program, its exit code and what it printed.
#pragma once

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "testing/places.h"

namespace shoal::testing {

struct ProgramRun {
  int exit_code = -1;
  std::string out, err;
};

class Workplace {
 public:
  Workplace() {
    std::string name = (std::filesystem::temp_directory_path() / "shoal_test_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  const std::filesystem::path& folder() const { return folder_; }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.insert(entry.path().filename().string());
    return names;
  }

  // Runs `shoal ARGUMENTS` here by the shell; `before` goes in front ("cat x |", "ulimit -f 8;").
  ProgramRun shoal(const std::string& arguments, const std::string& before = "") const {
    return shell(fmt::format("{} {} {}", before, kProgram, arguments));
  }
  ProgramRun shell(const std::string& command) const {
    const auto out = folder_.string() + ".out", err = folder_.string() + ".err";
    const int status = std::system(
        fmt::format("cd '{}' && {{ {} ; }} >'{}' 2>'{}' </dev/null", folder_.string(), command, out, err).c_str());
    ProgramRun run;
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    auto slurp = [](const std::string& path) {
      std::ifstream file(path, std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), {}};
      std::filesystem::remove(path);
      return text;
    };
    run.out = slurp(out);
    run.err = slurp(err);
    return run;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace shoal::testing
