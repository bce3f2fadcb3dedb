#include "shoal/job/job_text.h"

#include <gtest/gtest.h>

#include "shoal/error.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Names = std::vector<std::string>;

std::string message_of(const auto& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job);
    return error.what();
  }
  return "(no error)";
}

TEST(JobText, Lists) {
  EXPECT_EQ(split_list("age"), Names{"age"});
  EXPECT_EQ(split_list("age,zip"), (Names{"age", "zip"}));
  EXPECT_EQ(split_list(" age , zip code "), (Names{"age", "zip code"}));
  EXPECT_EQ(split_list(R"("city, state",age)"), (Names{"city, state", "age"}));
  EXPECT_EQ(split_list(R"(age, "a ""b""" )"), (Names{"age", "a \"b\""}));
  EXPECT_EQ(split_list(R"(" a ")"), Names{" a "});
  EXPECT_EQ(split_list(R"(5" pipe,b)"), (Names{"5\" pipe", "b"}));  // a quote counts at the start only
  for (const char* bad : {"", ",", "a,", ",a", "a,,b", "\"\"", " "}) {
    EXPECT_NE(message_of([&] { split_list(bad); }).find("an empty name in the list"), std::string::npos) << bad;
  }
  EXPECT_NE(message_of([] { split_list("\"a,b"); }).find("a quote without its end"), std::string::npos);
  EXPECT_NE(message_of([] { split_list("\"a\"b,c"); }).find("a comma is missing after \"a\""), std::string::npos);
}

TEST(JobText, Requirements) {
  const RequirementJob requirement = parse_requirement("age, zip:10");
  EXPECT_EQ(requirement.columns, (Names{"age", "zip"}));
  EXPECT_EQ(requirement.k, 10u);
  EXPECT_EQ(parse_requirement(R"("a:b",c: 4)").columns, (Names{"a:b", "c"}));
  EXPECT_EQ(parse_requirement("a:b:4").columns, Names{"a:b"});
  EXPECT_EQ(message_of([] { parse_requirement("age,zip"); }),
            "no k in the requirement 'age,zip'; write columns:k, as in age,zip:5");
  EXPECT_NE(message_of([] { parse_requirement("age:x"); }).find("'x' is not a whole number in the requirement 'age:x'"),
            std::string::npos);
  EXPECT_NE(message_of([] { parse_requirement(":4"); }).find("an empty name"), std::string::npos);
}

TEST(JobText, Assignments) {
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(parse_assignment("zip=2"), Pair("zip", "2"));
  EXPECT_EQ(parse_assignment("zip = a=b"), Pair("zip", " a=b"));
  EXPECT_EQ(parse_assignment(R"("a=b"=2)"), Pair("a=b", "2"));
  EXPECT_EQ(parse_assignment("character="), Pair("character", ""));
  EXPECT_EQ(message_of([] { parse_assignment("zip"); }), "'zip' is not of the form name=value");
  EXPECT_EQ(message_of([] { parse_assignment("=2"); }), "'=2' is not of the form name=value");
  EXPECT_EQ(message_of([] { parse_assignment(""); }), "'' is not of the form name=value");
}

TEST(JobText, Hierarchies) {
  EXPECT_EQ(parse_hierarchy("trees/zip.csv").file, "trees/zip.csv");
  EXPECT_FALSE(parse_hierarchy("trees/zip.csv").builder);
  EXPECT_EQ(parse_hierarchy("build:mask").builder->kind, "mask");
  const HierarchySpec spec = parse_hierarchy("build:intervals,edges=0,18,65,levels=3");
  EXPECT_EQ(spec.file, "");
  EXPECT_EQ(spec.builder->settings, (std::map<std::string, std::string>{{"edges", "0,18,65"}, {"levels", "3"}}));
  EXPECT_EQ(parse_hierarchy("build:mask,character=,").builder->settings.at("character"), ",");
  EXPECT_NE(message_of([] { parse_hierarchy("build:intervals,5"); }).find("'5' in 'build:intervals,5'"),
            std::string::npos);
}

TEST(JobText, Words) {
  EXPECT_EQ(parse_delimiter("tab"), "\t");
  EXPECT_EQ(parse_delimiter("\\t"), "\t");
  EXPECT_EQ(parse_delimiter(";"), ";");
  EXPECT_NE(message_of([] { parse_delimiter(""); }).find("is not a single character"), std::string::npos);
  EXPECT_TRUE(parse_unknown_values("root"));
  EXPECT_FALSE(parse_unknown_values("refuse"));
  for (Role role : {Role::identifier, Role::quasi, Role::sensitive, Role::person, Role::target, Role::plain}) {
    EXPECT_EQ(parse_role(to_string(role)), role);
  }
  for (ColumnType type : {ColumnType::automatic, ColumnType::numeric, ColumnType::categorical}) {
    EXPECT_EQ(parse_column_type(to_string(type)), type);
  }
  for (const std::string& kind : builder_kinds()) EXPECT_EQ(parse_builder_kind(kind), kind);
  EXPECT_EQ(parse_whole_number("k", "18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(message_of([] { parse_whole_number("--k", "5 "); }), "--k: '5 ' is not a whole number");
  EXPECT_EQ(message_of([] { parse_number("weight", "2kg"); }), "weight: '2kg' is not a number");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
