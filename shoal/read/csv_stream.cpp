#include "shoal/read/csv_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "shoal/read/csv_marks.h"

namespace shoal {
namespace {

constexpr size_t kPadding = 64;          // find_marks looks that far beyond the text
constexpr size_t kLongestRow = 1 << 20;  // DuckDB refuses lines of more than 2 MB
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

// A piece of the file and its rows.
struct CsvStream::Chunk {
  std::vector<char> text;
  CsvMarks marks;
  std::vector<std::vector<std::string_view>> cells;  // for each wanted column
  size_t rows = 0;
  std::string unescaped;  // the cells that had doubled quotes
};

class CsvStream::Parser {
 public:
  Parser(const std::string& path, const CsvShape& shape, std::vector<size_t> slot_of_column, size_t slots)
      : shape_(shape), slot_of_column_(std::move(slot_of_column)), slots_(slots), file_(open(path.c_str(), O_RDONLY)) {
    if (file_ < 0) throw IrregularCsv();
    posix_fadvise(file_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { close(file_); }

  // Fills the chunk with the next rows; none at the end of the file.
  void parse(Chunk& chunk) {
    chunk.rows = 0;
    size_t length = carry_.size();
    chunk.text.resize(std::max(chunk.text.size(), length + kPadding));
    std::copy(carry_.begin(), carry_.end(), chunk.text.begin());
    carry_.clear();
    while (chunk.rows == 0 && !(ended_ && length == 0)) {
      length = read_more(chunk, length);
      find_marks(chunk.text.data(), length, shape_.delimiter, chunk.marks);
      if (chunk.marks.zeros) throw IrregularCsv();
      const size_t done = parse_rows(chunk, length);
      if (!chunk.marks.ascii && !is_utf8({chunk.text.data(), done})) throw IrregularCsv();
      if (length - done > kLongestRow || (ended_ && done < length)) throw IrregularCsv();
      if (chunk.rows > 0) {
        carry_.assign(chunk.text.begin() + static_cast<ptrdiff_t>(done),
                      chunk.text.begin() + static_cast<ptrdiff_t>(length));
      } else {
        std::memmove(chunk.text.data(), chunk.text.data() + done, length - done);
        length -= done;
      }
    }
  }

 private:
  enum class Row { whole, blank, unfinished };

  // Appends a piece of the file to the first `length` bytes; the new length. The last line gets the end it lacks.
  size_t read_more(Chunk& chunk, size_t length) {
    if (ended_) return length;
    chunk.text.resize(std::max(chunk.text.size(), length + shape_.chunk_bytes + 1 + kPadding));
    const size_t before = length;
    while (length < before + shape_.chunk_bytes) {
      const ssize_t count = ::read(file_, chunk.text.data() + length, before + shape_.chunk_bytes - length);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw IrregularCsv();
      ended_ = count == 0;
      if (ended_) break;
      length += static_cast<size_t>(count);
    }
    if (ended_ && length > 0 && chunk.text[length - 1] != '\n') {
      if (chunk.text[length - 1] == '\r') throw IrregularCsv();
      chunk.text[length++] = '\n';
      end_was_added_ = true;
    }
    return length;
  }

  // Parses all whole rows; how many bytes they take.
  size_t parse_rows(Chunk& chunk, size_t length) {
    text_ = chunk.text.data();
    length_ = length;
    marks_ = {chunk.marks.at.data(), chunk.marks.count};
    unescaped_ = &chunk.unescaped;
    unescaped_->clear();
    unescaped_->reserve(length);  // views into it must stay valid
    // A row has at least one mark for each of its cells.
    const size_t most_rows = marks_.size() / shape_.columns + 1;
    chunk.cells.resize(slots_);
    for (auto& cells : chunk.cells) cells.resize(std::max(cells.size(), most_rows));
    // Cells that nobody wants all go to one place: cheaper than to ask for every cell.
    std::vector<Target> targets(shape_.columns, Target{&unwanted_, 0});
    for (size_t j = 0; j < shape_.columns; ++j) {
      if (slot_of_column_[j] < slots_) targets[j] = {chunk.cells[slot_of_column_[j]].data(), 1};
    }
    at_ = mark_ = 0;
    size_t done = 0;
    if (!header_done_) {
      if (!skip_header(targets)) return 0;
      done = at_;
    }
    while (mark_ < marks_.size()) {
      const Row row = parse_row(targets, chunk.rows);
      if (row == Row::unfinished) break;
      done = at_;
      chunk.rows += row == Row::whole;
    }
    return done;
  }

  struct Target {
    std::string_view* cells;
    size_t step;  // 0 or 1 per row
  };

  bool skip_header(std::vector<Target>& targets) {
    if (length_ < kByteOrderMark.size() && !ended_) return false;
    if (std::string_view(text_, length_).starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    const size_t begin = at_;
    const Row row = parse_row(targets, 0);
    if (row == Row::unfinished) return false;
    // A quoted name may hold a line end; the names were found by lines, so DuckDB must say what it makes of that.
    const std::string_view header(text_ + begin, at_ - begin);
    if (row == Row::blank || header.find('\n') + 1 != header.size()) throw IrregularCsv();
    return header_done_ = true;
  }

  // The row that begins at at_, whose first mark is mark_; moves both behind it.
  Row parse_row(const std::vector<Target>& targets, size_t row) {
    const size_t last = shape_.columns - 1;
    size_t begin = at_, mark = mark_;
    for (size_t column = 0;; ++column) {
      if (mark == marks_.size()) return Row::unfinished;
      size_t end = marks_[mark];
      std::string_view cell(text_ + begin, end - begin);
      if (text_[end] == '"') {
        if (end != begin) throw IrregularCsv();
        if (!quoted_cell(mark, cell)) return Row::unfinished;
        end = marks_[mark];
      }
      const char mark_byte = text_[end];
      targets[column].cells[row * targets[column].step] = cell;
      if (column < last && mark_byte == shape_.delimiter) {
        begin = end + 1;
        ++mark;
        continue;
      }
      const bool blank = last > 0 && column == 0 && end == begin;
      if (column < last && !blank) throw IrregularCsv();
      if (last == 0 && end == at_) throw IrregularCsv();
      if (mark_byte == '\r') {
        if (end + 1 == length_) return Row::unfinished;
        ++mark;
        ++end;
      }
      check_line_end(end);
      at_ = end + 1;
      mark_ = mark + 1;
      return blank ? Row::blank : Row::whole;
    }
  }

  // `mark` stands at an opening quote: finds the closing one, moves to the mark behind it. False: not in this chunk.
  bool quoted_cell(size_t& mark, std::string_view& cell) {
    const size_t begin = marks_[mark] + size_t{1};
    bool doubled = false;
    for (++mark;; ++mark) {
      while (mark < marks_.size() && text_[marks_[mark]] != '"') ++mark;
      if (mark >= marks_.size() || marks_[mark] + size_t{1} == length_) return false;
      const size_t next = marks_[mark] + size_t{1};
      if (text_[next] != '"') break;
      doubled = true;
      ++mark;
    }
    const size_t end = marks_[mark];
    ++mark;
    // A mark that is not a quote must follow at once: the loop has seen that it is no quote.
    if (mark == marks_.size() || marks_[mark] != end + 1) throw IrregularCsv();
    cell = std::string_view(text_ + begin, end - begin);
    if (doubled) cell = without_doubled_quotes(cell);
    return true;
  }

  std::string_view without_doubled_quotes(std::string_view cell) {
    const size_t begin = unescaped_->size();
    for (size_t i = 0; i < cell.size(); ++i) {
      *unescaped_ += cell[i];
      i += cell[i] == '"';
    }
    return std::string_view(*unescaped_).substr(begin);
  }

  // All line ends are alike, apart from one that we added.
  void check_line_end(size_t feed) {
    if (text_[feed] != '\n') throw IrregularCsv();
    if (end_was_added_ && feed + 1 == length_) return;
    const bool with_return = feed > 0 && text_[feed - 1] == '\r' && feed > at_;
    if (!line_end_known_) with_return_ = with_return;
    line_end_known_ = true;
    if (with_return != with_return_) throw IrregularCsv();
  }

  const CsvShape shape_;
  const std::vector<size_t> slot_of_column_;  // slots_: not wanted
  const size_t slots_;
  const int file_;
  std::vector<char> carry_;  // the beginning of a row that the last chunk did not finish
  bool ended_ = false, end_was_added_ = false;
  bool header_done_ = false, line_end_known_ = false, with_return_ = false;
  std::string_view unwanted_;

  // The chunk being parsed.
  const char* text_ = nullptr;
  size_t length_ = 0, at_ = 0, mark_ = 0;
  std::span<const uint32_t> marks_;
  std::string* unescaped_ = nullptr;
};

bool CsvStream::knows(char delimiter) { return delimiter != 0 && std::strchr(",;\t|:^~", delimiter) != nullptr; }

CsvStream::CsvStream(const std::string& path, const CsvShape& shape, std::span<const size_t> wanted,
                     const Progress& progress)
    : progress_(progress),
      ahead_(shape.ahead),
      current_(std::make_unique<Chunk>()),
      coming_(std::make_unique<Chunk>()) {
  // A column that is wanted twice is kept once.
  constexpr size_t kNone = SIZE_MAX;
  std::vector<size_t> slot_of_column(shape.columns, kNone);
  size_t slots = 0;
  for (size_t column : wanted) {
    if (slot_of_column[column] == kNone) slot_of_column[column] = slots++;
    slots_.push_back(slot_of_column[column]);
  }
  parser_ = std::make_unique<Parser>(path, shape, std::move(slot_of_column), slots);
  cells_.resize(slots_.size());
}

CsvStream::~CsvStream() = default;

bool CsvStream::next() {
  progress_.check();
  if (parsing_.valid()) {
    parsing_.get();
  } else {
    parser_->parse(*coming_);
  }
  std::swap(current_, coming_);
  size_ = current_->rows;
  if (size_ == 0) return false;
  for (size_t j = 0; j < slots_.size(); ++j) cells_[j] = current_->cells[slots_[j]].data();
  if (ahead_) parsing_ = std::async(std::launch::async, [this] { parser_->parse(*coming_); });
  return true;
}

}  // namespace shoal
