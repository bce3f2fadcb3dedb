// A job on files: the question, and where the table is and the answers go.
#pragma once

#include <string>

#include "shoal/job/job.h"

namespace shoal {

// Places on disk. "": none.
struct Files {
  std::string input;      // "-": standard input
  std::string output;     // "-": standard output
  std::string delimiter;  // of text tables; "": found by looking
  // How the input is written, where it is a text table (docs/reading.md). A release is UTF-8 with decimal points.
  std::string encoding;              // "utf-8", "utf-16", "latin-1", "windows-1252"; "": found by looking
  std::string decimal;               // "," where numbers are written 3,5; ".": 3.5; "": found by looking
  std::string thousands;             // what stands between thousands: ".", ",", "'" or a blank; "": nothing
  bool escape_formulas = false;      // text tables: cells that a spreadsheet would run are released with an apostrophe
  std::string hierarchies;           // folder with <anything>_<column>.csv or <column>.csv
  std::string json, report;          // the report as JSON and as a page, for internal use
  std::string report_public;         // the report without values of the table
  std::string recoding;              // what became of every value, for internal use and for rows that come later
  std::string recoding_public;       // the same without values that the release hides
  std::string population;            // the people that the table was taken from, for k-map and delta-presence
  std::vector<std::string> earlier;  // releases of the same persons that are out already
};

struct FileJob : Job {
  Files files;
};

// The job as YAML that read_job understands: complete (defaults too), in a fixed order. Paths are written as they are:
// whoever saves it in another folder than the current one must make them relative to that folder.
std::string job_yaml(const FileJob& job);

// Remarks for a person who reads the file, each a line or lines that begin with # and end with a newline.
struct JobComments {
  std::string head{};  // of the file
  // In the order of the table; a column that the job does not name is only remarked on.
  struct OfColumn {
    std::string name, comment;
  };
  std::vector<OfColumn> columns{};
  std::string before_k{};
};
std::string job_yaml(const FileJob& job, const JobComments& comments);

// Throws Error(job) when the places make no sense by themselves.
void check_files(const Files& files);

}  // namespace shoal
