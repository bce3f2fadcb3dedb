#include "shoal/write/outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "shoal/read/hierarchies.h"

namespace shoal {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::job, message); }

// ---- may this be written? ----

// Two names for one file harm each other; two for one terminal or for the null device do not.
bool collide(const Place& a, const Place& b) {
  if (!a.same_as(b)) return false;
  const bool same_descriptor = a.kind() == Place::Kind::descriptor && a.descriptor() == b.descriptor();
  return !a.is_stream() || a.kind() == Place::Kind::pipe || same_descriptor || S_ISREG(a.status().st_mode);
}

void check_descriptor(const Place& place, const std::string& what) {
  const int flags = fcntl(place.descriptor(), F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) return;
  refuse(fmt::format(
      "{} cannot be written to {}: it is not open for writing", what,
      place.descriptor() == STDOUT_FILENO ? "standard output" : fmt::format("the open file {}", place.descriptor())));
}

void check_file(const Place& place, const std::string& what, const std::string& name) {
  std::error_code ignored;
  if (place.kind() == Place::Kind::folder || fs::path(name).filename().empty()) {
    refuse(fmt::format("{}: '{}' is a folder; name a file in it", what, name));
  }
  if (place.kind() == Place::Kind::disk) refuse(fmt::format("{}: '{}' is a disk; name a file on it", what, name));
  if (!fs::is_directory(place.folder(), ignored)) {
    refuse(fmt::format("there is no folder '{}' for {} '{}'; make it first", place.folder(), what, name));
  }
  if (place.kind() != Place::Kind::absent && faccessat(AT_FDCWD, place.path().c_str(), W_OK, AT_EACCESS) != 0) {
    refuse(fmt::format("{}: '{}' may not be overwritten: {}", what, name, reason_of(errno)));
  }
}

// What the system gives a new file here. A process can only read its own mask by changing it, so a file is made.
unsigned rights_of_new_files(const std::string& folder) {
  const std::string path = unused_private_path(folder, "");
  const Descriptor probe(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  struct stat status {};
  const bool known = probe.is_open() && fstat(probe.number(), &status) == 0;
  if (probe.is_open()) unlink(path.c_str());
  return known ? status.st_mode & 0777 : 0600;
}

// ---- writing into streams ----

Descriptor open_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return Descriptor();
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  Descriptor connection(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connection.is_open() &&
      connect(connection.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return Descriptor();
  }
  return connection;
}

Descriptor open_stream(const Place& place, const std::string& name, const Progress& progress) {
  for (;;) {
    Descriptor stream;
    if (place.kind() == Place::Kind::descriptor) {
      std::fflush(nullptr);  // what was printed comes first
      stream = Descriptor(fcntl(place.descriptor(), F_DUPFD_CLOEXEC, 3));
    } else if (place.kind() == Place::Kind::socket) {
      stream = open_socket(place.path());
    } else {  // a pipe nobody reads from yet waits here
      stream = Descriptor(open(place.path().c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    }
    if (stream.is_open()) return stream;
    if (errno != EINTR) refuse(fmt::format("cannot write {}: {}", name, reason_of(errno)));
    progress.check();
  }
}

void copy_into(const Descriptor& stream, const TemporaryFile& file, const std::string& name, const Progress& progress) {
  std::string buffer(1 << 20, '\0');
  for (off_t at = 0;;) {
    const ssize_t count = pread(file.descriptor().number(), buffer.data(), buffer.size(), at);
    if (count == 0) return;
    if (count < 0)
      refuse(fmt::format("cannot write {}: its temporary copy cannot be read: {}", name, reason_of(errno)));
    write_fully(stream, std::string_view(buffer).substr(0, static_cast<size_t>(count)), name, progress);
    at += count;
  }
}

// ---- putting files in their places ----

// Pushes what was written to the disk: a full one may say so only now.
void sync(const Descriptor& file, const std::string& name) {
  while (fsync(file.number()) != 0) {
    if (errno == EINTR) continue;
    if (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS) return;  // a file system that cannot
    refuse(fmt::format("cannot write {}: {}", name, reason_of(errno)));
  }
}

void sync_folder(const std::string& folder) {
  const Descriptor entries(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (entries.is_open()) fsync(entries.number());  // the files are in place; only a crash of the machine would matter
}

// The rights and the owners of the file that is replaced, as far as the system lets us; never more rights for anybody.
void set_rights(const Descriptor& file, const Place& replaced, unsigned rights, const std::string& name) {
  if (replaced.kind() == Place::Kind::file) {
    const struct stat& old = replaced.status();
    const bool owner = fchown(file.number(), old.st_uid, old.st_gid) == 0;
    if (!owner && fchown(file.number(), static_cast<uid_t>(-1), old.st_gid) != 0) {
      rights &= ~070u | (rights & 07) << 3;  // another group now: it gets what everybody gets
    }
  }
  if (fchmod(file.number(), rights) != 0) refuse(fmt::format("cannot write {}: {}", name, reason_of(errno)));
}

// One file being put in its place, with what lay there kept aside until all are. Only making one asks for memory: from
// the first put() on nothing may stop the others half way.
class Placement {
 public:
  // `name`: how messages call it.
  Placement(TemporaryFile& file, const Place& place, std::string name)
      : file_(file),
        place_(place),
        name_(std::move(name)),
        linked_(unused_private_path(place.folder(), ".old")),
        moved_(fmt::format("{}.before{}", place.path(), fs::path(linked_).filename().string())) {}

  // 0, or the error number; nothing has changed then.
  int put() noexcept {
    if (const int error_number = keep_old()) return error_number;
    if (const int error_number = file_.rename_to(place_.path())) {
      put_back();
      return error_number;
    }
    placed_ = true;
    return 0;
  }
  // As it was before put(). False when the old file could not be put back; it is at aside() then.
  bool put_back() noexcept {
    if (aside_ == Aside::nothing) return !placed_ || unlink(place_.path().c_str()) == 0;
    const bool back = rename(aside().c_str(), place_.path().c_str()) == 0;
    if (back) forget_old();  // where both were links to one file, rename() does nothing
    return back;
  }
  void forget_old() noexcept {
    if (aside_ != Aside::nothing) unlink(aside().c_str());
    aside_ = Aside::nothing;
  }
  const std::string& name() const { return name_; }
  bool keeps_old() const { return aside_ != Aside::nothing; }
  const std::string& aside() const { return aside_ == Aside::linked ? linked_ : moved_; }

 private:
  enum class Aside { nothing, linked, moved };

  // By a second link, so that at every moment there is a file at the place, the old one or the new one. Locked, so that
  // no other run takes it for abandoned.
  int keep_old() noexcept {
    struct stat now {};
    if (lstat(place_.path().c_str(), &now) != 0) return errno == ENOENT ? 0 : errno;
    if (!S_ISREG(now.st_mode)) return EEXIST;  // became something else during the work
    old_ = Descriptor(open(place_.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (old_.is_open()) flock(old_.number(), LOCK_SH | LOCK_NB);
    if (link(place_.path().c_str(), linked_.c_str()) == 0) {
      aside_ = Aside::linked;
    } else if (rename(place_.path().c_str(), moved_.c_str()) == 0) {
      aside_ = Aside::moved;  // a file system without links; no later run takes this name for abandoned
    } else {
      return errno;
    }
    return 0;
  }

  TemporaryFile& file_;
  const Place& place_;
  std::string name_;
  Descriptor old_;
  std::string linked_, moved_;  // names for what lay there
  Aside aside_ = Aside::nothing;
  bool placed_ = false;
};

// Throws Error(job) when one cannot be put in its place, once those before it are as they were.
void put_all(std::vector<Placement>& placements) {
  for (size_t i = 0; i < placements.size(); ++i) {
    const int error_number = placements[i].put();
    if (error_number == 0) continue;
    for (size_t j = i; j-- > 0;) placements[j].put_back();
    std::string left;
    for (size_t j = i + 1; j-- > 0;) {
      if (placements[j].keeps_old()) left += fmt::format("; an earlier output is kept as '{}'", placements[j].aside());
    }
    refuse(
        fmt::format("cannot write {}: {}; nothing was written{}", placements[i].name(), reason_of(error_number), left));
  }
}

}  // namespace

// ---- one output ----

std::string Output::quoted_name() const {
  if (name_ == "-") return what_ + " to standard output";
  return fmt::format("{} '{}'", what_, name_);
}

void Output::write(std::string_view text) {
  if (!wanted()) return;
  if (is_stream()) {
    text_ = text;
  } else {
    fill(text);
  }
  done();
}

void Output::fill(std::string_view text) {
  const Progress never;
  path();
  write_fully(file_->descriptor(), text, quoted_name(), never);
}

const std::string& Output::path() {
  if (!file_) {
    if (!is_stream()) throw std::logic_error("an output is written before Outputs::prepare()");
    const std::string endings = endings_of(name_);
    file_ = std::make_unique<TemporaryFile>(endings.empty() ? ".csv" : endings);
  }
  return file_->path();
}

// ---- all of them ----

void Outputs::reads(const std::string& what, const std::string& path) {
  if (!path.empty()) inputs_.push_back({what, path, Place(path, STDIN_FILENO)});
}

void Outputs::reads(const FileJob& job) {
  reads("the table", job.files.input);
  if (!job.files.population.empty()) reads("the population", job.files.population);
  for (const std::string& path : job.files.earlier) reads("an earlier release", path);
  for (const ColumnJob& column : job.columns) {
    if (column.role != Role::quasi) continue;
    try {
      if (const auto spec = hierarchy_of(job, column.name)) reads("the hierarchy of " + column.name, spec->file);
    } catch (const Error&) {
      // Whoever needs the hierarchy will say what is wrong with it; not every command does.
    }
  }
}

Output& Outputs::writes(const std::string& what, const std::string& path) {
  outputs_.push_back(std::unique_ptr<Output>(new Output(what, path)));
  return *outputs_.back();
}

Output& Outputs::at(std::string_view what) {
  for (const auto& output : outputs_) {
    if (output->what_ == what) return *output;
  }
  return writes(std::string(what), "");
}

bool Outputs::uses_standard_output() const {
  return std::any_of(outputs_.begin(), outputs_.end(),
                     [](const auto& output) { return output->place_.descriptor() == STDOUT_FILENO; });
}

void Outputs::check_against_inputs(const Output& output) const {
  for (const Input& input : inputs_) {
    if (!collide(output.place_, input.place)) continue;
    refuse(fmt::format("{} would overwrite an input, {} '{}'; choose another name, so that nothing is lost",
                       output.quoted_name(), input.what, input.name));
  }
}

void Outputs::check_against_outputs(size_t index) const {
  const Output& output = *outputs_[index];
  for (size_t i = 0; i < index; ++i) {
    const Output& other = *outputs_[i];
    if (!other.wanted() || !collide(output.place_, other.place_)) continue;
    if (output.is_stream() && output.place_.descriptor() == STDOUT_FILENO) {
      refuse(fmt::format("only one thing can go to standard output (-), not {} and {}", other.what_, output.what_));
    }
    refuse(
        fmt::format("{} and {} are the same file, '{}'; give each its own", other.what_, output.what_, output.name_));
  }
}

void Outputs::prepare() {
  std::set<std::string> folders;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    Output& output = *outputs_[i];
    if (!output.wanted()) continue;
    output.place_ = Place(output.name_, STDOUT_FILENO);
    if (output.place_.kind() == Place::Kind::descriptor) {
      check_descriptor(output.place_, output.what_);
    } else {
      check_file(output.place_, output.what_, output.name_);
    }
    check_against_inputs(output);
    check_against_outputs(i);
  }
  for (const auto& output : outputs_) {
    if (!output->wanted() || output->is_stream()) continue;
    const Place& place = output->place_;
    if (folders.insert(place.folder()).second) remove_abandoned_files(place.folder());
    output->file_ = std::make_unique<TemporaryFile>(place.folder(), endings_of(output->name_));
    output->rights_ =
        place.kind() == Place::Kind::file ? place.status().st_mode & 0777 : rights_of_new_files(place.folder());
  }
}

void Outputs::write_streams(const Progress& progress) {
  for (const auto& output : outputs_) {
    if (!output->done_ || !output->is_stream()) continue;
    const std::string name = output->quoted_name();
    Descriptor stream = open_stream(output->place_, name, progress);
    if (output->file_) {
      copy_into(stream, *output->file_, name, progress);
    } else {
      write_fully(stream, output->text_, name, progress);
    }
    if (const int error_number = stream.close())
      refuse(fmt::format("cannot write {}: {}", name, reason_of(error_number)));
  }
}

void Outputs::publish(const Progress& progress) {
  progress.check();
  std::vector<Output*> files;
  for (const auto& output : outputs_) {
    if (!output->done_ || output->is_stream()) continue;
    sync(output->file_->descriptor(), output->quoted_name());
    files.push_back(output.get());
  }
  write_streams(progress);
  for (Output* output : files) {
    set_rights(output->file_->descriptor(), output->place_, output->rights_, output->quoted_name());
  }
  std::vector<Placement> placements;
  std::set<std::string> folders;
  placements.reserve(files.size());
  for (Output* output : files) {
    placements.emplace_back(*output->file_, output->place_, output->quoted_name());
    folders.insert(output->place_.folder());
  }
  put_all(placements);
  for (size_t i = 0; i < files.size(); ++i) {
    placements[i].forget_old();
    files[i]->done_ = false;
  }
  for (const std::string& folder : folders) sync_folder(folder);
}

}  // namespace shoal
