// The documentation says what the program does.
#include <gtest/gtest.h>

#include "shoal/method/method.h"
#include "testing/run_program.h"

namespace shoal {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Documentation, ReadmeShowsTheMethodsOfTheRegistry) {
  const testing::Workplace place;
  const auto run = place.shoal("methods --markdown");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(read_file(fs::path(testing::kSourceFolder) / "README.md").find(run.out), std::string::npos)
      << "put this between the marks in README.md:\n"
      << run.out;
}

TEST(Documentation, EveryMethodHasItsPage) {
  for (const MethodEntry& method : methods()) {
    EXPECT_TRUE(fs::exists(fs::path(testing::kSourceFolder) / "docs" / "methods" / (method.name + ".md")))
        << method.name;
  }
}

TEST(Documentation, EveryCommandTeaches) {
  const testing::Workplace place;
  for (const char* command : {"anonymize", "apply", "verify", "measure", "risk", "evaluate", "hierarchy build",
                              "hierarchy check", "hierarchy show", "methods", "demo"}) {
    const auto run = place.shoal(std::string(command) + " --help");
    EXPECT_EQ(run.exit_code, 0) << command;
    EXPECT_NE(run.out.find("Example"), std::string::npos) << command << ":\n" << run.out;
  }
}

}  // namespace
}  // namespace shoal
