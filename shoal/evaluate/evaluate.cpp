#include "shoal/evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "shoal/encode/problem.h"
#include "shoal/evaluate/evaluation_plan.h"
#include "shoal/evaluate/evaluation_summary.h"
#include "shoal/evaluate/evaluation_table.h"
#include "shoal/learn/folds.h"
#include "shoal/learn/learner.h"
#include "shoal/measure/cell_loss.h"
#include "shoal/method/method.h"
#include "shoal/method/trees/kadet_tree.h"
#include "shoal/method/trees/quasi_dataset.h"
#include "shoal/plan/by_fragments.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/new_rows.h"
#include "shoal/recode/ranges.h"
#include "shoal/run/clock.h"
#include "shoal/run/counted.h"
#include "shoal/run/tasks.h"
#include "shoal/table/subset.h"

namespace shoal {
namespace {

class Runner {
 public:
  Runner(const Job& job, const EvaluateSettings& settings, TableSource& source, TableSource* test, Progress& progress)
      : job_(job),
        settings_(settings),
        input_(source.name()),
        progress_(progress),
        setups_(plan_setups(job, settings)),
        table_(setups_.front().job, source, test, progress),
        splits_(plan_splits(table_, settings, job.seed)),
        learners_(settings.learners.size()),
        errors_(setups_, splits_.size(), learners_) {}

  Evaluation run() {
    Evaluation evaluation;
    describe(evaluation);
    check_sizes();
    progress_.stage("train");
    const size_t splits = splits_.size();
    total_ = 2 * splits * learners_ + errors_.anonymized.size();
    find_majorities();
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
    summarise(settings_, setups_, splits_, errors_, evaluation);
    return evaluation;
  }

 private:
  void describe(Evaluation& evaluation) const {
    evaluation.input = input_;
    evaluation.test = settings_.test;
    evaluation.target = table_.table().target->name;
    for (const Column& column : table_.table().quasi) evaluation.quasi.push_back(column.name);
    evaluation.rows = table_.rows();
    evaluation.protocol = settings_.protocol;
    evaluation.folds = settings_.test.empty() ? (settings_.five_by_two ? 2 : settings_.folds) : 0;
    evaluation.five_by_two = settings_.test.empty() && settings_.five_by_two;
    evaluation.seed = job_.seed;
  }

  // A k that no recoding of a part can meet is told before anything is trained.
  void check_sizes() const {
    size_t rows = table_.rows();
    if (settings_.protocol == Protocol::train_only) {
      for (const FoldSplit& split : splits_) rows = std::min(rows, split.train.size());
    }
    for (const EvaluationSetup& setup : setups_) {
      for (const Requirement& requirement : problem(setup, table_.table()).requirements) {
        if (requirement.k <= rows) continue;
        throw Error(ErrorKind::job, fmt::format("k = {} cannot be met: only {} anonymized at a time "
                                                "(protocol {})",
                                                requirement.k, rows == 1 ? "1 row is" : with_commas(rows) + " rows are",
                                                to_string(settings_.protocol)));
      }
    }
  }

  SearchResult search(const EvaluationSetup& setup, const Table& part, double& seconds) {
    Progress inner(&progress_);
    const auto start = Clock::now();
    const TimeBudget budget(inner, job_.time_budget, start);
    SearchResult found = run_search(*setup.method, problem(setup, part), inner);
    seconds = seconds_since(start);
    if (!found.recoding()) {
      throw Error(ErrorKind::job, fmt::format("method {} found no recoding for k = {}: {}", setup.method->name, setup.k,
                                              found.reason()));
    }
    if (auto* recoding = std::get_if<Recoding>(&found.answer)) {
      settle_ranges(*recoding, part, table_.hierarchies(), job_.ranges);
    }
    return found;
  }

  Problem problem(const EvaluationSetup& setup, const Table& part) const {
    std::vector<std::string> notices;  // the same for all parts; nobody is told
    return make_problem(setup.job, *setup.method, part, table_.encoding(), notices);
  }

  void run_train_only(size_t s, size_t split_number) {
    const EvaluationSetup& setup = setups_[s];
    const FoldSplit& split = splits_[split_number];
    const size_t place = s * splits_.size() + split_number;
    const Table train = table_.subset(split.train), test = table_.subset(split.test);
    if (setup.method->releases_model()) return run_own_tree(setup, train, test, place);
    const SearchResult found = search(setup, train, errors_.seconds[place]);
    ReleasedTable released = apply(*found.recoding(), train, table_.hierarchies(), 1);
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
    const Recoding& recoding = *found.recoding();
    const auto trained_on = table_.released_texts(kept_rows, released.quasi);
    std::vector<double> losses;
    std::vector<uint32_t> group_of_row;
    if (!recoding.is_by_value()) losses = group_losses(recoding.by_group(), table_.hierarchies());
    const bool grouped = !recoding.is_by_value() && recoding.by_group().groups() > 0;
    if (grouped && setup.group_majority) {
      group_of_row = nearest_groups(recoding.by_group(), test, table_.hierarchies(), losses);
      errors_.by_group[place] = majority_of_groups(recoding, train, test, group_of_row);
    } else if (setup.group_majority) {
      errors_.by_group[place] = errors_.majority[split_number];  // nothing is recoded: all rows are one group
    }
    for (size_t r = 0; r < setup.readings.size(); ++r) {
      const Reading reading = setup.readings[r];
      const auto tested_on = reading == Reading::mapped && grouped
                                 ? recode_like_groups(recoding.by_group(), test, table_.hierarchies(), group_of_row)
                                 : recode_new_rows(recoding, test, table_.hierarchies(),
                                                   recoding.shape() == Shape::regions ? losses : std::vector<double>{});
      TrainTest data =
          read_presplit(trained_on, table_.released_texts(split.test, tested_on),
                        reading == Reading::values ? table_.reading_as_values(released.quasi) : table_.reading());
      data.train.recoded_locally = !recoding.is_by_value();
      data.test.as_collected = recoding.shape() == Shape::groups && reading != Reading::mapped;
      learn(data.train, data.test,
            &errors_.anonymized[((setup.first_variant + r) * splits_.size() + split_number) * learners_]);
    }
  }

  // Each test row is given the most frequent class of its group's training rows, the first one on ties.
  static FoldError majority_of_groups(const Recoding& recoding, const Table& train, const Table& test,
                                      const std::vector<uint32_t>& group_of_test_row) {
    const GroupRecoding& groups = recoding.by_group();
    const size_t classes = train.target->values.size();
    std::vector<uint32_t> counts(groups.groups() * classes, 0);
    for (uint32_t row = 0; row < train.rows; ++row) {
      if (std::binary_search(recoding.dropped_rows.begin(), recoding.dropped_rows.end(), row)) continue;
      ++counts[groups.group_of_row[row] * classes + train.target->codes[row]];
    }
    FoldError error;
    for (size_t row = 0; row < test.rows; ++row) {
      const auto first = counts.begin() + static_cast<ptrdiff_t>(group_of_test_row[row] * classes);
      const auto most = std::max_element(first, first + static_cast<ptrdiff_t>(classes)) - first;
      error.add(most == test.target->codes[row] ? FoldError::right : FoldError::mistaken);
    }
    return error;
  }

  // One release of all rows; each split trains and tests on its rows of it.
  void run_jointly(size_t s) {
    const EvaluationSetup& setup = setups_[s];
    if (setup.method->releases_model()) {
      for (size_t i = 0; i < splits_.size(); ++i) {
        run_own_tree(setup, table_.subset(splits_[i].train), table_.subset(splits_[i].test), s * splits_.size() + i);
      }
      return;
    }
    const SearchResult found = search(setup, table_.table(), errors_.seconds[s * splits_.size()]);
    const ReleasedTable released = apply(*found.recoding(), table_.table(), table_.hierarchies(), 1);
    std::vector<uint32_t> all(table_.rows());
    std::iota(all.begin(), all.end(), uint32_t{0});
    const auto texts = table_.released_texts(all, released.quasi);
    errors_.dropped[s * splits_.size()] = released.dropped_rows.size();
    auto was_dropped = [&](uint32_t row) {
      return std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row);
    };
    for (size_t r = 0; r < setup.readings.size(); ++r) {
      Dataset data = read_dataset(
          texts, setup.readings[r] == Reading::values ? table_.reading_as_values(released.quasi) : table_.reading());
      data.recoded_locally = !found.recoding()->is_by_value();
      for (size_t i = 0; i < splits_.size(); ++i) {
        std::vector<uint32_t> train = splits_[i].train;
        std::erase_if(train, was_dropped);
        learn(data.subset(train), data.subset(splits_[i].test),
              &errors_.anonymized[((setup.first_variant + r) * splits_.size() + i) * learners_],
              [&](size_t place) { return !was_dropped(splits_[i].test[place]); });
      }
    }
  }

  // A method that releases a tree is its own learner: its errors stand in the place of c45's.
  void run_own_tree(const EvaluationSetup& setup, const Table& train, const Table& test, size_t place) {
    Progress inner(&progress_);
    const auto start = Clock::now();
    const Problem task = problem(setup, train);
    const std::vector<size_t>& columns = task.requirements.front().columns;
    const KadetTree tree = grow_kadet(task, tuples_with_target(task, columns), columns, kadet_options(task), inner);
    errors_.seconds[place] = seconds_since(start);
    FoldError error;
    for (size_t row = 0; row < test.rows; ++row) {
      const uint32_t node = tree.node_of([&](size_t column) { return test.quasi[columns[column]].codes[row]; });
      error.add(tree.nodes[node].majority() == test.target->codes[row] ? FoldError::right : FoldError::mistaken);
    }
    const size_t split = place % splits_.size();
    for (size_t r = 0; r < setup.readings.size(); ++r) {
      for (size_t learner = 0; learner < learners_; ++learner) {
        if (settings_.learners[learner] == "c45") {
          errors_.anonymized[((setup.first_variant + r) * splits_.size() + split) * learners_ + learner] = error;
        }
        step();
      }
    }
  }

  // What is right without learning anything.
  void find_majorities() {
    const std::vector<uint32_t>& class_of = table_.class_of();
    for (size_t i = 0; i < splits_.size(); ++i) {
      std::vector<uint32_t> counts(table_.table().target->values.size(), 0);
      for (uint32_t row : splits_[i].train) ++counts[class_of[row]];
      const auto most = static_cast<uint32_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
      for (uint32_t row : splits_[i].test) {
        errors_.majority[i].add(class_of[row] == most ? FoldError::right : FoldError::mistaken);
      }
    }
  }

  static bool always(size_t) { return true; }

  // `counts(i)`: test row i is tested.
  template <typename Counts = bool (*)(size_t)>
  void learn(const Dataset& train_data, const Dataset& test, FoldError* errors, const Counts& counts = always) {
    Progress inner(&progress_);
    for (size_t learner = 0; learner < learners_; ++learner) {
      progress_.check();
      const auto classifier = train(settings_.learners[learner], train_data, {}, inner);
      const std::vector<uint32_t> predicted = predict_all(*classifier, test);
      for (size_t row = 0; row < test.rows; ++row) {
        errors[learner].add(!counts(row)                           ? FoldError::not_tested
                            : predicted[row] == test.class_of[row] ? FoldError::right
                                                                   : FoldError::mistaken);
      }
      step();
    }
  }
  void step() { progress_.update(static_cast<double>(++done_) / static_cast<double>(total_)); }

  const Job& job_;
  const EvaluateSettings& settings_;
  const std::string input_;
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

std::string to_string(Reading reading) {
  return reading == Reading::values ? "values" : reading == Reading::ranges ? "ranges" : "mapped";
}

Reading reading_named(const std::string& name) {
  for (Reading reading : {Reading::values, Reading::ranges, Reading::mapped}) {
    if (name == to_string(reading)) return reading;
  }
  throw Error(ErrorKind::job, fmt::format("unknown reading '{}'; there are values, ranges, mapped", name));
}

Evaluation evaluate(const Job& job, const EvaluateSettings& settings, TableSource& source, TableSource* test,
                    Progress& progress) {
  check_settings(job, settings);
  Job with_features = job;
  with_features.others_plain = true;  // nothing is released here, and learners may use every column
  return Runner(with_features, settings, source, test, progress).run();
}

}  // namespace shoal
