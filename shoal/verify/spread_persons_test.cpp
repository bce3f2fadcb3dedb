#include "shoal/verify/spread_persons.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

namespace shoal {
namespace SHOAL_THIS_FILE {

// Released rows are intervals over the originals' numbers; those with the same interval are a group, those with the
// same first end one of a second requirement.
struct Scene {
  std::vector<uint32_t> person, number;              // of each original row
  std::vector<std::pair<uint32_t, uint32_t>> spans;  // of each released row
  std::vector<uint32_t> class_of_original, class_of_release;
  std::vector<uint64_t> persons;  // asked for by each requirement
  std::vector<uint32_t> pairing;  // to begin with

  bool fits(uint32_t released, uint32_t original) const {
    return class_of_release[released] == class_of_original[original] && spans[released].first <= number[original] &&
           number[original] <= spans[released].second;
  }
  std::pair<uint32_t, uint32_t> look(size_t requirement, uint32_t released) const {
    return requirement == 0 ? spans[released] : std::pair(spans[released].first, 0U);
  }
  bool is_pairing(const std::vector<uint32_t>& row_of_release) const {
    std::set<uint32_t> used(row_of_release.begin(), row_of_release.end());
    bool all = used.size() == row_of_release.size() && row_of_release.size() == spans.size();
    for (uint32_t row = 0; row < row_of_release.size(); ++row) all = all && fits(row, row_of_release[row]);
    return all;
  }
  bool has_enough(const std::vector<uint32_t>& row_of_release) const {
    for (size_t requirement = 0; requirement < persons.size(); ++requirement) {
      std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> groups;
      for (uint32_t row = 0; row < row_of_release.size(); ++row) {
        groups[look(requirement, row)].insert(person[row_of_release[row]]);
      }
      for (const auto& [group, who] : groups) {
        if (who.size() < persons[requirement]) return false;
      }
    }
    return true;
  }
  // Every pairing there is.
  bool possible(std::vector<uint32_t> begun = {}) const {
    if (begun.size() == spans.size()) return has_enough(begun);
    for (uint32_t original = 0; original < person.size(); ++original) {
      if (std::find(begun.begin(), begun.end(), original) != begun.end()) continue;
      if (!fits(static_cast<uint32_t>(begun.size()), original)) continue;
      begun.push_back(original);
      if (possible(begun)) return true;
      begun.pop_back();
    }
    return false;
  }
  bool spread(std::vector<uint32_t>& row_of_release, uint64_t work = 2000) const {
    RowsToSpread rows{person, {}, class_of_release, class_of_original, [&](uint32_t released, uint32_t original) {
                        return fits(released, original);
                      }};
    for (size_t requirement = 0; requirement < persons.size(); ++requirement) {
      std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;
      rows.groups.push_back({{}, persons[requirement]});
      for (uint32_t row = 0; row < spans.size(); ++row) {
        const auto next = static_cast<uint32_t>(known.size());
        rows.groups.back().group_of_row.push_back(known.try_emplace(look(requirement, row), next).first->second);
      }
    }
    return spread_persons(rows, row_of_release, work, Progress());
  }
};

Scene random_scene(std::mt19937_64& random) {
  Scene scene;
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  const uint32_t originals = 4 + below(4), people = 2 + below(4);
  for (uint32_t row = 0; row < originals; ++row) {
    scene.person.push_back(below(people));
    scene.number.push_back(below(4));
    scene.class_of_original.push_back(below(2));
  }
  scene.pairing.resize(originals);
  std::iota(scene.pairing.begin(), scene.pairing.end(), 0U);
  std::shuffle(scene.pairing.begin(), scene.pairing.end(), random);
  scene.pairing.resize(originals - below(2));  // one may have been dropped
  for (uint32_t original : scene.pairing) {
    const uint32_t at = scene.number[original];
    scene.spans.push_back(below(2) ? std::pair(at / 2 * 2, at / 2 * 2 + 1) : std::pair(0U, 3U));
    scene.class_of_release.push_back(scene.class_of_original[original]);
  }
  scene.persons = {1 + below(3)};
  if (below(2)) scene.persons.push_back(1 + below(3));
  return scene;
}

TEST(SpreadPersons, FindsAPairingWheneverThereIsOne) {
  std::mt19937_64 random(1);
  int at_once = 0, found = 0, missed = 0, impossible = 0;
  for (int round = 0; round < 5000; ++round) {
    const Scene scene = random_scene(random);
    std::vector<uint32_t> pairing = scene.pairing;
    ASSERT_TRUE(scene.is_pairing(pairing));
    const bool before = scene.has_enough(pairing), answer = scene.spread(pairing);
    SCOPED_TRACE(round);
    ASSERT_TRUE(scene.is_pairing(pairing));
    ASSERT_EQ(answer, scene.has_enough(pairing));
    const bool possible = scene.possible();
    at_once += before;
    found += answer && !before;
    missed += possible && !answer;
    impossible += !possible;
  }
  EXPECT_GT(at_once, 100);
  EXPECT_GT(found, 50);
  EXPECT_GT(impossible, 500);
  EXPECT_EQ(missed, 0) << "of " << found;
}

TEST(SpreadPersons, GivesUpWhenItIsTooMuchWork) {
  Scene scene;
  scene.person = {0, 0, 1, 1};
  scene.number = {0, 0, 0, 0};
  scene.class_of_original = scene.class_of_release = {0, 0, 0, 0};
  scene.spans = {{0, 0}, {0, 0}, {0, 1}, {0, 1}};
  scene.persons = {2};
  scene.pairing = {0, 1, 2, 3};
  std::vector<uint32_t> pairing = scene.pairing;
  EXPECT_FALSE(scene.spread(pairing, 0));
  EXPECT_EQ(pairing, scene.pairing);
  EXPECT_TRUE(scene.spread(pairing));
  EXPECT_TRUE(scene.has_enough(pairing));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
