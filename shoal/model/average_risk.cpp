#include "shoal/model/average_risk.h"

#include <stdexcept>

namespace shoal {

AverageRisk::AverageRisk(const ModelSpec& spec) : risk_(spec.risk) {
  if (spec.kind != ModelKind::average_risk) throw std::logic_error("not an average risk");
  check_model(spec);
}

}  // namespace shoal
