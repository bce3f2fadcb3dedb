#include "shoal/report/inspected_hierarchies.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "shoal/hierarchy/build.h"

namespace shoal {
namespace {

// A column's name as a part of a file's name.
std::string file_word(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    word += byte < 0x20 || std::string_view("/\\:*?\"<>|[] ").find(c) != std::string_view::npos ? '_' : c;
  }
  return word;
}

}  // namespace

std::vector<HierarchyText> hierarchies_beside(const std::string& job_file, const Inspection& inspection, FileJob& job) {
  std::vector<HierarchyText> files;
  std::set<std::string> taken;
  const std::filesystem::path job_path(job_file);
  for (const ColumnInspection& column : inspection.columns) {
    if (column.values.empty()) continue;
    ColumnJob& entry = job.column(column.name);
    std::string name = fmt::format("{}_{}", job_path.stem().string(), file_word(column.name));
    while (!taken.insert(name).second) name += "_";
    const std::string path = (job_path.parent_path() / (name + ".csv")).string();
    files.push_back({path, level_table(build_tree(*entry.hierarchy->builder, column.values, column.counts))});
    entry.hierarchy = HierarchySpec{path, std::nullopt, std::nullopt};
  }
  return files;
}

}  // namespace shoal
