// A model for attackers who know the other sensitive columns: they see the group's rows with the same tuple there, so
// the model must hold for each of these parts. A part may be new, so what joins a group can break it: A becomes U.
#include <algorithm>
#include <numeric>

#include "shoal/model/kinds.h"

namespace shoal {
namespace {

class JointModel : public Model {
 public:
  JointModel(std::unique_ptr<Model> inner, uint32_t values)
      : Model(inner->spec()), inner_(std::move(inner)), values_(values) {}

  Closure closure() const override {
    return inner_->closure() == Closure::any_superset ? Closure::union_only : inner_->closure();
  }

  uint32_t paired_values() const override { return values_; }

  double value(const GroupView& group) const override {  // the worst part's
    const bool larger_is_safer = model_entry(spec().kind).larger_is_safer;
    bool first = true;
    double worst = 0;
    each_part(group, [&](const GroupView& part) {
      const double value = inner_->value(part);
      worst = first ? value : larger_is_safer ? std::min(worst, value) : std::max(worst, value);
      first = false;
    });
    return worst;
  }

 private:
  // Pairs ascend by the other tuple first, so that a part is a stretch of them.
  template <class Visit>
  void each_part(const GroupView& group, Visit visit) const {
    std::vector<ValueCount> part;
    uint32_t other = 0;
    group.each([&](uint32_t pair, uint32_t count) {
      if (!part.empty() && pair / values_ != other) {
        visit(GroupView::of(part));
        part.clear();
      }
      other = pair / values_;
      part.push_back({pair % values_, count});
    });
    if (!part.empty()) visit(GroupView::of(part));
  }

  bool test(const GroupView& group) const override {
    bool all = true;
    each_part(group, [&](const GroupView& part) { all = all && inner_->holds(part); });
    return all;
  }
  // Added up from the least: to the last bit the same however the tuples are numbered, which a part of a table may do
  // in its own way.
  double lack(const GroupView& group) const override {
    std::vector<double> lacks;
    each_part(group, [&](const GroupView& part) { lacks.push_back(inner_->deficit(part)); });
    std::sort(lacks.begin(), lacks.end());
    return std::accumulate(lacks.begin(), lacks.end(), 0.0);
  }

  std::unique_ptr<Model> inner_;
  uint32_t values_;
};

}  // namespace

std::unique_ptr<Model> make_joint(std::unique_ptr<Model> inner, uint32_t values) {
  return std::make_unique<JointModel>(std::move(inner), values);
}

}  // namespace shoal
