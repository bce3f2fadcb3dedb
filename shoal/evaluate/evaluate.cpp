#include "shoal/evaluate/evaluate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <numeric>

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

// What one fold says about one kind of data.
struct FoldError {
  double wrong = 0, tested = 0;
};

// One method with one k.
struct Setup {
  uint64_t k = 0;
  const MethodEntry* method = nullptr;
  Job job;  // with that method, k and its params: what check_job was asked about
};

Params params_for(const Job& job, const MethodEntry& method, std::span<const MethodEntry* const> all) {
  Params params;
  for (const Parameter& parameter : method.parameters) params[parameter.name] = parameter.default_value;
  for (const auto& [name, value] : job.params) {
    const size_t dot = name.find('.');
    const std::string owner = dot == std::string::npos ? "" : name.substr(0, dot);
    const std::string setting = dot == std::string::npos ? name : name.substr(dot + 1);
    auto has = [&](const MethodEntry* entry) {
      return (owner.empty() || owner == entry->name) &&
             std::any_of(entry->parameters.begin(), entry->parameters.end(),
                         [&](const Parameter& parameter) { return parameter.name == setting; });
    };
    if (std::none_of(all.begin(), all.end(), has)) {
      throw Error(ErrorKind::job, fmt::format("param '{}' belongs to none of the methods asked for; name it as "
                                              "METHOD.NAME=VALUE or see `shoal methods NAME`",
                                              name));
    }
    if (has(&method)) params[setting] = value;
  }
  return params;
}

std::vector<Setup> plan_setups(const Job& job, const EvaluateSettings& settings) {
  std::vector<const MethodEntry*> entries;
  for (const std::string& name : settings.methods) {
    Job one = job;
    one.method = name;
    one.params.clear();
    one.k = 1;
    const MethodEntry* entry = find_method(name);
    if (!entry) check_job(one);  // says so, with a suggestion
    entries.push_back(entry);
  }
  std::vector<uint64_t> ks = settings.ks;
  if (ks.empty() && job.k) ks.push_back(*job.k);
  if (ks.empty()) throw Error(ErrorKind::job, "no k to evaluate with; give --k 10 or a list, --k 10,50,100");
  std::vector<Setup> setups;
  for (uint64_t k : ks) {
    for (const MethodEntry* entry : entries) {
      Setup setup{k, entry, job};
      setup.job.k = k;
      setup.job.method = entry->name;
      setup.job.params = params_for(job, *entry, entries);
      // A limit on dropped rows is for those that drop any.
      if (!entry->drops_rows) setup.job.suppress_rows.reset();
      check_job(setup.job);
      setups.push_back(std::move(setup));
    }
  }
  return setups;
}

std::vector<FoldSplit> plan_splits(const EvaluationTable& table, const EvaluateSettings& settings, uint64_t seed) {
  if (!settings.test.empty()) {
    FoldSplit split;
    split.train.resize(table.training_rows());
    std::iota(split.train.begin(), split.train.end(), uint32_t{0});
    split.test.resize(table.rows() - table.training_rows());
    std::iota(split.test.begin(), split.test.end(), static_cast<uint32_t>(table.training_rows()));
    return {std::move(split)};
  }
  return settings.five_by_two ? five_by_two(table.class_of(), seed) : k_fold(table.class_of(), settings.folds, seed);
}

class Runner {
 public:
  Runner(const Job& job, const EvaluateSettings& settings, Progress& progress)
      : job_(job),
        settings_(settings),
        progress_(progress),
        setups_(plan_setups(job, settings)),
        table_(setups_.front().job, settings.test, progress),
        splits_(plan_splits(table_, settings, job.seed)),
        learners_(settings.learners.size()) {}

  Evaluation run() {
    Evaluation evaluation;
    describe(evaluation);
    check_sizes();
    progress_.stage("train");
    const size_t splits = splits_.size();
    total_ = splits * (2 + setups_.size()) * learners_;
    raw_.resize(splits * learners_);
    without_.resize(splits * learners_);
    anonymized_.resize(setups_.size() * splits * learners_);
    seconds_.resize(setups_.size() * splits);
    dropped_.resize(setups_.size() * splits);
    std::vector<uint32_t> all(table_.rows());
    std::iota(all.begin(), all.end(), uint32_t{0});
    const Dataset raw = read_dataset(table_.raw_texts(all), table_.reading());
    const Dataset without = raw.without(evaluation.quasi);
    const size_t joint = settings_.protocol == Protocol::joint ? setups_.size() : 0;
    // First the tasks of the baselines, then one for each search.
    const size_t searches = joint ? joint : setups_.size() * splits;
    run_tasks(2 * splits + searches, job_.thread_count(), [&](size_t, size_t task) {
      if (task < splits) {
        learn(raw.subset(splits_[task].train), raw.subset(splits_[task].test), &raw_[task * learners_]);
      } else if (task < 2 * splits) {
        const size_t s = task - splits;
        learn(without.subset(splits_[s].train), without.subset(splits_[s].test), &without_[s * learners_]);
      } else if (joint) {
        run_jointly(task - 2 * splits);
      } else {
        run_train_only((task - 2 * splits) / splits, (task - 2 * splits) % splits);
      }
    });
    collect(evaluation);
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
    for (const Setup& setup : setups_) {
      for (const Requirement& requirement : requirements(setup)) {
        if (requirement.k <= rows) continue;
        throw Error(ErrorKind::job, fmt::format("k = {} cannot be met: only {} rows are anonymized at a time "
                                                "(protocol {})",
                                                requirement.k, rows, to_string(settings_.protocol)));
      }
    }
  }

  std::vector<Requirement> requirements(const Setup& setup) const {
    std::vector<Requirement> result = table_.requirements();
    result.front().k = setup.k;  // the job's k over all quasi columns stands first
    if (!setup.method->several_requirements) result = {united(result)};
    return result;
  }

  SearchResult search(const Setup& setup, const Table& part, double& seconds) {
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

  Problem problem(const Setup& setup, const Table& part) const {
    Problem problem{
        part, table_.hierarchies(), requirements(setup), {}, setup.job.suppress_rows, setup.job.params, job_.seed, 1};
    for (const Column& column : part.quasi) problem.weights.push_back(job_.find_column(column.name)->weight);
    return problem;
  }

  void run_train_only(size_t s, size_t split_number) {
    const Setup& setup = setups_[s];
    const FoldSplit& split = splits_[split_number];
    const size_t place = s * splits_.size() + split_number;
    const Table train = table_.subset(split.train), test = table_.subset(split.test);
    if (setup.method->releases_model) return run_own_tree(setup, train, test, place);
    const SearchResult found = search(setup, train, seconds_[place]);
    ReleasedTable released = apply(*found.recoding, train, table_.hierarchies(), 1);
    std::vector<uint32_t> kept_places;
    for (uint32_t i = 0; i < split.train.size(); ++i) {
      if (!std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), i)) kept_places.push_back(i);
    }
    std::vector<uint32_t> kept_rows;
    for (uint32_t i : kept_places) kept_rows.push_back(split.train[i]);
    for (ReleasedColumn& column : released.quasi) {
      column.codes = codes_of(column.codes, kept_places, column.values.size());
    }
    dropped_[place] = released.dropped_rows.size();
    const auto mapped = map_rows(*found.recoding, test, table_.hierarchies());
    TrainTest data = read_presplit(table_.released_texts(kept_rows, released.quasi),
                                   table_.released_texts(split.test, mapped), table_.reading());
    data.test.as_collected = found.recoding->shape == Shape::groups;
    learn(data.train, data.test, &anonymized_[place * learners_]);
  }

  // One release of all rows; each split trains and tests on its rows of it.
  void run_jointly(size_t s) {
    const Setup& setup = setups_[s];
    if (setup.method->releases_model) {
      for (size_t i = 0; i < splits_.size(); ++i) {
        run_own_tree(setup, table_.subset(splits_[i].train), table_.subset(splits_[i].test), s * splits_.size() + i);
      }
      return;
    }
    const SearchResult found = search(setup, table_.table(), seconds_[s * splits_.size()]);
    const ReleasedTable released = apply(*found.recoding, table_.table(), table_.hierarchies(), 1);
    std::vector<uint32_t> all(table_.rows());
    std::iota(all.begin(), all.end(), uint32_t{0});
    const Dataset data = read_dataset(table_.released_texts(all, released.quasi), table_.reading());
    dropped_[s * splits_.size()] = released.dropped_rows.size();
    auto without_dropped = [&](std::vector<uint32_t> rows) {
      std::erase_if(rows, [&](uint32_t row) {
        return std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row);
      });
      return rows;
    };
    for (size_t i = 0; i < splits_.size(); ++i) {
      learn(data.subset(without_dropped(splits_[i].train)), data.subset(without_dropped(splits_[i].test)),
            &anonymized_[(s * splits_.size() + i) * learners_]);
    }
  }

  // A method that releases a tree is its own learner: its errors stand in the place of c45's.
  void run_own_tree(const Setup& setup, const Table& train, const Table& test, size_t place) {
    Progress inner(&progress_);
    const auto start = Clock::now();
    const Problem task = problem(setup, train);
    const std::vector<size_t>& columns = task.requirements.front().columns;
    const KadetTree tree = grow_kadet(task, tuples_with_target(task, columns), columns, kadet_options(task), inner);
    seconds_[place] = std::chrono::duration<double>(Clock::now() - start).count();
    FoldError error{0, static_cast<double>(test.rows)};
    for (size_t row = 0; row < test.rows; ++row) {
      const uint32_t node = tree.node_of([&](size_t column) { return test.quasi[columns[column]].codes[row]; });
      error.wrong += tree.nodes[node].majority() != test.target->codes[row];
    }
    for (size_t learner = 0; learner < learners_; ++learner) {
      if (settings_.learners[learner] == "c45") anonymized_[place * learners_ + learner] = error;
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

  ErrorSummary summary(const std::vector<FoldError>& errors, size_t first, size_t stride) const {
    ErrorSummary result;
    double wrong = 0, tested = 0;
    for (size_t i = 0; i < splits_.size(); ++i) {
      const FoldError& fold = errors[first + i * stride];
      result.folds.push_back(fold.tested > 0 ? fold.wrong / fold.tested : 0);
      wrong += fold.wrong;
      tested += fold.tested;
    }
    if (tested == 0) return result;
    result.error = wrong / tested;
    // Five repetitions test every row five times; that is not five times the rows.
    const double repetitions = settings_.test.empty() && settings_.five_by_two ? 5 : 1;
    result.interval = error_interval(result.error, static_cast<uint64_t>(tested / repetitions));
    return result;
  }

  std::optional<FTest> f_test(const ErrorSummary& a, const ErrorSummary& b) const {
    if (!settings_.test.empty() || !settings_.five_by_two) return std::nullopt;
    std::array<std::array<double, 2>, 5> differences;
    for (size_t i = 0; i < 10; ++i) differences[i / 2][i % 2] = a.folds[i] - b.folds[i];
    return combined_5x2_f_test(differences);
  }

  void collect(Evaluation& evaluation) const {
    for (size_t learner = 0; learner < learners_; ++learner) {
      evaluation.baselines.push_back(
          {settings_.learners[learner], summary(raw_, learner, learners_), summary(without_, learner, learners_)});
    }
    const size_t methods = settings_.methods.size(), splits = splits_.size();
    for (size_t first = 0; first < setups_.size(); first += methods) {  // setups of one k stand together
      for (size_t learner = 0; learner < learners_; ++learner) {
        std::optional<ErrorSummary> first_summary;
        for (size_t m = 0; m < methods; ++m) {
          const Setup& setup = setups_[first + m];
          if (setup.method->releases_model && settings_.learners[learner] != "c45") continue;
          EvaluationCell cell{setup.k, settings_.learners[learner], setup.method->name, {}, {}, {}, 0, 0};
          cell.anonymized = summary(anonymized_, (first + m) * splits * learners_ + learner, learners_);
          cell.against_raw = f_test(cell.anonymized, evaluation.baselines[learner].raw);
          if (first_summary) cell.against_first = f_test(cell.anonymized, *first_summary);
          if (m == 0) first_summary = cell.anonymized;
          for (size_t i = 0; i < splits; ++i) {
            cell.search_seconds += seconds_[(first + m) * splits + i];
            cell.rows_dropped += dropped_[(first + m) * splits + i];
          }
          evaluation.cells.push_back(std::move(cell));
        }
      }
    }
  }

  const Job& job_;
  const EvaluateSettings& settings_;
  Progress& progress_;
  const std::vector<Setup> setups_;  // by k, then method
  const EvaluationTable table_;
  const std::vector<FoldSplit> splits_;
  const size_t learners_;
  std::atomic<size_t> done_{0};
  size_t total_ = 1;
  std::vector<FoldError> raw_, without_;  // [split * learners + learner]
  std::vector<FoldError> anonymized_;     // [(setup * splits + split) * learners + learner]
  std::vector<double> seconds_;           // [setup * splits + split]
  std::vector<uint64_t> dropped_;
};

void check_settings(const Job& job, const EvaluateSettings& settings) {
  check_columns(job);
  if (std::none_of(job.columns.begin(), job.columns.end(),
                   [](const ColumnJob& column) { return column.role == Role::target; })) {
    throw Error(ErrorKind::job, "no target: say which column learners are to predict, as in --target income");
  }
  if (settings.methods.empty()) throw Error(ErrorKind::job, "no method to evaluate; give --methods kactus,tdr");
  if (settings.learners.empty()) throw Error(ErrorKind::job, "no learner; give --learners c45,nb");
  std::vector<std::string> names;
  for (const LearnerEntry& entry : learners()) names.push_back(entry.name);
  for (const std::string& name : settings.learners) {
    if (!find_learner(name)) {
      throw Error(ErrorKind::job, fmt::format("unknown learner '{}'{}; there are {}", name, did_you_mean(name, names),
                                              fmt::join(names, ", ")));
    }
  }
  if (settings.test.empty() && !settings.five_by_two && settings.folds < 2) {
    throw Error(ErrorKind::job, "at least 2 folds are needed");
  }
}

}  // namespace

std::string to_string(Protocol protocol) { return protocol == Protocol::joint ? "joint" : "train-only"; }

Evaluation evaluate(const Job& job, const EvaluateSettings& settings, Progress& progress) {
  check_settings(job, settings);
  return Runner(job, settings, progress).run();
}

std::optional<Comparison> compare(const std::vector<Evaluation>& evaluations) {
  Comparison comparison;
  // Sets in order of appearance, each with the errors of its methods.
  std::vector<std::map<std::string, double>> sets;
  for (const Evaluation& evaluation : evaluations) {
    std::map<std::pair<uint64_t, std::string>, size_t> set_of;
    for (const EvaluationCell& cell : evaluation.cells) {
      const auto [place, fresh] = set_of.emplace(std::pair(cell.k, cell.learner), sets.size());
      if (fresh) sets.emplace_back();
      sets[place->second][cell.method] = cell.anonymized.error;
      auto& methods = comparison.methods;
      if (std::find(methods.begin(), methods.end(), cell.method) == methods.end()) methods.push_back(cell.method);
    }
  }
  // A method that has no error in some set (a tree of its own, say, where other learners are compared) is left out.
  std::erase_if(comparison.methods, [&](const std::string& method) {
    return std::any_of(sets.begin(), sets.end(), [&](const auto& set) { return !set.contains(method); });
  });
  std::vector<std::vector<double>> errors;
  for (const auto& set : sets) {
    errors.emplace_back();
    for (const std::string& method : comparison.methods) errors.back().push_back(set.at(method));
  }
  if (errors.size() < 2 || comparison.methods.size() < 2) return std::nullopt;
  comparison.sets = errors.size();
  for (size_t m = 0; m < comparison.methods.size(); ++m) {
    double sum = 0;
    for (const auto& set : errors) sum += set[m];
    comparison.mean_errors.push_back(sum / static_cast<double>(errors.size()));
  }
  comparison.friedman = friedman_test(errors);
  comparison.distance = bonferroni_dunn_distance(comparison.methods.size(), comparison.sets);
  return comparison;
}

}  // namespace shoal
