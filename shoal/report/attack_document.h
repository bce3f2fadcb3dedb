// What an attacker gets out of a release, for people and machines.
#pragma once

#include <string>

#include "shoal/examine/attack.h"
#include "shoal/report/document.h"

namespace shoal {

Document attack_document(const std::string& release, const std::string& original, const AttackReport& report);

}  // namespace shoal
