// Models that count how many values a group has and how evenly: distinct-l, persons, entropy-l, recursive-l
// (Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam 2007, section 4).
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "shoal/model/kinds.h"

namespace shoal {
namespace {

// Persons are the values of the person column: k different ones are what distinct-l calls l.
class DistinctModel : public Model {
 public:
  explicit DistinctModel(const ModelSpec& spec)
      : Model(spec), least_(spec.kind == ModelKind::persons ? spec.k.numerator : spec.l.numerator) {}

  double value(const GroupView& group) const override { return static_cast<double>(group.distinct()); }

 private:
  bool test(const GroupView& group) const override { return group.distinct() >= least_; }
  double lack(const GroupView& group) const override {
    return test(group) ? 0 : static_cast<double>(least_ - group.distinct());
  }

  uint64_t least_;
};

// ln n - (1/n) Σ c ln c >= ln l, times n and in bits: n·log2(n) - Σ c·log2(c) - n·log2(l) >= 0.
class EntropyModel : public Model {
 public:
  EntropyModel(const ModelSpec& spec, uint64_t rows)
      : Model(spec),
        logs_(rows),
        log_l_(log2_units(spec.l.numerator) - log2_units(spec.l.denominator)),
        parts_below_(log2_units(spec.l.denominator)),
        parts_above_(log2_units(spec.l.numerator)) {}

  double value(const GroupView& group) const override {
    const double n = static_cast<double>(group.rows());
    double entropy = 0;
    group.each([&](uint32_t, uint32_t count) { entropy -= count / n * std::log2(count / n); });
    return std::exp2(entropy);
  }
  const CountLogs* logs() const override { return &logs_; }

 private:
  // In units of 2^-bits, at most distinct + 3 units off: one for each logarithm of a count, and the last for l.
  int64_t surplus(const GroupView& group) const {
    const uint64_t n = group.rows();
    const auto wanted = static_cast<int64_t>((n * log_l_) >> (kLogBits - logs_.bits()));
    return logs_.of(n) - group.log_sum(logs_) - wanted;
  }

  bool test(const GroupView& group) const override {
    const int64_t difference = surplus(group), error = static_cast<int64_t>(group.distinct()) + 3;
    return difference > error || (difference >= -error && test_exactly(group));
  }

  double lack(const GroupView& group) const override {  // in bits, over all rows
    return test(group) ? 0 : std::max(kLeastDeficit, std::ldexp(static_cast<double>(-surplus(group)), -logs_.bits()));
  }

  // For the few groups near the bound, most of them with equally frequent values and exactly at it.
  bool test_exactly(const GroupView& group) const {
    uint32_t least = std::numeric_limits<uint32_t>::max(), most = 0;
    group.each([&](uint32_t, uint32_t count) {
      least = std::min(least, count);
      most = std::max(most, count);
    });
    const Fraction& l = spec().l;
    if (least == most) return group.distinct() * l.denominator >= l.numerator;
    // n log n + n log b  against  Σ c log c + n log a, for l = a/b; either side less than 2n units of 2^-90 too small.
    const uint64_t n = group.rows();
    const UnsignedWide left = n * log2_units(n) + n * parts_below_;
    UnsignedWide right = n * parts_above_;
    group.each([&](uint32_t, uint32_t count) { right += count * log2_units(count); });
    const UnsignedWide unsure = UnsignedWide{2} * n;
    if (left > right + unsure) return true;
    if (right > left + unsure) return false;
    return equal(group);
  }

  // n^n·b^n = a^n·Π c^c, by the exponents of all primes.
  bool equal(const GroupView& group) const {
    std::map<uint64_t, int64_t> exponents;
    auto multiply = [&](uint64_t number, int64_t times) {
      for (uint64_t prime = 2; prime * prime <= number; ++prime)
        for (; number % prime == 0; number /= prime) exponents[prime] += times;
      if (number > 1) exponents[number] += times;
    };
    const auto n = static_cast<int64_t>(group.rows());
    multiply(group.rows(), n);
    multiply(spec().l.denominator, n);
    multiply(spec().l.numerator, -n);
    group.each([&](uint32_t, uint32_t count) { multiply(count, -static_cast<int64_t>(count)); });
    return std::all_of(exponents.begin(), exponents.end(), [](const auto& entry) { return entry.second == 0; });
  }

  CountLogs logs_;
  UnsignedWide log_l_, parts_below_, parts_above_;
};

// r_1 < c·(r_l + ... + r_m). Fewer than l values leave nothing on the right, so that m >= l needs no test of its own.
class RecursiveModel : public Model {
 public:
  explicit RecursiveModel(const ModelSpec& spec) : Model(spec) {}

  double value(const GroupView& group) const override {
    const Ranks ranks = ranks_of(group);
    return ranks.tail == 0 ? std::numeric_limits<double>::infinity()
                           : static_cast<double>(ranks.most) / static_cast<double>(ranks.tail);
  }

 private:
  static constexpr size_t kFew = 15;
  struct Ranks {
    uint64_t most = 0;  // rows of the most frequent value
    uint64_t tail = 0;  // rows of the l-th and rarer ones
  };
  Ranks ranks_of(const GroupView& group) const {
    const uint64_t before = spec().l.numerator - 1;  // values that the tail leaves out
    return before <= kFew ? few_ranks(group, before) : many_ranks(group, before);
  }

  // The tail is what the `before` most frequent values leave: they are kept in order while the counts pass by.
  static Ranks few_ranks(const GroupView& group, size_t before) {
    std::array<uint32_t, kFew + 1> top{};
    const size_t kept = std::max<size_t>(1, before);
    group.each([&](uint32_t, uint32_t count) {
      for (size_t i = 0; i < kept && count > 0; ++i)
        if (count > top[i]) std::swap(count, top[i]);
    });
    return {top[0],
            group.rows() - std::accumulate(top.begin(), top.begin() + static_cast<ptrdiff_t>(before), uint64_t{0})};
  }

  static Ranks many_ranks(const GroupView& group, size_t before) {
    std::vector<uint32_t> counts;
    group.each([&](uint32_t, uint32_t count) { counts.push_back(count); });
    Ranks ranks{*std::max_element(counts.begin(), counts.end()), 0};
    if (counts.size() <= before) return ranks;
    const auto border = counts.begin() + static_cast<ptrdiff_t>(before);
    std::nth_element(counts.begin(), border, counts.end(), std::greater<>());
    ranks.tail = std::accumulate(border, counts.end(), uint64_t{0});
    return ranks;
  }

  Wide excess(const GroupView& group) const {  // in rows times the denominator of c
    const Ranks ranks = ranks_of(group);
    return Wide{ranks.most} * spec().c.denominator - Wide{ranks.tail} * spec().c.numerator;
  }
  bool test(const GroupView& group) const override { return excess(group) < 0; }
  double lack(const GroupView& group) const override {
    const Wide more = excess(group);
    return more < 0 ? 0
                    : std::max(kLeastDeficit, static_cast<double>(more) / static_cast<double>(spec().c.denominator));
  }
};

}  // namespace

std::unique_ptr<Model> make_distinct(const ModelSpec& spec) { return std::make_unique<DistinctModel>(spec); }

std::unique_ptr<Model> make_entropy(const ModelSpec& spec, const WholeColumn& whole) {
  return std::make_unique<EntropyModel>(spec, std::accumulate(whole.counts.begin(), whole.counts.end(), uint64_t{0}));
}

std::unique_ptr<Model> make_recursive(const ModelSpec& spec) { return std::make_unique<RecursiveModel>(spec); }

}  // namespace shoal
