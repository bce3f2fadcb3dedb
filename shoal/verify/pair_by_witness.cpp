#include "shoal/verify/pair_by_witness.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/run/counted.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/fingerprint.h"

namespace shoal {
namespace {

constexpr size_t kMostBytes = 256 << 20;

class WitnessPairer {
 public:
  WitnessPairer(const ComparedTables& tables, std::span<const uint32_t> row_of_release)
      : tables_(tables), row_of_release_(row_of_release) {}

  // Looks at these columns of all pairs.
  void look_at(const std::vector<size_t>& columns, MeanCheck* means) {
    read_original(columns);
    std::vector<size_t> positions;
    for (size_t j : columns) positions.push_back(tables_.release_columns[j]);
    const MeanCheck fresh = means ? *means : MeanCheck({});
    tables_.release.read(positions, tables_.progress, [&](TextStream& stream) {
      pairing_.released = 0;
      pairing_.misfit.reset();
      if (means) *means = fresh;
      while (stream.next() && !pairing_.misfit) {
        if (pairing_.released + stream.size() > row_of_release_.size()) {
          misfit(fmt::format("the release has more than the {} kept", counted(row_of_release_.size(), "row")));
          return;
        }
        for (size_t i = 0; i < columns.size() && !means; ++i) compare(stream, i, columns[i]);
        if (means) add_to_means(stream, columns.size(), *means);
        pairing_.released += stream.size();
      }
    });
    if (!pairing_.misfit && pairing_.released < row_of_release_.size()) {
      misfit(fmt::format("the release has {}, and {} were kept", counted(pairing_.released, "row"),
                         row_of_release_.size()));
    }
  }

  // No original row twice, and none that is not there. Requires: look_at() was called.
  void check_witness() {
    std::vector<bool> used(pairing_.originals, false);
    for (uint32_t row : row_of_release_) {
      if (row >= used.size()) return misfit("a released row stands for a row that the original does not have");
      if (used[row]) return misfit("two released rows stand for one row of the original");
      used[row] = true;
    }
  }
  Pairing& pairing() { return pairing_; }

 private:
  void misfit(std::string why) { pairing_.misfit = Misfit{std::move(why), ""}; }

  void read_original(const std::vector<size_t>& columns) {
    std::vector<size_t> positions;
    for (size_t j : columns) positions.push_back(tables_.original_columns[j]);
    tables_.original.read(positions, tables_.progress, [&](TextStream& stream) {
      texts_.assign(columns.size(), Dictionary());
      codes_.assign(columns.size(), {});
      pairing_.originals = 0;
      while (stream.next()) {
        for (size_t i = 0; i < columns.size(); ++i) {
          for (size_t row = 0; row < stream.size(); ++row) codes_[i].push_back(texts_[i].code(stream.cell(i, row)));
        }
        pairing_.originals += stream.size();
      }
    });
  }
  // Of the pair of released row `row`; nothing where there is no such row, which check_witness tells.
  std::optional<std::string_view> original_cell(size_t i, uint64_t row) const {
    const uint32_t original = row_of_release_[row];
    if (original >= codes_[i].size()) return std::nullopt;
    return texts_[i].texts()[codes_[i][original]];
  }
  void compare(const TextStream& stream, size_t i, size_t column) {
    for (size_t row = 0; row < stream.size(); ++row) {
      const auto original = original_cell(i, pairing_.released + row);
      if (!original || tables_.columns[column].fits(*original, stream.cell(i, row))) continue;
      pairing_.misfit = cell_misfit(pairing_.released + row, tables_.columns[column], *original, stream.cell(i, row));
      return;
    }
  }
  void add_to_means(const TextStream& stream, size_t width, MeanCheck& means) const {
    std::vector<std::string_view> released(width), original(width);
    for (size_t row = 0; row < stream.size(); ++row) {
      for (size_t i = 0; i < width; ++i) {
        released[i] = stream.cell(i, row);
        original[i] = original_cell(i, pairing_.released + row).value_or("");
      }
      means.add(released, original);
    }
  }

  const ComparedTables& tables_;
  std::span<const uint32_t> row_of_release_;
  std::vector<Dictionary> texts_;             // of the columns looked at, in the original
  std::vector<std::vector<uint32_t>> codes_;  // [column][original row]
  Pairing pairing_;
};

// A fingerprint of all cells of a row that are released as they are, 16 bytes in place of the texts of columns that may
// have a value of their own in every row.
class PlainPrints {
 public:
  PlainPrints(const ComparedTables& tables, const std::vector<size_t>& columns) : tables_(tables), columns_(columns) {}

  // Every released row has the plain cells of its original. False: some do not, or rows are missing; who wants to know
  // which looks at the cells themselves.
  bool same(std::span<const uint32_t> row_of_release) {
    const std::vector<Fingerprint> originals = read(tables_.original, tables_.original_columns, SIZE_MAX);
    const std::vector<Fingerprint> released = read(tables_.release, tables_.release_columns, row_of_release.size());
    if (released.size() != row_of_release.size()) return false;
    for (size_t row = 0; row < released.size(); ++row) {
      if (row_of_release[row] >= originals.size() || released[row] != originals[row_of_release[row]]) return false;
    }
    return true;
  }

 private:
  std::vector<Fingerprint> read(TableSource& table, const std::vector<size_t>& positions, size_t most) const {
    std::vector<size_t> wanted;
    for (size_t j : columns_) wanted.push_back(positions[j]);
    std::vector<Fingerprint> prints;
    table.read(wanted, tables_.progress, [&](TextStream& stream) {
      prints.clear();
      while (prints.size() <= most && stream.next()) {
        const size_t first = prints.size();
        prints.resize(first + stream.size());
        for (size_t i = 0; i < wanted.size(); ++i) {
          for (size_t row = 0; row < stream.size(); ++row) prints[first + row].add(stream.cell(i, row));
        }
      }
    });
    return prints;
  }

  const ComparedTables& tables_;
  const std::vector<size_t>& columns_;
};

}  // namespace

Pairing pair_by_witness(const ComparedTables& tables, std::span<const uint32_t> row_of_release, MeanCheck* means,
                        const std::vector<size_t>& alike) {
  WitnessPairer pairer(tables, row_of_release);
  const size_t bytes = std::max<size_t>(row_of_release.size(), 1) * sizeof(uint32_t);
  const size_t at_once = std::max<size_t>(kMostBytes / bytes, 1);
  std::vector<size_t> looked_at, plain;
  for (size_t j = 0; j < tables.columns.size(); ++j) (tables.columns[j].coverage ? looked_at : plain).push_back(j);
  if (!plain.empty() && (looked_at.empty() || !PlainPrints(tables, plain).same(row_of_release))) {
    looked_at.insert(looked_at.end(), plain.begin(), plain.end());
  }
  for (size_t first = 0; first < looked_at.size(); first += at_once) {
    const std::vector<size_t> columns(
        looked_at.begin() + static_cast<ptrdiff_t>(first),
        looked_at.begin() + static_cast<ptrdiff_t>(std::min(first + at_once, looked_at.size())));
    pairer.look_at(columns, nullptr);
    if (first == 0 && !pairer.pairing().misfit) pairer.check_witness();
    if (pairer.pairing().misfit) return pairer.pairing();
  }
  if (means) pairer.look_at(alike, means);
  if (!pairer.pairing().misfit) pairer.pairing().misfit = contradictions(tables.columns);
  return pairer.pairing();
}

}  // namespace shoal
