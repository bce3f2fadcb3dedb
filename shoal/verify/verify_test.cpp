#include "shoal/verify/verify.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "shoal/table/decimal.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Rows = std::vector<std::vector<std::string>>;

// A table in memory, handed out in small chunks; may change its mind once in the middle, as a file may.
class MemoryTable : public TableSource {
 public:
  MemoryTable(std::vector<std::string> columns, Rows rows, size_t chunk = 3, bool changes_its_mind = false)
      : columns_(std::move(columns)), rows_(std::move(rows)), chunk_(chunk), changes_(changes_its_mind) {}
  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  void read(std::span<const size_t> columns, const Progress&, const Body& body) override {
    if (changes_) {
      Stream first(rows_, columns, chunk_, true);
      try {
        return body(first);
      } catch (const ChangedMind&) {
        changes_ = false;
      }
    }
    Stream stream(rows_, columns, chunk_, false);
    body(stream);
  }
  std::string place(uint64_t row) const override { return "row " + std::to_string(row + 1); }

 private:
  struct ChangedMind {};
  class Stream : public TextStream {
   public:
    Stream(const Rows& rows, std::span<const size_t> columns, size_t chunk, bool breaks)
        : rows_(rows), columns_(columns.begin(), columns.end()), chunk_(chunk), breaks_(breaks) {}
    bool next() override {
      if (breaks_ && at_ > 0) throw ChangedMind{};
      size_ = std::min(chunk_, rows_.size() - at_);
      views_.assign(columns_.size(), {});
      cells_.clear();
      for (size_t j = 0; j < columns_.size(); ++j) {
        for (size_t i = 0; i < size_; ++i) views_[j].push_back(rows_[at_ + i][columns_[j]]);
        cells_.push_back(views_[j].data());
      }
      at_ += size_;
      return size_ > 0;
    }

   private:
    const Rows& rows_;
    std::vector<size_t> columns_;
    size_t chunk_, at_ = 0;
    bool breaks_;
    std::vector<std::vector<std::string_view>> views_;
  };
  std::string name_ = "memory";
  std::vector<std::string> columns_;
  Rows rows_;
  size_t chunk_;
  bool changes_;
};

class NoEngine : public SqlEngine {
 public:
  std::vector<std::vector<std::string>> query(const std::string&) override { return {}; }
  void create_table(const std::string&, const std::vector<std::string>&, TextStream&) override {}
};

Promise people_promise() {
  Promise promise;
  promise.columns = {{"age", true, ColumnType::numeric}, {"sex", true, ColumnType::categorical}, {"sick", false}};
  promise.hidden = {"name"};
  return promise;
}

const std::vector<std::string> kColumns{"age", "sex", "sick"};

Verification verified(const Promise& promise, TableSource& release, TableSource& original,
                      const std::vector<uint32_t>* row_of_release = nullptr) {
  NoEngine engine;
  Progress progress;
  const OriginalToVerify against{original, row_of_release};
  return verify(promise, {release, engine, {}}, &against, false, progress);
}
Verification verified(const Promise& promise, const Rows& release, const Rows& original,
                      const std::vector<uint32_t>* row_of_release = nullptr) {
  MemoryTable released(kColumns, release), originals(kColumns, original, 4);
  return verified(promise, released, originals, row_of_release);
}
const VerificationCheck* check_named(const Verification& verification, const std::string& name) {
  for (const VerificationCheck& check : verification.checks) {
    if (check.name == name) return &check;
  }
  return nullptr;
}

bool covers(const std::string& original, const std::string& released) {
  if (released == "*" || released == original) return true;
  if (original.empty() || released.empty() || released[0] != '[') return false;
  const size_t comma = released.find(',');
  const int number = std::stoi(original);
  return std::stoi(released.substr(1)) <= number && number <= std::stoi(released.substr(comma + 1));
}

// Every released row finds an original of its own, the plain way (Kuhn).
bool can_be_paired(const Rows& release, const Rows& original) {
  std::vector<int> owner(original.size(), -1);
  std::vector<bool> seen;
  std::function<bool(size_t)> find = [&](size_t row) {
    for (size_t i = 0; i < original.size(); ++i) {
      if (seen[i] || !covers(original[i][0], release[row][0]) || !covers(original[i][1], release[row][1]) ||
          original[i][2] != release[row][2]) {
        continue;
      }
      seen[i] = true;
      if (owner[i] < 0 || find(static_cast<size_t>(owner[i]))) {
        owner[i] = static_cast<int>(row);
        return true;
      }
    }
    return false;
  };
  for (size_t row = 0; row < release.size(); ++row) {
    seen.assign(original.size(), false);
    if (!find(row)) return false;
  }
  return true;
}

class People {
 public:
  explicit People(uint64_t seed) : random_(seed) {}
  uint64_t draw(uint64_t below) { return random_() % below; }
  Rows originals(size_t count) {
    Rows rows;
    for (size_t i = 0; i < count; ++i) {
      rows.push_back({draw(12) == 0 ? "" : std::to_string(20 + draw(9)), draw(2) ? "f" : "m", draw(3) ? "no" : "yes"});
    }
    return rows;
  }
  // Each row recoded on its own, covering it.
  Rows recoded(const Rows& originals) {
    Rows rows = originals;
    for (auto& row : rows) {
      if (draw(3) == 0) {
        row[0] = "*";
      } else if (!row[0].empty() && draw(2)) {
        const uint64_t age = std::stoull(row[0]);
        row[0] = "[" + std::to_string(age - draw(3)) + "," + std::to_string(age + draw(3)) + "]";
      }
      if (draw(3) == 0) row[1] = "*";
    }
    return rows;
  }
  std::vector<uint32_t> some_order(size_t count) {
    std::vector<uint32_t> order(count);
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }

 private:
  std::mt19937_64 random_;
};

TEST(Verify, ReleasesInAnyOrderAreMatchedAsSets) {
  People people(1);
  size_t good = 0, bad = 0;
  for (int round = 0; round < 1500; ++round) {
    const Rows original = people.originals(1 + people.draw(25));
    const Rows recoded = people.recoded(original);
    Rows release;
    for (uint32_t row : people.some_order(original.size())) release.push_back(recoded[row]);
    if (people.draw(3) == 0) release.resize(1 + people.draw(release.size()));
    // Changes that may or may not leave a pairing.
    for (uint64_t changes = people.draw(3); changes > 0; --changes) {
      auto& row = release[people.draw(release.size())];
      if (people.draw(3) == 0) row[2] = row[2] == "no" ? "yes" : "no";
      if (people.draw(2)) row[0] = std::to_string(20 + people.draw(9));
    }
    Promise promise = people_promise();
    promise.most_dropped = 1;
    const Verification verification = verified(promise, release, original);
    const bool expected = can_be_paired(release, original);
    ASSERT_EQ(verification.ok(), expected) << "round " << round;
    for (const VerificationCheck& check : verification.checks) EXPECT_NE(check.result, CheckResult::not_checked);
    ++(expected ? good : bad);
  }
  EXPECT_GT(good, 200u);
  EXPECT_GT(bad, 200u);
}

TEST(Verify, TheWitnessIsHeldToItsWord) {
  People people(2);
  for (int round = 0; round < 300; ++round) {
    const Rows original = people.originals(2 + people.draw(20));
    const Rows recoded = people.recoded(original);
    std::vector<uint32_t> order = people.some_order(original.size());
    if (people.draw(2)) order.resize(1 + people.draw(order.size()));
    if (round % 3 == 0) std::sort(order.begin(), order.end());
    Rows release;
    for (uint32_t row : order) release.push_back(recoded[row]);
    Promise promise = people_promise();
    promise.most_dropped = 1;
    ASSERT_TRUE(verified(promise, release, original, &order).ok()) << "round " << round;
    // Two rows for one original, a pair that does not fit, a row too many, a row that is not there.
    if (order.size() > 1) {
      std::vector<uint32_t> twice = order;
      twice[0] = twice[1];
      EXPECT_FALSE(verified(promise, release, original, &twice).ok());
    }
    Rows other = release;
    other[people.draw(other.size())][2] = "perhaps";
    EXPECT_FALSE(verified(promise, other, original, &order).ok());
    Rows more = release;
    more.push_back(release[0]);
    EXPECT_FALSE(verified(promise, more, original, &order).ok());
    Rows fewer = release;
    fewer.pop_back();
    EXPECT_FALSE(verified(promise, fewer, original, &order).ok());
    std::vector<uint32_t> beyond = order;
    beyond.back() = static_cast<uint32_t>(original.size());
    EXPECT_FALSE(verified(promise, release, original, &beyond).ok());
  }
}

TEST(Verify, MissingRowsAreCountedAgainstWhatMayBeDropped) {
  People people(3);
  const Rows original = people.originals(20);
  auto result = [&](size_t released, double most) {
    Promise promise = people_promise();
    promise.most_dropped = most;
    const Verification verification =
        verified(promise, Rows(original.begin(), original.begin() + static_cast<ptrdiff_t>(released)), original);
    const VerificationCheck* rows = check_named(verification, "rows");
    return rows ? rows->result : CheckResult::failed;
  };
  EXPECT_EQ(result(20, 0), CheckResult::passed);
  EXPECT_EQ(result(19, 0), CheckResult::failed);
  EXPECT_EQ(result(18, 0.1), CheckResult::passed);
  EXPECT_EQ(result(17, 0.1), CheckResult::failed);
  EXPECT_EQ(result(0, 1), CheckResult::failed) << "no rows at all";
}

TEST(Verify, MeansAreCheckedOrSaidNotToBe) {
  const Rows original{{"20", "f", "no"}, {"30", "f", "no"}, {"40", "m", "no"}, {"50", "m", "no"}};
  const Rows release{{"25.00", "f", "no"}, {"25.00", "f", "no"}, {"45.00", "m", "no"}, {"45.00", "m", "no"}};
  Promise promise = people_promise();
  promise.means = {"age", "sex"};
  promise.most_dropped = 1;
  auto means = [&](const Rows& rows, const std::vector<uint32_t>* witness = nullptr) {
    return check_named(verified(promise, rows, original, witness), "means")->result;
  };
  EXPECT_EQ(means(release), CheckResult::passed);
  Rows wrong = release;
  wrong[0][0] = wrong[1][0] = "25.01";
  EXPECT_EQ(means(wrong), CheckResult::failed);
  const Rows turned{release[2], release[0], release[3], release[1]}, dropped{release[0], release[1]};
  EXPECT_EQ(means(turned), CheckResult::passed) << "who is f and who is m tells the groups, whatever the order";
  Rows turned_wrong = turned;
  turned_wrong[1][0] = turned_wrong[3][0] = "25.01";
  EXPECT_EQ(means(turned_wrong), CheckResult::failed);
  EXPECT_EQ(means(dropped), CheckResult::not_checked);
  const std::vector<uint32_t> order{2, 0, 3, 1}, kept{0, 1}, wrong_order{0, 2, 3, 1};
  EXPECT_EQ(means(turned, &order), CheckResult::passed);
  EXPECT_EQ(means(dropped, &kept), CheckResult::passed);
  EXPECT_FALSE(verified(promise, turned, original, &wrong_order).ok());
  const Rows all_f{{"20", "f", "no"}, {"30", "f", "no"}, {"40", "f", "no"}, {"50", "f", "yes"}};
  const Rows either{{"45.00", "f", "yes"}, {"45.00", "f", "no"}, {"25.00", "f", "no"}, {"25.00", "f", "no"}};
  const Verification unknown = verified(promise, either, all_f);
  EXPECT_EQ(check_named(unknown, "means")->result, CheckResult::not_checked) << "30 and 40 could be in either group";
  EXPECT_FALSE(unknown.ok()) << "what was not checked is not kept";
}

TEST(Verify, OnlyPromisedColumnsMayBeThere) {
  const Rows rows{{"20", "f", "no", "Ann"}};
  auto ok = [&](std::vector<std::string> columns, bool others) {
    Promise promise = people_promise();
    promise.others = others;
    MemoryTable release(std::move(columns), rows), original({"age", "sex", "sick", "town"}, rows);
    NoEngine engine;
    Progress progress;
    return verify(promise, {release, engine, {}}, nullptr, false, progress).ok();
  };
  EXPECT_TRUE(ok({"age", "sex", "sick", "town"}, true));
  EXPECT_FALSE(ok({"age", "sex", "sick", "town"}, false));
  EXPECT_FALSE(ok({"age", "sex", "sick", "name"}, true)) << "hidden";
  EXPECT_FALSE(ok({"age", "sex", "town", "job"}, true)) << "a column is missing";
}

// A source may begin again in the middle of being read beside another.
TEST(Verify, SourcesMayBeginAgain) {
  People people(4);
  const Rows original = people.originals(40), release = people.recoded(original);
  for (int who = 0; who < 4; ++who) {
    MemoryTable released(kColumns, release, 5, who & 1), originals(kColumns, original, 3, who & 2);
    EXPECT_TRUE(verified(people_promise(), released, originals).ok()) << who;
  }
}

TEST(Verify, NothingCheckedIsNotOk) { EXPECT_FALSE(Verification().ok()); }

TEST(Verify, CellsStandInTheCulpritOnly) {
  const Rows original{{"20", "f", "secret-a"}, {"30", "m", "secret-b"}};
  for (const Rows& release : {Rows{{"20", "f", "secret-b"}, {"30", "m", "secret-b"}},
                              Rows{{"77777", "f", "secret-a"}, {"30", "m", "secret-b"}},
                              Rows{{"20", "f", "secret-c"}, {"30", "m", "secret-b"}}}) {
    const Verification verification = verified(people_promise(), release, original);
    EXPECT_FALSE(verification.ok());
    for (const VerificationCheck& check : verification.checks) {
      EXPECT_EQ(check.detail.find("secret"), std::string::npos) << check.detail;
      EXPECT_EQ(check.detail.find("77777"), std::string::npos) << check.detail;
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
