// Models that give every value a largest share of its group, and some a least one: confidence (Wang, Fung, Yu 2005),
// beta-likeness (Cao, Karras 2012), delta-disclosure (Brickell, Shmatikov 2008).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "shoal/error.h"
#include "shoal/model/kinds.h"
#include "shoal/nearest_word.h"

namespace shoal {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// A share as a fraction of integers: a value with c of n rows is compared by c·denominator and n·numerator. The
// denominator is below 2^95, which leaves room for a factor of 2^32.
struct Share {
  UnsignedWide numerator = 1, denominator = 1;
};

double number(const Share& share) {
  return static_cast<double>(share.numerator) / static_cast<double>(share.denominator);
}

double excess(uint64_t count, uint64_t rows, const Share& share) {  // in rows; negative when below the share
  const UnsignedWide has = count * share.denominator, may = rows * share.numerator;
  const double size = static_cast<double>(has > may ? has - may : may - has) / static_cast<double>(share.denominator);
  return has > may ? size : -size;
}

uint64_t rows_of(const WholeColumn& whole) {
  return std::accumulate(whole.counts.begin(), whole.counts.end(), uint64_t{0});
}

// No value above its ceiling: confidence and beta-likeness.
class CeilingModel : public Model {
 protected:
  CeilingModel(const ModelSpec& spec, std::vector<Share> ceilings) : Model(spec), ceilings_(std::move(ceilings)) {}

 private:
  bool test(const GroupView& group) const override {
    bool all = true;
    group.each([&](uint32_t value, uint32_t count) {
      all = all && count * ceilings_[value].denominator <= group.rows() * ceilings_[value].numerator;
    });
    return all;
  }
  double lack(const GroupView& group) const override {
    double rows = 0;
    group.each(
        [&](uint32_t value, uint32_t count) { rows += std::max(0.0, excess(count, group.rows(), ceilings_[value])); });
    return rows;
  }

  std::vector<Share> ceilings_;
};

class ConfidenceModel : public CeilingModel {
 public:
  ConfidenceModel(const ModelSpec& spec, std::vector<bool> hidden)
      : CeilingModel(spec, ceilings(spec, hidden)), hidden_(std::move(hidden)) {}

  double value(const GroupView& group) const override {
    uint32_t most = 0;
    group.each([&](uint32_t value, uint32_t count) { most = hidden_[value] ? std::max(most, count) : most; });
    return static_cast<double>(most) / static_cast<double>(group.rows());
  }

 private:
  static std::vector<Share> ceilings(const ModelSpec& spec, const std::vector<bool>& hidden) {
    std::vector<Share> shares(hidden.size());
    for (size_t value = 0; value < hidden.size(); ++value)
      if (hidden[value]) shares[value] = {spec.alpha.numerator, spec.alpha.denominator};
    return shares;
  }

  std::vector<bool> hidden_;
};

// q <= p·(1 + min(beta, -ln p)); the basic form has beta alone.
class BetaModel : public CeilingModel {
 public:
  BetaModel(const ModelSpec& spec, const WholeColumn& whole)
      : CeilingModel(spec, ceilings(spec, whole)), counts_(whole.counts), rows_(rows_of(whole)) {}

  double value(const GroupView& group) const override {
    double most = 0;
    group.each([&](uint32_t value, uint32_t count) {
      const double p = static_cast<double>(counts_[value]) / static_cast<double>(rows_);
      const double gain = counts_[value] == 0 ? kNever : count / static_cast<double>(group.rows()) / p - 1;
      most = std::max(most, spec().enhanced && gain > -std::log(p) && counts_[value] < rows_ ? kNever : gain);
    });
    return most;
  }

 private:
  static std::vector<Share> ceilings(const ModelSpec& spec, const WholeColumn& whole) {
    const uint64_t rows = rows_of(whole);
    std::vector<Share> shares;
    for (uint64_t count : whole.counts) {
      const UnsignedWide scale = UnsignedWide{rows} * spec.beta.denominator;
      shares.push_back({count * UnsignedWide{spec.beta.numerator + spec.beta.denominator}, scale});
      if (count == 0) shares.back() = {0, 1};
      if (!spec.enhanced || count == 0) continue;
      // -ln p is a fraction only for p = 1, where it is 0. Else p·(1 - ln p), rounded down, is below every fraction
      // that it is below, unless their difference is less than 2^-78.
      const UnsignedWide ln = ln_units(rows, count);
      const UnsignedWide beta = (UnsignedWide{spec.beta.numerator} << kRatioBits) / spec.beta.denominator;
      if (count == rows) {
        shares.back() = {1, 1};
      } else if (ln < beta) {
        shares.back() = {count * ((UnsignedWide{1} << kRatioBits) + ln) / rows, UnsignedWide{1} << kRatioBits};
      }
    }
    return shares;
  }

  std::vector<uint32_t> counts_;
  uint64_t rows_;
};

// p / 2^delta < q < p·2^delta for every value of the table, so that none may be absent.
class DeltaModel : public Model {
 public:
  DeltaModel(const ModelSpec& spec, const WholeColumn& whole)
      : Model(spec), counts_(whole.counts), rows_(rows_of(whole)) {
    for (uint64_t count : counts_) {
      values_ += count > 0 ? 1 : 0;
      add_bounds(spec.delta, count);
      all_floors_ += number(floors_.back());
    }
  }

  double value(const GroupView& group) const override {
    if (group.distinct() < values_) return kNever;
    double most = 0;
    group.each([&](uint32_t value, uint32_t count) {
      const double p = static_cast<double>(counts_[value]) / static_cast<double>(rows_);
      most = std::max(most, std::abs(std::log2(count / static_cast<double>(group.rows()) / p)));
    });
    return most;
  }

 private:
  void add_bounds(const Fraction& delta, uint64_t count) {
    // Shares differ by less than a factor of 2^32, so that a larger delta forbids absence alone.
    const bool large = delta.numerator / delta.denominator >= 32;
    const Fraction power = large ? Fraction{32, 1} : delta;
    if (power.whole()) {
      const UnsignedWide factor = UnsignedWide{1} << power.numerator;
      ceilings_.push_back({count * factor, rows_});
      floors_.push_back({count, rows_ * factor});
      return;
    }
    // 2^delta is no fraction. Both bounds are rounded towards the table's own share, by less than 2^-78.
    const UnsignedWide one = UnsignedWide{1} << kRatioBits;
    const UnsignedWide factor = exp2_units(power.numerator, power.denominator);
    const bool vacuous = count == 0 || factor > (UnsignedWide{rows_} << (kRatioBits + 1)) / count;  // above 2
    ceilings_.push_back(vacuous ? Share{count == 0 ? 0U : 2U, 1} : Share{count * factor / rows_, one});
    // 2^-delta = 2^(1 - f) / 2^(whole + 1) for delta = whole + f; four units more make it too large rather than small.
    const uint64_t whole = power.numerator / power.denominator, part = power.numerator % power.denominator;
    const UnsignedWide inverse = exp2_units(power.denominator - part, power.denominator) + 4;
    floors_.push_back({((count * inverse / rows_ + 1) >> (whole + 1)) + 1, one});
  }

  bool test(const GroupView& group) const override {
    bool all = group.distinct() >= values_;
    if (!all) return false;
    const uint64_t n = group.rows();
    group.each([&](uint32_t value, uint32_t count) {
      all = all && count * ceilings_[value].denominator < n * ceilings_[value].numerator &&
            count * floors_[value].denominator > n * floors_[value].numerator;
    });
    return all;
  }

  // Rows above the ceilings and below the floors; absent values are below theirs, which all floors together less those
  // of the values that are there say at once.
  double lack(const GroupView& group) const override {
    if (test(group)) return 0;
    const auto n = static_cast<double>(group.rows());
    double rows = 0, floors = all_floors_;
    group.each([&](uint32_t value, uint32_t count) {
      rows += std::max(0.0, excess(count, group.rows(), ceilings_[value]));
      rows += std::max(0.0, -excess(count, group.rows(), floors_[value]));
      floors -= number(floors_[value]);
    });
    return std::max(kLeastDeficit, rows + std::max(0.0, floors) * n);
  }

  std::vector<uint32_t> counts_;
  uint64_t rows_;
  size_t values_ = 0;
  std::vector<Share> ceilings_, floors_;
  double all_floors_ = 0;
};

}  // namespace

std::unique_ptr<Model> make_confidence(const ModelSpec& spec, const WholeColumn& whole) {
  std::vector<bool> hidden(whole.counts.size(), spec.values.empty());
  const std::vector<std::string_view> known(whole.values.begin(), whole.values.end());
  for (const std::string& named : spec.values) {
    const auto at = std::find(whole.values.begin(), whole.values.end(), named);
    if (at == whole.values.end()) {
      const auto nearest = nearest_word(named, known, WordKind::value);
      throw Error(ErrorKind::job,
                  fmt::format("model 'confidence' names '{}', which column '{}' does not have{}", named, spec.column,
                              nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
    }
    hidden[static_cast<size_t>(at - whole.values.begin())] = true;
  }
  return std::make_unique<ConfidenceModel>(spec, std::move(hidden));
}

std::unique_ptr<Model> make_beta(const ModelSpec& spec, const WholeColumn& whole) {
  return std::make_unique<BetaModel>(spec, whole);
}

std::unique_ptr<Model> make_delta(const ModelSpec& spec, const WholeColumn& whole) {
  return std::make_unique<DeltaModel>(spec, whole);
}

}  // namespace shoal
