// Who may come in: a browser on this machine that was given the address with its token, and nobody else.
//
//  - The token in the address works once. It is answered with a cookie that no script can read and that no other site's
//    page can make the browser send (HttpOnly, SameSite=Strict).
//  - Host must be ours: a name that a foreign site has pointed at this machine (DNS rebinding) is refused.
//  - What changes anything (POST, PUT) must come from a page of ours (Origin).
// Every reply carries headers that keep it out of caches and frames and keep foreign or inline script from running.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "web/http.h"

namespace shoal::web {

class Gate {
 public:
  // Draws token and cookie from the system's random numbers. The port is needed for names: set_port() before the first
  // request.
  Gate();
  void set_port(uint16_t port);
  // "http://127.0.0.1:PORT/?token=..."; for the person at the terminal alone.
  std::string address() const;

  // What to answer in place of the site; nothing: come in. Safe to call from several threads.
  std::optional<Reply> refusal(const Request& request);

  // For every reply, refusals included.
  static std::vector<std::pair<std::string, std::string>> headers();

 private:
  bool is_ours(const std::string& host) const;
  bool has_cookie(const Request& request) const;
  Reply let_in() const;

  std::string token_, secret_, cookie_name_;
  std::vector<std::string> hosts_;
  uint16_t port_ = 0;
  std::mutex mutex_;  // guards used_
  bool used_ = false;
};

}  // namespace shoal::web
