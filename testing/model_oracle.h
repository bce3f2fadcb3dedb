// Random tables for privacy models, random models for them, and what the models say by plain recounts that share no
// code with shoal/model: exact where the definition is a fraction or a product of powers, by the transport problem
// itself for t-closeness.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "shoal/model/model.h"

namespace shoal::testing {

using Counts = std::vector<int64_t>;

inline int64_t total(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), int64_t{0}); }

// ---- a table: its counts, an order, a tree -------------------------------------------------------------------------

struct Scene {
  Counts whole;
  std::vector<uint32_t> order;
  std::vector<int> parents;  // of nodes; node 0 is the root, leaf v is leaf_node[v]
  std::vector<int> leaf_node;
  std::unique_ptr<Hierarchy> tree;
  WholeColumn column;
};

inline int height_of(const Scene& scene, int node) {
  int height = 0;
  for (size_t child = 1; child < scene.parents.size(); ++child)
    if (scene.parents[child] == node) height = std::max(height, 1 + height_of(scene, static_cast<int>(child)));
  return height;
}

inline std::vector<int> path_of(const Scene& scene, int node) {
  std::vector<int> path{node};
  while (node != 0) path.push_back(node = scene.parents[static_cast<size_t>(node)]);
  return path;
}

// Inner nodes over stretches of leaves, at random, uneven.
inline void grow(Scene& scene, std::vector<Hierarchy::NodeInfo>& nodes, int parent, uint32_t first, uint32_t last,
                 std::mt19937_64& random) {
  const uint32_t depth = nodes[static_cast<size_t>(parent)].depth + 1;
  for (uint32_t from = first; from <= last;) {
    const uint32_t to = std::min<uint32_t>(last, from + static_cast<uint32_t>(random() % (last - first + 1)));
    const int node = static_cast<int>(nodes.size());
    nodes.push_back({"n", static_cast<uint32_t>(parent), depth, from, to});
    scene.parents.push_back(parent);
    const bool again = from < to || (depth < 4 && random() % 4 == 0);  // also nodes with a single child
    if (again && depth < 6) {
      grow(scene, nodes, node, from, to, random);
    } else if (from == to) {
      scene.leaf_node[from] = node;
    } else {
      for (uint32_t leaf = from; leaf <= to; ++leaf) {
        scene.leaf_node[leaf] = static_cast<int>(nodes.size());
        nodes.push_back({"v", static_cast<uint32_t>(node), depth + 1, leaf, leaf});
        scene.parents.push_back(node);
      }
    }
    from = to + 1;
  }
}

inline std::unique_ptr<Scene> random_scene(std::mt19937_64& random, size_t most_values, int64_t most_rows) {
  auto scene = std::make_unique<Scene>();
  const size_t values = 1 + random() % most_values;
  for (size_t i = 0; i < values; ++i)
    scene->whole.push_back(random() % 8 == 0 ? 0
                                             : 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most_rows)));
  scene->whole[random() % values] += 1;
  scene->order.resize(values);
  std::iota(scene->order.begin(), scene->order.end(), 0U);
  if (random() % 2 == 0) std::shuffle(scene->order.begin(), scene->order.end(), random);
  std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, static_cast<uint32_t>(values - 1)}};
  scene->parents = {0};
  scene->leaf_node.resize(values);
  grow(*scene, nodes, 0, 0, static_cast<uint32_t>(values - 1), random);
  std::vector<std::vector<uint32_t>> levels(2, std::vector<uint32_t>(values, 0));
  for (size_t v = 0; v < values; ++v) levels[0][v] = static_cast<uint32_t>(scene->leaf_node[v]);
  scene->tree = std::make_unique<Hierarchy>(nodes, levels, std::vector<double>{}, std::nullopt);
  for (int64_t count : scene->whole) scene->column.counts.push_back(static_cast<uint32_t>(count));
  scene->column.order = scene->order;
  scene->column.tree = scene->tree.get();
  for (size_t v = 0; v < values; ++v) scene->column.values.push_back("v" + std::to_string(v));
  return scene;
}

inline Counts random_group(const Counts& whole, std::mt19937_64& random) {
  Counts group(whole.size(), 0);
  const size_t shape = random() % 4;
  for (size_t v = 0; v < whole.size(); ++v) {
    if (shape == 0 && random() % 2 == 0) continue;
    const int64_t most = shape == 3 ? std::min<int64_t>(whole[v], 2) : whole[v];
    group[v] = static_cast<int64_t>(random() % static_cast<uint64_t>(most + 1));
    if (shape == 2) group[v] = whole[v] / 2;  // close to the table
  }
  if (total(group) == 0)
    for (size_t v = 0; v < whole.size(); ++v) group[v] = whole[v];
  return group;
}

// ---- plain recounts ------------------------------------------------------------------------------------------------

// Least cost of moving `supply` to `demand` (equal totals) by successive cheapest ways: Bellman and Ford.
inline int64_t transport(const Counts& supply, const Counts& demand, const std::vector<Counts>& cost) {
  const size_t n = supply.size(), source = 2 * n, sink = 2 * n + 1;
  std::vector<Counts> room(2 * n + 2, Counts(2 * n + 2, 0)), price(2 * n + 2, Counts(2 * n + 2, 0));
  for (size_t i = 0; i < n; ++i) {
    room[source][i] = supply[i];
    room[n + i][sink] = demand[i];
    for (size_t j = 0; j < n; ++j) {
      room[i][n + j] = total(supply);
      price[i][n + j] = cost[i][j];
      price[n + j][i] = -cost[i][j];
    }
  }
  int64_t sum = 0;
  while (true) {
    constexpr int64_t kFar = int64_t{1} << 60;
    Counts distance(2 * n + 2, kFar);
    std::vector<size_t> from(2 * n + 2, source);
    distance[source] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < 2 * n + 2; ++i)
        for (size_t j = 0; j < 2 * n + 2 && distance[i] < kFar; ++j)
          if (room[i][j] > 0 && distance[i] + price[i][j] < distance[j]) {
            distance[j] = distance[i] + price[i][j];
            from[j] = i;
            changed = true;
          }
    }
    if (distance[sink] == kFar) return sum;
    int64_t flow = kFar;
    for (size_t j = sink; j != source; j = from[j]) flow = std::min(flow, room[from[j]][j]);
    for (size_t j = sink; j != source; j = from[j]) {
      room[from[j]][j] -= flow;
      room[j][from[j]] += flow;
    }
    sum += flow * distance[sink];
  }
}

// The distance t-closeness speaks of, as numerator and denominator.
inline std::pair<int64_t, int64_t> closeness(const Scene& scene, const Counts& group, Distance distance) {
  const size_t values = group.size();
  std::vector<int64_t> place(values, 0);
  int64_t next = 0;
  for (uint32_t v : scene.order) place[v] = scene.whole[v] > 0 ? next++ : 0;
  int64_t longest = distance == Distance::equal ? 1 : distance == Distance::ordered ? next - 1 : height_of(scene, 0);
  std::vector<Counts> cost(values, Counts(values, 0));
  for (size_t a = 0; a < values; ++a)
    for (size_t b = 0; b < values; ++b) {
      if (distance == Distance::equal) cost[a][b] = a == b ? 0 : 1;
      if (distance == Distance::ordered) cost[a][b] = std::abs(place[a] - place[b]);
      if (distance != Distance::hierarchical || a == b) continue;
      const std::vector<int> ways = path_of(scene, scene.leaf_node[b]);
      for (int node : path_of(scene, scene.leaf_node[a]))
        if (std::find(ways.begin(), ways.end(), node) != ways.end()) {
          cost[a][b] = height_of(scene, node);
          break;
        }
    }
  const int64_t n = total(group), all = total(scene.whole);
  Counts supply(values), demand(values);
  for (size_t v = 0; v < values; ++v) {
    supply[v] = all * group[v];
    demand[v] = n * scene.whole[v];
  }
  return {transport(supply, demand, cost), n * all * std::max<int64_t>(1, longest)};
}

// Products of powers, in full.
struct BigNumber {
  std::vector<uint32_t> digits{1};  // base 2^32, least first
  void multiply(uint64_t factor, int64_t times) {
    for (; times > 0; --times) {
      uint64_t carry = 0;
      for (uint32_t& digit : digits) {
        carry += factor * digit;
        digit = static_cast<uint32_t>(carry);
        carry >>= 32;
      }
      if (carry > 0) digits.push_back(static_cast<uint32_t>(carry));
    }
  }
  bool at_least(const BigNumber& other) const {
    if (digits.size() != other.digits.size()) return digits.size() > other.digits.size();
    return !std::lexicographical_compare(digits.rbegin(), digits.rend(), other.digits.rbegin(), other.digits.rend());
  }
};

enum class Answer { no, yes, too_close_to_say };

inline Answer answer(long double has, long double may, bool strict, bool exact_tie) {
  if (!exact_tie && std::fabs(has - may) < 1e-13L * std::fabs(may)) return Answer::too_close_to_say;
  return (strict ? has < may : has <= may) ? Answer::yes : Answer::no;
}

inline Answer entropy_holds(const ModelSpec& spec, const Counts& group) {
  const int64_t n = total(group);
  if (n > 60) {
    long double sum = 0;
    for (int64_t c : group)
      if (c > 0) sum += static_cast<long double>(c) * std::log(static_cast<long double>(c));
    const long double has = std::log(static_cast<long double>(n)) - sum / static_cast<long double>(n);
    return answer(std::log(static_cast<long double>(spec.l.number())), has, false, false);
  }
  BigNumber left, right;  // n^n·b^n >= a^n·Π c^c
  left.multiply(static_cast<uint64_t>(n), n);
  left.multiply(spec.l.denominator, n);
  right.multiply(spec.l.numerator, n);
  for (int64_t c : group) right.multiply(static_cast<uint64_t>(c), c);
  return left.at_least(right) ? Answer::yes : Answer::no;
}

inline Answer bounds_hold(const ModelSpec& spec, const Scene& scene, const Counts& group) {
  const long double n = static_cast<long double>(total(group)), all = static_cast<long double>(total(scene.whole));
  Answer result = Answer::yes;
  auto demand = [&](Answer next) {
    if (next == Answer::no || result == Answer::no)
      result = Answer::no;
    else if (next == Answer::too_close_to_say)
      result = next;
  };
  for (size_t v = 0; v < group.size(); ++v) {
    const auto c = static_cast<long double>(group[v]), whole = static_cast<long double>(scene.whole[v]);
    const auto number = [](const Fraction& f) { return static_cast<long double>(f.numerator); };
    if (spec.kind == ModelKind::confidence) {
      const bool named = spec.values.empty() || std::find(spec.values.begin(), spec.values.end(),
                                                          "v" + std::to_string(v)) != spec.values.end();
      if (named)
        demand(answer(c * static_cast<long double>(spec.alpha.denominator), n * number(spec.alpha), false, true));
    } else if (spec.kind == ModelKind::beta_likeness) {
      if (c * all <= n * whole) continue;  // no gain
      const auto parts = static_cast<long double>(spec.beta.denominator);
      demand(answer((c * all - n * whole) * parts, n * whole * number(spec.beta), false, true));
      if (spec.enhanced) demand(answer(c * all - n * whole, n * whole * -std::log(whole / all), false, false));
    } else {  // delta-disclosure
      if (whole == 0) continue;
      if (c == 0) return Answer::no;
      const bool exact = spec.delta.whole();
      const long double factor =
          std::exp2(static_cast<long double>(spec.delta.numerator) / static_cast<long double>(spec.delta.denominator));
      demand(answer(c * all, n * whole * factor, true, exact));
      demand(answer(n * whole, c * all * factor, true, exact));
    }
  }
  return result;
}

inline Answer plain_holds(const ModelSpec& spec, const Scene& scene, const Counts& group) {
  if (total(group) == 0) return Answer::yes;
  const auto distinct = group.size() - static_cast<size_t>(std::count(group.begin(), group.end(), 0));
  Counts ranks = group;
  std::sort(ranks.rbegin(), ranks.rend());
  switch (spec.kind) {
    case ModelKind::distinct_l:
      return distinct >= spec.l.numerator ? Answer::yes : Answer::no;
    case ModelKind::persons:
      return distinct >= spec.k.numerator ? Answer::yes : Answer::no;
    case ModelKind::entropy_l:
      return entropy_holds(spec, group);
    case ModelKind::recursive_l: {
      if (distinct < spec.l.numerator) return Answer::no;
      const int64_t tail =
          std::accumulate(ranks.begin() + static_cast<ptrdiff_t>(spec.l.numerator) - 1, ranks.end(), int64_t{0});
      const auto a = static_cast<int64_t>(spec.c.numerator), b = static_cast<int64_t>(spec.c.denominator);
      return ranks[0] * b < a * tail ? Answer::yes : Answer::no;
    }
    case ModelKind::t_closeness: {
      const auto [work, all] = closeness(scene, group, spec.distance);
      const auto a = static_cast<int64_t>(spec.t.numerator), b = static_cast<int64_t>(spec.t.denominator);
      return work * b <= a * all ? Answer::yes : Answer::no;
    }
    default:
      return bounds_hold(spec, scene, group);
  }
}

// ---- random models -------------------------------------------------------------------------------------------------

inline Fraction ratio(uint64_t a, uint64_t b) { return {a / std::gcd(a, b), b / std::gcd(a, b)}; }

// Models of one column of one group.
inline constexpr ModelKind kColumnKinds[] = {
    ModelKind::distinct_l, ModelKind::persons,     ModelKind::entropy_l,     ModelKind::recursive_l,
    ModelKind::confidence, ModelKind::t_closeness, ModelKind::beta_likeness, ModelKind::delta_disclosure};

// Parameters on purpose at what some group has, so that ties are met.
inline ModelSpec random_spec(ModelKind kind, const Scene& scene, std::mt19937_64& random) {
  ModelSpec spec;
  spec.kind = kind;
  spec.column = "s";
  const uint64_t small = 1 + random() % 6, b = 1 + random() % 12;
  spec.l = spec.k = {1 + random() % 4, 1};
  if (kind == ModelKind::entropy_l) spec.l = ratio(b + random() % (3 * b), b);
  spec.c = ratio(1 + random() % 20, small);
  spec.alpha = ratio(1 + random() % b, b);
  spec.beta = ratio(1 + random() % 20, small);
  spec.delta = ratio(1 + random() % 12, random() % 2 == 0 ? 1 : small);
  spec.enhanced = random() % 2 == 0;
  spec.distance = static_cast<Distance>(random() % 3);
  spec.t = ratio(random() % (b + 1), b);
  if (kind == ModelKind::t_closeness && random() % 3 == 0) {
    const Counts group = random_group(scene.whole, random);
    const auto [work, all] = closeness(scene, group, spec.distance);
    const Fraction exact = ratio(static_cast<uint64_t>(work), static_cast<uint64_t>(all));
    if (exact.denominator <= Fraction::kLimit) spec.t = exact;
  }
  for (size_t i = random() % 3; i > 0 && kind == ModelKind::confidence; --i)
    spec.values.push_back("v" + std::to_string(random() % scene.whole.size()));
  return spec;
}

inline Histogram histogram(const HistogramShape& shape, const Counts& counts) {
  Histogram group(shape);
  for (uint32_t v = 0; v < counts.size(); ++v) group.add(v, static_cast<uint32_t>(counts[v]));
  return group;
}

}  // namespace shoal::testing
