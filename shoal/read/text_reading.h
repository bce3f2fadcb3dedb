// How a text table is written: what a job says about it, and what is left to be found by looking.
#pragma once

#include <string>
#include <vector>

#include "shoal/job/file_job.h"

namespace shoal {

struct TextReading {
  TextReading() = default;
  TextReading(std::string the_delimiter) : delimiter(std::move(the_delimiter)) {}  // NOLINT: a delimiter is a reading
  TextReading(const char* the_delimiter) : delimiter(the_delimiter) {}             // NOLINT

  std::string delimiter;             // "": found
  std::string encoding;              // as in Files; "": found
  std::string decimal, thousands;    // as in Files; both "": a decimal comma is found
  std::vector<std::string> numbers;  // columns whose numbers are written so; cells of others stay as they are
  std::vector<std::string> missing;  // texts that are no values, besides the empty cell
};

// Of the job's input. Columns of numbers are its quasi columns that may be numbers, and its sensitive ones that the job
// calls numeric.
TextReading reading_of(const FileJob& job);

// Of a release that the job made: UTF-8 with decimal points, and the delimiter of its original unless its name says
// tabs.
TextReading reading_of_release(const FileJob& job, const std::string& release);
// The same as a job whose input is the release.
FileJob reading_releases(FileJob job, const std::string& release);

}  // namespace shoal
