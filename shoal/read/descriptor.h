// Open files by their number, the one loop that writes all of a text, and words for why a disk refused.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "shoal/run/progress.h"

namespace shoal {

// An open file, closed when this goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  // 0, or the error number: a disk may refuse what it took earlier only now.
  int close();

 private:
  int number_ = -1;
};

// Writes all of `text`; `name` is what to call the place in messages. Throws Error(job) when it cannot be written, and
// Error(cancelled) when a signal ended a write that was waiting and `progress` says to stop.
void write_fully(const Descriptor& file, std::string_view text, const std::string& name, const Progress& progress);

// Why the system refused, in words that fit after a colon: "disk full", "Permission denied", ...
std::string reason_of(int error_number);
// The same from what DuckDB said: its first line, without its own file names (`path` becomes `name`).
std::string reason_of(const std::string& duckdb_said, const std::string& path, const std::string& name);

}  // namespace shoal
