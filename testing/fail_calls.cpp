// Loaded before the C library by tests: lets the n-th call that changes a folder fail, or ends the program there.
//
//   FAIL_FOLDER  calls that name or write to files in this folder count; relative names count as inside
//   FAIL_AT      which call, from 1; with FAIL_ONLY only calls of that name (write, rename, ...) count. Reading and
//                memory are counted only when asked for: FAIL_ONLY=read, FAIL_ONLY=new
//   FAIL_HOW     an error number; or -9, -15, ...: the signal of that number is raised before the call
//   FAIL_ON      1: all later calls of the same name fail, too (a disk that is full stays full)
//   FAIL_SAID    a file that is made when it happens, with the name of the call in it; "new under DuckDB" for memory
//                that is asked for while DuckDB is at work
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

namespace {

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::atomic<long> calls{0};
std::atomic<const char*> failed{nullptr};  // the name of the call that failed

// While this library works for itself: what it asks for is never refused, for nobody could catch that.
thread_local bool for_itself = false;
struct ForItself {
  ForItself() : before(for_itself) { for_itself = true; }
  ~ForItself() { for_itself = before; }
  const bool before;
};

void say(const char* call) {
  const auto real_open = next<int (*)(const char*, int, ...)>("open");
  const auto real_write = next<ssize_t (*)(int, const void*, size_t)>("write");
  const int file = real_open(setting("FAIL_SAID"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  if (real_write(file, call, std::strlen(call)) < 0) std::abort();
  close(file);
}

// Whether this call is to fail; sets errno then.
bool fails(const char* call) {
  const ForItself quietly;
  const std::string only = setting("FAIL_ONLY");
  if (!only.empty() && only != call) return false;
  const long how = std::atol(setting("FAIL_HOW"));
  const char* before = failed;
  const bool again = before != nullptr && std::strcmp(before, call) == 0 && *setting("FAIL_ON") == '1';
  if (!again && ++calls != std::atol(setting("FAIL_AT"))) return false;
  if (!again) say(call);
  failed = call;
  if (how < 0) {
    raise(static_cast<int>(-how));
    return false;
  }
  errno = static_cast<int>(how);
  return true;
}

bool fails_if_asked_for(const char* call) { return std::strcmp(setting("FAIL_ONLY"), call) == 0 && fails(call); }

// Whether DuckDB is at work: then it is for DuckDB to bear what is refused.
bool under_duckdb() {
  void* callers[100];
  const int found = backtrace(callers, 100);
  Dl_info caller{};
  return std::any_of(callers, callers + found, [&](void* address) {
    return dladdr(address, &caller) != 0 && std::strstr(caller.dli_fname, "libduckdb") != nullptr;
  });
}

// Memory is asked for thousands of times: the setting is looked up once, and no text is made on the way.
bool memory_fails() {
  static const long at = std::strcmp(setting("FAIL_ONLY"), "new") == 0 ? std::atol(setting("FAIL_AT")) : 0;
  static std::atomic<long> asked{0};
  if (at == 0 || for_itself || ++asked != at) return false;
  const ForItself quietly;
  say(under_duckdb() ? "new under DuckDB" : "new");
  return true;
}

void* memory(size_t size) {
  void* const found = memory_fails() ? nullptr : std::malloc(size > 0 ? size : 1);
  if (found == nullptr) throw std::bad_alloc();
  return found;
}

bool inside(std::string_view path) {
  const ForItself quietly;
  const std::string folder = setting("FAIL_FOLDER");
  return !path.empty() && (path[0] != '/' || path.starts_with(folder) || path.starts_with("/proc/self/fd/"));
}

bool inside(int file) {
  const ForItself quietly;
  char path[4096];
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path - 1);
  return size > 0 && path[0] == '/' && inside(std::string_view(path, static_cast<size_t>(size)));
}

int open_or_fail(const char* name, const char* path, int flags, mode_t mode) {
  if ((flags & (O_CREAT | O_WRONLY | O_RDWR)) && inside(path) && fails("open")) return -1;
  return next<int (*)(const char*, int, ...)>(name)(path, flags, mode);
}

mode_t mode_of(int flags, va_list list) { return (flags & O_CREAT) ? static_cast<mode_t>(va_arg(list, int)) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_or_fail("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_or_fail("open64", path, flags, mode);
}

ssize_t write(int file, const void* data, size_t size) {
  if (inside(file) && fails("write")) return -1;
  return next<ssize_t (*)(int, const void*, size_t)>("write")(file, data, size);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  if (inside(file) && fails("write")) return -1;
  return next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(file, data, size, at);
}

ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  if (inside(file) && fails("write")) return -1;
  return next<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64")(file, data, size, at);
}

ssize_t read(int file, void* data, size_t size) {
  if (*setting("FAIL_ONLY") == 'r' && inside(file) && fails_if_asked_for("read")) return -1;
  return next<ssize_t (*)(int, void*, size_t)>("read")(file, data, size);
}

ssize_t pread(int file, void* data, size_t size, off_t at) {
  if (*setting("FAIL_ONLY") == 'r' && inside(file) && fails_if_asked_for("read")) return -1;
  return next<ssize_t (*)(int, void*, size_t, off_t)>("pread")(file, data, size, at);
}

ssize_t pread64(int file, void* data, size_t size, off64_t at) {
  if (*setting("FAIL_ONLY") == 'r' && inside(file) && fails_if_asked_for("read")) return -1;
  return next<ssize_t (*)(int, void*, size_t, off64_t)>("pread64")(file, data, size, at);
}

int fsync(int file) {
  if (inside(file) && fails("fsync")) return -1;
  return next<int (*)(int)>("fsync")(file);
}

int fchmod(int file, mode_t mode) {
  if (inside(file) && fails("fchmod")) return -1;
  return next<int (*)(int, mode_t)>("fchmod")(file, mode);
}

int fchown(int file, uid_t user, gid_t group) {
  if (inside(file) && fails("fchown")) return -1;
  return next<int (*)(int, uid_t, gid_t)>("fchown")(file, user, group);
}

int rename(const char* from, const char* to) {
  if (inside(to) && fails("rename")) return -1;
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

int link(const char* from, const char* to) {
  if (inside(to) && fails("link")) return -1;
  return next<int (*)(const char*, const char*)>("link")(from, to);
}
}

// In pairs, so that what one of them gives the other takes back, under sanitizers, too.
void* operator new(size_t size) { return memory(size); }
void* operator new[](size_t size) { return memory(size); }
void operator delete(void* given) noexcept { std::free(given); }
void operator delete[](void* given) noexcept { std::free(given); }
void operator delete(void* given, size_t) noexcept { std::free(given); }
void operator delete[](void* given, size_t) noexcept { std::free(given); }
