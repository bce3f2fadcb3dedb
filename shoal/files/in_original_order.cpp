#include "shoal/files/in_original_order.h"

#include <fmt/format.h>

#include <cstring>

#include "shoal/error.h"
#include "shoal/run/counted.h"
#include "shoal/write/lines_in_order.h"

namespace shoal {
namespace {

constexpr uint32_t kNull = UINT32_MAX;  // a length that stands for a cell that is missing

// Cells of a row one after the other, each behind its length.
void append_cell(std::string& line, std::string_view cell) {
  const uint32_t length = cell.data() == nullptr ? kNull : static_cast<uint32_t>(cell.size());
  line.append(reinterpret_cast<const char*>(&length), sizeof length);
  line.append(cell);
}

class OrderedStream : public TextStream {
 public:
  // `kept`: SpilledWitness::kept.
  OrderedStream(LinesInOrder& lines, size_t columns, const std::vector<bool>* kept)
      : lines_(lines), kept_(kept), views_(columns) {
    cells_.resize(columns);
  }

  bool next() override {
    // Of a part all rows may have been dropped, which is not the end.
    for (size_ = 0; size_ == 0;) {
      if (!lines_.next(texts_)) return false;
      take_texts();
    }
    for (size_t j = 0; j < views_.size(); ++j) cells_[j] = views_[j].data();
    return true;
  }

 private:
  void take_texts() {
    for (auto& views : views_) {
      views.clear();
      views.reserve(texts_.size());
    }
    for (std::string_view text : texts_) {
      const bool kept = kept_ == nullptr || (*kept_)[row_];
      ++row_;
      if (kept != (text.data() != nullptr)) {
        throw Error(ErrorKind::job, kept ? "two released rows stand for one row of the table; nothing was released"
                                         : "a released row stands for one that was dropped; nothing was released");
      }
      if (!kept) continue;
      ++size_;
      size_t at = 0;
      for (auto& views : views_) {
        uint32_t length = 0;
        std::memcpy(&length, text.data() + at, sizeof length);
        at += sizeof length;
        views.push_back(length == kNull ? std::string_view() : text.substr(at, length));
        at += length == kNull ? 0 : length;
      }
    }
  }

  LinesInOrder& lines_;
  const std::vector<bool>* const kept_;
  size_t row_ = 0;
  std::vector<std::string_view> texts_;
  std::vector<std::vector<std::string_view>> views_;
};

}  // namespace

void InOriginalOrder::read(std::span<const size_t> columns, const Progress& progress, const Body& body) {
  const uint64_t kept = witness_.row_of_release.size();
  const auto rows = static_cast<uint32_t>(witness_.kept != nullptr ? witness_.kept->size() : kept);
  release_.read(columns, progress, [&](TextStream& stream) {
    LinesInOrder lines(rows, witness_.folder, progress, witness_.most_bytes);
    SpilledRecords::Reader row_of(witness_.row_of_release);
    uint64_t released = 0;
    while (stream.next()) {
      progress.check();
      for (size_t i = 0; i < stream.size(); ++i, ++released) {
        const uint64_t* const row = row_of.next();
        if (row == nullptr || *row >= rows) {
          throw Error(ErrorKind::job, fmt::format("the written release has a row that none of the {} rows of the table "
                                                  "stands behind; nothing was released",
                                                  rows));
        }
        std::string& line = lines.line(static_cast<uint32_t>(*row));
        for (size_t j = 0; j < columns.size(); ++j) append_cell(line, stream.cell(j, i));
      }
    }
    if (released != kept) {
      throw Error(ErrorKind::job,
                  fmt::format("the written release has {}, and {} of the table were kept; nothing was released",
                              counted(released, "row"), kept));
    }
    OrderedStream ordered(lines, columns.size(), witness_.kept);
    body(ordered);
  });
}

}  // namespace shoal
