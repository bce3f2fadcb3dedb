#include "shoal/model/population_index.h"

#include <algorithm>
#include <numeric>

#include "shoal/model/kinds.h"

namespace shoal {
namespace {

bool of_people(const CountedModel& model) { return model.counted == nullptr; }

// A model with the people that it asks about.
class PeopledModel final : public Model {
 public:
  PeopledModel(std::unique_ptr<Model> inner, std::shared_ptr<const PopulationIndex> population)
      : Model(inner->spec()), inner_(std::move(inner)), population_(std::move(population)) {}

  double value(const GroupView& group) const override { return inner_->value(group); }
  const PopulationIndex& population() const { return *population_; }

 private:
  bool test(const GroupView& group) const override { return inner_->holds(group); }
  double lack(const GroupView& group) const override { return inner_->deficit(group); }

  std::unique_ptr<Model> inner_;
  std::shared_ptr<const PopulationIndex> population_;
};

}  // namespace

PopulationIndex::PopulationIndex(std::vector<std::vector<uint32_t>> columns, std::vector<uint32_t> people)
    : width_(columns.size()) {
  std::vector<uint32_t> order(people.size());
  std::iota(order.begin(), order.end(), uint32_t{0});
  if (!order.empty()) build(0, static_cast<uint32_t>(order.size()), order, columns, people);
  leaves_.resize(order.size() * width_);
  for (size_t point = 0; point < order.size(); ++point) {
    people_.push_back(people[order[point]]);
    all_ += people_.back();
    for (size_t j = 0; j < width_; ++j) leaves_[point * width_ + j] = columns[j][order[point]];
  }
}

// Halves the points along the column where they reach farthest, in leaves. Puts them in order; returns the node.
uint32_t PopulationIndex::build(uint32_t begin, uint32_t end, std::vector<uint32_t>& order,
                                const std::vector<std::vector<uint32_t>>& columns,
                                const std::vector<uint32_t>& people) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({begin, end, 0, 0});
  bounds_.resize(bounds_.size() + width_);
  for (uint32_t i = begin; i < end; ++i) nodes_[node].people += people[order[i]];
  size_t widest = 0;
  uint32_t reach = 0;
  for (size_t j = 0; j < width_; ++j) {
    LeafStretch bound{columns[j][order[begin]], columns[j][order[begin]]};
    for (uint32_t i = begin; i < end; ++i) {
      bound.first = std::min(bound.first, columns[j][order[i]]);
      bound.last = std::max(bound.last, columns[j][order[i]]);
    }
    bounds_[size_t{node} * width_ + j] = bound;
    if (bound.last - bound.first > reach) {
      reach = bound.last - bound.first;
      widest = j;
    }
  }
  if (end - begin <= kBucket || reach == 0) return node;
  const uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](uint32_t a, uint32_t b) {
    return std::pair(columns[widest][a], a) < std::pair(columns[widest][b], b);
  });
  build(begin, middle, order, columns, people);
  const uint32_t right = build(middle, end, order, columns, people);
  nodes_[node].right = right;
  return node;
}

uint64_t PopulationIndex::people_in(std::span<const LeafStretch> box) const {
  if (nodes_.empty()) return 0;
  uint64_t found = 0;
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    const Node& node = nodes_[at];
    bool apart = false, inside = true;
    for (size_t j = 0; j < width_ && !apart; ++j) {
      const LeafStretch& bound = bounds_[size_t{at} * width_ + j];
      apart = bound.last < box[j].first || box[j].last < bound.first;
      inside = inside && box[j].first <= bound.first && bound.last <= box[j].last;
    }
    if (apart) continue;
    if (inside) {
      found += node.people;
    } else if (node.right != 0) {
      open.push_back(node.right);
      open.push_back(at + 1);
    } else {
      for (uint32_t point = node.begin; point < node.end; ++point) {
        bool fits = true;
        for (size_t j = 0; j < width_ && fits; ++j) {
          const uint32_t leaf = leaves_[size_t{point} * width_ + j];
          fits = box[j].first <= leaf && leaf <= box[j].last;
        }
        if (fits) found += people_[point];
      }
    }
  }
  return found;
}

CountedModel population_model(const ModelSpec& spec, std::shared_ptr<const PopulationIndex> population) {
  return {std::make_shared<const PeopledModel>(make_model(spec, {}), std::move(population)), nullptr};
}

const PopulationIndex* population_of(const GroupRule& rule) {
  for (const CountedModel& model : rule.models()) {
    if (const auto* peopled = dynamic_cast<const PeopledModel*>(model.model.get())) return &peopled->population();
  }
  return nullptr;
}

std::shared_ptr<const GroupRule> without_population(const std::shared_ptr<const GroupRule>& rule) {
  if (!rule->needs_population()) return rule;
  std::vector<CountedModel> models(rule->models().begin(), rule->models().end());
  std::erase_if(models, of_people);
  return std::make_shared<const GroupRule>(rule->k(), std::move(models), rule->average_risk());
}

bool population_holds(const GroupRule& rule, uint64_t rows, uint64_t people) {
  const ValueCount count{0, static_cast<uint32_t>(rows)};
  const GroupView group = GroupView::of(std::span(&count, 1)).with_population(people);
  return std::all_of(rule.models().begin(), rule.models().end(),
                     [&](const CountedModel& model) { return !of_people(model) || model.model->holds(group); });
}

}  // namespace shoal
