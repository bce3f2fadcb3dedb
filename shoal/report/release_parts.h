// The sections of the report on a release, by what they are for. release_document.cpp puts them in order.
#pragma once

#include "shoal/report/document.h"
#include "shoal/report/report.h"

namespace shoal {

// There was a release to look at, even if it was refused.
inline bool measured(const Report& report) { return report.status != Status::unsatisfied; }

// The first page (release_first_page.cpp).
Section every_column(const Report& report);  // by its role, and what became of it
Section what_remains(const Report& report);  // of the risk, in sentences
Section sign_off(const Report& report);

// Pictures of before and after (release_charts.cpp). Empty where nothing was measured.
Section group_sizes(const Report& report);
Section told_apart(const Report& report);
Section loss_against_bound(const Report& report);
Section values_before_and_after(const Report& report);

// How it was done (release_run.cpp).
Section search_details(const Report& report);
Section time_and_memory(const Report& report);
Section how_to_repeat(const Report& report);  // job, fingerprints, version
// The whole input's shares of sensitive values, which models compare with: data, whoever reads.
Section distributions(const Report& report);

}  // namespace shoal
