// What can be done to the hierarchy of a column by hand.
#pragma once

#include <string>

#include "web/session.h"

namespace shoal::web {

// The hierarchy of a column as it stands, against its values. Throws Error.
Tree tree_as_it_stands(const Session& session, const std::string& column, const ColumnLeaves& leaves);

// A text that a person is editing: a level table. What is wrong with it, also against the values.
struct CheckedDraft {
  Tree tree;  // may be used when `usable`
  bool usable = false;
  std::vector<HierarchyFault> faults;
};
CheckedDraft check_draft(const std::string& draft, const ColumnLeaves& leaves);

// POST /hierarchy/ACTION: build, edges, file, none change the job; check and edit answer with the editor and leave it;
// save writes the text as a file and changes the job. Throws Error(job).
Reply act_on_hierarchy(Session& session, const std::string& action, const Fields& form, bool from_script);

}  // namespace shoal::web
