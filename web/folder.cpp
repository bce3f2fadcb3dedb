#include "web/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace shoal::web {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 2;

// "a/b/c" to its parts. Empty when a part is empty, ".", ".." or has characters that no name of ours has: nothing of it
// is then looked up.
std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= name.size()) {
    const size_t end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    const bool control =
        std::any_of(part.begin(), part.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (part.empty() || part == "." || part == ".." || control || part.size() > 255) return {};
    parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

// Opened part by part, so that no link is followed on the way. -1: there is no such file, or it is something else.
int open_beneath(const std::string& name) {
  const std::vector<std::string> parts = parts_of(name);
  if (parts.empty()) return -1;
  Descriptor folder(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    Descriptor next(openat(folder.number(), parts[i].c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next.is_open()) return -1;
    folder = std::move(next);
  }
  const int file =
      openat(folder.number(), parts.back().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat status {};
  if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
    close(file);
    return -1;
  }
  return file;
}

bool is_table(const std::string& name) {
  std::string small = name;
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* packed : {".gz", ".zst"}) {
    if (small.ends_with(packed)) small.resize(small.rfind('.'));
  }
  constexpr const char* kEndings[] = {".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](const char* ending) { return small.ends_with(ending); });
}

void list(const fs::path& folder, const std::string& before, int deep, size_t most, std::vector<FolderEntry>& found) {
  std::vector<std::string> names;
  try {
    names = names_in_folder(folder.string());
  } catch (const std::system_error&) {
    return;  // what cannot be read is not shown
  }
  for (const std::string& name : names) {
    if (found.size() >= most) return;
    if (name.starts_with('.')) continue;
    std::error_code ignored;
    const fs::path path = folder / name;
    const fs::file_type type = fs::symlink_status(path, ignored).type();
    if (type == fs::file_type::directory) {
      if (deep < kDeepest) list(path, before + name + "/", deep + 1, most, found);
    } else if (type == fs::file_type::regular) {
      const bool job = name.ends_with(".yaml") || name.ends_with(".yml");
      if (job || is_table(name)) found.push_back({before + name, fs::file_size(path, ignored), job});
    }
  }
}

}  // namespace

std::vector<FolderEntry> Folder::entries(size_t most) {
  std::vector<FolderEntry> found;
  list(".", "", 0, most, found);
  std::sort(found.begin(), found.end(), [](const FolderEntry& a, const FolderEntry& b) {
    const auto depth = [](const FolderEntry& entry) { return std::count(entry.name.begin(), entry.name.end(), '/'); };
    return std::pair(depth(a), a.name) < std::pair(depth(b), b.name);
  });
  return found;
}

bool Folder::has(const std::string& name) {
  struct stat status {};
  return lstat(name.c_str(), &status) == 0;
}

int Folder::open_file(const std::string& name) { return open_beneath(name); }

std::string Folder::file(const std::string& name) {
  const Descriptor opened(open_beneath(name));
  if (!opened.is_open()) {
    throw Error(ErrorKind::job, fmt::format("no file '{}' in the folder of this page; links and other folders are not "
                                            "followed",
                                            printable(name)));
  }
  return name;
}

std::string Folder::output(const std::string& name) {
  const std::vector<std::string> parts = parts_of(name);
  if (parts.size() != 1 || name.starts_with('.') || name.starts_with('-') || name.size() > 200 ||
      name.find('\\') != std::string::npos) {
    throw Error(ErrorKind::job, fmt::format("'{}' cannot be a file's name here; use letters, digits, - and _", name));
  }
  struct stat status {};
  if (lstat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::job, fmt::format("'{}' is there and is no ordinary file; choose another name", name));
  }
  return name;
}

FileJob Folder::checked(FileJob job, const std::string& trusted) {
  const fs::path here = fs::current_path();
  const auto check = [&](std::string& path) {
    if (path.empty() || path == trusted) return;
    std::string relative = fs::path(path).lexically_normal().string();
    if (fs::path(relative).is_absolute()) relative = fs::path(relative).lexically_proximate(here).string();
    path = file(relative);
  };
  check(job.files.input);
  check(job.files.population);
  for (std::string& path : job.files.earlier) check(path);
  for (ColumnJob& column : job.columns) {
    if (!column.hierarchy && !job.files.hierarchies.empty() && column.role == Role::quasi) {
      column.hierarchy = hierarchy_of(job, column.name);
    }
    if (column.hierarchy) check(column.hierarchy->file);
  }
  job.files.hierarchies.clear();
  return job;
}

PrivateTable::PrivateTable(const std::string& name) {
  name_ = fs::path(name).filename().string();
  if (parts_of(name_).size() != 1 || name_.starts_with('.')) {
    throw Error(ErrorKind::job, "the dropped file's name cannot be used; rename it");
  }
  const std::string temporary = system_temporary_folder();
  remove_abandoned_files(temporary);
  folder_.emplace(temporary);
  if (folder_->error_number() != 0) {
    throw Error(ErrorKind::job, fmt::format("no private folder can be made in '{}': {}", temporary,
                                            std::strerror(folder_->error_number())));
  }
  path_ = folder_->path() + "/" + name_;
  file_ = Descriptor(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_.is_open()) {
    throw Error(ErrorKind::job,
                fmt::format("no private file can be made in '{}': {}", temporary, std::strerror(errno)));
  }
}

bool PrivateTable::write(std::string_view part) {
  while (!part.empty()) {
    const ssize_t wrote = ::write(file_.number(), part.data(), part.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    part.remove_prefix(static_cast<size_t>(wrote));
  }
  return true;
}

}  // namespace shoal::web
