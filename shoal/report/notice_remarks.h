// What a careful user should know, as a part of any document: one way for all commands.
#pragma once

#include <string>

#include "shoal/report/document.h"
#include "shoal/run/notices.h"

namespace shoal {

// Under the path `notices`, each sentence once: a file may have been opened several times.
Remarks notice_remarks(const Notices& notices, Readers readers = kEveryone, std::string lead = "Note");

// The same at the end of the document's first section, for all readers.
void add_notices(Document& document, const Notices& notices);

}  // namespace shoal
