#include "shoal/encode/sampled_table.h"

#include <numeric>

#include "shoal/run/seeded_random.h"

namespace shoal {
namespace {

class SampledStream : public TextStream {
 public:
  SampledStream(TextStream& whole, const std::vector<uint32_t>& rows, size_t columns)
      : whole_(whole), rows_(rows), views_(columns) {
    cells_.resize(columns);
  }

  // A chunk may hold none of the rows, which is not the end.
  bool next() override {
    size_ = 0;
    while (whole_.next()) {
      const uint64_t first = seen_;
      seen_ += whole_.size();
      for (std::vector<std::string_view>& views : views_) views.clear();
      for (; next_ < rows_.size() && rows_[next_] < seen_; ++next_, ++size_) {
        for (size_t j = 0; j < views_.size(); ++j) views_[j].push_back(whole_.cell(j, rows_[next_] - first));
      }
      if (size_ == 0) continue;
      for (size_t j = 0; j < views_.size(); ++j) cells_[j] = views_[j].data();
      return true;
    }
    return false;
  }

 private:
  TextStream& whole_;
  const std::vector<uint32_t>& rows_;
  std::vector<std::vector<std::string_view>> views_;
  uint64_t seen_ = 0;
  size_t next_ = 0;
};

}  // namespace

std::vector<uint32_t> sampled_rows(size_t rows, size_t count, uint64_t seed) {
  std::vector<uint32_t> chosen;
  if (count >= rows) {
    chosen.resize(rows);
    std::iota(chosen.begin(), chosen.end(), uint32_t{0});
    return chosen;
  }
  // Knuth's algorithm S: row by row, with the chance that as many are still wanted of as many that are left.
  SeededRandom random(seed);
  chosen.reserve(count);
  for (size_t row = 0; row < rows && chosen.size() < count; ++row) {
    if (random.below(rows - row) < count - chosen.size()) chosen.push_back(static_cast<uint32_t>(row));
  }
  return chosen;
}

void SampledTable::read(std::span<const size_t> columns, const Progress& progress, const Body& body) {
  whole_.read(columns, progress, [&](TextStream& whole) {
    SampledStream stream(whole, rows_, columns.size());
    body(stream);
  });
}

}  // namespace shoal
