// What a browser asks and what it is answered, as plain data: everything but server.cpp works with these alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shoal::web {

// Named texts in the order given; names may repeat.
class Fields {
 public:
  void add(std::string name, std::string value) { fields_.emplace_back(std::move(name), std::move(value)); }
  // The first of that name; "" where there is none.
  const std::string& at(std::string_view name) const;
  bool has(std::string_view name) const;
  size_t count(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& list() const { return fields_; }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// "a=1&b=x%20y+z" as browsers write forms. Broken escapes stay as they are.
Fields parse_form(std::string_view text);
// A text as a part of an address.
std::string url_text(std::string_view text);

struct Request {
  std::string method;           // GET, HEAD, POST, PUT, ...
  std::string path;             // without what stands behind the question mark, decoded
  Fields query, headers, form;  // names of headers in small letters; the form of a POST
};

// The next part of a stream of events; waits for it, but not for long. "": nothing has happened; nullopt: the end.
using EventSource = std::function<std::optional<std::string>()>;

struct Reply {
  int status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  int file = -1;         // an open file to send in place of `body`; closed after it
  EventSource events{};  // in place of both
  bool hang_up = false;  // close the connection: the rest of the request was not read
};
Reply redirect(const std::string& path);

// A file on its way in.
class Upload {
 public:
  Upload() = default;
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;
  virtual ~Upload() = default;
  // False: no more of it, please; end() says why.
  virtual bool take(std::string_view part) = 0;
  // `complete`: all of it has come.
  virtual Reply end(bool complete) = 0;
};

// Answers requests, of several threads at once.
class Site {
 public:
  Site() = default;
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  virtual ~Site() = default;
  // Asked before anything of the request's content is read. Nothing: go on.
  virtual std::optional<Reply> refusal(const Request& request) = 0;
  virtual Reply answer(const Request& request) = 0;
  // For PUT.
  virtual std::unique_ptr<Upload> upload(const Request& request) = 0;
};

inline constexpr size_t kLargestForm = size_t{4} << 20;
inline constexpr size_t kLongestAddress = 2048;

}  // namespace shoal::web
