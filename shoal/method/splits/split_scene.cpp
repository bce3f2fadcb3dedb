// Groups are counted on the distinct tuples of the input or of any finer set, whose keys are mapped on the way: no
// table has to be made for a set that is looked at once.
#include "shoal/method/splits/split_scene.h"

#include <algorithm>
#include <numeric>

#include "shoal/error.h"
#include "shoal/measure/cell_loss.h"
#include "shoal/method/levels/level_search.h"
#include "shoal/method/rules.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

std::vector<size_t> all_columns(const Problem& problem) {
  std::vector<size_t> columns(problem.hierarchies.size());
  std::iota(columns.begin(), columns.end(), size_t{0});
  return columns;
}

}  // namespace

SplitCost split_cost(const std::string& name, const Problem& problem) {
  if (name == "dm") return SplitCost::dm;
  if (name == "lm") return SplitCost::lm;
  if (!problem.table.target) {
    throw Error(ErrorKind::job,
                "objective 'cm' counts misclassified rows and no target column is given; name the target column, or "
                "choose another objective",
                Advice{Setting::target});
  }
  return SplitCost::cm;
}

SplitScene::SplitScene(const Problem& problem, SplitCost cost)
    : problem_(problem),
      input_rows_(problem.table.input_rows()),
      cost_(cost),
      space_(problem.hierarchies, problem.requirements),
      all_columns_(all_columns(problem)),
      by_models_(problem.has_models()),
      limit_(by_models_ ? 0 : row_limit(problem)),
      tuples_(problem, {all_columns_, false, cost == SplitCost::cm, false}) {
  for (size_t i : needed_requirements(problem)) {
    requirements_.push_back(problem.requirements[i]);
    rules_.push_back(problem.rule(i));
    if (problem.requirements[i].columns == all_columns_)
      least_group_ = std::max(least_group_, problem.requirements[i].k);
  }
  plain_ = !by_models_ && requirements_.size() == 1 && requirements_[0].columns == all_columns_;
  if (by_models_) ruled_.emplace(problem, TupleTable::View{all_columns_, false, false, true});
  if (cost != SplitCost::lm) return;
  for (size_t column = 0; column < problem.hierarchies.size(); ++column) {
    auto& rows = leaf_rows_.emplace_back(problem.hierarchies[column].leaves(), 0.0);
    problem.table.quasi[column].codes.visit([&](auto codes) {
      for (size_t row = 0; row < codes.size(); ++row) rows[codes[row]] += problem.table.times_of(row);
    });
  }
}

uint32_t SplitScene::group(const TupleTable& tuples, const std::vector<TupleTable::NodeMap>& maps,
                           const std::vector<size_t>& columns, SplitMemory& memory, std::vector<uint32_t>& id) const {
  struct Mapped {
    TupleTable::Field field;
    const Hierarchy::Node* map;  // nullptr: as it is
  };
  std::vector<Mapped> fields;
  for (const TupleTable::Field& field : tuples.fields()) {
    if (!std::binary_search(columns.begin(), columns.end(), field.column)) continue;
    fields.push_back({field, maps[field.column].empty() ? nullptr : maps[field.column].data()});
  }
  const size_t words = tuples.group_words();
  memory.index.reset(words, tuples.size());
  memory.key.resize(words);
  id.resize(tuples.size());
  for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    const uint64_t* from = tuples.key(tuple);
    std::fill(memory.key.begin(), memory.key.end(), 0);
    for (const auto& [field, map] : fields) {
      const uint64_t node = (from[field.word] >> field.shift) & field.mask;
      memory.key[field.word] |= (map ? map[node] : node) << field.shift;
    }
    id[tuple] = memory.index.id(memory.key.data());
  }
  return memory.index.size();
}

uint64_t SplitScene::drop(const TupleTable& tuples, const std::vector<TupleTable::NodeMap>& maps,
                          SplitMemory& memory) const {
  memory.dropped.assign(tuples.size(), 0);
  memory.groups.resize(requirements_.size());
  std::vector<uint32_t> groups;
  for (size_t i = 0; i < requirements_.size(); ++i) {
    groups.push_back(group(tuples, maps, requirements_[i].columns, memory, memory.groups[i]));
  }
  uint64_t dropped = 0;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < requirements_.size(); ++i) {
      const std::vector<uint32_t>& of = memory.groups[i];
      memory.sizes.assign(groups[i], 0);
      for (size_t tuple = 0; tuple < of.size(); ++tuple) {
        if (!memory.dropped[tuple]) memory.sizes[of[tuple]] += tuples.rows()[tuple];
      }
      for (size_t tuple = 0; tuple < of.size(); ++tuple) {
        if (memory.dropped[tuple] || memory.sizes[of[tuple]] >= requirements_[i].k) continue;
        memory.dropped[tuple] = 1;
        dropped += tuples.rows()[tuple];
        again = requirements_.size() > 1;  // what one requirement takes the groups of another one miss
      }
    }
  }
  return dropped;
}

bool SplitScene::rules_hold(const TupleTable& ruled, const std::vector<TupleTable::NodeMap>& maps,
                            SplitMemory& memory) const {
  memory.groups.resize(1);
  std::vector<uint32_t>& of = memory.groups[0];
  for (size_t i = 0; i < requirements_.size(); ++i) {
    const GroupRule& rule = *rules_[i];
    const uint32_t groups = group(ruled, maps, requirements_[i].columns, memory, of);
    if (rule.average_risk() && !rule.average_risk()->holds(groups, rows())) return false;
    memory.sizes.assign(groups + size_t{1}, 0);
    for (uint32_t id : of) ++memory.sizes[id + size_t{1}];
    std::partial_sum(memory.sizes.begin(), memory.sizes.end(), memory.sizes.begin());
    memory.rows_of_group.resize(of.size());  // tuples, group after group
    std::vector<uint32_t> next(memory.sizes.begin(), memory.sizes.end() - 1);
    for (uint32_t tuple = 0; tuple < of.size(); ++tuple) memory.rows_of_group[next[of[tuple]]++] = tuple;
    GroupTally tally = rule.tally();  // one for all groups: what one has added is taken out again
    for (size_t id = 0; id < groups; ++id) {
      const auto members =
          std::span(memory.rows_of_group).subspan(memory.sizes[id], memory.sizes[id + 1] - memory.sizes[id]);
      for (uint32_t tuple : members) rule.add(tally, ruled.row_like(tuple), ruled.rows()[tuple]);
      if (!rule.holds(tally)) return false;
      for (uint32_t tuple : members) rule.remove(tally, ruled.row_like(tuple), ruled.rows()[tuple]);
    }
  }
  return true;
}

std::optional<SplitScene::Judged> SplitScene::judge(const SplitSet& set, SplitMemory& memory) const {
  const std::vector<TupleTable::NodeMap> maps = space_.maps(set);
  Judged judged;
  if (by_models_) {
    memory.dropped_rows = rows();
    if (!rules_hold(*ruled_, maps, memory)) return std::nullopt;
    memory.dropped_rows = 0;
    memory.dropped.assign(tuples_.size(), 0);
  } else {
    memory.dropped_rows = judged.dropped = drop(tuples_, maps, memory);
    if (judged.dropped > limit_) return std::nullopt;
  }
  judged.cost = cost_ == SplitCost::lm ? cell_cost(set, memory) : grouped_cost(maps, memory);
  if (cost_ == SplitCost::dm) judged.cost += double(rows()) * double(judged.dropped);
  if (cost_ == SplitCost::cm) judged.cost += double(judged.dropped);
  return judged;
}

double SplitScene::grouped_cost(const std::vector<TupleTable::NodeMap>& maps, SplitMemory& memory) const {
  // One requirement over all columns has made these groups already.
  const bool known = !by_models_ && requirements_.size() == 1 && requirements_[0].columns == all_columns_;
  memory.groups.resize(std::max<size_t>(memory.groups.size(), 1));
  std::vector<uint32_t>& of = memory.groups[0];
  const uint32_t groups = known ? memory.index.size() : group(tuples_, maps, all_columns_, memory, of);
  memory.rows_of_group.assign(groups, 0);
  const size_t classes = tuples_.classes();
  memory.class_rows.assign(groups * classes, 0);
  for (size_t tuple = 0; tuple < of.size(); ++tuple) {
    if (memory.dropped[tuple]) continue;
    memory.rows_of_group[of[tuple]] += tuples_.rows()[tuple];
    const auto counts = tuples_.class_rows(tuple);
    for (size_t c = 0; c < classes; ++c) memory.class_rows[of[tuple] * classes + c] += counts[c];
  }
  double cost = 0;
  for (size_t id = 0; id < groups; ++id) {
    const double size = memory.rows_of_group[id];
    if (classes == 0) {
      cost += size * size;
    } else {
      const auto first = memory.class_rows.begin() + static_cast<ptrdiff_t>(id * classes);
      cost += size - *std::max_element(first, first + static_cast<ptrdiff_t>(classes));
    }
  }
  return cost;
}

double SplitScene::cell_cost(const SplitSet& set, const SplitMemory& memory) const {
  double cost = 0;
  for (size_t column = 0; column < all_columns_.size(); ++column) {
    const Hierarchy& tree = problem_.hierarchies[column];
    const std::vector<uint32_t> first = space_.pieces(set, column);
    std::vector<uint32_t> last(first.size());
    for (uint32_t leaf = 0; leaf < first.size(); ++leaf) last[first[leaf]] = leaf;
    std::vector<double> loss(first.size());
    const double lost = iyengar_loss(tree, released_node(tree, Hierarchy::kRoot));
    for (uint32_t leaf = 0; leaf < first.size(); ++leaf) {
      loss[leaf] = iyengar_loss(tree, space_.released(column, first[leaf], last[first[leaf]]));
      cost += leaf_rows_[column][leaf] * loss[leaf];
    }
    const TupleTable::Field& field = tuples_.fields()[column];
    for (size_t tuple = 0; tuple < tuples_.size(); ++tuple) {
      if (!memory.dropped[tuple]) continue;
      const uint32_t leaf = tree.node(tuples_.node(tuple, field)).first;
      cost += tuples_.rows()[tuple] * (lost - loss[leaf]);
    }
  }
  return cost;
}

Recoding SplitScene::recoding(const SplitSet& set) const {
  Recoding recoding = space_.recoding(set);
  if (by_models_ || limit_ == 0) return recoding;
  SplitMemory memory;
  drop(tuples_, space_.maps(set), memory);
  // The tuples are numbered as the rows have them: a row finds its tuple by its own key.
  const Tuples rows = [&] {
    std::vector<GroupKey> keys;
    for (size_t column : all_columns_) {
      keys.push_back({&problem_.table.quasi[column].codes, problem_.hierarchies[column].leaves()});
    }
    return distinct_tuples(problem_.table.rows, keys);
  }();
  for (uint32_t row = 0; row < problem_.table.rows; ++row) {
    if (memory.dropped[rows.tuple_of_row[row]]) recoding.dropped_rows.push_back(row);
  }
  return recoding;
}

double SplitScene::shown(double cost) const {
  if (cost_ == SplitCost::cm) return cost / double(rows());
  if (cost_ == SplitCost::lm) return cost / (double(rows()) * double(all_columns_.size()));
  return cost;
}

}  // namespace shoal
