#include "shoal/evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>

#include "shoal/evaluate/evaluation_plan.h"
#include "shoal/evaluate/evaluation_summary.h"
#include "shoal/evaluate/evaluation_table.h"
#include "shoal/evaluate/map_rows.h"
#include "shoal/learn/folds.h"
#include "shoal/learn/learner.h"
#include "shoal/method/kadet_tree.h"
#include "shoal/method/method.h"
#include "shoal/method/quasi_dataset.h"
#include "shoal/method/tasks.h"
#include "shoal/recode/apply.h"

namespace shoal {
namespace {

using Clock = std::chrono::steady_clock;

class Runner {
 public:
  Runner(const Job& job, const EvaluateSettings& settings, Progress& progress)
      : job_(job),
        settings_(settings),
        progress_(progress),
        setups_(plan_setups(job, settings)),
        table_(setups_.front().job, settings.test, progress),
        splits_(plan_splits(table_, settings, job.seed)),
        learners_(settings.learners.size()),
        errors_(setups_.size(), splits_.size(), learners_) {}

  Evaluation run() {
    Evaluation evaluation;
    describe(evaluation);
    check_sizes();
    progress_.stage("train");
    const size_t splits = splits_.size();
    total_ = splits * (2 + setups_.size()) * learners_;
    std::vector<uint32_t> all(table_.rows());
    std::iota(all.begin(), all.end(), uint32_t{0});
    const Dataset raw = read_dataset(table_.raw_texts(all), table_.reading());
    const Dataset without = raw.without(evaluation.quasi);
    const size_t joint = settings_.protocol == Protocol::joint ? setups_.size() : 0;
    // First the tasks of the baselines, then one for each search.
    const size_t searches = joint ? joint : setups_.size() * splits;
    run_tasks(2 * splits + searches, job_.thread_count(), [&](size_t, size_t task) {
      if (task < splits) {
        learn(raw.subset(splits_[task].train), raw.subset(splits_[task].test), &errors_.raw[task * learners_]);
      } else if (task < 2 * splits) {
        const size_t s = task - splits;
        learn(without.subset(splits_[s].train), without.subset(splits_[s].test), &errors_.without[s * learners_]);
      } else if (joint) {
        run_jointly(task - 2 * splits);
      } else {
        run_train_only((task - 2 * splits) / splits, (task - 2 * splits) % splits);
      }
    });
    summarise(settings_, setups_, errors_, evaluation);
    return evaluation;
  }

 private:
  void describe(Evaluation& evaluation) const {
    evaluation.input = job_.input;
    evaluation.test = settings_.test;
    evaluation.target = table_.table().target->name;
    for (const Column& column : table_.table().quasi) evaluation.quasi.push_back(column.name);
    evaluation.rows = table_.rows();
    evaluation.protocol = settings_.protocol;
    evaluation.folds = settings_.test.empty() ? (settings_.five_by_two ? 2 : settings_.folds) : 0;
    evaluation.five_by_two = settings_.test.empty() && settings_.five_by_two;
    evaluation.seed = job_.seed;
    evaluation.notices = table_.notices();
  }

  // A k that no recoding of a part can meet is told before anything is trained.
  void check_sizes() const {
    size_t rows = table_.rows();
    if (settings_.protocol == Protocol::train_only) {
      for (const FoldSplit& split : splits_) rows = std::min(rows, split.train.size());
    }
    for (const EvaluationSetup& setup : setups_) {
      for (const Requirement& requirement : requirements(setup)) {
        if (requirement.k <= rows) continue;
        throw Error(ErrorKind::job, fmt::format("k = {} cannot be met: only {} rows are anonymized at a time "
                                                "(protocol {})",
                                                requirement.k, rows, to_string(settings_.protocol)));
      }
    }
  }

  std::vector<Requirement> requirements(const EvaluationSetup& setup) const {
    std::vector<Requirement> result = table_.requirements();
    result.front().k = setup.k;  // the job's k over all quasi columns stands first
    if (!setup.method->several_requirements) result = {united(result)};
    return result;
  }

  SearchResult search(const EvaluationSetup& setup, const Table& part, double& seconds) {
    Progress inner(&progress_);
    const auto start = Clock::now();
    if (job_.time_budget) {
      inner.set_deadline(start +
                         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*job_.time_budget)));
    }
    SearchResult found = setup.method->make()->search(problem(setup, part), inner);
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (!found.recoding) {
      throw Error(ErrorKind::job,
                  fmt::format("method {} found no recoding for k = {}: {}", setup.method->name, setup.k, found.reason));
    }
    return found;
  }

  Problem problem(const EvaluationSetup& setup, const Table& part) const {
    Problem problem{
        part, table_.hierarchies(), requirements(setup), {}, setup.job.suppress_rows, setup.job.params, job_.seed, 1};
    for (const Column& column : part.quasi) problem.weights.push_back(job_.find_column(column.name)->weight);
    return problem;
  }

  void run_train_only(size_t s, size_t split_number) {
    const EvaluationSetup& setup = setups_[s];
    const FoldSplit& split = splits_[split_number];
    const size_t place = s * splits_.size() + split_number;
    const Table train = table_.subset(split.train), test = table_.subset(split.test);
    if (setup.method->releases_model) return run_own_tree(setup, train, test, place);
    const SearchResult found = search(setup, train, errors_.seconds[place]);
    ReleasedTable released = apply(*found.recoding, train, table_.hierarchies(), 1);
    std::vector<uint32_t> kept_places;
    for (uint32_t i = 0; i < split.train.size(); ++i) {
      if (!std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), i)) kept_places.push_back(i);
    }
    std::vector<uint32_t> kept_rows;
    kept_rows.reserve(kept_places.size());
    for (uint32_t i : kept_places) kept_rows.push_back(split.train[i]);
    for (ReleasedColumn& column : released.quasi) {
      column.codes = codes_of(column.codes, kept_places, column.values.size());
    }
    errors_.dropped[place] = released.dropped_rows.size();
    const auto mapped = map_rows(*found.recoding, test, table_.hierarchies());
    TrainTest data = read_presplit(table_.released_texts(kept_rows, released.quasi),
                                   table_.released_texts(split.test, mapped), table_.reading());
    data.test.as_collected = found.recoding->shape == Shape::groups;
    learn(data.train, data.test, &errors_.anonymized[place * learners_]);
  }

  // One release of all rows; each split trains and tests on its rows of it.
  void run_jointly(size_t s) {
    const EvaluationSetup& setup = setups_[s];
    if (setup.method->releases_model) {
      for (size_t i = 0; i < splits_.size(); ++i) {
        run_own_tree(setup, table_.subset(splits_[i].train), table_.subset(splits_[i].test), s * splits_.size() + i);
      }
      return;
    }
    const SearchResult found = search(setup, table_.table(), errors_.seconds[s * splits_.size()]);
    const ReleasedTable released = apply(*found.recoding, table_.table(), table_.hierarchies(), 1);
    std::vector<uint32_t> all(table_.rows());
    std::iota(all.begin(), all.end(), uint32_t{0});
    const Dataset data = read_dataset(table_.released_texts(all, released.quasi), table_.reading());
    errors_.dropped[s * splits_.size()] = released.dropped_rows.size();
    auto without_dropped = [&](std::vector<uint32_t> rows) {
      std::erase_if(rows, [&](uint32_t row) {
        return std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row);
      });
      return rows;
    };
    for (size_t i = 0; i < splits_.size(); ++i) {
      learn(data.subset(without_dropped(splits_[i].train)), data.subset(without_dropped(splits_[i].test)),
            &errors_.anonymized[(s * splits_.size() + i) * learners_]);
    }
  }

  // A method that releases a tree is its own learner: its errors stand in the place of c45's.
  void run_own_tree(const EvaluationSetup& setup, const Table& train, const Table& test, size_t place) {
    Progress inner(&progress_);
    const auto start = Clock::now();
    const Problem task = problem(setup, train);
    const std::vector<size_t>& columns = task.requirements.front().columns;
    const KadetTree tree = grow_kadet(task, tuples_with_target(task, columns), columns, kadet_options(task), inner);
    errors_.seconds[place] = std::chrono::duration<double>(Clock::now() - start).count();
    FoldError error{0, static_cast<double>(test.rows)};
    for (size_t row = 0; row < test.rows; ++row) {
      const uint32_t node = tree.node_of([&](size_t column) { return test.quasi[columns[column]].codes[row]; });
      error.wrong += tree.nodes[node].majority() != test.target->codes[row];
    }
    for (size_t learner = 0; learner < learners_; ++learner) {
      if (settings_.learners[learner] == "c45") errors_.anonymized[place * learners_ + learner] = error;
      step();
    }
  }

  void learn(const Dataset& train_data, const Dataset& test, FoldError* errors) {
    Progress inner(&progress_);
    for (size_t learner = 0; learner < learners_; ++learner) {
      progress_.check();
      const auto classifier = train(settings_.learners[learner], train_data, {}, inner);
      const double tested = test.total_weight();
      errors[learner] = {error_rate(*classifier, test) * tested, tested};
      step();
    }
  }
  void step() { progress_.update(static_cast<double>(++done_) / static_cast<double>(total_)); }

  const Job& job_;
  const EvaluateSettings& settings_;
  Progress& progress_;
  const std::vector<EvaluationSetup> setups_;  // by k, then method
  const EvaluationTable table_;
  const std::vector<FoldSplit> splits_;
  const size_t learners_;
  std::atomic<size_t> done_{0};
  size_t total_ = 1;
  FoldErrors errors_;
};

}  // namespace

std::string to_string(Protocol protocol) { return protocol == Protocol::joint ? "joint" : "train-only"; }

Evaluation evaluate(const Job& job, const EvaluateSettings& settings, Progress& progress) {
  check_settings(job, settings);
  return Runner(job, settings, progress).run();
}

}  // namespace shoal
