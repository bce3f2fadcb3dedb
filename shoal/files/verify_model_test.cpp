// Released trees and the second opinion on them: what lies is found out, and nothing in a file can do harm.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "shoal/error.h"
#include "shoal/files/model_file.h"
#include "shoal/files/verify_model.h"
#include "shoal/read/temporary_file.h"
#include "shoal/shoal.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

class ReleasedTree : public ::testing::Test {
 protected:
  ReleasedTree() {
    std::string text = "age,job,class\n";
    for (int i = 0; i < 120; ++i) {
      const std::string job = i % 4 == 0 ? "judge" : i % 4 == 1 ? "cook" : "clerk";
      text += std::to_string(20 + i % 40) + "," + job + "," + ((i % 40 > 20) != (i % 4 == 0) ? "y" : "n") + "\n";
    }
    std::ofstream(file_.path()) << text;
    job_.files.input = file_.path();
    job_.column("age").role = Role::quasi;
    job_.column("job").role = Role::quasi;
    job_.column("class").role = Role::target;
    job_.k = 5;
    job_.method = "kadet";
  }
  nlohmann::json released() {
    TemporaryFile output(".json");
    job_.files.output = output.path();
    Progress progress;
    const Report report = anonymize_files(job_, progress);
    EXPECT_EQ(report.status, Status::released) << report.reason;
    std::ifstream written(output.path());
    return nlohmann::json::parse(written);
  }
  Verification verify(const nlohmann::json& model) {
    Progress progress;
    return verify_model(job_, read_shown_tree(model.dump(), "tree.json"), file_.path(), progress);
  }
  TemporaryFile file_{".csv"};
  FileJob job_;
};

nlohmann::json& first_leaf(nlohmann::json& node) {
  return node.contains("branches") ? first_leaf(node["branches"][0]) : node;
}

TEST_F(ReleasedTree, IsReleasedAndVerified) {
  nlohmann::json model = released();
  ASSERT_TRUE(model["tree"].contains("branches"));
  EXPECT_TRUE(verify(model).ok());
  EXPECT_EQ(model["tree"]["rows"], 120);
}

TEST_F(ReleasedTree, ThatLiesIsFoundOut) {
  const nlohmann::json model = released();
  nlohmann::json wrong_count = model;
  first_leaf(wrong_count["tree"])["class_rows"][0] = 1000;
  EXPECT_FALSE(verify(wrong_count).ok());
  nlohmann::json other_column = model;
  other_column["tree"]["column"] = "class";
  EXPECT_FALSE(verify(other_column).ok());
  nlohmann::json lost_branch = model;
  lost_branch["tree"]["branches"].erase(0);
  EXPECT_FALSE(verify(lost_branch).ok());
  job_.k = 100;  // the leaves are smaller
  EXPECT_FALSE(verify(model).ok());
}

TEST_F(ReleasedTree, NeedsAModelsName) {
  job_.files.output = "release.csv";
  Progress progress;
  EXPECT_THROW(anonymize_files(job_, progress), Error);
}

// Every number and name that the file shows, not only what the leaves say.
TEST_F(ReleasedTree, IsBelievedInNothing) {
  const nlohmann::json model = released();
  ASSERT_TRUE(verify(model).ok());
  auto altered = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json copy = model;
    copy.at(nlohmann::json::json_pointer(pointer)) = value;
    return verify(copy);
  };
  EXPECT_FALSE(altered("/tree/rows", 121).ok());
  EXPECT_FALSE(altered("/tree/class_rows/1", 3).ok());
  EXPECT_FALSE(altered("/tree/branches/0/rows", 1).ok());
  EXPECT_FALSE(altered("/tree/class", model["tree"]["class"] == "y" ? "n" : "y").ok());
  EXPECT_FALSE(altered("/k", 100).ok());
  EXPECT_FALSE(altered("/columns/0", "class").ok());
  EXPECT_FALSE(altered("/target", "job").ok());
  EXPECT_FALSE(altered("/classes", {"n", "x"}).ok());
  EXPECT_FALSE(altered("/classes", {model["classes"][1], model["classes"][0]}).ok());
}

// Each value of the file in turn is replaced by each of these, or taken away: an error or a failed check, unless the
// value means the same.
TEST_F(ReleasedTree, MayBeAlteredInAnyWayWithoutHarm) {
  const nlohmann::json model = released();
  const nlohmann::json strange = {nullptr,
                                  true,
                                  -1,
                                  0,
                                  UINT64_MAX,
                                  1e300,
                                  -0.5,
                                  "",
                                  "*",
                                  "\u0000'\"; --",
                                  nlohmann::json::array(),
                                  {1, 2, 3},
                                  nlohmann::json::object(),
                                  {{"rows", 1}}};
  size_t passed = 0, failed = 0, refused = 0;
  auto look_at = [&](const nlohmann::json& altered) {
    try {
      ++(verify(altered).ok() ? passed : failed);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      EXPECT_EQ(std::string(error.what()).rfind("'tree.json' is not a decision tree as shoal writes it: ", 0), 0u)
          << error.what();
      ++refused;
    }
  };
  std::set<std::string> places;  // of the first nodes down to a leaf, for each look costs a query
  const nlohmann::json flat = model.flatten();
  for (const auto& item : flat.items()) {
    if (item.key().find("/branches/1") != std::string::npos) continue;
    for (nlohmann::json::json_pointer at(item.key()); !at.empty(); at.pop_back()) places.insert(at.to_string());
  }
  for (const std::string& place : places) {
    const nlohmann::json::json_pointer at(place);
    for (const nlohmann::json& value : strange) {
      nlohmann::json altered = model;
      altered[at] = value;
      if (altered != model) look_at(altered);
    }
    nlohmann::json altered = model;
    nlohmann::json& parent = altered[at.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(at.back());
    } else {
      parent.erase(std::stoul(at.back()));
    }
    look_at(altered);
  }
  // What may change: the name of the method, the claim of a smaller k, thresholds between the same numbers.
  EXPECT_LT(passed, 12u);
  EXPECT_GT(failed, 50u);
  EXPECT_GT(refused, 400u);
  nlohmann::json leaking = model;
  leaking["tree"]["names"] = {"Ann", "Bob"};
  EXPECT_THROW(verify(leaking), Error);
}

// As many levels of nested text as one likes.
TEST(ShownTree, DepthIsRefused) {
  const std::string node = R"("rows": 1, "class": "y", "class_rows": [1])";
  auto chain = [&](int depth) {
    std::string text = R"({"model": "decision tree", "method": "kadet", "k": 1, "target": "t", "classes": ["y"],)"
                       R"( "columns": ["a"], "tree": {)" +
                       node;
    for (int i = 0; i < depth; ++i) text += R"(, "column": "a", "branches": [{"is": "x", )" + node;
    for (int i = 0; i < depth; ++i) text += "}]";
    return text + "}}";
  };
  EXPECT_EQ(read_shown_tree(chain(kDeepestShownTree), "tree.json").nodes.size(), size_t(kDeepestShownTree) + 1);
  EXPECT_THROW(read_shown_tree(chain(kDeepestShownTree + 1), "tree.json"), Error);
  EXPECT_THROW(read_shown_tree(chain(300000), "tree.json"), Error);
  EXPECT_THROW(read_shown_tree("{\"tree\": " + std::string(1000000, '['), "tree.json"), Error);
}

ModelFile kind_of(const std::string& text) {
  const TemporaryFile file(".json");
  std::ofstream(file.path(), std::ios::binary) << text;
  return model_file(file.path());
}

TEST(ModelFile, IsToldByContent) {
  EXPECT_EQ(kind_of(R"( {"model": "decision tree", "tree": {}})"), ModelFile::tree);
  EXPECT_EQ(kind_of(R"({"classes": [1], "k": 1.5, "tree": {"model": 1}, "model": "decision tree"})"), ModelFile::tree);
  EXPECT_EQ(kind_of(R"({"model": "decision tree", "k": )"), ModelFile::tree);  // cut off
  EXPECT_EQ(kind_of(R"({"model": "estate", "tree": {}})"), ModelFile::other);
  EXPECT_EQ(kind_of(R"({"model": "decision tree", "tree": "oak"})"), ModelFile::other);
  EXPECT_EQ(kind_of(R"({"car": {"model": "decision tree", "tree": {}}})"), ModelFile::other);
  EXPECT_EQ(kind_of("{\"a\": 1}\n{\"model\": \"decision tree\", \"tree\": {}}\n"), ModelFile::other);
  EXPECT_EQ(kind_of(R"([{"model": "decision tree", "tree": {}}])"), ModelFile::other);
  EXPECT_EQ(kind_of(""), ModelFile::other);
  EXPECT_EQ(kind_of(" \n"), ModelFile::other);
  EXPECT_EQ(model_file("nowhere.json"), ModelFile::other);

  EXPECT_EQ(kind_of("age <= 27.5: yes (120/14)\nage > 27.5: no (30/0)\n"), ModelFile::tree_text);
  EXPECT_EQ(kind_of("age <= 27.5\n|   job = cook\n|   |   zip missing: no (5/0)\n"), ModelFile::tree_text);
  EXPECT_EQ(kind_of("yes (120/14)\n"), ModelFile::tree_text);
  EXPECT_EQ(kind_of("yes (120/14)\nno (1/2)\n"), ModelFile::other);
  EXPECT_EQ(kind_of("age,job\n27,cook\n"), ModelFile::other);
  EXPECT_EQ(kind_of("age <= 27.5\njob = cook (5/0)\n"), ModelFile::other);
  EXPECT_EQ(kind_of(std::string("a = b\0(1/2\n", 11)), ModelFile::other);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
