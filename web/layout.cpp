#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "web/pages.h"

namespace shoal::web {
namespace {

std::string steps(std::string_view path, bool ready) {
  std::string items;
  for (const Step& step : kSteps) {
    const bool here = step.path == path;
    if (ready || step.path == kSteps[0].path) {
      items +=
          fmt::format("<li><a href=\"{}\"{}>{}</a></li>", step.path, here ? " aria-current=\"step\"" : "", step.title);
    } else {
      items += fmt::format("<li><span>{}</span></li>", step.title);
    }
  }
  return fmt::format("<nav aria-label=\"Steps\"><ol class=\"steps\">{}</ol></nav>", items);
}

const char* title_of(std::string_view path) {
  for (const Step& step : kSteps) {
    if (step.path == path) return step.title;
  }
  return "Shoal";
}

}  // namespace

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_-./:=,").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string input_word(const Session& session) { return shell_word(session.table_name()); }

std::string whole_page(Session& session, std::string_view path, const std::string& body, const std::string& message) {
  const bool ready = session.ready();
  const char* title = title_of(path);
  const std::string table =
      session.has_table() ? fmt::format("<span class=\"file\">{}</span>", html_text(session.table_name())) : "";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0} - Shoal</title>\n"
      "<meta name=\"htmx-config\" content='{{\"includeIndicatorStyles\":false,\"allowEval\":false,"
      "\"selfRequestsOnly\":true,\"historyCacheSize\":0}}'>\n"
      "<link rel=\"stylesheet\" href=\"/assets/report.css\"><link rel=\"stylesheet\" href=\"/assets/page.css\">\n"
      "<script src=\"/assets/htmx.min.js\" defer></script><script src=\"/assets/page.js\" defer></script>\n"
      "</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>"
      "<p class=\"brand\"><b>Shoal</b> {1}</p>{2}</header>\n<main id=\"main\">\n<h1>{0}</h1>\n"
      "<div id=\"message\" role=\"alert\">{3}</div>\n{4}</main>\n</body>\n</html>\n",
      title, table, steps(path, ready), message.empty() ? "" : error_box(message), body);
}

std::string same_by_command(const Session& session, const std::string& command) {
  return fmt::format(
      "<section class=\"same\"><h2>The same on the command line</h2><pre tabindex=\"0\" id=\"command\">{}</pre>"
      "<details><summary>The job as it stands</summary><pre tabindex=\"0\" id=\"job\">{}</pre></details>"
      "<form method=\"post\" action=\"/save-job\" class=\"inline\">{}<label for=\"job-name\">Save the job as</label> "
      "<input id=\"job-name\" name=\"name\" value=\"{}\"> <button>Save</button></form></section>\n",
      html_lines(command), html_lines(session.job_text()), table_field(session), html_text(session.job_name()));
}

std::string stage_words(const std::string& stage) {
  constexpr std::pair<const char*, const char*> kWords[] = {{"waiting", "Waiting for its turn"},
                                                            {"read", "Reading the table"},
                                                            {"look", "Looking at the columns"},
                                                            {"search", "Searching"},
                                                            {"recode", "Recoding"},
                                                            {"findings", "Looking for findings"},
                                                            {"write", "Writing the release"},
                                                            {"verify", "Verifying what was written"},
                                                            {"measure", "Measuring"}};
  for (const auto& [word, words] : kWords) {
    if (stage == word) return words;
  }
  return valid_utf8(stage);
}

std::string run_part(const std::string& run, const RunStatus& status, const std::string& path,
                     const std::string& inside) {
  const bool running = status.state == RunState::running;
  std::string body = inside;
  if (running) {
    // The seconds stand beside what is announced: nobody wants to hear each of them. A bar without a value moves by
    // itself.
    const double fraction = std::clamp(status.fraction, 0.0, 1.0);
    body = fmt::format(
        "<section class=\"waiting\"><p><span class=\"stage\" role=\"status\">{0}</span> "
        "<span class=\"seconds soft\">{3}</span></p><progress max=\"1\"{1} aria-label=\"How far it is\"></progress>"
        "<form method=\"post\" action=\"/cancel\"><input type=\"hidden\" name=\"run\" value=\"{2}\">"
        "<button class=\"quiet\">Cancel</button></form></section>\n",
        html_text(stage_words(status.stage)), fraction > 0 ? fmt::format(" value=\"{:.3f}\"", fraction) : "", run,
        status.seconds > 0 ? fmt::format("{} s", status.seconds) : "");
  } else if (status.state == RunState::failed) {
    body = error_box(status.error) + inside;
  } else if (status.state == RunState::cancelled) {
    body = "<p class=\"note\" role=\"status\">Cancelled; nothing was written.</p>" + inside;
  }
  return fmt::format(
      "<div id=\"part-{0}\" data-run=\"{0}\" data-number=\"{1}\" data-running=\"{2}\" data-part=\"{3}\">{4}</div>\n",
      run, status.number, running ? "yes" : "no", path, body);
}

std::string error_box(const std::string& message) {
  return fmt::format("<div class=\"verdict bad\">{}</div>\n", html_text(message));
}

std::string hidden_field(std::string_view name, std::string_view value) {
  return fmt::format("<input type=\"hidden\" name=\"{}\" value=\"{}\">", html_text(name), html_text(value));
}

std::string table_field(const Session& session) {
  return hidden_field("table", fmt::format("{}", session.table_number()));
}

std::string changes_field(const Session& session, bool again) {
  return fmt::format("<input type=\"hidden\" id=\"changes\" name=\"changes\" value=\"{}\"{}>", session.changes(),
                     again ? " hx-swap-oob=\"true\"" : "");
}

std::string options(const std::vector<std::pair<std::string, std::string>>& list, const std::string& chosen) {
  std::string items;
  for (const auto& [value, words] : list) {
    items += fmt::format("<option value=\"{}\"{}>{}</option>", html_text(value), value == chosen ? " selected" : "",
                         html_text(words));
  }
  return items;
}

}  // namespace shoal::web
