// Tables of JSON lines, through the reader that the program uses: every row has a text for every column.
#include "fuzz/fuzz.h"
#include "shoal/read/file_table.h"

using namespace shoal;

FUZZ_TARGET(bytes) {
  static DuckDb duck(1, std::nullopt);
  // The ending tells the format, so this file needs a name.
  static const std::string path = "/tmp/shoal_fuzz_" + std::to_string(getpid()) + ".jsonl";
  static const struct Remover {
    ~Remover() { unlink(path.c_str()); }
  } remover;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  const std::string text = bytes.rest();
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  const Progress progress;
  const Source source(path, "", duck, progress);
  FileTable table(source, duck);
  std::vector<size_t> all;
  for (size_t column = 0; column < source.columns().size(); ++column) all.push_back(column);
  table.read(all, progress, [&](TextStream& stream) {
    while (stream.next()) {
      for (size_t row = 0; row < stream.size(); ++row) {
        for (size_t column : all)
          fuzz::expect(stream.cell(column, row).size() <= 8 * text.size(), "no cell is invented");
      }
    }
  });
}
