// Small tables for learners: as text, and random ones.
#pragma once

#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "shoal/learn/dataset.h"

namespace shoal::testing {

// Rows of blank-separated texts under a header; the last column is the class unless said otherwise.
inline std::vector<TextColumn> text_columns(const std::string& table) {
  std::istringstream lines(table);
  std::string line, word;
  std::getline(lines, line);
  std::istringstream header(line);
  std::vector<TextColumn> columns;
  while (header >> word) columns.push_back({word, {}, {}});
  std::vector<std::vector<uint32_t>> codes(columns.size());
  std::vector<std::map<std::string, uint32_t>> known(columns.size());
  while (std::getline(lines, line)) {
    std::istringstream row(line);
    for (size_t j = 0; j < columns.size() && row >> word; ++j) {
      const auto [found, is_new] = known[j].emplace(word, static_cast<uint32_t>(columns[j].texts.size()));
      if (is_new) columns[j].texts.push_back(word);
      codes[j].push_back(found->second);
    }
  }
  for (size_t j = 0; j < columns.size(); ++j) columns[j].codes = Codes(std::move(codes[j]));
  return columns;
}

inline Dataset dataset_of(const std::string& table, DatasetReading reading = {}) {
  const auto columns = text_columns(table);
  if (reading.target.empty()) reading.target = columns.back().name;
  return read_dataset(columns, reading);
}

// Quinlan's golf table (C4.5, 1993, page 18).
inline std::string golf_table() {
  return "outlook temperature humidity windy class\n"
         "sunny 75 70 true Play\n"
         "sunny 80 90 true Don't\n"
         "sunny 85 85 false Don't\n"
         "sunny 72 95 false Don't\n"
         "sunny 69 70 false Play\n"
         "overcast 72 90 true Play\n"
         "overcast 83 78 false Play\n"
         "overcast 64 65 true Play\n"
         "overcast 81 75 false Play\n"
         "rain 71 80 true Don't\n"
         "rain 65 70 true Don't\n"
         "rain 75 80 false Play\n"
         "rain 68 80 false Play\n"
         "rain 70 96 false Play\n";
}

// Cendrowska's contact lenses (1987): all 24 combinations.
inline std::string contact_lenses() {
  std::string table = "age prescription astigmatism tears class\n";
  for (const std::string age : {"young", "pre-presbyopic", "presbyopic"}) {
    for (const std::string prescription : {"myope", "hypermetrope"}) {
      for (const std::string astigmatism : {"no", "yes"}) {
        for (const std::string tears : {"reduced", "normal"}) {
          std::string lenses = astigmatism == "no" ? "soft" : "hard";
          if (astigmatism == "no" && age == "presbyopic" && prescription == "myope") lenses = "none";
          if (astigmatism == "yes" && age != "young" && prescription == "hypermetrope") lenses = "none";
          if (tears == "reduced") lenses = "none";
          table += age + " " + prescription + " " + astigmatism + " " + tears + " " + lenses + "\n";
        }
      }
    }
  }
  return table;
}

struct RandomDatasetSettings {
  size_t rows = 30, columns = 4, classes = 3, values = 4;
  double missing = 0.1;  // chance of a missing cell
  double vague = 0;      // chance of a range or a set
  bool weighted = false;
};

// Columns are numeric and categorical in turn by chance; the class leans on the first two columns.
inline Dataset random_dataset(const RandomDatasetSettings& settings, uint64_t seed) {
  std::mt19937_64 random(seed);
  auto chance = [&] { return static_cast<double>(random() % 10000) / 10000; };
  auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
  Dataset data;
  data.rows = settings.rows;
  data.class_name = "class";
  for (size_t c = 0; c < settings.classes; ++c) data.classes.push_back("c" + std::to_string(c));
  for (size_t j = 0; j < settings.columns; ++j) {
    Attribute attribute;
    attribute.name = "a" + std::to_string(j);
    attribute.numeric = below(2) == 0;
    const size_t values = 2 + below(settings.values - 1);
    for (size_t v = 0; v < values; ++v) {
      const auto number = static_cast<double>(v);
      if (!attribute.numeric) attribute.categories.push_back("v" + std::to_string(v));
      if (!attribute.numeric) continue;
      attribute.extents.push_back({number, number});
      for (size_t w = v + 1; settings.vague > 0 && w < values; ++w) {
        attribute.extents.push_back({number, static_cast<double>(w)});
      }
    }
    if (!attribute.numeric && settings.vague > 0 && values > 2) {
      attribute.sets.push_back({0, 1});
      if (values > 3) attribute.sets.push_back({1, 2, 3});
    }
    for (size_t row = 0; row < data.rows; ++row) {
      if (chance() < settings.missing) {
        attribute.codes.push_back(Attribute::kMissing);
        attribute.has_missing = true;
      } else if (attribute.numeric && settings.vague > 0) {
        uint32_t code = below(attribute.extents.size());
        while (!attribute.extents[code].exact() && chance() > settings.vague) code = below(attribute.extents.size());
        attribute.codes.push_back(code);
      } else if (!attribute.sets.empty() && chance() < settings.vague) {
        attribute.codes.push_back(static_cast<uint32_t>(values + below(attribute.sets.size())));
      } else {
        attribute.codes.push_back(below(values));
      }
    }
    attribute.has_vague = settings.vague > 0 && (attribute.numeric || !attribute.sets.empty());
    data.attributes.push_back(std::move(attribute));
  }
  for (size_t row = 0; row < data.rows; ++row) {
    const uint32_t code = data.attributes[0].codes[row];
    const bool leans = code != Attribute::kMissing && chance() < 0.6;
    data.class_of.push_back(leans ? code % static_cast<uint32_t>(settings.classes) : below(settings.classes));
    data.weights.push_back(settings.weighted ? static_cast<double>(1 + below(3)) : 1.0);
  }
  return data;
}

}  // namespace shoal::testing
