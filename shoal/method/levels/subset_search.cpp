// Incognito's main loop (LeFevre 2005, section 3): sets of columns by size, in each the vectors that the smaller sets
// leave open. A set is counted on tuples of its own columns alone, from fine to coarse; the first satisfying vector
// marks everything above it.
#include "shoal/method/levels/subset_search.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// Decides all vectors of one part.
class SubsetSearch {
 public:
  SubsetSearch(LevelSearch& search, PartLattice& part)
      : search_(search), part_(part), lattice_(part.lattice), verdicts_(part.verdicts) {}

  void run() {
    if (raw_table_satisfies()) return;
    search_.unpack_tuples(part_);
    const uint64_t rows = search_.problem().table.input_rows();
    verdicts_[lattice_.top()] = VectorVerdict::satisfies;  // one group of all rows
    for (const SweepRequirement& requirement : part_.requirements) {
      if (rows < requirement.k && rows > search_.limit()) verdicts_[lattice_.top()] = VectorVerdict::fails;
    }
    const uint32_t sets = uint32_t{1} << lattice_.columns();
    std::atomic<uint32_t> done{0};
    for (int size = 1; size <= static_cast<int>(lattice_.columns()); ++size) {
      std::vector<uint32_t> of_size;
      for (uint32_t set = 0; set < sets; ++set) {
        if (std::popcount(set) == size) of_size.push_back(set);
      }
      run_tasks(of_size.size(), search_.problem().threads, [&](size_t, size_t task) {
        search_.progress().check();
        if (!search_.out_of_time()) decide_set(of_size[task]);
        search_.progress().update(double(++done) / sets);
      });
    }
  }

 private:
  struct Candidate {
    VectorIndex vector;
    std::vector<int> levels;  // of the set's columns
  };

  // One look at the raw tuples; when they satisfy, so does everything.
  bool raw_table_satisfies() {
    const LatticeTuples& tuples = search_.tuples(part_);
    Sweep sweep(tuples, search_.columns(), part_.requirements, search_.limit());
    ++search_.counted();
    const std::vector<int> raw(tuples.positions().size(), 0);
    if (sweep.evaluate(raw) != Sweep::Outcome::satisfies || !search_.population_holds(part_, 0)) {
      verdicts_[0] = VectorVerdict::fails;
      return false;
    }
    std::fill(verdicts_.begin(), verdicts_.end(), VectorVerdict::satisfies);
    return true;
  }

  // The vectors of a set that may satisfy. A vector with one more column at the top counts groups of fewer columns; if
  // it fails, so does this one (the a priori property), which is marked here.
  std::vector<Candidate> candidates(const std::vector<size_t>& columns) {
    std::vector<Candidate> result;
    VectorIndex vector = lattice_.top();
    for (size_t column : columns) {
      if (lattice_.height(column) == 0) return result;
      vector -= static_cast<VectorIndex>(lattice_.height(column)) * lattice_.stride(column);
    }
    std::vector<int> levels(columns.size(), 0);
    while (true) {
      bool possible = verdicts_[vector] != VectorVerdict::fails;
      for (size_t i = 0; i < columns.size() && possible; ++i) {
        const auto to_top = static_cast<VectorIndex>(lattice_.height(columns[i]) - levels[i]);
        possible = verdicts_[vector + to_top * lattice_.stride(columns[i])] == VectorVerdict::satisfies;
      }
      if (possible) {
        result.push_back({vector, levels});
      } else {
        verdicts_[vector] = VectorVerdict::fails;
      }
      size_t i = columns.size();
      for (; i > 0 && levels[i - 1] + 1 == lattice_.height(columns[i - 1]); --i) {
        vector -= static_cast<VectorIndex>(levels[i - 1]) * lattice_.stride(columns[i - 1]);
        levels[i - 1] = 0;
      }
      if (i == 0) return result;
      ++levels[i - 1];
      vector += lattice_.stride(columns[i - 1]);
    }
  }

  // The tuples of the set's columns, from the lowest levels that its candidates have.
  LatticeTuples tuples_of(const std::vector<size_t>& columns, const std::vector<Candidate>& open) const {
    std::vector<LatticeTuples::Position> positions;
    for (size_t i = 0; i < columns.size(); ++i) {
      int floor = open.front().levels[i];
      for (const Candidate& candidate : open) floor = std::min(floor, candidate.levels[i]);
      positions.push_back({part_.columns[columns[i]], floor});
    }
    return search_.tuples(part_).project(search_.columns(), std::move(positions));
  }

  // Goes through the set's candidates from finer to coarser: one that is coarser than a satisfying one is marked
  // without counting.
  void decide_set(uint32_t set) {
    std::vector<size_t> columns;  // of lattice_
    for (size_t column = 0; column < lattice_.columns(); ++column) {
      if (set >> column & 1) columns.push_back(column);
    }
    std::vector<Candidate> open = candidates(columns);
    if (open.empty()) return;
    const LatticeTuples table = tuples_of(columns, open);
    std::vector<size_t> order;  // the table's columns as indices into `columns`
    for (const LatticeTuples::Position& position : table.positions()) {
      const auto same = [&](size_t column) { return part_.columns[column] == position.column; };
      order.push_back(static_cast<size_t>(std::find_if(columns.begin(), columns.end(), same) - columns.begin()));
    }
    for (Candidate& candidate : open) {
      std::vector<int> reordered;
      reordered.reserve(order.size());
      for (size_t i : order) reordered.push_back(candidate.levels[i]);
      candidate.levels = std::move(reordered);
    }
    std::sort(open.begin(), open.end(), [](const Candidate& a, const Candidate& b) { return a.levels < b.levels; });
    Sweep sweep(table, search_.columns(), part_.requirements, search_.limit());
    for (const Candidate& candidate : open) {
      search_.progress().check();
      bool marked = false;
      for (size_t i = 0; i < order.size() && !marked; ++i) {
        marked = candidate.levels[i] > 0 &&
                 verdicts_[candidate.vector - lattice_.stride(columns[order[i]])] == VectorVerdict::satisfies;
      }
      if (!marked && search_.out_of_time()) return;
      const Sweep::Outcome outcome = marked ? Sweep::Outcome::satisfies : sweep.evaluate(candidate.levels);
      if (!marked && outcome != Sweep::Outcome::fails_with_branch) ++search_.counted();
      const bool satisfies =
          outcome == Sweep::Outcome::satisfies && (marked || search_.population_holds(part_, candidate.vector));
      verdicts_[candidate.vector] = satisfies ? VectorVerdict::satisfies : VectorVerdict::fails;
    }
  }

  LevelSearch& search_;
  PartLattice& part_;
  const Lattice& lattice_;
  std::vector<VectorVerdict>& verdicts_;
};

}  // namespace

uint64_t decide_by_subsets(LevelSearch& search) {
  uint64_t looked_at = 0;
  for (PartLattice& part : search.parts()) {
    SubsetSearch(search, part).run();
    looked_at += part.lattice.size();
  }
  return looked_at;
}

}  // namespace shoal
