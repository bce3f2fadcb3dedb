// A site on a loopback port. The one place that knows cpp-httplib.
#pragma once

#include <cstdint>
#include <memory>

#include "web/http.h"

namespace shoal::web {

class Server {
 public:
  // Takes the port on 127.0.0.1 (0: any that is free); connections wait until run(). `site` must outlive it. Throws
  // Error(job) when the port is taken.
  Server(Site& site, uint16_t port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const;
  // Until stop() is called, from another thread; returns when every request has been answered. Streams of events must
  // end by themselves then.
  void run();
  void stop();

 private:
  struct Http;
  std::unique_ptr<Http> http_;
};

}  // namespace shoal::web
