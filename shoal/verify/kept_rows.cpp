#include "shoal/verify/kept_rows.h"

#include <fmt/format.h>

#include "shoal/error.h"

namespace shoal {
namespace {

class KeptStream : public TextStream {
 public:
  KeptStream(TextStream& whole, const std::vector<bool>& kept, size_t columns, const std::string& name)
      : whole_(whole), kept_(kept), name_(name), views_(columns) {
    cells_.resize(columns);
  }

  // A chunk may hold none of the rows, which is not the end.
  bool next() override {
    for (size_ = 0; size_ == 0;) {
      const bool more = whole_.next();
      if (more ? seen_ + whole_.size() > kept_.size() : seen_ != kept_.size()) {
        throw Error(ErrorKind::input, fmt::format("'{}' changed while it was read; nothing was released", name_));
      }
      if (!more) return false;
      for (std::vector<std::string_view>& views : views_) views.clear();
      for (size_t i = 0; i < whole_.size(); ++i) {
        if (!kept_[seen_ + i]) continue;
        for (size_t j = 0; j < views_.size(); ++j) views_[j].push_back(whole_.cell(j, i));
        ++size_;
      }
      seen_ += whole_.size();
    }
    for (size_t j = 0; j < views_.size(); ++j) cells_[j] = views_[j].data();
    return true;
  }

 private:
  TextStream& whole_;
  const std::vector<bool>& kept_;
  const std::string& name_;
  std::vector<std::vector<std::string_view>> views_;
  uint64_t seen_ = 0;
};

}  // namespace

void KeptRows::read(std::span<const size_t> columns, const Progress& progress, const Body& body) {
  whole_.read(columns, progress, [&](TextStream& whole) {
    KeptStream stream(whole, kept_, columns.size(), name());
    body(stream);
  });
}

std::string KeptRows::place(uint64_t row) const {
  uint64_t in_whole = 0;
  for (uint64_t left = row + 1; in_whole < kept_.size(); ++in_whole) {
    if (kept_[in_whole] && --left == 0) break;
  }
  return whole_.place(in_whole);
}

}  // namespace shoal
