#include "shoal/read/json_object.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "shoal/error.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Json = nlohmann::ordered_json;

Json random_value(std::mt19937& random, int depth) {
  static const char* const kTexts[] = {"",   "a \"q\" b", "\\", "\n\t\x01", "\xc3\xa4\xe2\x82\xac", "}{][,:",
                                       "  ", "\\u0041",   "/",  "null",     "\xf0\x9f\x90\x9f"};
  switch (random() % (depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return static_cast<int>(random() % 2000) - 1000;
    case 3:
      return static_cast<double>(random() % 100000) / 64;
    case 4:
      return kTexts[random() % std::size(kTexts)];
    case 5: {
      Json list = Json::array();
      for (size_t i = random() % 4; i-- > 0;) list.push_back(random_value(random, depth - 1));
      return list;
    }
    default: {
      Json object = Json::object();
      for (size_t i = random() % 4; i-- > 0;)
        object[kTexts[random() % std::size(kTexts)]] = random_value(random, depth - 1);
      return object;
    }
  }
}

TEST(JsonObject, GivesWhatAParserGives) {
  std::mt19937 random(5);
  std::string room;
  for (int trial = 0; trial < 5000; ++trial) {
    Json object = Json::object();
    for (size_t i = random() % 6; i-- > 0;)
      object[random() % 2 ? "name" + std::to_string(i) : "\xc3\xa4\"\n" + std::to_string(i)] = random_value(random, 3);
    const std::string text = object.dump(random() % 2 ? -1 : 3, random() % 2 ? ' ' : '\t', random() % 2 == 0);
    JsonObject walked(text);
    for (const auto& [name, value] : object.items()) {
      ASSERT_TRUE(walked.next()) << text;
      EXPECT_EQ(walked.name(), name) << text;
      EXPECT_EQ(Json::parse(walked.value()), value) << text;
      const std::string cell(json_cell(walked.value(), room));
      EXPECT_EQ(cell, value.is_null() ? "" : value.is_string() ? value.get<std::string>() : cell) << text;
      if (value.is_structured()) {
        EXPECT_EQ(Json::parse(cell), value) << text;
      }
      const std::string line(json_on_one_line(walked.value(), room));
      EXPECT_EQ(line.find_first_of("\n\t"), std::string::npos) << text;
      EXPECT_EQ(Json::parse(line), value) << text;
    }
    EXPECT_FALSE(walked.next()) << text;
  }
}

TEST(JsonObject, NumbersStayAsTheyStand) {
  JsonObject object(R"({"a":0.1234567890123456789, "b" : 1e3,"c":-0 , "d":12345678901234567890123})");
  std::string room;
  for (const char* value : {"0.1234567890123456789", "1e3", "-0", "12345678901234567890123"}) {
    ASSERT_TRUE(object.next());
    EXPECT_EQ(json_cell(object.value(), room), value);
  }
  EXPECT_FALSE(object.next());
}

TEST(JsonObject, AnyDepth) {
  const size_t depth = 3'000'000;
  const std::string nested = std::string(depth, '[') + std::string(depth, ']');
  const std::string text = "{\"a\":" + nested + ",\"b\":2}";
  JsonObject object(text);
  std::string room;
  ASSERT_TRUE(object.next());
  EXPECT_TRUE(json_cell(object.value(), room) == nested);
  ASSERT_TRUE(object.next());
  EXPECT_EQ(object.value(), "2");
}

// Whatever is cut off or put in: a member, the end or an Error, and never a read beyond the text.
TEST(JsonObject, SpoiltTexts) {
  const std::string text = R"( {"a":"x\"y","b":[1,{"c":null}],"d":true,"e\u0041":-1.5e-3} )";
  std::mt19937 random(6);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string spoilt = text.substr(0, random() % (text.size() + 1));
    for (size_t i = random() % 3; i-- > 0 && !spoilt.empty();) {
      static constexpr std::string_view kMarks = "{}[]\",:\\ nu0";
      spoilt[random() % spoilt.size()] = kMarks[random() % kMarks.size()];
    }
    const std::vector<char> exactly(spoilt.begin(), spoilt.end());
    std::string room;
    try {
      JsonObject object(std::string_view(exactly.data(), exactly.size()));
      for (int members = 0; object.next(); ++members) {
        ASSERT_LT(members, 100);
        json_cell(object.value(), room);
        json_on_one_line(object.value(), room);
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
