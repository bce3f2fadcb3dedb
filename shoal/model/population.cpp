// Models about the population that the table is a sample of: k-map (Sweeney 2002) and delta-presence (Nergiz, Atzori,
// Clifton 2007). How many people a group's released values fit is counted elsewhere and comes with the view.
#include <limits>

#include "shoal/model/kinds.h"

namespace shoal {
namespace {

class KMapModel : public Model {
 public:
  explicit KMapModel(const ModelSpec& spec) : Model(spec) {}
  double value(const GroupView& group) const override { return static_cast<double>(group.population()); }

 private:
  bool test(const GroupView& group) const override { return group.population() >= spec().k.numerator; }
  double lack(const GroupView& group) const override {
    return test(group) ? 0 : static_cast<double>(spec().k.numerator - group.population());
  }
};

class PresenceModel : public Model {
 public:
  explicit PresenceModel(const ModelSpec& spec) : Model(spec) {}

  double value(const GroupView& group) const override {
    if (group.population() == 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(group.rows()) / static_cast<double>(group.population());
  }

 private:
  // Rows above max (or below min), times the denominator.
  static Wide above(const GroupView& group, const Fraction& max) {
    return Wide{group.rows()} * max.denominator - Wide{group.population()} * max.numerator;
  }
  bool test(const GroupView& group) const override {
    return above(group, spec().highest) <= 0 && above(group, spec().lowest) >= 0;
  }
  double lack(const GroupView& group) const override {
    const Wide more = above(group, spec().highest), less = -above(group, spec().lowest);
    if (more <= 0 && less <= 0) return 0;
    return more > 0 ? static_cast<double>(more) / static_cast<double>(spec().highest.denominator)
                    : static_cast<double>(less) / static_cast<double>(spec().lowest.denominator);
  }
};

}  // namespace

std::unique_ptr<Model> make_k_map(const ModelSpec& spec) { return std::make_unique<KMapModel>(spec); }
std::unique_ptr<Model> make_presence(const ModelSpec& spec) { return std::make_unique<PresenceModel>(spec); }

}  // namespace shoal
