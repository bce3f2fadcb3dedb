// genetic (Iyengar 2002): borders of ordered domains and cuts of trees, bred for the least loss
// (docs/methods/genetic.md).
//
// The paper's steady state (two parents by rank, one child, the worst dies) goes one child at a time. Here a brood of
// fixed size is drawn from one population and judged on all threads, then its members come in one after the other: the
// same children whatever the threads, since every draw is made beforehand, from the seed.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/method/splits/split_scene.h"
#include "shoal/run/seeded_random.h"
#include "shoal/run/tasks.h"

namespace shoal {

MethodEntry genetic_method();

namespace {

struct GeneticOptions {
  std::string objective;
  size_t population = 0, generations = 0, patience = 0;
  double mutation = 0;
};
GeneticOptions genetic_options(const Params& params) {
  return {.objective = setting(params, "objective"),
          .population = static_cast<size_t>(number_setting(params, "population")),
          .generations = static_cast<size_t>(number_setting(params, "generations")),
          .patience = static_cast<size_t>(number_setting(params, "patience")),
          .mutation = number_setting(params, "mutation")};
}

constexpr size_t kBrood = 32;
constexpr double kImpossible = std::numeric_limits<double>::infinity();

struct Member {
  SplitSet splits;
  double cost = kImpossible;  // kImpossible: may not be released
  uint64_t dropped = UINT64_MAX;

  // What may be released goes before what may not, which is the better the fewer rows it would drop: on the way from
  // one good release to another one there are strings that may not be released.
  bool before(const Member& other) const {
    if (cost != other.cost) return cost < other.cost;
    return cost == kImpossible && dropped < other.dropped;
  }
};

class Breeding {
 public:
  Breeding(const SplitScene& scene, const GeneticOptions& options, Progress& progress)
      : scene_(scene), options_(options), progress_(progress), random_(scene.problem().seed) {}

  void run() {
    begin();
    const size_t broods = scene_.space().size() == 0 ? 0 : options_.generations;
    size_t better_at = 0;
    for (; broods_ < broods && broods_ - better_at < options_.patience && !stopped_; ++broods_) {
      progress_.update(double(broods_) / double(broods));
      const double before = best().cost;
      std::vector<Member> brood;
      for (size_t i = 0; i < kBrood; ++i) {
        Member member = child();
        if (known_.insert(text(member.splits)).second) brood.push_back(std::move(member));
      }
      judge(brood);
      for (Member& member : brood) enter(std::move(member));
      if (best().cost < before) better_at = broods_;
    }
  }
  const Member& best() const { return population_.front(); }
  uint64_t judged() const { return judged_; }
  uint64_t broods() const { return broods_; }
  bool stopped() const { return stopped_; }

 private:
  // Everything at the root can always be released; the rest is drawn, with ever more splits.
  void begin() {
    std::vector<Member> first(1);
    first[0].splits = scene_.space().none();
    known_.insert(text(first[0].splits));
    judge(first, false);
    enter(std::move(first[0]));
    std::vector<Member> drawn(options_.population - 1);
    for (Member& member : drawn) {
      member.splits = scene_.space().none();
      const double share = random_.unit() * random_.unit();
      for (uint8_t& split : member.splits) split = random_.unit() < share ? 1 : 0;
      scene_.space().close(member.splits);
    }
    std::erase_if(drawn, [&](const Member& member) { return !known_.insert(text(member.splits)).second; });
    judge(drawn);
    for (Member& member : drawn) enter(std::move(member));
  }
  static std::string text(const SplitSet& splits) { return {splits.begin(), splits.end()}; }

  void judge(std::vector<Member>& members, bool stoppable = true) {
    run_tasks_with(
        members.size(), scene_.problem().threads, [] { return std::make_unique<SplitMemory>(); },
        [&](SplitMemory& memory, size_t i) {
          progress_.check();
          if (stoppable && progress_.out_of_time()) return;
          if (const auto judged = scene_.judge(members[i].splits, memory)) members[i].cost = judged->cost;
          members[i].dropped = memory.dropped_rows;
        });
    judged_ += members.size();
    stopped_ = stopped_ || (stoppable && progress_.out_of_time());
  }

  // The better half of a rank is twice as likely as the worse one (the paper: rank-based selection, bias below 2).
  const Member& parent() {
    const double rank = std::min(random_.unit(), random_.unit());
    return population_[std::min(population_.size() - 1, static_cast<size_t>(rank * double(population_.size())))];
  }

  // One-point crossover in the string of all splits, column after column, then mutation, then repair: what has no
  // parent goes, so that every string is a release.
  Member child() {
    const size_t length = scene_.space().size();
    Member result;
    result.splits = parent().splits;
    const SplitSet& other = parent().splits;
    const size_t from = random_.below(length), to = random_.below(length + 1);
    for (size_t i = std::min(from, to); i < std::max(from, to); ++i) result.splits[i] = other[i];
    // At least one place on average, so that long strings change as often as short ones.
    const double rate = options_.mutation / double(length);
    for (uint8_t& split : result.splits) {
      if (random_.unit() < rate) split ^= 1;
    }
    scene_.space().close(result.splits);
    return result;
  }

  // Best first.
  void enter(Member member) {
    if (member.dropped == UINT64_MAX) return;  // time was up before it was judged
    const auto place = std::upper_bound(population_.begin(), population_.end(), member,
                                        [](const Member& a, const Member& b) { return a.before(b); });
    population_.insert(place, std::move(member));
    if (population_.size() > options_.population) population_.pop_back();
  }

  const SplitScene& scene_;
  const GeneticOptions& options_;
  Progress& progress_;
  SeededRandom random_;
  std::vector<Member> population_;         // best first, then by age
  std::unordered_set<std::string> known_;  // all strings that were ever judged: none is judged twice
  uint64_t judged_ = 0, broods_ = 0;
  bool stopped_ = false;
};

class Genetic final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    const GeneticOptions options = genetic_options(problem.params);
    const SplitScene scene(problem, split_cost(options.objective, problem));
    Breeding breeding(scene, options, progress);
    breeding.run();
    SearchResult result;
    result.answer = scene.recoding(breeding.best().splits);
    result.stats.generated = result.stats.expanded = breeding.judged();
    result.stats.details = {{"objective", options.objective},
                            {"best", fmt::format("{:.10g}", scene.shown(breeding.best().cost))},
                            {"splits to choose from", std::to_string(scene.space().size())},
                            {"broods", std::to_string(breeding.broods())}};
    if (breeding.stopped()) {
      result.notices.push_back(fmt::format("genetic was stopped by the time budget after {} of {} broods",
                                           breeding.broods(), options.generations));
    }
    return result;
  }
};

}  // namespace

MethodEntry genetic_method() {
  return {.name = "genetic",
          .title = "cuts and borders bred by a genetic algorithm for the least loss",
          .paper = "Iyengar 2002",
          .shape = Shape::cut,
          .parameters = {{.name = "objective",
                          .meaning = "what is bred for: Iyengar's loss, or rows outside their group's majority class",
                          .default_value = "lm",
                          .choices = {"lm", "cm"}},
                         {.name = "population",
                          .meaning = "how many releases live at a time",
                          .default_value = "200",
                          .choices = {},
                          .minimum = 2,
                          .maximum = 1e6},
                         {.name = "generations",
                          .meaning = "broods of 32 children before it ends",
                          .default_value = "400",
                          .choices = {},
                          .minimum = 0,
                          .maximum = 1e9},
                         {.name = "patience",
                          .meaning = "broods without a better best after which it ends early",
                          .default_value = "100",
                          .choices = {},
                          .minimum = 1,
                          .maximum = 1e9},
                         {.name = "mutation",
                          .meaning = "how many splits of a child change by chance, on average",
                          .default_value = "1.5",
                          .choices = {},
                          .minimum = 0,
                          .maximum = 1000}},
          .several_requirements = true,
          .drops_rows = true,
          .needs_target = false,
          .make = []() -> std::unique_ptr<Method> { return std::make_unique<Genetic>(); },
          .obeys_models = true,
          .obeys_average_risk = true,
          .alike_rows = [](const Params&) { return AlikeRows{}; }};
}

}  // namespace shoal
