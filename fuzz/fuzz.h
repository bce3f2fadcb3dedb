// What every fuzz target needs: bytes as choices and texts, a file that only this process sees, and a way to say that a
// promise of the engine was broken. A target may end in any way that a user may see (Error); whatever else is a
// finding.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "shoal/error.h"

namespace shoal::fuzz {

// The bytes of one run: single bytes from the front as choices, the rest as the text.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  size_t below(size_t bound) { return byte() % bound; }
  std::string text(size_t most) {
    const size_t size = most < size_ ? most : size_;
    std::string text(reinterpret_cast<const char*>(data_), size);
    data_ += size;
    size_ -= size;
    return text;
  }
  std::string rest() { return text(size_); }

 private:
  const uint8_t* data_;
  size_t size_;
};

// A file in memory with this content; path() can be opened as long as it lives.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : file_(memfd_create("fuzz", 0)) {
    if (file_ < 0 || write(file_, content.data(), content.size()) != static_cast<ssize_t>(content.size())) std::abort();
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

inline void expect(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

}  // namespace shoal::fuzz

#define FUZZ_TARGET(bytes)                                                     \
  static void run(shoal::fuzz::Bytes bytes);                                   \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {    \
    try {                                                                      \
      run({data, size});                                                       \
    } catch (const shoal::Error& error) {                                      \
      shoal::fuzz::expect(error.what()[0] != '\0', "an error says something"); \
    }                                                                          \
    return 0;                                                                  \
  }                                                                            \
  static void run(shoal::fuzz::Bytes bytes)
