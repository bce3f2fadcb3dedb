#include "shoal/read/text_blocks.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "shoal/error.h"

namespace shoal {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

// What a compressed file's name says of it, and what is wrong with it then.
[[noreturn]] void cannot_unpack(const PackedText& text, std::string_view why) {
  throw Error(ErrorKind::input, fmt::format("cannot unpack '{}', which is compressed with {} by its name: {}",
                                            text.name, text.compression, why));
}
constexpr std::string_view kNotPacked = "it does not begin as such a file does; name it as what it is";
constexpr std::string_view kDamaged = "it is damaged; get it once more";
constexpr std::string_view kCutOff = "it ends too early; get it once more";

class PackedBytes {
 public:
  explicit PackedBytes(const PackedText& text)
      : text_(text), file_(text.path, std::ios::binary), buffer_(kBlockBytes) {}

  // The next bytes of the file; empty at its end.
  std::string_view next() {
    file_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (file_.bad()) {
      throw Error(ErrorKind::input, fmt::format("cannot read '{}': {}", text_.name, std::strerror(errno)));
    }
    return {buffer_.data(), static_cast<size_t>(file_.gcount())};
  }

 private:
  const PackedText& text_;
  std::ifstream file_;
  std::vector<char> buffer_;
};

// Unpacks what it is given; `out` takes some of it, and there may be more until it comes back empty.
class Gunzip {
 public:
  explicit Gunzip(const PackedText& text) : text_(text) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzip() { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  void give(std::string_view bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    if (!looked_) began_ = bytes.starts_with("\x1f\x8b");
    looked_ = true;
  }
  size_t take(std::vector<char>& out) {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0) {
      if (ended_) {
        // Zeros fill up the last block of a tape; anything else is the next part.
        while (stream_.avail_in > 0 && *stream_.next_in == 0) ++stream_.next_in, --stream_.avail_in;
        if (stream_.avail_in == 0) break;
        if (inflateReset(&stream_) != Z_OK) cannot_unpack(text_, kDamaged);
        ended_ = false;
      }
      if (stream_.avail_in == 0 && held_nothing_) break;
      const int said = inflate(&stream_, Z_NO_FLUSH);
      held_nothing_ = stream_.avail_out > 0;
      if (said == Z_MEM_ERROR) throw std::bad_alloc();
      if (said == Z_BUF_ERROR) break;
      if (said != Z_OK && said != Z_STREAM_END) cannot_unpack(text_, began_ ? kDamaged : kNotPacked);
      ended_ = said == Z_STREAM_END;
    }
    return out.size() - stream_.avail_out;
  }
  bool complete() const { return ended_; }

 private:
  const PackedText& text_;
  z_stream stream_{};
  bool ended_ = false, held_nothing_ = true;
  bool looked_ = false, began_ = false;  // at the first bytes; they are gzip's
};

class Unzstd {
 public:
  explicit Unzstd(const PackedText& text) : text_(text), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!stream_) throw std::bad_alloc();
  }

  void give(std::string_view bytes) {
    in_ = {bytes.data(), bytes.size(), 0};
    if (!looked_) began_ = bytes.starts_with("\x28\xb5\x2f\xfd");
    looked_ = true;
  }
  size_t take(std::vector<char>& out) {
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    while (to.pos < to.size) {
      const size_t before_in = in_.pos, before_out = to.pos;
      if (complete() && in_.pos == in_.size) break;
      const size_t said = ZSTD_decompressStream(stream_.get(), &to, &in_);
      if (ZSTD_isError(said)) cannot_unpack(text_, began_ ? kDamaged : kNotPacked);
      wanted_ = said;
      if (in_.pos == before_in && to.pos == before_out) break;
    }
    return to.pos;
  }
  bool complete() const { return wanted_ == 0; }

 private:
  const PackedText& text_;
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  size_t wanted_ = 1;  // 0: a part has ended
  bool looked_ = false, began_ = false;
};

template <typename Unpacker>
void unpack(const PackedText& text, const Progress& progress, const std::function<bool(std::string_view)>& see) {
  PackedBytes bytes(text);
  Unpacker unpacker(text);
  std::vector<char> out(kBlockBytes);
  for (std::string_view packed = bytes.next(); !packed.empty(); packed = bytes.next()) {
    unpacker.give(packed);
    while (const size_t count = unpacker.take(out)) {
      progress.check();
      if (!see({out.data(), count})) return;
    }
  }
  if (!unpacker.complete()) cannot_unpack(text, kCutOff);
}

}  // namespace

void for_blocks(const PackedText& text, const Progress& progress, const std::function<bool(std::string_view)>& see) {
  if (text.compression == "gzip") return unpack<Gunzip>(text, progress, see);
  if (text.compression == "zstd") return unpack<Unzstd>(text, progress, see);
  PackedBytes bytes(text);
  for (std::string_view block = bytes.next(); !block.empty(); block = bytes.next()) {
    progress.check();
    if (!see(block)) return;
  }
}

std::string start_of(const PackedText& text, size_t bytes, const Progress& progress) {
  std::string start;
  for_blocks(text, progress, [&](std::string_view block) {
    start += block.substr(0, bytes - start.size());
    return start.size() < bytes;
  });
  return start;
}

}  // namespace shoal
