#include "shoal/encode/encoding.h"

#include <gtest/gtest.h>

#include <random>

#include "shoal/encode/arrow_table.h"
#include "shoal/error.h"
#include "shoal/measure/cell_loss.h"
#include "shoal/release/arrow_columns.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

Job job_with(const std::vector<std::string>& quasi) {
  Job job;
  for (const std::string& name : quasi) job.column(name).role = Role::quasi;
  job.k = 2;
  return job;
}

std::unique_ptr<ArrowTable> table_of(const std::string& column, const std::vector<std::string>& cells) {
  ArrowColumn texts = ArrowColumn::of_texts(column);
  for (const std::string& cell : cells) texts.add_text(cell);
  ArrowArrayStream stream{};
  ArrowColumns({texts}).stream(stream);
  return std::make_unique<ArrowTable>(stream, "part");
}

Encoding some_encoding(const Job& job) {
  const std::vector<Domain> domains{{"age", {"30", "4", "", "17.5", "?"}, {3, 1, 1, 2, 1}},
                                    {"zip", {"1011", "1012", "2033"}, {1, 1, 1}}};
  return make_encoding(job, domains, {"whole", {}});
}

TEST(Encoding, BytesReadBackTheSame) {
  Job job = job_with({"age", "zip"});
  job.missing = {"?"};
  job.column("zip").hierarchy = HierarchySpec{"", BuilderSpec{"mask", {}}, {}};
  const Encoding encoding = some_encoding(job);
  const std::string bytes = encoding.bytes();
  const Encoding again = Encoding::from_bytes(bytes);
  EXPECT_EQ(again.bytes(), bytes);
  ASSERT_EQ(again.columns.size(), 2U);
  EXPECT_EQ(again.columns[0].type, "numeric");
  EXPECT_EQ(again.columns[0].leaf_of_text, encoding.columns[0].leaf_of_text);
  EXPECT_EQ(again.columns[0].leaf_of_text[2], again.columns[0].leaf_of_text[4]);  // both mean missing
  EXPECT_EQ(again.hierarchies[0].number_range(), 26);
  EXPECT_EQ(again.hierarchies[1].height(), encoding.hierarchies[1].height());
}

TEST(Encoding, ValuesWithoutATreeStandByFrequency) {
  Job job = job_with({"race", "marital"});
  job.column("marital").hierarchy = HierarchySpec{"", BuilderSpec{"flat", {}}, {}};
  const Encoding encoding = make_encoding(
      job, std::vector<Domain>{{"race", {"A", "B", "C", "D"}, {2, 90, 2, 6}}, {"marital", {"m", "s", "w"}, {3, 5, 8}}},
      {"whole", {}});
  EXPECT_EQ(encoding.columns[0].leaf_of_text, (std::vector<uint32_t>{2, 0, 3, 1}));
  EXPECT_EQ(encoding.columns[0].leaf_texts, (std::vector<std::string>{"B", "D", "A", "C"}));
  EXPECT_EQ(encoding.columns[1].leaf_texts, (std::vector<std::string>{"w", "s", "m"}));
}

TEST(Encoding, OtherBytesAreRefused) {
  const std::string bytes = some_encoding(job_with({"age", "zip"})).bytes();
  EXPECT_THROW(Encoding::from_bytes(""), Error);
  EXPECT_THROW(Encoding::from_bytes(bytes + "x"), Error);
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_THROW(Encoding::from_bytes(bytes.substr(0, size)), Error);
  // Whatever is changed, it is refused or gives an encoding that can be used.
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string changed = bytes;
    for (size_t i = 0; i <= random() % 3; ++i) changed[random() % changed.size()] = static_cast<char>(random());
    try {
      const Encoding read = Encoding::from_bytes(changed);
      for (const Hierarchy& hierarchy : read.hierarchies) {
        EXPECT_EQ(hierarchy.common_ancestor(0, static_cast<uint32_t>(hierarchy.leaves() - 1)), Hierarchy::kRoot);
      }
    } catch (const Error&) {
    }
  }
}

TEST(Encoding, PartsOfATableShareTheDomainsOfTheWhole) {
  const Job job = job_with({"age"});
  const std::vector<Domain> domains{{"age", {"0", "50", "100"}, {1, 1, 1}}};
  const Encoding whole = make_encoding(job, domains, {"whole", {}});
  Progress progress;
  ReadTimings timings;
  const EncodedTable part = encode_table(job, *table_of("age", {"50", "0", "50"}), {true, &whole}, timings, progress);
  EXPECT_EQ(part.table.quasi[0].codes[0], 1U);
  EXPECT_EQ(part.table.quasi[0].codes[1], 0U);
  // 0 to 50 is half of the whole table's range, although it is all of the part's.
  const Hierarchy& hierarchy = part.encoding.hierarchies[0];
  EXPECT_EQ(ncp(hierarchy, released_interval(hierarchy, 0, 1)), 0.5);
  try {
    encode_table(job, *table_of("age", {"50", "51"}), {true, &whole}, timings, progress);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'part' row 2: '51' in the column 'age'"), std::string::npos)
        << error.what();
  }
}

TEST(Encoding, HierarchyFilesMustHaveBeenRead) {
  Job job = job_with({"zip"});
  job.column("zip").hierarchy = HierarchySpec{"zip.csv", {}, {}};
  const std::vector<Domain> domains{{"zip", {"1"}, {1}}};
  EXPECT_THROW(make_encoding(job, domains, {"whole", {}}), std::logic_error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
