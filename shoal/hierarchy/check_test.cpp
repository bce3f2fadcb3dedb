// Everything that can be wrong with a hierarchy file: severity, line, and the words that matter.

#include <gtest/gtest.h>

#include "shoal/error.h"
#include "shoal/hierarchy/tree.h"
#include "shoal/read/read_tree.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::TextFile;
using Severity = HierarchyFault::Severity;

struct Expected {
  Severity severity;
  size_t line;
  std::vector<std::string> words;
};

std::string listed(const std::vector<HierarchyFault>& faults) {
  std::string text;
  for (const auto& fault : faults) {
    text += (fault.severity == Severity::error ? "error " : "warning ") + std::to_string(fault.line) + ": " +
            fault.message + "\n";
  }
  return text;
}

void expect_faults(const std::vector<HierarchyFault>& faults, const std::vector<Expected>& expected) {
  ASSERT_EQ(faults.size(), expected.size()) << listed(faults);
  for (size_t i = 0; i < faults.size(); ++i) {
    EXPECT_EQ(faults[i].severity, expected[i].severity) << listed(faults);
    EXPECT_EQ(faults[i].line, expected[i].line) << listed(faults);
    for (const std::string& word : expected[i].words) {
      EXPECT_NE(faults[i].message.find(word), std::string::npos) << word << " in " << faults[i].message;
    }
  }
}

// check_tree lists exactly these, and read_tree throws the first error with file and line.
void expect(const std::string& name, std::string_view content, const std::vector<Expected>& expected) {
  const TextFile file(name, content);
  expect_faults(check_tree(file.path(), std::nullopt), expected);
  const auto first = std::find_if(expected.begin(), expected.end(),
                                  [](const auto& fault) { return fault.severity == Severity::error; });
  if (first == expected.end()) {
    std::vector<HierarchyFault> warnings;
    read_tree(file.path(), &warnings);
    expect_faults(warnings, expected);
    return;
  }
  try {
    read_tree(file.path());
    FAIL() << "read without an error: " << content;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    const std::string start =
        first->line == 0 ? file.path() + ": " : file.path() + " line " + std::to_string(first->line) + ": ";
    EXPECT_EQ(std::string(error.what()).rfind(start, 0), 0U) << error.what();
    for (const std::string& word : first->words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in " << error.what();
    }
  }
}

TEST(Faults, ValueWithTwoParents) {
  const Expected fault{Severity::error, 3, {"'a'", "two parents", "'A' (line 1)", "'B'", "keep one"}};
  expect("a.csv", "a;A;*\nb;B;*\na;B;*\n", {fault});
  expect("a.txt", "A\n  a\nB\n  b\n  a\n", {{Severity::error, 5, {"'a'", "two parents", "'A' (line 2)", "'B'"}}});
  expect("a.json", "{\"A\": [\"a\"],\n \"B\": [\"b\",\n  \"a\"]}", {{Severity::error, 3, {"'a'", "two parents"}}});
}

TEST(Faults, TheSameWrongPlaceIsNamedOnce) {
  expect("a.csv", "a;Other;X;*\nb;Other;Y;*\nc;Other;Y;*\nd;Other;Z;*\n",
         {{Severity::error, 2, {"'Other'", "names two nodes", "'X' (line 1)", "'Y'", "ambiguous", "rename"}},
          {Severity::error, 4, {"'Other'", "'X' (line 1)", "'Z'"}}});
}

TEST(Faults, OneLabelForTwoNodes) {
  expect("a.txt", "Any\n  X\n    Other\n      a\n  Y\n    Other\n      b\n",
         {{Severity::error, 6, {"'Other'", "names two nodes", "'X' (line 3)", "under 'Y'"}}});
  expect("a.json", R"({"Any": {"X": {"Other": ["a"]}, "Y": {"Other": ["b"]}}})",
         {{Severity::error, 1, {"'Other'", "names two nodes"}}});
  // Two depths: under the root, and under X.
  expect("a.csv", "a;a;Other;*\nb;Other;X;*\n", {{Severity::error, 2, {"'Other'", "names two nodes"}}});
}

TEST(Faults, OneLabelAtTwoLevelsForDifferentValues) {
  expect("a.csv", "a;Other;Other;*\nb;b;Other;*\nc;C;C;*\n",
         {{Severity::error, 2, {"level 1", "'Other'", "'b'", "ambiguous"}}});
}

TEST(Faults, Cycles) {
  expect("a.csv", "x;X;X;*\na;b;a;*\n", {{Severity::error, 2, {"cycle", "'a'", "its own ancestor", "line 2"}}});
  expect("a.txt", "Any\n  a\n    b\n      a\n", {{Severity::error, 4, {"cycle", "'a'", "its own ancestor", "line 2"}}});
  expect("a.json", R"({"Any": {"a": {"b": {"Any": ["c"]}}}})", {{Severity::error, 1, {"cycle", "root"}}});
}

TEST(Faults, AValueThatIsAlsoAnInnerNode) {
  expect("a.csv", "a;b;*\nb;c;*\n", {{Severity::error, 2, {"'b'", "a value here", "inner label on line 1", "rename"}}});
  expect("a.csv", "b;c;*\na;b;*\nd;b;*\n", {{Severity::error, 2, {"'b'", "an inner label here", "a value on line 1"}}});
  expect("a.csv", "a;b;*\nb;b;*\n", {{Severity::error, 2, {"'b'", "a value here", "inner label on line 1"}}});
  expect("a.txt", "A\n  b\nb\n  c\n", {{Severity::error, 3, {"'b'", "an inner label here", "a value on line 2"}}});
}

TEST(Faults, DuplicateLines) {
  expect("a.csv", "a;A;*\nb;A;*\na;A;*\n", {{Severity::warning, 3, {"duplicate", "'a'", "line 1"}}});
  expect("a.csv", "a;a;A;*\nb;A;A;*\na;A;A;*\n", {{Severity::error, 3, {"'a'", "line 1", "other levels"}}});
  expect("a.txt", "A\n  a\n  b\n  a\n", {{Severity::warning, 4, {"'a'", "twice", "line 2", "ignored"}}});
  expect("a.json", "{\"Any\": {\"A\": [\"a\"],\n\"A\": [\"b\"]}}",
         {{Severity::warning, 2, {"'A'", "twice", "line 1", "one node"}}});
}

TEST(Faults, EmptyLabels) {
  expect("a.csv", "a;A;*\nb;;*\n", {{Severity::error, 2, {"label 2 of 3", "empty"}}});
  expect("a.csv", "a;A;*\n;A;*\n", {{Severity::error, 2, {"label 1 of 3", "empty"}}});
  expect("a.csv", "a;A;*\nb;\" \";*\n", {{Severity::error, 2, {"label 2 of 3", "empty"}}});
  expect("a.json", "{\"Any\": [\"a\",\n\"\"]}", {{Severity::error, 2, {"empty"}}});
}

TEST(Faults, LinesWithAnotherNumberOfLevels) {
  expect("a.csv", "a;A;*\nb;*\nc;A;*\nd;A;x;*\n",
         {{Severity::error, 2, {"2 levels", "most lines have 3"}},
          {Severity::error, 4, {"4 levels", "most lines have 3"}}});
  // The odd one out is named, also when it comes first.
  expect("a.csv", "a;*\nb;A;*\nc;A;*\n", {{Severity::error, 1, {"2 levels", "most lines have 3"}}});
}

TEST(Faults, EmptyFiles) {
  for (const char* name : {"a.csv", "a.tsv", "a.txt", "a.tree", "a.json"}) {
    expect(name, "", {{Severity::error, 0, {"empty"}}});
    expect(name, "\xEF\xBB\xBF\r\n  \n", {{Severity::error, 0, {"empty"}}});
  }
  expect("a.json", "{}", {{Severity::error, 0, {"no labels"}}});
}

TEST(Faults, TheRootsOwnText) {
  expect("a.csv", "a;A;*\n*;*;*\n", {{Severity::error, 2, {"'*'", "root itself", "missing"}}});
  expect("a.csv", "a;A;*\nb;B;Any\n", {{Severity::error, 1, {"'*'", "below the root", "same"}}});
  expect("a.txt", "Any\n  a\n  *\n", {{Severity::error, 3, {"'*'", "below the root"}}});
}

TEST(Faults, Quotes) {
  expect("a.csv", "a;A;*\n\"b;A;*\nc;A;*\n", {{Severity::error, 2, {"quote", "never closed"}}});
  expect("a.csv", "a;A;*\n\"b\"x;A;*\nc;A;*\n", {{Severity::error, 2, {"after a closing quote"}}});
}

TEST(Faults, Indentation) {
  expect("a.txt", "Any\n\ta\n  b\n", {{Severity::error, 2, {"tab", "spaces"}}});
  expect("a.txt", "Any\n    a\n  b\n    c\n", {{Severity::error, 3, {"2 spaces", "'b'", "0, 4 spaces"}}});
}

TEST(Faults, JsonOfAnotherShape) {
  expect("a.json", "{\"Any\": [\"a\",\n  }", {{Severity::error, 2, {"not JSON", "unexpected '}'"}}});
  expect("a.json", "{\"Any\":\n [\"a\", true]}", {{Severity::error, 2, {"true", "label"}}});
  expect("a.json", "{\"Any\":\n [[\"a\"]]}", {{Severity::error, 2, {"a list", "label"}}});
  expect("a.json", "{\"Any\": {\n\"A\": \"a\"}}", {{Severity::error, 2, {"'A'", "'a'", "not a list"}}});
  expect("a.json", "{\"label\": \"Any\",\n\"childs\": [\"a\"]}", {{Severity::error, 2, {"'childs'", "children"}}});
  expect("a.json", "{\"label\": \"Any\",\n\"children\": 3}", {{Severity::error, 2, {"children", "list"}}});
  expect("a.json", "[\"a\", \"\xFF\"]", {{Severity::error, 1, {"not JSON"}}});
}

TEST(Faults, UnknownEndingAndUtf16) {
  expect("a.xls", "a;A;*\n", {{Severity::error, 0, {".csv", ".txt", ".json"}}});
  expect("a.csv",
         std::string_view("\xFF\xFE"
                          "a\0;\0",
                          6),
         {{Severity::error, 0, {"UTF-16", "UTF-8"}}});
}

TEST(Faults, TooDeep) {
  std::string indented, json, table;
  for (size_t depth = 0; depth < 300; ++depth) {
    indented += std::string(depth, ' ') + "n" + std::to_string(depth) + "\n";
    json += "{\"n" + std::to_string(depth) + "\":";
    table += "n" + std::to_string(depth) + ";";
  }
  expect("a.txt", indented, {{Severity::error, 257, {"deeper than 255", "'n256'"}}});
  expect("a.json", json + "[\"a\"]" + std::string(300, '}'), {{Severity::error, 1, {"deeper than 255"}}});
  expect("a.csv", table + "*\n", {{Severity::error, 1, {"301 levels"}}});
  std::string nested_lists(100000, '[');
  expect("a.json", nested_lists, {{Severity::error, 1, {"deeper than 255"}}});
}

TEST(Faults, NumbersOutsideTheirInterval) {
  expect("a.csv", "19;15-19;*\n20;15-19;*\n20.5;20-24;*\n",
         {{Severity::warning, 2, {"'20'", "'15-19'", "does not contain"}}});
  expect("a.csv", "1;[1, 37);[1,99);*\n37;[1, 37);[1,99);*\n99;[37,99];[1,99);*\n",
         {{Severity::warning, 2, {"'37'", "'[1, 37)'"}}, {Severity::warning, 3, {"'99'", "'[1,99)'"}}});
  expect("a.txt", "Any\n  <18\n    17\n    18\n  18+\n    18.0\n    17.5\n  >=65\n    65\n    64\n",
         {{Severity::warning, 4, {"'18'", "'<18'"}},
          {Severity::warning, 7, {"'17.5'", "'18+'"}},
          {Severity::warning, 10, {"'64'", "'>=65'"}}});
  // Several wrong ancestors are one fault; values and labels that are no numbers are left alone.
  expect("a.csv", "20;15-19;10-19;*\nx;15-19;10-19;*\n", {{Severity::warning, 1, {"'15-19', '10-19'"}}});
}

TEST(Faults, BlanksAtTheEndsOfLabels) {
  expect("a.csv", "a; A;*\nb; A;*\nc;B ;*\n", {{Severity::warning, 1, {"2 labels", "blank", "' A'"}}});
}

TEST(Faults, AllOfThemInLineOrder) {
  expect("a.csv", "1;5-9;*\n2;A;*\n2;5-9;*\n3;A\n1;5-9;*\n",
         {{Severity::warning, 1, {"'1'", "'5-9'"}},
          {Severity::error, 3, {"'2'", "two parents"}},
          {Severity::warning, 3, {"'2'", "'5-9'"}},
          {Severity::error, 4, {"2 levels"}},
          {Severity::warning, 5, {"duplicate"}}});
}

TEST(CheckWithValues, MissingAndUnusedLeaves) {
  const TextFile file("a.csv", "Canada;NA;*\nCuba;NA;*\nFrance;EU;*\nSpain;EU;*\n");
  const std::vector<std::string> all{"Spain", "Canada", "Cuba", "France"};
  expect_faults(check_tree(file.path(), all), {});
  const std::vector<std::string> some{"Spain", "Kanada", "France"};
  expect_faults(check_tree(file.path(), some),
                {{Severity::error, 0, {"1 of 3 values", "'Kanada'", "did you mean 'Canada'", "unknown_values: root"}},
                 {Severity::warning, 0, {"2 of 4 values", "'Canada' (line 1), 'Cuba' (line 2)"}}});
}

TEST(CheckWithValues, NamesTheFirstFive) {
  const TextFile file("a.csv", "a;*\nb;*\nc;*\nd;*\ne;*\nf;*\ng;*\n");
  const std::vector<std::string> values{"1", "2", "3", "4", "5", "6", "7", "8"};
  const auto faults = check_tree(file.path(), values);
  expect_faults(faults, {{Severity::error, 0, {"8 of 8", "'1', '2', '3', '4', '5', ..."}},
                         {Severity::warning, 0, {"7 of 7", "'e' (line 5), ..."}}});
  EXPECT_EQ(faults[0].message.find("'6'"), std::string::npos);
}

TEST(CheckWithValues, OtherSpellingsOfANumber) {
  const TextFile file("a.csv", "1;*\n2;*\n");
  const std::vector<std::string> values{"1.0", "2"};
  expect_faults(check_tree(file.path(), values),
                {{Severity::warning, 0, {"1 value of the table is", "'1.0' for '1'", "numeric"}}});
}

TEST(CheckWithValues, ValuesOfFaultyLinesAreNotMissing) {
  const TextFile file("a.csv", "a;A;*\nb;*\nc;A;*\n");
  const std::vector<std::string> values{"a", "b", "c"};
  expect_faults(check_tree(file.path(), values), {{Severity::error, 2, {"2 levels"}}});
}

TEST(CheckWithValues, ARootAloneTakesEveryValue) {
  const TextFile file("a.txt", "Any\n");
  const std::vector<std::string> values{"a"};
  expect_faults(check_tree(file.path(), values), {{Severity::warning, 0, {"only the root"}}});
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
