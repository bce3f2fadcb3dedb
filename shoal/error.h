// What goes wrong because of what the user gave us. The engine throws Error and never prints.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace shoal {

enum class ErrorKind {
  job,        // wrong usage: flags, job file, unknown names, an output place that cannot be written
  input,      // bad data: table or hierarchy files
  cancelled,  // the user interrupted
};

// The message says what is wrong first, then where (file, line, column, value), then what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace shoal
