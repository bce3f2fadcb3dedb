// What goes wrong because of what the user gave us. The engine throws Error and never prints.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace shoal {

enum class ErrorKind {
  job,        // wrong usage: flags, job file, unknown names, an output place that cannot be written
  input,      // bad data: table or hierarchy files
  cancelled,  // the user interrupted
};

// What the user can set to mend an error. The engine names the setting, and every door says it in its own words: a
// flag, a key of the job file, a keyword argument.
enum class Setting {
  output,
  recoding,
  original,  // the table a release was made from
  quasi,     // roles of columns
  target,
  type,       // of the column that the advice names
  hierarchy,  // of the column that the advice names
  k,
  unite,  // one requirement in place of several
  method,
  parameter,  // the one that the advice names, of the method
  methods,    // of an evaluation
  learners,
  ks,
  queries,  // of a workload
  query_columns,
  query_sum,
  about_method,  // not a setting: what lists the parameters of a method
};

struct Advice {
  Setting setting;
  std::string name{};  // of the column or parameter, where the setting is one of several
};

// The message says what is wrong first, then where (file, line, column, value), then what to do; `advice`, where there
// is any, is how, and the door puts it behind the message.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Error(ErrorKind kind, const std::string& message, Advice advice)
      : std::runtime_error(message), kind_(kind), advice_(std::move(advice)) {}
  ErrorKind kind() const { return kind_; }
  const std::optional<Advice>& advice() const { return advice_; }

 private:
  ErrorKind kind_;
  std::optional<Advice> advice_;
};

}  // namespace shoal
