// The pages of the way from a table to a release, drawn as HTML: what the session holds, the same HTML renderer as the
// reports for all that was found, forms around it. Everything that comes from outside is escaped here or there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "web/session.h"

namespace shoal::web {

// ---- what all pages share (layout.cpp) ----

struct Step {
  const char* path;
  const char* title;
};
inline constexpr Step kSteps[] = {{"/table", "Table"}, {"/columns", "Columns"}, {"/hierarchies", "Hierarchies"},
                                  {"/goal", "Goal"},   {"/compare", "Compare"}, {"/release", "Release"}};

// A whole page. `path`: of its step; `message`: an error to show first, "" for none.
std::string whole_page(Session& session, std::string_view path, const std::string& body, const std::string& message);
// How the step is done on the command line, and the job as it stands.
std::string same_by_command(const Session& session, const std::string& command);
// `a b.csv` as the shell takes it.
std::string shell_word(const std::string& word);
// "visits.csv", or where a dropped table has no name in the folder still its own.
std::string input_word(const Session& session);
// A part that shows a run: `inside` when it is not running; else its progress with a button that cancels it. The page's
// script asks `path` for it again when the run ends.
std::string run_part(const std::string& run, const RunStatus& status, const std::string& path,
                     const std::string& inside);
// What the engine calls a stage of a run, in a person's words.
std::string stage_words(const std::string& stage);
std::string error_box(const std::string& message);
std::string hidden_field(std::string_view name, std::string_view value);
// <option> elements; `chosen` is marked. Pairs of value and words.
std::string options(const std::vector<std::pair<std::string, std::string>>& list, const std::string& chosen);
std::string table_field(const Session& session);  // says which table a form is about
// For a form that holds the whole of something: which job it was drawn for. `again`: takes the place of the one that is
// on the page, in an answer to the page's script.
std::string changes_field(const Session& session, bool again = false);

// ---- the steps; parts are what scripts ask for again ----

std::string table_page(Session& session);
std::string looked_part(Session& session);
std::string columns_page(Session& session);
std::string findings_part(Session& session);
// `column`: which tree is shown, "" for the first; `draft`: its text as a person has changed it, "" for what stands.
std::string hierarchies_page(Session& session, const std::string& column, const std::string& draft);
// The form in which a tree is edited, and below it what is wrong with its text.
std::string draft_editor(const Session& session, const std::string& column, const std::string& draft,
                         const ColumnLeaves& leaves);
std::string draft_check(const std::string& draft, const ColumnLeaves& leaves);
std::string goal_page(Session& session);
std::string curve_part(Session& session);
std::string compare_page(Session& session);
std::string compared_part(Session& session);
std::string release_page(Session& session);
std::string released_part(Session& session);

}  // namespace shoal::web
