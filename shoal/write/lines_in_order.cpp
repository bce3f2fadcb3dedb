#include "shoal/write/lines_in_order.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "shoal/error.h"

namespace shoal {
namespace {

constexpr size_t kHeader = 2 * sizeof(uint32_t);
constexpr size_t kPartBuffer = 256 << 10;
constexpr uint64_t kMostParts = 1024;

uint32_t word_at(const std::string& text, size_t at) {
  uint32_t word = 0;
  std::memcpy(&word, text.data() + at, sizeof word);
  return word;
}

// visit(position, text) for every record.
template <typename Visit>
void each_record(const std::string& records, Visit&& visit) {
  for (size_t at = 0; at < records.size();) {
    const uint32_t length = word_at(records, at + sizeof(uint32_t));
    visit(word_at(records, at), std::string_view(records).substr(at + kHeader, length));
    at += kHeader + length;
  }
}

void append_record(std::string& records, uint32_t position, std::string_view text) {
  const uint32_t header[] = {position, static_cast<uint32_t>(text.size())};
  records.append(reinterpret_cast<const char*>(header), kHeader).append(text);
}

}  // namespace

LinesInOrder::LinesInOrder(uint32_t lines, std::string folder, const Progress& progress, size_t most_bytes)
    : lines_(lines), folder_(std::move(folder)), progress_(progress), most_bytes_(most_bytes), lines_per_part_(lines) {
  parts_.resize(1);
}

std::string& LinesInOrder::line(uint32_t position) {
  end_line();
  Part& part = parts_[position / lines_per_part_];
  open_ = &part;
  open_at_ = part.records.size();
  ++came_;
  append_record(part.records, position, "");
  return part.records;
}

void LinesInOrder::end_line() {
  if (open_ == nullptr) return;
  Part& part = *open_;
  open_ = nullptr;
  const size_t length = part.records.size() - open_at_ - kHeader;
  if (length > UINT32_MAX) throw Error(ErrorKind::input, "a row of the release has more than 4 GB");
  const auto word = static_cast<uint32_t>(length);
  std::memcpy(part.records.data() + open_at_ + sizeof(uint32_t), &word, sizeof word);
  if (file_) {
    if (part.records.size() >= kPartBuffer) move_to_file(part);
  } else if (part.records.size() > most_bytes_) {
    spread();
  }
}

// There are too many for memory: from now on parts of about a third of it, as the lines so far let expect.
void LinesInOrder::spread() {
  file_ = std::make_unique<TemporaryFile>(folder_, ".lines");
  const std::string records = std::move(parts_.front().records);
  const double expected = static_cast<double>(records.size()) / static_cast<double>(came_) * lines_;
  const auto wanted = static_cast<uint64_t>(expected / (static_cast<double>(most_bytes_) / 3 + 1)) + 1;
  const uint64_t parts = std::clamp<uint64_t>(wanted, 2, std::min<uint64_t>(kMostParts, std::max(lines_, 2U)));
  lines_per_part_ = static_cast<uint32_t>((lines_ + parts - 1) / parts);
  parts_.clear();
  parts_.resize((lines_ + lines_per_part_ - 1) / lines_per_part_);
  each_record(records, [&](uint32_t position, std::string_view text) {
    Part& part = parts_[position / lines_per_part_];
    append_record(part.records, position, text);
    if (part.records.size() >= kPartBuffer) move_to_file(part);
  });
}

void LinesInOrder::move_to_file(Part& part) {
  write_fully(file_->descriptor(), part.records, "the release", progress_);
  part.extents.emplace_back(file_size_, part.records.size());
  file_size_ += part.records.size();
  part.records.clear();
}

std::string LinesInOrder::all_records(Part& part) {
  uint64_t size = 0;
  for (const auto& [begin, length] : part.extents) size += length;
  std::string records(size, '\0');
  uint64_t at = 0;
  for (const auto& [begin, length] : part.extents) {
    for (uint64_t done = 0; done < length;) {
      const ssize_t got = pread(file_->descriptor().number(), records.data() + at + done, length - done,
                                static_cast<off_t>(begin + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        throw Error(ErrorKind::job, fmt::format("cannot read back what was written of the release: {}",
                                                got < 0 ? std::strerror(errno) : "it was cut short"));
      }
      done += static_cast<uint64_t>(got);
    }
    at += length;
  }
  records += part.records;
  return records;
}

bool LinesInOrder::next(std::vector<std::string_view>& texts) {
  end_line();
  texts.clear();
  if (next_part_ == parts_.size() || lines_ == 0) return false;
  progress_.check();
  Part& part = parts_[next_part_];
  given_ = file_ ? all_records(part) : std::move(part.records);
  part = {};
  const uint32_t first = static_cast<uint32_t>(next_part_) * lines_per_part_;
  ++next_part_;
  texts.resize(std::min(lines_per_part_, lines_ - first));
  each_record(given_, [&](uint32_t position, std::string_view text) { texts[position - first] = text; });
  return true;
}

void LinesInOrder::write(const std::function<void(std::string_view text)>& take) {
  std::vector<std::string_view> texts;
  while (next(texts)) {
    for (std::string_view text : texts) take(text);
  }
}

}  // namespace shoal
