#include "shoal/job/job_keys.h"

#include "shoal/hierarchy/build.h"
#include "shoal/job/job_text.h"

namespace shoal {

std::vector<JobKey> job_keys() {
  const JobPart job = JobPart::job, column = JobPart::column, hierarchy = JobPart::hierarchy,
                requirement = JobPart::requirement;
  const char* const file = "a file";
  const char* const number = "a number";
  const char* const whole = "a whole number";
  return {
      {job, "input", file, {}, "", "the table; `-` is standard input"},
      {job, "output", file, {}, "", "where the release goes; `-` is standard output"},
      {job, "delimiter", "a character, or `tab`", {}, "found by looking", "what stands between cells"},
      {job, "encoding", "", encoding_words(), "found by looking", "how the input's characters are written"},
      {job, "decimal", "", {"point", "comma"}, "found by looking", "how the input's numbers are written: 3.5 or 3,5"},
      {job,
       "thousands",
       "one of `.` `,` `'` and a blank",
       {},
       "nothing, or a point that is found with a decimal comma",
       "what stands between thousands in the input's numbers"},
      {job, "columns", "`name: role` lines, or `name: {...}` with the keys of a column", {}, "", "what each column is"},
      {job, "others", "", {"plain", "leave-out"}, "leave-out", "what becomes of columns without a role"},
      {job, "k", whole, {}, "", "every combination of released values on all quasi columns occurs in so many rows"},
      {job, "requirements", "a list with the keys of a requirement", {}, "", "the same for some of the quasi columns"},
      {job,
       "models",
       "a list: `{model: distinct-l, column: diagnosis, l: 3}`, or `distinct-l:diagnosis:l=3`",
       {},
       "",
       "what every group must have besides"},
      {job,
       "union",
       "",
       {"true", "false"},
       "false",
       "satisfy several requirements by one over all their columns with the largest k"},
      {job,
       "hierarchies",
       "a folder",
       {},
       "",
       "takes `<column>.csv` or `<anything>_<column>.csv` for every quasi column"},
      {job, "method", "the name of a method", {}, "`shoal`; `mondrian` where there is a target", "how to search"},
      {job, "params", "`{name: value}`", {}, "those of the method", "settings of the method"},
      {job, "suppress_rows", "a share, from 0 to 1", {}, "0", "the largest share of rows that may be dropped"},
      {job, "missing", "a list of texts", {}, "", "texts that mean \"missing\", besides the empty cell"},
      {job, "unknown_values", "", {"root", "refuse"}, "refuse", "what becomes of a value its hierarchy does not have"},
      {job, "order", "", order_words(), "released", "how rows stand: sorted by what is released, or as in the input"},
      {job,
       "escape_formulas",
       "",
       {"true", "false"},
       "false",
       "an apostrophe before cells of a text table that a spreadsheet would run"},
      {job, "accept", "a list of `code` or `code:column`", {}, "", "findings that are known and wanted"},
      {job,
       "reasons",
       "`{code: text}`, or `code:column` in place of the code",
       {},
       "",
       "why: every report repeats it, the public one too"},
      {job, "population", file, {}, "", "the people that the table was taken from, for k-map and delta-presence"},
      {job, "earlier", "a list of files", {}, "", "releases of the same persons that are out already"},
      {job, "ranges", "", ranges_words(), "tight", "how ranges of numbers are released"},
      {job, "seed", whole, {}, "1", "same seed, same release"},
      {job, "threads", whole, {}, "0: all cores", "threads to use; the answer is the same with any number"},
      {job,
       "distortion_beta",
       number,
       {},
       "0",
       "weights of the distortion measure: 0 counts all steps alike, 1 and more counts steps near the root more"},
      {job, "time_budget", "seconds", {}, "none", "end the search with its best answer so far after this time"},
      {job, "memory_limit", "a size: `8GB`, `512MB`", {}, "none", "memory to stay within"},
      {job, "json", file, {}, "", "the report as JSON, internal"},
      {job, "report", file, {}, "", "the report as one page, internal"},
      {job, "report_public", file, {}, "", "the report without values of the table; JSON if it ends in `.json`"},
      {job, "recoding", file, {}, "", "what became of every value, as JSON, internal"},
      {job, "recoding_public", file, {}, "", "the same without values that the release hides"},

      {column, "role", "", role_words(), "none: not released, unless `others: plain`", "what the column is"},
      {column, "type", "", type_words(), "automatic",
       "numbers, names, names in an order, or dates; automatic: numbers where every value is one, else names"},
      {column,
       "hierarchy",
       "a file, or `{...}` with the keys of a hierarchy",
       {},
       "flat; by `type` for ordinal and date columns",
       "the column's tree of values (quasi columns, and sensitive ones for distances)"},
      {column, "weight", number, {}, "1", "how much a loss in this column counts (quasi columns)"},
      {column,
       "order",
       "a list of values",
       {},
       "found",
       "the values from least to greatest (ordinal columns, and sensitive ones for distances)"},

      {hierarchy, "file", file, {}, "", "the tree, as level table, indented text or JSON"},
      {hierarchy, "build", "", builder_kinds(), "",
       "makes the tree from the values; the builder's settings stand beside it, as in `{build: intervals, width: 5}`"},

      {requirement, "columns", "a list of quasi columns", {}, "", "which"},
      {requirement, "k", whole, {}, "", "every combination of released values on them occurs in so many rows"},
      {requirement, "models", "a list, as above", {}, "", "what the groups of this requirement alone must have"},
  };
}

std::vector<std::string> job_key_names(JobPart part) {
  std::vector<std::string> names;
  for (const JobKey& key : job_keys()) {
    if (key.part == part) names.push_back(key.name);
  }
  return names;
}

}  // namespace shoal
