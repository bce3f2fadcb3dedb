#include "web/gate.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "shoal/shoal.h"

namespace shoal::web {
namespace {

std::string random_word() {
  std::array<unsigned char, 24> bytes{};
  for (size_t filled = 0; filled < bytes.size();) {
    const ssize_t got = getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno != EINTR) throw Error(ErrorKind::job, "the system gives no random numbers");
    if (got > 0) filled += static_cast<size_t>(got);
  }
  std::string word;
  for (const unsigned char byte : bytes) word += fmt::format("{:02x}", byte);
  return word;
}

// Takes as long whatever the two have in common.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

Reply refused(int status, const std::string& title, const std::string& why) {
  Reply reply;
  reply.status = status;
  reply.body = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Shoal: {0}</title></head>"
      "<body><main><h1>{0}</h1><p>{1}</p></main></body></html>\n",
      html_text(title), html_text(why));
  return reply;
}

bool changes_something(const std::string& method) { return method != "GET" && method != "HEAD"; }

}  // namespace

Gate::Gate() : token_(random_word()), secret_(random_word()) {}

void Gate::set_port(uint16_t port) {
  port_ = port;
  hosts_ = {fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)};
  // Cookies do not know ports: the name keeps two servers on one machine apart.
  cookie_name_ = fmt::format("shoal-{}", port);
}

std::string Gate::address() const { return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_); }

bool Gate::is_ours(const std::string& host) const {
  return std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end();
}

bool Gate::has_cookie(const Request& request) const {
  for (const std::string& header : request.headers.all("cookie")) {
    std::string_view rest = header;
    while (!rest.empty()) {
      std::string_view part = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
      while (part.starts_with(' ')) part.remove_prefix(1);
      if (!part.starts_with(cookie_name_) || part.substr(cookie_name_.size(), 1) != "=") continue;
      if (same_secret(part.substr(cookie_name_.size() + 1), secret_)) return true;
    }
  }
  return false;
}

// A page that goes on by itself rather than a redirect: a browser that came from another site's link would not send the
// cookie with a redirect, and so the token also leaves the address bar.
Reply Gate::let_in() const {
  Reply reply;
  reply.headers.emplace_back("Set-Cookie",
                             fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_name_, secret_));
  reply.body =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Shoal</title>"
      "<meta http-equiv=\"refresh\" content=\"0;url=/table\"></head>"
      "<body><main><h1>Shoal</h1><p><a href=\"/table\">Go on</a></p></main></body></html>\n";
  return reply;
}

std::optional<Reply> Gate::refusal(const Request& request) {
  if (request.headers.count("host") != 1 || !is_ours(request.headers.at("host"))) {
    return refused(403, "Refused", "This page answers only to the address that `shoal serve` printed.");
  }
  for (const std::string& origin : request.headers.all("origin")) {
    if (!origin.starts_with("http://") || !is_ours(origin.substr(7))) {
      return refused(403, "Refused", "The request came from another site.");
    }
  }
  if (changes_something(request.method) && !request.headers.has("origin")) {
    return refused(403, "Refused", "The request does not say which page it comes from.");
  }
  if (request.method == "GET" && request.path == "/" && request.query.has("token")) {
    if (has_cookie(request)) return redirect("/table");  // the address was opened again in the same browser
    const bool right = same_secret(request.query.at("token"), token_);
    const std::lock_guard lock(mutex_);
    if (right && !used_) {
      used_ = true;
      return let_in();
    }
    return refused(403, right ? "This address was used already" : "Refused",
                   right ? "It works once, in one browser. To open the page in another one, end `shoal serve` with "
                           "Ctrl-C and start it again."
                         : "The token in the address is wrong.");
  }
  if (!has_cookie(request)) {
    return refused(401, "Not open here",
                   "Open the address that `shoal serve` printed, with its token. It works once, in one browser.");
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> Gate::headers() {
  // Charts place their parts by style attributes, so styles may be inline; scripts may not.
  // no-referrer would make browsers send `Origin: null` with forms.
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src "
           "'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
          {"Cache-Control", "no-store"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"},
          {"Referrer-Policy", "same-origin"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

}  // namespace shoal::web
