#include "shoal/read/read_shown_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "shoal/error.h"

namespace shoal {
namespace {

using Json = nlohmann::json;

class TreeReader {
 public:
  TreeReader(const std::string& text, const std::string& file) : file_(file) {
    // Depth is limited while parsing: whatever walks or copies the values afterwards may recurse. Each test of a tree
    // is two levels of JSON, the list of branches and one of them.
    auto shallow = [&](int depth, Json::parse_event_t, const Json&) {
      if (depth > 2 * kDeepestShownTree + 4) fail("", fmt::format("more than {} tests deep", kDeepestShownTree));
      return true;
    };
    try {
      json_ = Json::parse(text, shallow);
    } catch (const Json::exception& error) {
      fail("", error.what());
    }
  }

  ShownTree read() {
    take_object(json_, "", {"model", "method", "k", "target", "classes", "columns", "tree"});
    if (text(json_, "", "model") != "decision tree") fail("/model", "not a decision tree");
    tree_.method = text(json_, "", "method");
    tree_.k = count(field(json_, "", "k"), "/k");
    tree_.target = text(json_, "", "target");
    tree_.classes = names("classes");
    tree_.columns = names("columns");
    if (tree_.classes.empty()) fail("/classes", "no class");
    read_nodes();
    return std::move(tree_);
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& what) const {
    throw Error(ErrorKind::input, fmt::format("'{}' is not a decision tree as shoal writes it: {}{}{}", file_, place,
                                              place.empty() ? "" : ": ", what));
  }
  void take_object(const Json& json, const std::string& place, const std::set<std::string_view>& known) const {
    if (!json.is_object()) fail(place, "must be an object");
    for (const auto& item : json.items()) {
      if (!known.contains(item.key())) fail(place, fmt::format("the field '{}' does not belong there", item.key()));
    }
  }
  const Json& field(const Json& json, const std::string& place, const char* name) const {
    const auto found = json.find(name);
    if (found == json.end()) fail(place, fmt::format("'{}' is missing", name));
    return *found;
  }
  std::string text(const Json& json, const std::string& place, const char* name) const {
    const Json& value = field(json, place, name);
    if (!value.is_string()) fail(fmt::format("{}/{}", place, name), "must be text");
    return value;
  }
  uint64_t count(const Json& value, const std::string& place) const {
    if (!value.is_number_unsigned()) fail(place, "must be a whole number, 0 or more");
    return value;
  }
  const Json& list(const Json& json, const std::string& place, const char* name) const {
    const Json& value = field(json, place, name);
    if (!value.is_array()) fail(fmt::format("{}/{}", place, name), "must be a list");
    return value;
  }
  std::vector<std::string> names(const char* name) const {
    std::vector<std::string> result;
    for (const Json& value : list(json_, "", name)) {
      if (!value.is_string()) fail(fmt::format("/{}", name), "must be a list of texts");
      result.push_back(value);
    }
    if (std::set(result.begin(), result.end()).size() != result.size()) {
      fail(fmt::format("/{}", name), "a name stands there twice");
    }
    return result;
  }

  // Nodes waiting to be read stand in a list of their own, so that depth costs no stack.
  void read_nodes() {
    struct Waiting {
      const Json* json;
      uint32_t parent;
      std::string place;
    };
    std::vector<Waiting> waiting{{&field(json_, "", "tree"), 0, "/tree"}};
    for (size_t at = 0; at < waiting.size(); ++at) {
      const Waiting next = std::move(waiting[at]);
      tree_.nodes.push_back(node(*next.json, next.parent, at == 0, next.place));
      if (tree_.nodes.back().leaf()) continue;
      const Json& branches = list(*next.json, next.place, "branches");
      if (branches.empty()) fail(next.place + "/branches", "must not be empty");
      tree_.nodes.back().first_child = static_cast<uint32_t>(waiting.size());
      tree_.nodes.back().children = static_cast<uint32_t>(branches.size());
      for (size_t i = 0; i < branches.size(); ++i) {
        waiting.push_back({&branches[i], static_cast<uint32_t>(at), fmt::format("{}/branches/{}", next.place, i)});
      }
    }
  }
  ShownTree::Node node(const Json& json, uint32_t parent, bool root, const std::string& place) const {
    take_object(json, place,
                {"rows", "class", "class_rows", "column", "branches", "missing", "is", "at_most", "above"});
    ShownTree::Node node;
    node.parent = parent;
    read_test(json, root, place, node);
    node.rows = count(field(json, place, "rows"), place + "/rows");
    node.majority = text(json, place, "class");
    for (const Json& rows : list(json, place, "class_rows")) {
      node.class_rows.push_back(count(rows, place + "/class_rows"));
    }
    if (node.class_rows.size() != tree_.classes.size()) {
      fail(place + "/class_rows", fmt::format("must have one number for each of the {} classes", tree_.classes.size()));
    }
    if (!json.contains("column") && !json.contains("branches")) return node;
    node.column = text(json, place, "column");
    if (node.column.empty()) fail(place + "/column", "must name a column");
    return node;
  }
  void read_test(const Json& json, bool root, const std::string& place, ShownTree::Node& node) const {
    const size_t tests = json.count("missing") + json.count("is") + json.count("at_most") + json.count("above");
    if (tests != (root ? 0 : 1)) {
      fail(place, root ? "the root has no test" : "needs one of 'missing', 'is', 'at_most', 'above'");
    }
    if (root) return;
    if (json.contains("missing")) {
      node.test = ShownTree::Test::missing;
      if (json["missing"] != true) fail(place + "/missing", "must be true");
    } else if (json.contains("is")) {
      node.test = ShownTree::Test::is;
      node.label = text(json, place, "is");
    } else {
      const bool below = json.contains("at_most");
      node.test = below ? ShownTree::Test::at_most : ShownTree::Test::above;
      const Json& threshold = json[below ? "at_most" : "above"];
      if (!threshold.is_number()) fail(place, "the threshold must be a number");
      node.threshold = threshold;
    }
  }

  const std::string& file_;
  Json json_;
  ShownTree tree_;
};

}  // namespace

ShownTree read_shown_tree(const std::string& json_text, const std::string& file) {
  return TreeReader(json_text, file).read();
}

}  // namespace shoal
