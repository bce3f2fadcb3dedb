#include "shoal/read/read_job.h"
#include "shoal/job/job.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "shoal/error.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

const char* const kFull = R"(# everything a job can say
input: people.csv
output: people_release.csv
delimiter: ";"
columns:
  name: identifier
  age: {role: quasi, type: numeric, weight: 2}
  zip: {role: quasi, hierarchy: {build: mask}}
  income: {role: quasi, hierarchy: {build: intervals, edges: [0, 1000, 5000]}}
  education: {role: quasi, hierarchy: hierarchies/education.csv}
  diagnosis: sensitive
  pay: {role: sensitive, order: [low, high]}
  patient: person
k: 5
requirements:
  - {columns: [age, zip], k: 10, models: [{model: t-closeness, column: pay, t: 0.2, distance: ordered}]}
  - columns: education
    k: 20
models:
  - {model: distinct-l, column: diagnosis, l: 3}
  - confidence:diagnosis:alpha=1/2,values=flu
  - {model: confidence, column: diagnosis, alpha: 0.2, values: [HIV, "a|b"]}
hierarchies: hierarchies/
method: mondrian
params: {cuts: strict}
suppress_rows: 0.02
missing: ["?", NA]
unknown_values: root
order: input
others: plain
accept: [reveals:education-num, order]
earlier: [old.csv, /tmp/older.csv]
union: yes
seed: 7
threads: 2
time_budget: 60
memory_limit: 8GB
json: report.json
report: /tmp/report.html
recoding: "-"
)";

std::string message_of(const auto& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job) << error.what();
    return error.what();
  }
  return "(no error)";
}

TEST(Job, ReadsEveryKey) {
  const FileJob job = parse_job(kFull, "job.yaml", "work/jobs");
  EXPECT_EQ(job.files.input, "work/jobs/people.csv");
  EXPECT_EQ(job.files.output, "work/jobs/people_release.csv");
  EXPECT_EQ(job.files.delimiter, ";");
  ASSERT_EQ(job.columns.size(), 8u);
  EXPECT_EQ(job.columns[0].role, Role::identifier);
  EXPECT_EQ(job.columns[1].type, ColumnType::numeric);
  EXPECT_EQ(job.columns[1].weight, 2);
  EXPECT_EQ(job.columns[2].hierarchy->builder->kind, "mask");
  EXPECT_EQ(job.columns[3].hierarchy->builder->settings.at("edges"), "0,1000,5000");
  EXPECT_EQ(job.columns[4].hierarchy->file, "work/jobs/hierarchies/education.csv");
  EXPECT_EQ(job.columns[5].role, Role::sensitive);
  EXPECT_EQ(job.columns[6].order, (std::vector<std::string>{"low", "high"}));
  EXPECT_EQ(job.columns[7].role, Role::person);
  ASSERT_EQ(job.models.size(), 3u);
  EXPECT_EQ(job.models[0], parse_model("distinct-l:diagnosis:l=3"));
  EXPECT_EQ(job.models[1], parse_model("confidence:diagnosis:alpha=0.5,values=flu"));
  EXPECT_EQ(job.models[2], parse_model("confidence:diagnosis:alpha=0.2,values=HIV|a\\|b"));
  ASSERT_EQ(job.requirements[0].models.size(), 1u);
  EXPECT_EQ(job.requirements[0].models[0], parse_model("t-closeness:pay:t=0.2,distance=ordered"));
  EXPECT_EQ(job.k, 5u);
  ASSERT_EQ(job.requirements.size(), 2u);
  EXPECT_EQ(job.requirements[0].columns, (std::vector<std::string>{"age", "zip"}));
  EXPECT_EQ(job.requirements[0].k, 10u);
  EXPECT_EQ(job.requirements[1].columns, std::vector<std::string>{"education"});
  EXPECT_EQ(job.files.hierarchies, "work/jobs/hierarchies/");
  EXPECT_EQ(job.method, "mondrian");
  EXPECT_EQ(job.params.at("cuts"), "strict");
  EXPECT_EQ(job.suppress_rows, 0.02);
  EXPECT_EQ(job.missing, (std::vector<std::string>{"?", "NA"}));
  EXPECT_TRUE(job.unknown_values_under_root);
  EXPECT_EQ(job.order, Order::input);
  EXPECT_TRUE(job.others_plain);
  EXPECT_EQ(job.accept, (std::vector<std::string>{"reveals:education-num", "order"}));
  EXPECT_EQ(job.files.earlier, (std::vector<std::string>{"work/jobs/old.csv", "/tmp/older.csv"}));
  EXPECT_TRUE(job.unite);
  EXPECT_EQ(job.seed, 7u);
  EXPECT_EQ(job.threads, 2);
  EXPECT_EQ(job.time_budget, 60);
  EXPECT_EQ(job.memory_limit, 8000000000u);
  EXPECT_EQ(job.files.json, "work/jobs/report.json");
  EXPECT_EQ(job.files.report, "/tmp/report.html");
  EXPECT_EQ(job.files.recoding, "-");
}

TEST(Job, DefaultsStayWhenNothingIsSaid) {
  const FileJob job = parse_job("k: 3\n", "job.yaml", "");
  EXPECT_EQ(job.method, "");
  EXPECT_EQ(chosen_method(job), "shoal");
  EXPECT_EQ(job.seed, 1u);
  EXPECT_EQ(job.threads, 0);
  EXPECT_FALSE(job.unknown_values_under_root);
  EXPECT_FALSE(job.suppress_rows);
}

TEST(Job, JsonIsAJobToo) {
  const FileJob job =
      parse_job("{\n\t\"k\": 4,\n\t\"columns\": {\"age\": {\"role\": \"quasi\"}}\n}\n", "job.files.json", "");
  EXPECT_EQ(job.k, 4u);
  EXPECT_EQ(job.find_column("age")->role, Role::quasi);
}

struct Mistake {
  const char* text;
  const char* message;
};

TEST(Job, MistakesSayWhereAndWhatToDo) {
  const Mistake mistakes[] = {
      {"k: 5\nmehtod: mondrian\n", "job.yaml line 2: unknown key 'mehtod'; did you mean 'method'?"},
      {"suppress-rows: 0.1\n", "job.yaml line 1: unknown key 'suppress-rows'; did you mean 'suppress_rows'?"},
      {"zzzzzz: 1\n", "job.yaml line 1: unknown key 'zzzzzz'; keys are input, output, "},
      {"k: five\n", "job.yaml line 1: k: 'five' is not a whole number"},
      {"k: 5.5\n", "job.yaml line 1: k: '5.5' is not a whole number"},
      {"k: -5\n", "job.yaml line 1: k: '-5' is not a whole number"},
      {"k: 99999999999999999999\n", "job.yaml line 1: k: '99999999999999999999' is not a whole number"},
      {"k:\nseed: 1\n", "job.yaml line 1: k: wanted one value, found nothing"},
      {"k: [5]\n", "job.yaml line 1: k: wanted one value, found a list"},
      {"input: {a: b}\n", "job.yaml line 1: input: wanted one value, found a mapping"},
      {"k: 5\ncolumns:\n\tage: quasi\n", "job.yaml line 3: a tab; YAML wants spaces"},
      {"columns:\n  age: quasi\n \tzip: quasi\n", "job.yaml line 3: a tab; YAML wants spaces"},
      {"k: 5\ncolumns: {age: quasi\nmethod: mondrian\n", "job.yaml line "},
      {"k: 5\ncolumns: {age: quasi\nmethod: mondrian\n", "not valid YAML"},
      {"k: 5\ninput: \"people.csv\nseed: 5\n", "job.yaml line 2: not valid YAML: a quote that is never closed"},
      {"k: 5\nmissing: ['?, NA]\nseed: 5\n", "job.yaml line "},
      {"k: 5\n\"method: mondrian\n", "job.yaml line "},
      {"columns: 'age\n", "never closed"},
      {"k: 5\nseed: 2\nk: 6\n", "job.yaml line 3: 'k' is listed twice (first on line 1)"},
      {"columns:\n  age: quasi\n  zip: quasi\n  age: plain\n",
       "job.yaml line 4: column 'age' is listed twice (first on line 2)"},
      {"columns:\n  age: quasy\n", "job.yaml line 2: unknown role 'quasy'; did you mean 'quasi'?"},
      {"columns:\n  age: foreground\n",
       "job.yaml line 2: unknown role 'foreground'; roles are identifier, quasi, sensitive, person, target, plain"},
      {"columns:\n  age: {role: quasi, tpye: numeric}\n",
       "job.yaml line 2: unknown key 'tpye' in column 'age'; did you mean 'type'?"},
      {"columns:\n  age:\n    role: quasi\n    type: numerical\n",
       "job.yaml line 4: unknown type 'numerical'; did you mean 'numeric'?"},
      {"columns:\n  age: {role: quasi, weight: heavy}\n",
       "job.yaml line 2: weight of column 'age': 'heavy' is not a number"},
      {"columns:\n  age: {role: quasi, weight: .inf}\n", "'.inf' is not a number"},
      {"columns:\n  age: {role: quasi, weight: inf}\n", "'inf' is not a number"},
      {"columns:\n  age: {role: quasi, hierarchy: {build: maks}}\n",
       "job.yaml line 2: unknown hierarchy builder 'maks'; did you mean 'mask'?"},
      {"columns:\n  age: {role: quasi, hierarchy: {width: 5}}\n", "has settings but no builder"},
      {"columns:\n  age: {role: quasi, hierarchy: {build: mask, file: a.csv}}\n", "both a file and a builder"},
      {"columns:\n  age: {role: quasi, hierarchy: }\n", "hierarchy of column 'age': wanted a file name"},
      {"columns:\n  age: {role: quasi, hierarchy: [a, b]}\n", "found a list"},
      {"columns: [age, zip]\n",
       "job.yaml line 1: columns: wanted 'name: role' lines, as in 'age: quasi', found a list"},
      {"columns: age\n", "found 'age'"},
      {"columns:\n  age: [quasi]\n", "job.yaml line 2: column 'age': wanted a role"},
      {"columns:\n  null: quasi\n", "put names like null or ~ in quotes"},
      {"columns:\n  \"\": quasi\n", "a column without a name"},
      {"requirements: {columns: [a], k: 5}\n", "job.yaml line 1: requirements: wanted a list"},
      {"requirements:\n  - age, zip\n",
       "job.yaml line 2: requirements: wanted {columns: [a, b], k: 5}, found 'age, zip'"},
      {"requirements:\n  - {columns: [age]}\n", "job.yaml line 2: a requirement without k"},
      {"requirements:\n  - {k: 5}\n", "job.yaml line 2: a requirement without columns"},
      {"requirements:\n  - {column: [age], k: 5}\n",
       "job.yaml line 2: unknown key 'column' in a requirement; did you mean 'columns'?"},
      {"models: distinct-l\n",
       "job.yaml line 1: models: wanted a list of {model: distinct-l, column: diagnosis, l: 3}"},
      {"models:\n  - [a]\n",
       "job.yaml line 2: models: wanted {model: distinct-l, column: diagnosis, l: 3}, found a list"},
      {"models:\n  - {column: a, l: 3}\n", "job.yaml line 2: a model without its name"},
      {"models:\n  - {model: distint-l, column: a, l: 3}\n", "line 2: there is no model 'distint-l'; did you mean"},
      {"models:\n  - {model: distinct-l, column: a}\n", "line 2: model 'distinct-l' needs l"},
      {"models:\n  - {model: distinct-l, column: a, l: 3, t: 1}\n", "line 2: model 'distinct-l' has no parameter 't'"},
      {"models:\n  - {model: distinct-l, column: a, l: [2, 3]}\n", "line 2: model 'distinct-l': l is a list"},
      {"models:\n  - {model: distinct-l, column: [a, b], l: 3}\n", "line 2: column of a model is a list"},
      {"models:\n  - {model: t-closeness, column: a, t: 2}\n", "line 2: model 't-closeness': t is 2, but must be"},
      {"models:\n  - distinct-l:a\n", "line 2: model 'distinct-l:a' is not a word, a column and parameters"},
      {"requirements:\n  - {columns: [a], k: 5, models: 3}\n", "line 2: models: wanted a list"},
      {"params: strict\n", "job.yaml line 1: params: wanted {name: value}, found 'strict'"},
      {"params: {cuts: [a]}\n", "job.yaml line 1: cuts: wanted one value, found a list"},
      {"missing: {a: b}\n", "job.yaml line 1: missing: wanted a list like [a, b], found a mapping"},
      {"missing:\n  - NA\n  - ~\n", "job.yaml line 3: missing: wanted a list of texts, found nothing (or a bare null)"},
      {"unknown_values: rot\n",
       "job.yaml line 1: unknown_values: 'rot' is neither root nor refuse; did you mean 'root'?"},
      {"shuffle: maybe\n", "job.yaml line 1: shuffle: 'maybe' is neither true nor false"},
      {"shuffle: true\n", "job.yaml line 1: shuffle is gone, for the seed undoes it; leave it out: rows are sorted by"},
      {"shuffle: false\n", "job.yaml line 1: shuffle is gone; write order: input"},
      {"order: random\n", "job.yaml line 1: order: 'random' is neither released nor input"},
      {"others: plane\n", "job.yaml line 1: others: 'plane' is neither plain nor leave-out"},
      {"accept: [reveal:a]\n", "job.yaml line 1: accept: there is no finding 'reveal'; did you mean 'reveals'?"},
      {"reasons: [reveals]\n", "job.yaml line 1: reasons: wanted {name: value}, found a list"},
      {"earlier: ['']\n", "job.yaml line 1: earlier: an empty file name"},
      {"threads: 100000\n", "job.yaml line 1: threads: 100000 is more than any machine has"},
      {"time_budget: soon\n", "job.yaml line 1: time_budget: 'soon' is not a number"},
      {"memory_limit: 8 apples\n", "job.yaml line 1: '8 apples' is not an amount of memory"},
      {"delimiter: ';;'\n", "job.yaml line 1: delimiter: ';;' is not a single character"},
      {"input: ''\n", "job.yaml line 1: input: an empty file name"},
      {"", "job.yaml: an empty job"},
      {"# nothing\n", "job.yaml: an empty job"},
      {"just words\n", "job.yaml line 1: not a job"},
      {"- k: 5\n", "job.yaml line 1: not a job"},
      {"k: 5\n---\nk: 6\n", "a second document"},
      // Found by fuzzing: the parser never came back.
      {"columns: {age: {role: quasi, type: nume]\",3\n    \"[25,30]\",53711,3\n  m numeric}}\n  k: 3\n",
       "job.yaml line"},
      {"k: 5\n]\n", "job.yaml line 2: not valid YAML"},
      {"k: *nowhere\n", "not valid YAML"},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string message = message_of([&] { parse_job(mistake.text, "job.yaml", ""); });
    EXPECT_NE(message.find(mistake.message), std::string::npos) << mistake.text << "gave: " << message;
  }
}

TEST(Job, MissingFileIsAMistakeInTheJob) {
  EXPECT_NE(message_of([] { read_job("no/such/job.yaml"); }).find("cannot read the job file 'no/such/job.yaml'"),
            std::string::npos);
  EXPECT_NE(message_of([] { read_job("/"); }).find("cannot read"), std::string::npos);
}

TEST(Job, ReadJobTakesPathsFromTheJobsFolder) {
  const testing::TextFile file("job.yaml", "input: in.csv\noutput: /abs/out.csv\njson: '-'\n");
  const FileJob job = read_job(file.path());
  EXPECT_EQ(job.files.input, file.path().substr(0, file.path().rfind('/') + 1) + "in.csv");
  EXPECT_EQ(job.files.output, "/abs/out.csv");
  EXPECT_EQ(job.files.json, "-");
}

// Whatever bytes a job file holds: a job, or Error(job) with the file's name.
TEST(Job, DamagedFilesNeverDoAnythingElse) {
  std::mt19937_64 random(2);
  auto draw = [&](size_t low, size_t high) { return std::uniform_int_distribution<size_t>(low, high)(random); };
  size_t refused = 0;
  for (int i = 0; i < 600; ++i) {
    std::string text = kFull;
    for (size_t changes = draw(1, 4); changes > 0; --changes) {
      const size_t place = draw(0, text.size() - 1);
      switch (draw(0, 3)) {
        case 0:
          text[place] = static_cast<char>(draw(0, 255));
          break;
        case 1:
          text.erase(place, draw(1, 30));
          break;
        case 2:
          text.insert(place, 1, "{}[]:,-\n\t\"'#&*!|>%@"[draw(0, 18)]);
          break;
        default:
          text.insert(place, text.substr(draw(0, text.size() - 1), draw(1, 40)));
      }
    }
    try {
      parse_job(text, "job.yaml", "");
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::job);
      EXPECT_EQ(std::string(error.what()).rfind("job.yaml", 0), 0u) << error.what();
    }
  }
  EXPECT_GT(refused, 200u);
}

TEST(Job, Memory) {
  EXPECT_EQ(parse_memory("1000000"), 1000000u);
  EXPECT_EQ(parse_memory("512MB"), 512000000u);
  EXPECT_EQ(parse_memory("2 gb"), 2000000000u);
  EXPECT_EQ(parse_memory("2G"), 2000000000u);
  EXPECT_EQ(parse_memory("1.5GiB"), 1610612736u);
  EXPECT_EQ(parse_memory("64KiB"), 65536u);
  EXPECT_EQ(parse_memory("3TB"), 3000000000000u);
  EXPECT_EQ(parse_memory("7B"), 7u);
  for (const char* bad : {"", "GB", "x", "-1GB", "2PB", "2KMB", "2 i", "inf", "nan", "1e30GB", "2GB2", "2iB"}) {
    EXPECT_NE(message_of([&] { parse_memory(bad); }).find("is not an amount of memory"), std::string::npos) << bad;
  }
}

TEST(Job, ColumnIsMadeOnce) {
  FileJob job;
  job.column("age").role = Role::quasi;
  job.column("age").weight = 3;
  ASSERT_EQ(job.columns.size(), 1u);
  EXPECT_EQ(job.find_column("age")->weight, 3);
  EXPECT_EQ(job.find_column("zip"), nullptr);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
