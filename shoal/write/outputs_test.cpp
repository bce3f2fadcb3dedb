#include "shoal/write/outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "shoal/read/duck.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

namespace fs = std::filesystem;

// An empty folder of its own, gone at the end.
class OutputsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "shoal_outputs_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  std::string text(const std::string& name) const {
    std::ifstream file(at(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  unsigned rights(const std::string& name) const {
    struct stat status {};
    return stat(at(name).c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.insert(entry.path().filename().string());
    return found;
  }
  ptrdiff_t folders_to_spill() const {
    const auto found = names();
    return std::count_if(found.begin(), found.end(), [](const std::string& name) { return name.ends_with(".spill"); });
  }
  // What prepare() says about reading `inputs` and writing `outputs`; "": nothing.
  std::string verdict(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) const {
    Outputs all;
    for (const std::string& path : inputs) all.reads("the table", path);
    for (const std::string& path : outputs) all.writes("the release", path);
    try {
      all.prepare();
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::job);
      return error.what();
    }
  }

  fs::path folder_;
  Progress progress_;
};

TEST_F(OutputsTest, AllAppearTogetherAndPrivatelyUntilThen) {
  put("old.txt", "old");
  const auto before = names();
  Outputs outputs;
  Output &a = outputs.writes("the a", at("a.csv")), &old = outputs.writes("the old", at("old.txt")),
         &none = outputs.writes("nothing", ""), &unwritten = outputs.writes("the rest", at("rest.txt"));
  outputs.prepare();
  a.write("one");
  old.write("new");
  none.write("nowhere");
  EXPECT_TRUE(unwritten.wanted());
  EXPECT_EQ(text("old.txt"), "old");
  EXPECT_FALSE(fs::exists(at("a.csv")));
  for (const std::string& name : names()) {
    if (before.contains(name)) continue;
    EXPECT_TRUE(name.starts_with(".shoal-")) << name;
    EXPECT_EQ(rights(name), 0600u) << name;
  }
  outputs.publish(progress_);
  EXPECT_EQ(text("a.csv"), "one");
  EXPECT_EQ(text("old.txt"), "new");
  EXPECT_FALSE(fs::exists(at("rest.txt"))) << "an output that was never written is not published";
}

TEST_F(OutputsTest, WithoutPublishNothingStays) {
  put("old.txt", "old");
  {
    Outputs outputs;
    outputs.writes("the a", at("a.csv"));
    outputs.writes("the old", at("old.txt")).name();
    outputs.prepare();
    outputs.at("the a").write("one");
    outputs.at("the old").write("new");
  }
  EXPECT_EQ(names(), std::set<std::string>{"old.txt"});
  EXPECT_EQ(text("old.txt"), "old");
}

// Whatever the last step that fails, what was there before is there again.
TEST_F(OutputsTest, AFileThatCannotBePlacedTakesTheOthersBack) {
  put("old.txt", "old");
  Outputs outputs;
  outputs.writes("the new", at("new.txt"));
  outputs.writes("the old", at("old.txt"));
  outputs.writes("the last", at("last.txt"));
  outputs.prepare();
  for (const char* what : {"the new", "the old", "the last"}) outputs.at(what).write("text");
  fs::create_directory(at("last.txt"));  // while the work went on
  try {
    outputs.publish(progress_);
    FAIL() << "a folder was replaced";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nothing was written"), std::string::npos) << error.what();
  }
  EXPECT_EQ(text("old.txt"), "old");
  EXPECT_FALSE(fs::exists(at("new.txt")));
}

TEST_F(OutputsTest, ACancelledRunPublishesNothing) {
  Outputs outputs;
  outputs.writes("the a", at("a.csv"));
  outputs.prepare();
  outputs.at("the a").write("one");
  progress_.cancel();
  EXPECT_THROW(outputs.publish(progress_), Error);
  EXPECT_FALSE(fs::exists(at("a.csv")));
}

TEST_F(OutputsTest, RightsAreThoseOfTheOldFileOrOfAnyNewOne) {
  put("shared.txt", "old");
  fs::permissions(at("shared.txt"), fs::perms(0664));
  put("private.txt", "old");
  fs::permissions(at("private.txt"), fs::perms(0600));
  put("any.txt", "");  // as the system makes a new one
  Outputs outputs;
  for (const char* name : {"shared.txt", "private.txt", "fresh.txt"}) outputs.writes(name, at(name));
  outputs.prepare();
  for (const char* name : {"shared.txt", "private.txt", "fresh.txt"}) outputs.at(name).write("new");
  outputs.publish(progress_);
  EXPECT_EQ(rights("shared.txt"), 0664u);
  EXPECT_EQ(rights("private.txt"), 0600u);
  EXPECT_EQ(rights("fresh.txt"), rights("any.txt"));
}

TEST_F(OutputsTest, ALinkStaysALink) {
  put("real.txt", "old");
  fs::create_symlink("real.txt", at("link.txt"));
  Outputs outputs;
  outputs.writes("the text", at("link.txt"));
  outputs.prepare();
  outputs.at("the text").write("new");
  outputs.publish(progress_);
  EXPECT_TRUE(fs::is_symlink(at("link.txt")));
  EXPECT_EQ(text("real.txt"), "new");
}

TEST_F(OutputsTest, PlacesThatCannotBeWrittenAreNamed) {
  fs::create_directory(at("folder"));
  put("file", "");
  const std::pair<std::string, std::string> places[] = {
      {at("folder"), "is a folder"},
      {at("folder/"), "is a folder"},
      {at("new/"), "is a folder"},
      {at("nowhere/out.csv"), "there is no folder"},
      {at("file/out.csv"), "there is no folder"},
      {at(std::string(300, 'x')), "File name too long"},
  };
  for (const auto& [path, said] : places) {
    EXPECT_NE(verdict({}, {path}).find(said), std::string::npos) << path << ": " << verdict({}, {path});
  }
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  EXPECT_NE(verdict({}, {at("a")}).find("circles"), std::string::npos);
  if (geteuid() != 0) {
    put("closed.txt", "");
    fs::permissions(at("closed.txt"), fs::perms(0444));
    EXPECT_NE(verdict({}, {at("closed.txt")}).find("may not be overwritten"), std::string::npos);
  }
  EXPECT_EQ(verdict({}, {"/dev/null", "/dev/null"}), "");
  for (const std::string& name : names()) EXPECT_FALSE(name.starts_with(".shoal-")) << name;
}

// A pipe and a device are written into; what they are stays.
TEST_F(OutputsTest, StreamsAreWrittenInto) {
  ASSERT_EQ(mkfifo(at("pipe.csv").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = text("pipe.csv"); });
  Outputs outputs;
  outputs.writes("the release", at("pipe.csv"));
  outputs.writes("the report", "/dev/null");
  outputs.prepare();
  std::ofstream(outputs.at("the release").path()) << "from a file";
  outputs.at("the release").done();
  outputs.at("the report").write("from a text");
  outputs.publish(progress_);
  reader.join();
  EXPECT_EQ(received, "from a file");
  EXPECT_TRUE(fs::is_fifo(at("pipe.csv")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputsTest, AFullDeviceSaysSo) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  Outputs outputs;
  outputs.writes("the release", "/dev/full");
  outputs.writes("the report", at("report.json"));
  outputs.prepare();
  outputs.at("the release").write("text");
  outputs.at("the report").write("text");
  try {
    outputs.publish(progress_);
    FAIL() << "a full device took it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("disk full"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(at("report.json"))) << "all or none";
}

// Two paths are the same place exactly when a file made by one name is found by the other. Tried on random names in a
// folder with links to folders, links to files, links to nothing, and hard links.
TEST_F(OutputsTest, SamePlaceIsWhatTheSystemSays) {
  fs::create_directories(at("d/e"));
  fs::create_directory_symlink("d", at("ld"));
  fs::create_directory_symlink("../d/e", at("d/le"));
  put("d/f", "");
  fs::create_hard_link(at("d/f"), at("h"));
  fs::create_symlink("d/f", at("lf"));
  fs::create_symlink("d/new", at("dangling"));
  fs::create_symlink("dangling", at("d/e/far"));
  fs::create_symlink(at("dangling"), at("d/e/absolute"));
  const std::vector<std::string> folders{"", "d/", "ld/", "d/e/", "ld/e/", "d/le/", "d/e/../", "ld/../", "./", "d//"};
  const std::vector<std::string> files{"f", "new", "h", "lf", "dangling", "far", "absolute", "other"};
  std::mt19937_64 random(5);
  size_t same = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::string a = at("") + folders[random() % folders.size()] + files[random() % files.size()];
    const std::string b = at("") + folders[random() % folders.size()] + files[random() % files.size()];
    const bool said = Place(a, 1).same_as(Place(b, 1));
    struct stat before {
    }, one{}, other{};
    const bool existed = stat(a.c_str(), &before) == 0;
    const int made = open(a.c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_GE(made, 0) << a;
    close(made);
    const bool equal = stat(a.c_str(), &one) == 0 && stat(b.c_str(), &other) == 0 && one.st_ino == other.st_ino;
    if (!existed) fs::remove(fs::canonical(a));
    ASSERT_EQ(said, equal) << a << " and " << b;
    same += said;
    EXPECT_EQ(verdict({a}, {b}).find("would overwrite an input") != std::string::npos, equal);
    EXPECT_EQ(verdict({}, {a, b}).find("are the same file") != std::string::npos, equal);
  }
  EXPECT_GT(same, 100u);
}

// What a killed run left is removed by the next one; what a living run holds, and what is not ours, stays.
TEST_F(OutputsTest, AbandonedFilesAreRemoved) {
  put(".shoal-tmp-abcdefghijkl.csv", "left by a killed run");
  put(".shoal-tmp-short", "a user's");
  put(".shoal-tmp-longerthantwelve", "a user's");
  put("shoal-abcdefghijkl.csv", "a user's");
  fs::create_symlink("shoal-abcdefghijkl.csv", at(".shoal-tmp-abcdefghijkm.csv"));
  fs::create_directory(at(".shoal-tmp-abcdefghijkn"));
  fs::create_directory(at(".shoal-tmp-abcdefghijko.csv.spill"));
  put(".shoal-tmp-abcdefghijko.csv.spill/cells", "what did not fit into the memory of a killed run");
  const TemporaryFile alive(folder_.string(), ".csv");
  const DuckDb spilling(1, uint64_t{100'000'000}, alive.path());
  const ptrdiff_t spilled = folders_to_spill();
  Outputs outputs;
  outputs.writes("the release", at("out.csv"));
  outputs.prepare();
  EXPECT_FALSE(fs::exists(at(".shoal-tmp-abcdefghijkl.csv")));
  EXPECT_FALSE(fs::exists(at(".shoal-tmp-abcdefghijko.csv.spill")));
  EXPECT_TRUE(fs::exists(alive.path()));
  EXPECT_EQ(spilled, 2);
  EXPECT_EQ(folders_to_spill(), 1);
  for (const char* name : {".shoal-tmp-short", ".shoal-tmp-longerthantwelve", "shoal-abcdefghijkl.csv",
                           ".shoal-tmp-abcdefghijkm.csv", ".shoal-tmp-abcdefghijkn"}) {
    EXPECT_TRUE(fs::exists(at(name))) << name;
  }
}

// Runs that tidy up the same folder at the same time take no living file of each other.
TEST_F(OutputsTest, TidyingUpLeavesTheLivingAlone) {
  std::vector<std::thread> runs;
  std::atomic<int> lost{0};
  for (int run = 0; run < 4; ++run) {
    runs.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        remove_abandoned_files(folder_.string());
        const TemporaryFile file(folder_.string(), ".csv");
        remove_abandoned_files(folder_.string());
        lost += !fs::exists(file.path());
      }
    });
  }
  for (std::thread& run : runs) run.join();
  EXPECT_EQ(lost, 0);
  EXPECT_TRUE(names().empty());
}

TEST_F(OutputsTest, TemporaryFilesGoBeforeTheProgramDoes) {
  std::vector<std::unique_ptr<TemporaryFile>> files;
  for (int i = 0; i < 10; ++i) files.push_back(std::make_unique<TemporaryFile>(folder_.string(), ".csv"));
  EXPECT_EQ(names().size(), 10u);
  remove_temporary_files();
  EXPECT_TRUE(names().empty());
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
