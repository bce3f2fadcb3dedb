#include "web/server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "shoal/shoal.h"

namespace shoal::web {
namespace {

// A browser keeps up to six connections open, and a stream of events holds one for as long as it lasts.
constexpr size_t kThreads = 16;
constexpr size_t kRequestsOfConnection = 1000;
constexpr time_t kIdleSeconds = 2, kReadSeconds = 10, kWriteSeconds = 10;

Request plain_request(const httplib::Request& given) {
  Request request;
  request.method = given.method;
  request.path = given.path;
  for (const auto& [name, value] : given.headers) {
    std::string small = name;
    std::transform(small.begin(), small.end(), small.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    request.headers.add(std::move(small), value);
  }
  // Not the library's own parsing, so that forms and addresses are read alike.
  if (const size_t question = given.target.find('?'); question != std::string::npos) {
    request.query = parse_form(std::string_view(given.target).substr(question + 1));
  }
  return request;
}

void send_file(int file, const std::string& type, httplib::Response& response) {
  const auto opened = std::shared_ptr<int>(new int(file), [](const int* number) {
    close(*number);
    delete number;
  });
  struct stat status {};
  if (fstat(file, &status) != 0) {
    response.status = 500;
    return;
  }
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) {
    response.set_content("", type);
    return;
  }
  response.set_content_provider(size, type, [opened](size_t offset, size_t length, httplib::DataSink& sink) {
    std::array<char, 65536> part;
    const ssize_t got = pread(*opened, part.data(), std::min(length, part.size()), static_cast<off_t>(offset));
    return got > 0 && sink.write(part.data(), static_cast<size_t>(got));
  });
}

void send(Reply reply, httplib::Response& response) {
  response.status = reply.status;
  for (const auto& [name, value] : reply.headers) response.set_header(name, value);
  if (reply.hang_up) response.set_header("Connection", "close");
  if (reply.events) {
    response.set_chunked_content_provider(
        reply.type, [next = std::move(reply.events)](size_t, httplib::DataSink& sink) {
          const std::optional<std::string> part = next();
          if (!part) {
            sink.done();
            return true;
          }
          return part->empty() ? sink.is_writable() : sink.write(part->data(), part->size());
        });
  } else if (reply.file >= 0) {
    send_file(reply.file, reply.type, response);
  } else {
    response.set_content(reply.body, reply.type);
  }
}

Reply too_large(size_t most) {
  Reply reply;
  reply.status = 413;
  reply.type = "text/plain; charset=utf-8";
  reply.body = fmt::format("too large: at most {} are taken\n", memory_size(most));
  reply.hang_up = true;
  return reply;
}

}  // namespace

struct Server::Http {
  explicit Http(Site& served) : site(served) {
    server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server.set_keep_alive_max_count(kRequestsOfConnection);
    server.set_keep_alive_timeout(kIdleSeconds);
    server.set_read_timeout(kReadSeconds);
    server.set_write_timeout(kWriteSeconds);
    server.set_tcp_nodelay(true);
    // Reloading the program must not fail because connections of the one before are still fading; but two programs
    // must never share a port, as the library's own setting (SO_REUSEPORT) would let them.
    server.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.set_pre_routing_handler([this](const httplib::Request& given, httplib::Response& response) {
      return before_content(given, response) ? httplib::Server::HandlerResponse::Handled
                                             : httplib::Server::HandlerResponse::Unhandled;
    });
    server.Post(".*", [this](const httplib::Request& given, httplib::Response& response,
                             const httplib::ContentReader& reader) { post(given, response, reader); });
    server.Put(".*", [this](const httplib::Request& given, httplib::Response& response,
                            const httplib::ContentReader& reader) { put(given, response, reader); });
    server.set_exception_handler([](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
      response.status = 500;
      response.set_content("internal error\n", "text/plain");
    });
  }

  // Refuses, or answers what has no content. Before anything else looks at the path: the library matches it by a
  // regular expression, which must not be given a long one.
  bool before_content(const httplib::Request& given, httplib::Response& response) {
    const Request request = plain_request(given);
    if (given.target.size() > kLongestAddress) {
      Reply reply;
      reply.status = 414;
      reply.type = "text/plain; charset=utf-8";
      reply.body = "the address is too long\n";
      reply.hang_up = true;
      send(std::move(reply), response);
      return true;
    }
    if (std::optional<Reply> refused = site.refusal(request)) {
      refused->hang_up = true;
      send(std::move(*refused), response);
      return true;
    }
    if (request.method == "POST" || request.method == "PUT") return false;
    send(site.answer(request), response);
    return true;
  }

  void post(const httplib::Request& given, httplib::Response& response, const httplib::ContentReader& reader) {
    std::string body;
    bool fits = true;
    const bool read = reader([&](const char* data, size_t size) {
      fits = body.size() + size <= kLargestForm;
      if (fits) body.append(data, size);
      return fits;
    });
    if (!fits) return send(too_large(kLargestForm), response);
    if (!read) return;  // whoever asked has gone
    Request request = plain_request(given);
    request.form = parse_form(body);
    send(site.answer(request), response);
  }

  void put(const httplib::Request& given, httplib::Response& response, const httplib::ContentReader& reader) {
    const Request request = plain_request(given);
    const std::unique_ptr<Upload> upload = site.upload(request);
    const bool complete = reader([&](const char* data, size_t size) { return upload->take({data, size}); });
    Reply reply = upload->end(complete);
    reply.hang_up = !complete;
    send(std::move(reply), response);
  }

  Site& site;
  httplib::Server server;
  uint16_t port = 0;
};

Server::Server(Site& site, uint16_t port) : http_(std::make_unique<Http>(site)) {
  constexpr const char* kLoopback = "127.0.0.1";
  if (port == 0) {
    const int found = http_->server.bind_to_any_port(kLoopback);
    if (found <= 0) throw Error(ErrorKind::job, "no free port on 127.0.0.1");
    http_->port = static_cast<uint16_t>(found);
  } else {
    if (!http_->server.bind_to_port(kLoopback, port)) {
      throw Error(ErrorKind::job, fmt::format("port {} on 127.0.0.1 is taken; name another, or none", port));
    }
    http_->port = port;
  }
}

Server::~Server() = default;
uint16_t Server::port() const { return http_->port; }
void Server::run() { http_->server.listen_after_bind(); }
void Server::stop() { http_->server.stop(); }

}  // namespace shoal::web
