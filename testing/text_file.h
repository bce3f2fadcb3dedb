// A file with given content that lives as long as the object.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace shoal::testing {

class TextFile {
 public:
  // `name` is kept at the end of the path, so that its ending says what the file is.
  TextFile(const std::string& name, std::string_view content) {
    static std::atomic<int> count{0};
    path_ = ::testing::TempDir() + "shoal_" + std::to_string(getpid()) + "_" + std::to_string(count++) + "_" + name;
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TextFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace shoal::testing
