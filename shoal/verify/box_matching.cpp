#include "shoal/verify/box_matching.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shoal {
namespace {

constexpr size_t kBucket = 8;
constexpr uint32_t kNone = UINT32_MAX;

struct TooMuchWork {};

// Points in a tree of halved stretches, each with its bounds. A point can be switched off in either of two layers, and
// stretches that are off in a layer are passed over.
class PointTree {
 public:
  enum Layer { kFree, kUnvisited };

  PointTree(std::span<const MatchingPoint> points, uint64_t& work)
      : points_(points), width_(points.empty() ? 0 : points.front().positions.size()), work_(work) {
    order_.resize(points.size());
    std::iota(order_.begin(), order_.end(), 0U);
    node_of_.resize(points.size());
    for (auto& on : on_) on.assign(points.size(), true);
    if (!points.empty()) build(0, static_cast<uint32_t>(points.size()), kNone);
  }

  bool on(Layer layer, uint32_t point) const { return on_[layer][point]; }
  void set(Layer layer, uint32_t point, bool on) {
    if (on_[layer][point] == on) return;
    on_[layer][point] = on;
    for (uint32_t node = node_of_[point]; node != kNone; node = nodes_[node].parent) {
      nodes_[node].on[layer] += on ? 1U : UINT32_MAX;
    }
  }

  // visit(point) for points of the layer inside the box, until it returns false.
  template <typename Visit>
  void in_box(Layer layer, const MatchingBox& box, Visit&& visit) {
    if (!nodes_.empty()) walk(0, layer, box, visit);
  }

 private:
  struct Node {
    uint32_t begin, end, parent;
    uint32_t left = kNone, right = kNone;
    uint32_t on[2];
  };

  uint32_t build(uint32_t begin, uint32_t end, uint32_t parent) {
    const auto self = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({begin, end, parent, kNone, kNone, {end - begin, end - begin}});
    size_t widest = 0;
    uint32_t most = 0;
    for (size_t j = 0; j < width_; ++j) {
      PositionSpan bound{UINT32_MAX, 0};
      for (uint32_t i = begin; i < end; ++i) {
        const uint32_t position = points_[order_[i]].positions[j];
        bound.first = std::min(bound.first, position);
        bound.last = std::max(bound.last, position);
      }
      bounds_.push_back(bound);
      if (bound.last - bound.first > most) {
        most = bound.last - bound.first;
        widest = j;
      }
    }
    if (end - begin <= kBucket || most == 0) {
      for (uint32_t i = begin; i < end; ++i) node_of_[order_[i]] = self;
      return self;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](uint32_t a, uint32_t b) {
                       return std::pair(points_[a].positions[widest], a) < std::pair(points_[b].positions[widest], b);
                     });
    const uint32_t left = build(begin, middle, self), right = build(middle, end, self);
    nodes_[self].left = left;
    nodes_[self].right = right;
    return self;
  }

  template <typename Visit>
  bool walk(uint32_t number, Layer layer, const MatchingBox& box, Visit& visit) {
    if (work_-- == 0) throw TooMuchWork{};
    const Node& node = nodes_[number];
    if (node.on[layer] == 0) return true;
    for (size_t j = 0; j < width_; ++j) {
      const PositionSpan &bound = bounds_[number * width_ + j], &span = box.spans[j];
      if (bound.last < span.first || bound.first > span.last) return true;
    }
    if (node.left != kNone) return walk(node.left, layer, box, visit) && walk(node.right, layer, box, visit);
    for (uint32_t i = node.begin; i < node.end; ++i) {
      const uint32_t point = order_[i];
      if (!on_[layer][point]) continue;
      bool inside = true;
      for (size_t j = 0; j < width_ && inside; ++j) inside = box.spans[j].contains(points_[point].positions[j]);
      if (inside && !visit(point)) return false;
    }
    return true;
  }

  std::span<const MatchingPoint> points_;
  const size_t width_;
  uint64_t& work_;
  std::vector<uint32_t> order_, node_of_;
  std::vector<Node> nodes_;
  std::vector<PositionSpan> bounds_;  // [node * width + column]
  std::vector<bool> on_[2];
};

class BoxMatching {
 public:
  BoxMatching(std::span<const MatchingBox> boxes, std::span<const MatchingPoint> points, uint64_t& work,
              const std::function<bool(size_t, size_t)>& really)
      : boxes_(boxes), points_(points), really_(really), tree_(points, work), holders_(points.size()) {
    for (const MatchingPoint& point : points) spare_.push_back(point.rows);
    for (const MatchingBox& box : boxes) need_.push_back(box.rows);
  }

  MatchingAnswer run() {
    for (uint32_t box : small_first()) take_free(box);
    reached_.assign(boxes_.size(), false);
    for (uint32_t box = 0; box < boxes_.size(); ++box) {
      while (need_[box] > 0) {
        if (!augment(box)) return {MatchingAnswer::Kind::impossible, box};
      }
    }
    return {};
  }

  std::vector<MatchedRows> matched() const {
    std::vector<MatchedRows> found;
    for (size_t point = 0; point < holders_.size(); ++point) {
      for (const auto& [box, rows] : holders_[point]) found.push_back({box, point, rows});
    }
    return found;
  }

 private:
  std::vector<uint32_t> small_first() const {
    std::vector<double> size;
    for (const MatchingBox& box : boxes_) {
      double log_volume = 0;
      for (const PositionSpan& span : box.spans) log_volume += std::log1p(span.last - span.first);
      size.push_back(log_volume);
    }
    std::vector<uint32_t> order(boxes_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return size[a] < size[b]; });
    return order;
  }
  bool fits(uint32_t box, uint32_t point) const { return !really_ || really_(box, point); }

  void give(uint32_t point, uint32_t box, uint64_t rows) {
    for (auto& [holder, held] : holders_[point]) {
      if (holder != box) continue;
      held += rows;
      return;
    }
    holders_[point].emplace_back(box, rows);
  }
  void take_back(uint32_t point, uint32_t box, uint64_t rows) {
    auto& holders = holders_[point];
    const auto found = std::find_if(holders.begin(), holders.end(), [&](const auto& h) { return h.first == box; });
    found->second -= rows;
    if (found->second == 0) holders.erase(found);
  }
  uint64_t held(uint32_t point, uint32_t box) const {
    for (const auto& [holder, rows] : holders_[point]) {
      if (holder == box) return rows;
    }
    return 0;
  }
  void use(uint32_t point, uint32_t box, uint64_t rows) {
    spare_[point] -= rows;
    if (spare_[point] == 0) tree_.set(PointTree::kFree, point, false);
    give(point, box, rows);
  }

  void take_free(uint32_t box) {
    std::vector<uint32_t> taken;
    uint64_t wanted = need_[box];
    tree_.in_box(PointTree::kFree, boxes_[box], [&](uint32_t point) {
      if (!fits(box, point)) return true;
      taken.push_back(point);
      wanted -= std::min(wanted, spare_[point]);
      return wanted > 0;
    });
    for (uint32_t point : taken) {
      const uint64_t rows = std::min(need_[box], spare_[point]);
      need_[box] -= rows;
      use(point, box, rows);
    }
  }

  std::optional<uint32_t> free_point(uint32_t box) {
    std::optional<uint32_t> found;
    tree_.in_box(PointTree::kFree, boxes_[box], [&](uint32_t point) {
      if (fits(box, point)) found = point;
      return !found;
    });
    return found;
  }

  // Looks, nearest first, for a box that can take a free point and thereby start a chain of gifts that ends at `start`.
  // When there is none, the boxes that were reached need more rows than all points in them have: nobody could help.
  bool augment(uint32_t start) {
    std::vector<uint32_t> queue{start}, visited;
    reached_[start] = true;
    std::vector<std::pair<uint32_t, uint32_t>> asker;  // of each box in the queue: who asked it, for which point
    asker.emplace_back(kNone, kNone);
    bool done = false;
    for (size_t at = 0; at < queue.size() && !done; ++at) {
      if (const auto free = free_point(queue[at])) {
        pass_on(queue, asker, at, *free);
        done = true;
        break;
      }
      const uint32_t box = queue[at];
      std::vector<uint32_t> found;
      tree_.in_box(PointTree::kUnvisited, boxes_[box], [&](uint32_t point) {
        if (fits(box, point)) found.push_back(point);
        return true;
      });
      for (uint32_t point : found) {
        tree_.set(PointTree::kUnvisited, point, false);
        visited.push_back(point);
        for (const auto& [holder, rows] : holders_[point]) {
          if (reached_[holder]) continue;
          reached_[holder] = true;
          queue.push_back(holder);
          asker.emplace_back(static_cast<uint32_t>(at), point);
        }
      }
    }
    for (uint32_t point : visited) tree_.set(PointTree::kUnvisited, point, true);
    for (uint32_t box : queue) reached_[box] = false;
    return done;
  }

  void pass_on(const std::vector<uint32_t>& queue, const std::vector<std::pair<uint32_t, uint32_t>>& asker, size_t last,
               uint32_t free) {
    uint64_t rows = std::min(need_[queue[0]], spare_[free]);
    for (size_t at = last; asker[at].first != kNone; at = asker[at].first) {
      rows = std::min(rows, held(asker[at].second, queue[at]));
    }
    use(free, queue[last], rows);
    for (size_t at = last; asker[at].first != kNone; at = asker[at].first) {
      take_back(asker[at].second, queue[at], rows);
      give(asker[at].second, queue[asker[at].first], rows);
    }
    need_[queue[0]] -= rows;
  }

  std::span<const MatchingBox> boxes_;
  std::span<const MatchingPoint> points_;
  const std::function<bool(size_t, size_t)>& really_;
  PointTree tree_;
  std::vector<std::vector<std::pair<uint32_t, uint64_t>>> holders_;  // of each point: boxes with rows of it
  std::vector<uint64_t> spare_, need_;
  std::vector<bool> reached_;
};

}  // namespace

MatchingAnswer match_boxes(std::span<const MatchingBox> boxes, std::span<const MatchingPoint> points, uint64_t& work,
                           const std::function<bool(size_t, size_t)>& really, std::vector<MatchedRows>* matched) {
  try {
    BoxMatching matching(boxes, points, work, really);
    const MatchingAnswer answer = matching.run();
    if (matched != nullptr && answer.kind == MatchingAnswer::Kind::matched) *matched = matching.matched();
    return answer;
  } catch (const TooMuchWork&) {
    work = 0;
    return {MatchingAnswer::Kind::too_much_work, 0};
  }
}

}  // namespace shoal
