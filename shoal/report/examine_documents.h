// What the commands that only look found, as documents: verify, measure, risk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/examine/examine.h"
#include "shoal/report/document.h"
#include "shoal/verify/verify.h"

namespace shoal {

// `original`: nothing when the release was checked alone. `findings`: nothing where nobody could look for them.
Document verification_document(const std::string& release, const std::optional<std::string>& original,
                               const Verification& verification,
                               const std::optional<std::vector<Finding>>& findings = std::nullopt);
Document measure_document(const std::string& release, const std::string& original, const MeasureReport& report);
// `quasi`: names of the quasi columns.
Document risk_document(const std::string& input, const std::vector<std::string>& quasi, const RiskReport& report);

}  // namespace shoal
