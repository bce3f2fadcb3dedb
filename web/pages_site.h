// The site: which request does what to the session and is answered with which page.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "web/gate.h"
#include "web/http.h"
#include "web/session.h"

namespace shoal::web {

class PagesSite : public Site {
 public:
  explicit PagesSite(Gate& gate) : gate_(gate) {}

  std::optional<Reply> refusal(const Request& request) override;
  Reply answer(const Request& request) override;
  std::unique_ptr<Upload> upload(const Request& request) override;

  // Opens a table or a job of the folder, for a start with one. Throws Error.
  void open(const std::string& file);
  // Ends the streams of events, so that the server can stop.
  void close() { closing_ = true; }

 private:
  Reply page(const Request& request);
  Reply act(const Request& request);
  Reply take_form(const std::string& path, const Fields& form, bool by_script);
  Reply part(std::string_view name);
  Reply show(std::string_view path, const std::string& message, int status);
  Reply download(const std::string& file);
  Reply report();
  Reply events();

  Gate& gate_;
  Session session_;
  std::atomic<bool> closing_{false};
  std::atomic<int> streams_{0};
};

}  // namespace shoal::web
