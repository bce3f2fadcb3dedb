#include "shoal/verify/column_spans.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "shoal/table/number.h"

namespace shoal {
namespace {

class SpanFinder {
 public:
  SpanFinder(const CellCoverage& coverage, std::span<const std::string> originals)
      : coverage_(coverage), originals_(originals) {
    bool numbers = coverage.numeric();
    if (numbers && !coverage.type_stated()) {
      numbers = std::all_of(originals.begin(), originals.end(), [&](const std::string& text) {
        return coverage.is_missing(text) || (!has_leading_zero(text) && Decimal::parse(text));
      });
    }
    if (coverage.tree()) find_leaves(numbers);
    order(numbers);
  }

  PositionSpan span_of(const std::string& released, bool& exact) {
    hits_ = 0;
    span_ = {static_cast<uint32_t>(originals_.size()), 0};
    if (released == "*") return {0, static_cast<uint32_t>(originals_.size()) - 1};
    if (coverage_.is_missing(released)) add(0, missing_);
    if (!numbers_.empty()) add_numbers(released);
    const PositionSpan numbers = hits_ > 0 ? span_ : PositionSpan{};
    // Single ones, each once: the same text, and leaves below a node of this label.
    std::vector<uint32_t> single;
    if (const auto same = by_text_.find(released); same != by_text_.end()) single.push_back(same->second);
    if (const auto nodes = nodes_by_label_.find(released); nodes != nodes_by_label_.end()) {
      for (uint32_t node : nodes->second) {
        if (const auto below = below_.find(node); below != below_.end()) {
          single.insert(single.end(), below->second.begin(), below->second.end());
        }
      }
    }
    std::sort(single.begin(), single.end());
    single.erase(std::unique(single.begin(), single.end()), single.end());
    for (uint32_t position : single) {
      if (!numbers.contains(position)) add(position, position + 1);
    }
    if (hits_ == 0) return {};
    exact = exact && hits_ == span_.last - span_.first + 1;
    return span_;
  }
  const std::vector<uint32_t>& positions() const { return position_; }

 private:
  // The tree's leaf of every original that is one: by text, in numeric columns else by number.
  void find_leaves(bool numbers) {
    const Tree& tree = *coverage_.tree();
    std::unordered_map<std::string_view, uint32_t> by_label;
    std::unordered_map<Decimal, uint32_t, DecimalHash> by_number;
    for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
      nodes_by_label_[tree.nodes[node].label].push_back(node);
      if (!tree.nodes[node].leaf) continue;
      by_label.emplace(tree.nodes[node].label, node);
      if (!numbers) continue;
      if (const auto number = Decimal::parse(tree.nodes[node].label)) by_number.emplace(*number, node);
    }
    // Depth first: children are found behind their parents.
    std::vector<std::vector<uint32_t>> children(tree.nodes.size());
    for (uint32_t node = 1; node < tree.nodes.size(); ++node) children[tree.nodes[node].parent].push_back(node);
    std::vector<uint32_t> waiting{0};
    place_of_node_.resize(tree.nodes.size());
    for (uint32_t place = 0; !waiting.empty(); ++place) {
      const uint32_t node = waiting.back();
      waiting.pop_back();
      place_of_node_[node] = place;
      waiting.insert(waiting.end(), children[node].rbegin(), children[node].rend());
    }
    leaf_.resize(originals_.size());
    for (size_t i = 0; i < originals_.size(); ++i) {
      if (coverage_.is_missing(originals_[i])) continue;
      if (const auto found = by_label.find(originals_[i]); found != by_label.end()) {
        leaf_[i] = found->second;
      } else if (const auto number = numbers ? Decimal::parse(originals_[i]) : std::nullopt) {
        if (const auto same = by_number.find(*number); same != by_number.end()) leaf_[i] = same->second;
      }
    }
  }

  void order(bool numbers) {
    struct Place {
      int kind;  // 0 missing, 1 number, 2 leaf, 3 other
      std::optional<Decimal> number;
      uint32_t at;
    };
    std::vector<Place> places;
    for (uint32_t i = 0; i < originals_.size(); ++i) {
      if (coverage_.is_missing(originals_[i])) {
        places.push_back({0, {}, i});
        ++missing_;
      } else if (auto number = numbers ? Decimal::parse(originals_[i]) : std::nullopt) {
        places.push_back({1, std::move(number), i});
      } else if (!leaf_.empty() && leaf_[i]) {
        places.push_back({2, {}, place_of_node_[*leaf_[i]]});
      } else {
        places.push_back({3, {}, i});
      }
    }
    std::vector<uint32_t> order(originals_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const Place &one = places[a], &other = places[b];
      if (one.kind != other.kind) return one.kind < other.kind;
      if (one.number && *one.number != *other.number) return *one.number < *other.number;
      return std::pair(one.at, a) < std::pair(other.at, b);
    });
    position_.resize(originals_.size());
    for (uint32_t position = 0; position < order.size(); ++position) {
      const uint32_t text = order[position];
      position_[text] = position;
      if (places[text].kind != 0) by_text_.emplace(originals_[text], position);
      if (places[text].kind == 1) numbers_.push_back(*places[text].number);
      if (leaf_.empty() || !leaf_[text]) continue;
      for (uint32_t node = *leaf_[text]; node != 0; node = coverage_.tree()->nodes[node].parent) {
        below_[node].push_back(position);
      }
    }
  }

  void add(size_t first, size_t end) {
    if (first == end) return;
    span_.first = std::min(span_.first, static_cast<uint32_t>(first));
    span_.last = std::max(span_.last, static_cast<uint32_t>(end - 1));
    hits_ += end - first;
  }
  // Numbers that a range, a number or a mean covers. All stand behind the missing ones.
  void add_numbers(const std::string& released) {
    auto range = parse_decimal_range(released);
    if (!range) {
      const auto number = Decimal::parse(released);
      if (!number) return;
      range =
          coverage_.means_allowed() ? DecimalRange{numbers_.front(), numbers_.back()} : DecimalRange{*number, *number};
    }
    const auto first = std::lower_bound(numbers_.begin(), numbers_.end(), range->low) - numbers_.begin();
    const auto end = std::upper_bound(numbers_.begin(), numbers_.end(), range->high) - numbers_.begin();
    if (first < end) add(missing_ + static_cast<size_t>(first), missing_ + static_cast<size_t>(end));
  }

  const CellCoverage& coverage_;
  std::span<const std::string> originals_;
  std::unordered_map<std::string_view, std::vector<uint32_t>> nodes_by_label_;
  std::vector<uint32_t> place_of_node_;
  std::vector<std::optional<uint32_t>> leaf_;  // of each original; empty without a tree
  std::vector<uint32_t> position_;
  std::unordered_map<std::string_view, uint32_t> by_text_;
  std::vector<Decimal> numbers_;  // of the positions behind the missing ones, ascending
  std::unordered_map<uint32_t, std::vector<uint32_t>> below_;
  size_t missing_ = 0;
  PositionSpan span_;
  size_t hits_ = 0;
};

}  // namespace

ColumnSpans column_spans(const CellCoverage& coverage, std::span<const std::string> originals,
                         std::span<const std::string> released) {
  ColumnSpans result;
  SpanFinder finder(coverage, originals);
  result.position = finder.positions();
  for (const std::string& text : released) result.spans.push_back(finder.span_of(text, result.exact));
  return result;
}

}  // namespace shoal
