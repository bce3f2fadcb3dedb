#include "web/pages_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "web/assets.h"
#include "web/hierarchy_acts.h"
#include "web/pages.h"

namespace shoal::web {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t kLargestUpload = uint64_t{4} << 30;
constexpr int kMostStreams = 4;  // a browser opens six connections: two are left for pages, however many tabs watch
constexpr milliseconds kWatchEvery{150};
constexpr auto kHeartbeat = std::chrono::seconds(3);

Reply text_reply(int status, const std::string& words) {
  Reply reply;
  reply.status = status;
  reply.type = "text/plain; charset=utf-8";
  reply.body = words + "\n";
  return reply;
}

void add_headers(Reply& reply) {
  const auto headers = Gate::headers();
  reply.headers.insert(reply.headers.end(), headers.begin(), headers.end());
}

// Asked for by the page's script, which puts the answer into the page.
bool from_script(const Request& request) { return request.headers.at("hx-request") == "true"; }

Reply asset(std::string_view name) {
  Reply reply;
  reply.type = name.ends_with(".js") ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8";
  if (name == "report.css") {
    reply.body = html_style();
    return reply;
  }
  for (const Asset& entry : assets()) {
    if (entry.name != name) continue;
    reply.body = entry.content;
    return reply;
  }
  return text_reply(404, "no such file");
}

std::string word_of(RunState state) {
  switch (state) {
    case RunState::idle:
      return "idle";
    case RunState::running:
      return "running";
    case RunState::done:
      return "done";
    case RunState::failed:
      return "failed";
    case RunState::cancelled:
      return "cancelled";
  }
  return "";
}

// What a person sees of the runs; errors stand on the page that is then asked for.
std::string statuses_json(const Session& session) {
  nlohmann::json json = nlohmann::json::object();
  Session::for_each_run(session, [&](const char* name, const auto& run) {
    const RunStatus status = run.status();
    json[name] = {{"state", word_of(status.state)},
                  {"number", status.number},
                  {"stage", stage_words(status.stage)},
                  {"seconds", status.state == RunState::running ? status.seconds : 0},
                  {"fraction", std::clamp(status.fraction, 0.0, 1.0)}};
  });
  return json.dump();
}

class TableUpload : public Upload {
 public:
  TableUpload(Session& session, const std::string& name) : session_(session) {
    try {
      table_ = std::make_unique<PrivateTable>(name);
    } catch (const Error& error) {
      refused_ = error.what();
    }
  }
  bool take(std::string_view part) override {
    if (!refused_.empty()) return false;
    size_ += part.size();
    if (size_ > kLargestUpload)
      refused_ = fmt::format("at most {} can be dropped; put the file into the folder", memory_size(kLargestUpload));
    if (refused_.empty() && !table_->write(part)) refused_ = "the disk for temporary files is full";
    return refused_.empty();
  }
  Reply end(bool complete) override {
    Reply reply = taken(complete);
    add_headers(reply);
    return reply;
  }

 private:
  Reply taken(bool complete) {
    if (!refused_.empty()) return text_reply(413, refused_);
    if (!complete) return text_reply(400, "the file did not come whole");
    if (size_ == 0) return text_reply(400, "the file is empty");
    const std::lock_guard lock(session_.mutex);
    session_.open(std::move(table_));
    return text_reply(200, "opened");
  }

  Session& session_;
  std::unique_ptr<PrivateTable> table_;
  uint64_t size_ = 0;
  std::string refused_;
};

// The step that an action belongs to, where its mistakes are shown.
std::string_view step_of(std::string_view path) {
  if (path == "/open" || path == "/save-job") return "/table";
  if (path == "/take") return "/compare";
  if (path == "/accept" || path == "/withdraw") return "/release";
  if (path.starts_with("/hierarchy")) return "/hierarchies";
  return path;
}

std::string page_of_run(std::string_view run) {
  if (run == "findings" || run == "values") return "/columns";  // the page of the hierarchies would read them again
  if (run == "curve") return "/goal";
  if (run == "compare") return "/compare";
  return run == "release" ? "/release" : "/table";
}

CompareTableSettings compare_settings(const Fields& form) {
  CompareTableSettings settings;
  settings.compare.methods = form.all("method");
  if (settings.compare.methods.empty()) throw Error(ErrorKind::job, "choose at least one method");
  if (!form.at("ks").empty()) {
    for (const std::string& k : split_list(form.at("ks"))) settings.compare.ks.push_back(parse_whole_number("k", k));
  }
  if (!form.at("sample").empty()) settings.compare.sample = parse_whole_number("rows to draw", form.at("sample"));
  return settings;
}

}  // namespace

void PagesSite::open(const std::string& file) {
  const std::lock_guard lock(session_.mutex);
  session_.open(file);
}

std::optional<Reply> PagesSite::refusal(const Request& request) {
  std::optional<Reply> refused = gate_.refusal(request);
  const bool put_elsewhere = request.method == "PUT" && request.path != "/upload";
  const bool known =
      request.method == "GET" || request.method == "HEAD" || request.method == "POST" || request.method == "PUT";
  if (!refused && (put_elsewhere || !known)) refused = text_reply(405, "not done here");
  if (refused) add_headers(*refused);
  return refused;
}

Reply PagesSite::answer(const Request& request) {
  Reply reply;
  try {
    reply = request.method == "POST" ? act(request) : page(request);
  } catch (const Error& error) {
    const std::lock_guard lock(session_.mutex);
    if (from_script(request)) {
      reply.body = error_box(error.what());
      reply.headers.emplace_back("HX-Retarget", "#message");
      reply.headers.emplace_back("HX-Reswap", "innerHTML");
    } else {
      reply = show(step_of(request.path), error.what(), 422);
    }
  } catch (const std::exception&) {
    reply = text_reply(500, "internal error");
  }
  add_headers(reply);
  return reply;
}

std::unique_ptr<Upload> PagesSite::upload(const Request& request) {
  return std::make_unique<TableUpload>(session_, request.query.at("name"));
}

// Requires the lock.
Reply PagesSite::show(std::string_view path, const std::string& message, int status) {
  Reply reply;
  reply.status = status;
  const bool ready = session_.ready();
  std::string body;
  if (path == "/columns" && ready) {
    body = columns_page(session_);
  } else if (path == "/goal" && ready) {
    body = goal_page(session_);
  } else if (path == "/compare" && ready) {
    body = compare_page(session_);
  } else if (path == "/release" && ready) {
    body = release_page(session_);
  } else if (path == "/hierarchies" && ready) {
    body = hierarchies_page(session_, "", "");
  } else {
    path = "/table";
    body = table_page(session_);
  }
  reply.body = whole_page(session_, path, body, message);
  return reply;
}

Reply PagesSite::part(std::string_view name) {
  Reply reply;
  session_.ready();
  if (name == "look") {
    reply.body = looked_part(session_);
    // The steps behind this one are open now, and the command is known.
    if (!session_.look.running()) reply.headers.emplace_back("HX-Refresh", "true");
  } else if (name == "findings") {
    reply.body = findings_part(session_);
  } else if (name == "curve") {
    reply.body = curve_part(session_);
  } else if (name == "compare") {
    reply.body = compared_part(session_);
  } else if (name == "release") {
    reply.body = released_part(session_);
  } else if (name == "values") {
    reply.headers.emplace_back("HX-Refresh", "true");
  } else {
    return text_reply(404, "no such part");
  }
  return reply;
}

Reply PagesSite::page(const Request& request) {
  const std::string& path = request.path;
  if (path.starts_with("/assets/")) return asset(std::string_view(path).substr(8));
  if (path == "/events") return events();
  const std::lock_guard lock(session_.mutex);
  if (path == "/") return redirect("/table");
  if (path.starts_with("/part/")) return part(std::string_view(path).substr(6));
  if (path == "/download") return download(request.query.at("file"));
  if (path == "/report") return report();
  if (path == "/hierarchies" && session_.ready()) {
    Reply reply;
    reply.body = whole_page(session_, path, hierarchies_page(session_, request.query.at("column"), ""), "");
    return reply;
  }
  const bool step =
      std::any_of(std::begin(kSteps), std::end(kSteps), [&](const Step& known) { return path == known.path; });
  if (!step) return text_reply(404, "there is no such page");
  if (path != "/table" && !session_.ready()) return redirect("/table");
  return show(path, "", 200);
}

// The forms that hold the whole of a page, sent at every change of a field.
Reply PagesSite::take_form(const std::string& path, const Fields& form, bool by_script) {
  if (form.has("changes") && form.at("changes") != fmt::format("{}", session_.changes())) {
    throw Error(ErrorKind::job,
                "the job was changed meanwhile, perhaps in another tab, so that nothing was taken from this "
                "form; reload the page to see the job as it is");
  }
  const bool goal = path == "/goal";
  if (goal) {
    session_.set_goal(form);
  } else {
    session_.set_columns(form);
  }
  const bool draws = goal && (!by_script || form.has("draw"));
  if (draws) session_.start_curve();
  if (!by_script) return redirect(path);
  Reply reply = goal ? Reply{} : part("findings");
  reply.body += changes_field(session_, true);
  if (draws) reply.headers.emplace_back("HX-Redirect", path);
  return reply;
}

Reply PagesSite::act(const Request& request) {
  const std::string& path = request.path;
  const Fields& form = request.form;
  const std::lock_guard lock(session_.mutex);
  if (path == "/open") {
    session_.open(form.at("file"));
    return redirect("/table");
  }
  if (path == "/cancel") {
    session_.cancel(form.at("run"));
    return redirect(page_of_run(form.at("run")));
  }
  if (!session_.ready()) return redirect("/table");
  // A page of a table that is no longer open must not change the one that is.
  if (form.at("table") != fmt::format("{}", session_.table_number())) {
    throw Error(ErrorKind::job, "another table was opened meanwhile, perhaps in another tab; this is that one");
  }
  if (path == "/save-job") {
    const std::string saved = session_.save_job(form.at("name"));
    return redirect("/download?file=" + url_text(saved));
  }
  if (path == "/columns" || path == "/goal") return take_form(path, form, from_script(request));
  if (path == "/compare") {
    session_.start_compare(compare_settings(form));
    return redirect("/compare");
  }
  if (path == "/take") {
    const auto report = session_.compare.result();
    const uint64_t number = parse_whole_number("run", form.at("run"));
    if (!report || number >= report->comparison.runs.size())
      throw Error(ErrorKind::job, "there is no such run any more");
    session_.take_method(job_of(session_.job(), report->comparison.runs[number]));
    return redirect("/release");
  }
  if (path == "/release") {
    if (!session_.release.running()) {
      session_.set_stem(form.at("stem"));
      session_.set_format(form.at("format"));
      session_.start_release();
    }
    return redirect("/release");
  }
  if (path == "/accept") {
    session_.accept(form.at("finding"), form.at("reason"));
    return redirect("/release");
  }
  if (path == "/withdraw") {
    session_.withdraw(form.at("finding"));
    return redirect("/release");
  }
  if (path.starts_with("/hierarchy/")) return act_on_hierarchy(session_, path.substr(11), form, from_script(request));
  return text_reply(404, "there is no such action");
}

Reply PagesSite::download(const std::string& file) {
  if (!session_.is_ours(file)) return text_reply(404, "no such file of this session");
  Reply reply;
  reply.file = Folder::open_file(file);
  if (reply.file < 0) return text_reply(404, "the file is no longer there");
  reply.type = "application/octet-stream";
  reply.headers.emplace_back("Content-Disposition", "attachment; filename*=UTF-8''" + url_text(file));
  return reply;
}

Reply PagesSite::report() {
  const std::shared_ptr<const ReleaseOutcome> released = session_.release.result();
  if (!released) return redirect("/release");
  Reply reply;
  reply.body = html_page(release_document(released->report));
  return reply;
}

// Sends what has changed, as long as something runs. Where too many are watching already: what is now, and the page
// asks again.
Reply PagesSite::events() {
  Reply reply;
  reply.type = "text/event-stream";
  if (streams_.fetch_add(1) >= kMostStreams) {
    --streams_;
    const std::lock_guard lock(session_.mutex);
    reply.body = "data: " + statuses_json(session_) + "\n\n";
    return reply;
  }
  const auto leave = std::shared_ptr<void>(nullptr, [this](void*) { --streams_; });
  auto last = std::make_shared<std::string>();
  auto spoken = std::make_shared<std::chrono::steady_clock::time_point>(std::chrono::steady_clock::now());
  reply.events = [this, leave, last, spoken]() -> std::optional<std::string> {
    if (closing_) return std::nullopt;
    std::string now;
    {
      const std::lock_guard lock(session_.mutex);
      session_.ready();
      now = statuses_json(session_);
    }
    const auto time = std::chrono::steady_clock::now();
    if (now == *last && time - *spoken < kHeartbeat) {
      std::this_thread::sleep_for(kWatchEvery);
      return "";
    }
    *spoken = time;
    if (now == *last) return ": still there\n\n";
    *last = now;
    return "data: " + now + "\n\n";
  };
  return reply;
}

}  // namespace shoal::web
