// `shoal serve` over plain sockets: who is refused, which paths lead nowhere, and that the way by forms ends in the
// bytes of the command line. What needs a browser is in testing/browser.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

struct Answer {
  int status = 0;  // 0: the connection was closed without one
  std::string head, body;
  bool has(const std::string& text) const { return body.find(text) != std::string::npos; }
};

std::string encoded(const std::string& text) {
  std::string result;
  for (const char c : text) result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return result;
}

// The program, serving a place until the end of the test.
class Served {
 public:
  Served(const Workplace& workplace, const std::string& place) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    process_ = fork();
    if (process_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      if (chdir(workplace.folder().c_str()) != 0) _exit(99);
      setenv("TMPDIR", (workplace.folder().string() + "_tmp").c_str(), 1);
      mkdir((workplace.folder().string() + "_tmp").c_str(), 0700);
      execl(testing::kProgram, "shoal", "serve", place.c_str(), nullptr);
      _exit(98);
    }
    temporary_ = workplace.folder().string() + "_tmp";
    close(ends[1]);
    // The address stands in the words that it prints when it can be asked.
    std::string words;
    char letter = 0;
    while (words.find("Ctrl-C") == std::string::npos && read(ends[0], &letter, 1) == 1) words += letter;
    close(ends[0]);
    const size_t begin = words.find("http://127.0.0.1:");
    if (begin == std::string::npos) {
      ADD_FAILURE() << "no address: " << words;
      return;
    }
    const std::string address = words.substr(begin, words.find('\n', begin) - begin);
    port_ = std::stoi(address.substr(17));
    token_ = address.substr(address.find("token=") + 6);
  }
  ~Served() {
    if (process_ > 0) end(SIGKILL);
    std::error_code ignored;
    std::filesystem::remove_all(temporary_, ignored);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  int end(int signal) {
    kill(process_, signal);
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  const std::string& temporary() const { return temporary_; }
  const std::string& token() const { return token_; }
  std::string host() const { return fmt::format("127.0.0.1:{}", port_); }

  // The bytes as they are, on a connection of their own.
  Answer ask(const std::string& bytes) const {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<uint16_t>(port_));
    inet_pton(AF_INET, "127.0.0.1", &place.sin_addr);
    Answer answer;
    if (connect(connection, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) {
      close(connection);
      return answer;
    }
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t got = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (got <= 0) break;  // it has heard enough
      sent += static_cast<size_t>(got);
    }
    std::string all;
    char part[4096];
    for (ssize_t got; (got = recv(connection, part, sizeof part, 0)) > 0;) all.append(part, static_cast<size_t>(got));
    close(connection);
    const size_t gap = all.find("\r\n\r\n");
    if (gap == std::string::npos) return answer;
    answer.status = std::stoi(all.substr(9, 3));
    answer.head = all.substr(0, gap);
    answer.body = all.substr(gap + 4);
    return answer;
  }
  Answer get(const std::string& path) const {
    return ask(
        fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\n\r\n", path, host(), cookie_));
  }
  Answer post(const std::string& path, const std::string& form) const {
    return ask(
        fmt::format("POST {} HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nCookie: {}\r\nConnection: close\r\n"
                    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{}",
                    path, host(), host(), cookie_, form.size(), form));
  }
  Answer put(const std::string& path, const std::string& content) const {
    return ask(
        fmt::format("PUT {} HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nCookie: {}\r\nConnection: close\r\n"
                    "Content-Length: {}\r\n\r\n{}",
                    path, host(), host(), cookie_, content.size(), content));
  }
  // Opens the printed address, as a browser does.
  void come_in() {
    const Answer answer = get("/?token=" + token_);
    ASSERT_EQ(answer.status, 200) << answer.head;
    const size_t begin = answer.head.find("Set-Cookie: ") + 12;
    cookie_ = answer.head.substr(begin, answer.head.find(';', begin) - begin);
  }
  // Until the page no longer shows a run.
  Answer wait_for(const std::string& path) const {
    for (;;) {
      Answer answer = get(path);
      if (answer.status != 200 || !answer.has("data-running=\"yes\"")) return answer;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

 private:
  pid_t process_ = 0;
  int port_ = 0;
  std::string token_, cookie_ = "none=0", temporary_;
};

// Forty people, made so that a release is possible; a column's name and some cells are hostile.
std::string people() {
  std::string text = "name,age,sex,<script>alert(1)</script>,illness\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("P{} <b>x</b>,{},{},{},{}\n", i, 20 + i % 8, i % 2 == 0 ? "f" : "m", 100 + i % 4,
                        i % 3 == 0 ? "<img src=x onerror=alert(2)>" : "flu");
  }
  return text;
}

TEST(Serve, IsClosedWithoutItsToken) {
  const Workplace workplace;
  workplace.write("people.csv", people());
  Served served(workplace, "people.csv");
  for (const char* path :
       {"/", "/table", "/columns", "/events", "/download?file=people.csv", "/assets/page.js", "/part/look"}) {
    EXPECT_EQ(served.get(path).status, 401) << path;
  }
  EXPECT_EQ(served.get("/?token=" + std::string(48, '0')).status, 403);
  EXPECT_EQ(served.post("/open", "file=people.csv").status, 401);
  // A look at the head of the address does not use it up.
  EXPECT_EQ(served
                .ask(fmt::format("HEAD /?token={} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.token(),
                                 served.host()))
                .status,
            401);
  served.come_in();
  EXPECT_EQ(served.get("/table").status, 200);
  // The address worked once: somebody who saw it on the screen is late.
  const Answer again = served.ask(
      fmt::format("GET /?token={} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.token(), served.host()));
  EXPECT_EQ(again.status, 403);
  EXPECT_TRUE(again.has("used already"));
  EXPECT_EQ(again.head.find("Set-Cookie"), std::string::npos);
}

TEST(Serve, RefusesForeignHostsAndOrigins) {
  const Workplace workplace;
  workplace.write("people.csv", people());
  Served served(workplace, ".");
  served.come_in();
  const auto raw = [&](const std::string& line, const std::string& headers) {
    return served.ask(line + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n").status;
  };
  EXPECT_EQ(raw("GET /table", "Host: evil.example\r\n"), 403);
  EXPECT_EQ(raw("GET /table", "Host: 127.0.0.1\r\n"), 403);  // another port is another site
  EXPECT_EQ(raw("GET /table", ""), 403);
  EXPECT_EQ(raw("GET /table", fmt::format("Host: {0}\r\nHost: {0}\r\n", served.host())), 403);
  EXPECT_EQ(raw("GET /table", fmt::format("Host: {}\r\nOrigin: http://evil.example\r\n", served.host())), 403);
  EXPECT_EQ(
      raw("POST /open", fmt::format("Host: {}\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n", served.host())),
      403);
  EXPECT_EQ(raw("POST /open", fmt::format("Host: {}\r\nOrigin: null\r\nContent-Length: 0\r\n", served.host())), 403);
  EXPECT_EQ(raw("POST /open", fmt::format("Host: {}\r\nContent-Length: 0\r\n", served.host())), 403);
  EXPECT_EQ(raw("PUT /upload?name=x.csv", fmt::format("Host: {}\r\nContent-Length: 0\r\n", served.host())), 403);
}

TEST(Serve, SaysWhatBrowsersMayNotDo) {
  const Workplace workplace;
  workplace.write("people.csv", people());
  Served served(workplace, "people.csv");
  std::vector<Answer> answers{served.get("/table")};  // a refusal
  served.come_in();
  answers.push_back(served.wait_for("/table"));
  answers.push_back(served.get("/nowhere"));
  answers.push_back(served.post("/open", "file=nowhere.csv"));
  for (const Answer& answer : answers) {
    EXPECT_NE(answer.head.find("script-src 'self';"), std::string::npos) << answer.head;
    EXPECT_EQ(answer.head.find("script-src 'self' 'unsafe"), std::string::npos);
    EXPECT_NE(answer.head.find("Cache-Control: no-store"), std::string::npos);
    EXPECT_NE(answer.head.find("X-Content-Type-Options: nosniff"), std::string::npos);
    EXPECT_NE(answer.head.find("frame-ancestors 'none'"), std::string::npos);
  }
}

TEST(Serve, NoPathLeadsOutOfTheFolder) {
  const Workplace outside;
  outside.write("secret.csv", "a,b\n1,2\n");
  outside.write("folder/people.csv", people());
  outside.write("folder/sub/more.csv", people());
  outside.write("folder/.hidden.csv", people());
  std::filesystem::create_symlink("../secret.csv", outside.folder() / "folder/link.csv");
  std::filesystem::create_directory_symlink("..", outside.folder() / "folder/up");
  outside.write("folder/job.yaml", "input: ../secret.csv\nk: 2\ncolumns:\n  a: quasi\n");
  outside.write("folder/tree.yaml",
                "input: people.csv\nk: 2\ncolumns:\n  age: {role: quasi, hierarchy: up/secret.csv}\n");
  ASSERT_EQ(mkfifo((outside.folder() / "folder/pipe.csv").c_str(), 0600), 0);
  Served served(outside, "folder");
  served.come_in();
  const Answer listed = served.get("/table");
  EXPECT_TRUE(listed.has("people.csv"));
  EXPECT_TRUE(listed.has("sub/more.csv"));
  for (const char* absent : {"link.csv", "secret", "pipe.csv", "up/", ".hidden"})
    EXPECT_FALSE(listed.has(absent)) << absent;
  const std::string absolute = (outside.folder() / "secret.csv").string();
  for (const std::string& name :
       {std::string("../secret.csv"), std::string("link.csv"), std::string("up/secret.csv"),
        std::string("sub/../../secret.csv"), std::string("pipe.csv"), std::string("sub"), absolute,
        std::string("people.csv\0/../../secret.csv", 27), std::string("//people.csv"), std::string(),
        std::string("job.yaml"), std::string("tree.yaml")}) {
    const Answer answer = served.post("/open", "file=" + encoded(name));
    EXPECT_EQ(answer.status, 422) << name;
    EXPECT_TRUE(answer.has("in the folder of this page")) << name << answer.body;
    EXPECT_FALSE(answer.has("data-running=\"yes\"")) << name;
  }
  ASSERT_EQ(served.post("/open", "file=people.csv").status, 303);
  served.wait_for("/table");
  // Only what this session wrote is sent, and outputs stay in the folder.
  for (const std::string& name :
       {std::string("../secret.csv"), std::string("people.csv"), std::string("link.csv"), absolute}) {
    EXPECT_EQ(served.get("/download?file=" + encoded(name)).status, 404) << name;
  }
  EXPECT_NE(served.get("/assets/../../secret.csv").status, 200);
  EXPECT_NE(served.get("/assets/..%2f..%2fsecret.csv").status, 200);
  for (const std::string& stem :
       {std::string("../x"), std::string("up/x"), absolute, std::string(".x"), std::string()}) {
    EXPECT_EQ(served.post("/release", "table=1&format=.csv&stem=" + encoded(stem)).status, 422) << stem;
  }
  std::filesystem::create_symlink("../stolen.csv", outside.folder() / "folder/trap_release.csv");
  EXPECT_EQ(served.post("/release", "table=1&format=.csv&stem=trap").status, 422);
  outside.write("folder/mine_report.html", "kept");
  EXPECT_EQ(served.post("/release", "table=1&format=.csv&stem=mine").status, 422);
  EXPECT_EQ(outside.read("folder/mine_report.html"), "kept");
  EXPECT_EQ(served.post("/save-job", "table=1&name=" + encoded("../job.yaml")).status, 422);
  EXPECT_EQ(outside.files(), (std::set<std::string>{"folder", "secret.csv"}));
}

TEST(Serve, RefusesWhatIsTooLarge) {
  const Workplace workplace;
  workplace.write("people.csv", people());
  Served served(workplace, ".");
  served.come_in();
  EXPECT_EQ(served.post("/open", "file=" + std::string(size_t{5} << 20, 'x')).status, 413);
  EXPECT_EQ(served.get("/table?" + std::string(4000, 'x')).status, 414);
  EXPECT_NE(served.get("/" + std::string(200000, 'x')).status, 200);
  EXPECT_EQ(served.get("/table").status, 200);  // and goes on
}

TEST(Serve, TheWayByFormsEndsInTheBytesOfTheCommandLine) {
  const Workplace workplace;
  workplace.write("people.csv", people());
  Served served(workplace, "people.csv");
  served.come_in();
  const Answer table = served.wait_for("/table");
  ASSERT_EQ(table.status, 200);
  EXPECT_FALSE(table.has("<script>alert"));
  EXPECT_FALSE(table.has("<img src=x"));
  EXPECT_TRUE(table.has("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_FALSE(table.has("P3 &lt;b&gt;"));  // cells of identifiers are hidden
  // By position: name, age, sex, the hostile one, illness.
  const std::string roles = "table=1&role-0=identifier&role-1=quasi&role-2=quasi&role-3=quasi&role-4=sensitive";
  ASSERT_EQ(served.post("/columns", roles).status, 303);
  const Answer columns = served.wait_for("/columns");
  EXPECT_FALSE(columns.has("<script>alert"));
  ASSERT_EQ(served.post("/goal", "table=1&k=4&requirements=age,sex%3A5&models=&method=mondrian").status, 303);
  const Answer goal = served.wait_for("/goal");
  EXPECT_TRUE(goal.has("Risk against loss"));
  ASSERT_EQ(served.post("/release", "table=1&format=.csv&stem=out").status, 303);
  const Answer released = served.wait_for("/release");
  ASSERT_TRUE(workplace.exists("out_release.csv")) << released.body;
  EXPECT_EQ(released.body.find("<script>alert"), std::string::npos);
  for (const char* name :
       {"out_report.html", "out_report_public.html", "out_report.json", "out_recoding.json", "out_job.yaml"}) {
    EXPECT_TRUE(workplace.exists(name)) << name;
  }
  const Answer download = served.get("/download?file=out_release.csv");
  EXPECT_EQ(download.body, workplace.read("out_release.csv"));
  EXPECT_NE(download.head.find("attachment"), std::string::npos);
  const auto plain = workplace.shoal(
      "anonymize people.csv --job out_job.yaml -o again.csv --report r.html --report-public p.html --json r.json "
      "--recoding c.json --quiet");
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(workplace.read("again.csv"), workplace.read("out_release.csv"));
  // Opened once more, the job goes on where it was.
  ASSERT_EQ(served.post("/open", "file=out_job.yaml").status, 303);
  served.wait_for("/table");
  const Answer continued = served.get("/goal");
  EXPECT_TRUE(continued.has("value=\"4\""));
  EXPECT_TRUE(continued.has("age,sex:5"));
  // A page of the table before changes nothing.
  EXPECT_EQ(served.post("/goal", "table=1&k=2").status, 422);
  EXPECT_TRUE(served.get("/goal").has("value=\"4\""));
  // Nor does a form of this one that was drawn before another tab changed the job.
  const std::string field = "name=\"changes\" value=\"";
  const size_t at = continued.body.find(field);
  ASSERT_NE(at, std::string::npos);
  const std::string drawn_for =
      continued.body.substr(at + field.size(), continued.body.find('"', at + field.size()) - at - field.size());
  EXPECT_EQ(served.post("/goal", "table=2&k=6&changes=" + drawn_for).status, 303);
  EXPECT_EQ(served.post("/goal", "table=2&k=7&changes=" + drawn_for).status, 422);
  EXPECT_EQ(served.post("/columns", "table=2&role-4=plain&changes=" + drawn_for).status, 422);
  EXPECT_TRUE(served.get("/goal").has("value=\"6\""));
}

TEST(Serve, ADroppedTableIsPrivateAndGoesAtTheEnd) {
  const Workplace workplace;
  Served served(workplace, ".");
  served.come_in();
  EXPECT_TRUE(served.get("/table").has("no table in the folder"));
  const std::string table = people();
  const Answer refused =
      served.ask(fmt::format("PUT /upload?name=dropped.csv HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nConnection: "
                             "close\r\nContent-Length: {}\r\n\r\n{}",
                             served.host(), served.host(), table.size(), table));
  EXPECT_EQ(refused.status, 401);  // without the cookie nothing is taken
  EXPECT_TRUE(std::filesystem::is_empty(served.temporary()));
  const Answer taken = served.put("/upload?name=" + encoded("../../dropped.csv"), table);
  ASSERT_EQ(taken.status, 200) << taken.body;
  EXPECT_TRUE(served.wait_for("/table").has("dropped.csv"));
  EXPECT_FALSE(std::filesystem::is_empty(served.temporary()));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(served.temporary())) {
    EXPECT_EQ(entry.status().permissions() & std::filesystem::perms(077), std::filesystem::perms::none) << entry.path();
  }
  EXPECT_EQ(served.end(SIGINT), 0);
  EXPECT_TRUE(std::filesystem::is_empty(served.temporary()));
  EXPECT_TRUE(workplace.files().empty());
}

TEST(Serve, SaysWhatIsWrongWithPlaceAndPort) {
  const Workplace workplace;
  const auto nowhere = workplace.shoal("serve nowhere");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_NE(nowhere.err.find("no file or folder 'nowhere'"), std::string::npos) << nowhere.err;
  EXPECT_EQ(workplace.shoal("serve . --port 70000").exit_code, 2);
  Served served(workplace, ".");
  const std::string port = served.host().substr(10);
  const auto taken = workplace.shoal("serve . --port " + port);
  EXPECT_EQ(taken.exit_code, 2);
  EXPECT_NE(taken.err.find("is taken"), std::string::npos) << taken.err;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
