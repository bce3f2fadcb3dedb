#include "shoal/read/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "shoal/read/csv_marks.h"

namespace shoal {
namespace {

constexpr std::string_view kPrefix = ".shoal-tmp-";
constexpr std::string_view kCharacters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr size_t kRandomCharacters = 12;
constexpr std::string_view kFolderEnding = ".spill";  // only such folders are removed: what a user made is safe

// ---- the table that a signal handler reads: fixed memory, no locks ----

enum SlotState : int { kFree, kChanging, kUsed };
struct Slot {
  std::atomic<int> state{kFree};
  char path[PATH_MAX];
};
std::array<Slot, 64> slots;  // more files than this at once are only removed in the orderly way

int take_slot(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (size_t i = 0; i < slots.size(); ++i) {
    int expected = kFree;
    if (!slots[i].state.compare_exchange_strong(expected, kChanging)) continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].state = kUsed;
    return static_cast<int>(i);
  }
  return -1;
}

void give_slot_back(int& slot) {
  if (slot >= 0) slots[static_cast<size_t>(slot)].state = kFree;
  slot = -1;
}

// ---- names ----

std::string random_characters() {
  std::random_device random;  // not the job's seed: names must not repeat
  std::string text;
  for (size_t i = 0; i < kRandomCharacters; ++i) text += kCharacters[random() % kCharacters.size()];
  return text;
}

// Whether random_characters() could stand in this name; exactly, since such files are removed.
bool is_private_name(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  const std::string_view rest = name.substr(kPrefix.size());
  const size_t letters = std::min(rest.find_first_not_of(kCharacters), rest.size());
  return letters == kRandomCharacters && (letters == rest.size() || rest[letters] == '.');
}

std::string in_folder(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

// With all that lies in it, as far as that is possible. Asks for no memory that an exception would refuse: called by
// destructors.
void remove_folder(int in_folder, const char* name) noexcept {
  const int folder = openat(in_folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* const entries = folder >= 0 ? fdopendir(folder) : nullptr;
  if (entries != nullptr) {
    while (const dirent* entry = readdir(entries)) {
      const std::string_view found = entry->d_name;
      if (found == "." || found == ".." || unlinkat(folder, entry->d_name, 0) == 0) continue;
      if (errno == EISDIR || errno == EPERM) remove_folder(folder, entry->d_name);
    }
    closedir(entries);
  } else if (folder >= 0) {
    close(folder);
  }
  unlinkat(in_folder, name, AT_REMOVEDIR);
}

[[noreturn]] void cannot_write_into(const std::string& folder, int error_number) {
  throw Error(ErrorKind::job, fmt::format("cannot write into the folder '{}': {}", folder.empty() ? "." : folder,
                                          reason_of(error_number)));
}

}  // namespace

std::string system_temporary_folder() {
  const char* given = std::getenv("TMPDIR");
  return given != nullptr && *given != '\0' ? given : "/tmp";
}

std::string endings_of(const std::string& path) {
  const std::filesystem::path file = std::filesystem::path(path).filename();
  const std::string last = file.extension().string();
  const bool compressed = last == ".gz" || last == ".zst" || last == ".GZ" || last == ".ZST";
  const std::string endings = compressed ? file.stem().extension().string() + last : last;
  const auto plain = [](unsigned char c) { return c == '.' || (c < 0x80 && std::isalnum(c)); };
  return std::all_of(endings.begin(), endings.end(), plain) ? endings : "";
}

bool is_plain_path(const std::string& path) { return path.find_first_of("*?[") == std::string::npos && is_utf8(path); }

std::string unused_private_path(const std::string& folder, std::string_view suffix) {
  for (;;) {
    std::string path = in_folder(folder, fmt::format("{}{}{}", kPrefix, random_characters(), suffix));
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) return path;
  }
}

TemporaryFile::TemporaryFile(const std::string& folder, const std::string& suffix) { create(folder, suffix); }

TemporaryFile::TemporaryFile(const std::string& suffix) {
  const std::string folder = system_temporary_folder();
  remove_abandoned_files(folder);
  try {
    create(folder, suffix);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}; set TMPDIR to a folder for temporary files", error.what()));
  }
}

void TemporaryFile::create(const std::string& folder, const std::string& suffix) {
  std::string reachable = folder;
  if (!is_plain_path(folder)) {
    folder_ = Descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_.is_open()) cannot_write_into(folder, errno);
    reachable = fmt::format("/proc/self/fd/{}", folder_.number());
  }
  for (;;) {
    path_ = unused_private_path(reachable, suffix);
    slot_ = take_slot(path_);  // before it exists: a signal may come between any two lines
    file_ = Descriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    const int error_number = errno;
    if (file_.is_open()) {
      // Another run that tidies up may have taken the file in the instant before it was locked.
      flock(file_.number(), LOCK_EX);
      struct stat status {};
      if (fstat(file_.number(), &status) == 0 && status.st_nlink > 0) return;
    } else if (error_number != EEXIST && error_number != EINTR) {
      give_slot_back(slot_);
      path_.clear();
      cannot_write_into(folder, error_number);
    }
    give_slot_back(slot_);
  }
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) unlink(path_.c_str());
  give_slot_back(slot_);
}

int TemporaryFile::rename_to(const std::string& target) {
  if (rename(path_.c_str(), target.c_str()) != 0) return errno;
  give_slot_back(slot_);
  path_.clear();
  return 0;
}

PrivateFolder::PrivateFolder(const std::string& folder) {
  for (;;) {
    path_ = unused_private_path(folder, kFolderEnding);
    slot_ = take_slot(path_);
    const bool made = mkdir(path_.c_str(), 0700) == 0;
    error_number_ = made ? 0 : errno;
    if (made && lock()) return;
    give_slot_back(slot_);
    if (!made && error_number_ != EEXIST) {
      path_.clear();
      return;
    }
  }
}

// Whether it is still there: another run that tidies up may have taken it in the instant before it was locked.
bool PrivateFolder::lock() {
  lock_ = Descriptor(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock_.is_open()) return errno != ENOENT;  // without a lock rather than not at all
  flock(lock_.number(), LOCK_EX);
  struct stat status {};
  return fstat(lock_.number(), &status) == 0 && status.st_nlink > 0;
}

PrivateFolder::~PrivateFolder() {
  if (!path_.empty()) remove_folder(AT_FDCWD, path_.c_str());
  give_slot_back(slot_);
}

void remove_temporary_files() noexcept {
  for (Slot& slot : slots) {
    if (slot.state == kUsed && unlink(slot.path) != 0) rmdir(slot.path);
  }
}

void remove_abandoned_files(const std::string& folder) noexcept {
  DIR* const entries = opendir(folder.empty() ? "." : folder.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    if (!is_private_name(entry->d_name)) continue;
    const Descriptor file(
        openat(dirfd(entries), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat status {};
    if (!file.is_open() || fstat(file.number(), &status) != 0) continue;
    const bool spilled = S_ISDIR(status.st_mode) && std::string_view(entry->d_name).ends_with(kFolderEnding);
    if (!S_ISREG(status.st_mode) && !spilled) continue;
    if (status.st_uid != geteuid() || flock(file.number(), LOCK_EX | LOCK_NB) != 0) continue;
    if (S_ISREG(status.st_mode)) {
      unlinkat(dirfd(entries), entry->d_name, 0);
    } else {
      remove_folder(dirfd(entries), entry->d_name);
    }
  }
  closedir(entries);
}

}  // namespace shoal
