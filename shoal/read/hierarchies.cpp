#include "shoal/read/hierarchies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "shoal/error.h"
#include "shoal/job/implied_hierarchy.h"
#include "shoal/job/requirements.h"
#include "shoal/read/folder_names.h"
#include "shoal/read/read_tree.h"

namespace shoal {

namespace fs = std::filesystem;

namespace {

bool asks_for_tree(const Job& job, const std::string& column) {
  const std::vector<ModelSpec> models = all_models(job);
  return std::any_of(models.begin(), models.end(), [&](const ModelSpec& model) {
    return model.column == column && model.distance == Distance::hierarchical;
  });
}

std::vector<std::string> names_in_hierarchies_folder(const std::string& folder) {
  try {
    return names_in_folder(folder);
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::job,
                fmt::format("cannot read the hierarchies folder '{}': {}", folder, error.code().message()));
  }
}

}  // namespace

std::optional<HierarchySpec> hierarchy_of(const FileJob& job, const std::string& column) {
  const ColumnJob* own = job.find_column(column);
  if (own && own->hierarchy) return own->hierarchy;
  std::optional<HierarchySpec> implied = own ? implied_hierarchy(*own) : std::nullopt;
  if (job.files.hierarchies.empty()) return implied;
  std::vector<std::string> exact, suffixed;
  for (const std::string& name : names_in_hierarchies_folder(job.files.hierarchies)) {
    const fs::path file = fs::path(job.files.hierarchies) / name;
    const std::string extension = file.extension().string(), stem = file.stem().string();
    if (extension != ".csv" && extension != ".tsv" && extension != ".txt" && extension != ".tree" &&
        extension != ".json") {
      continue;
    }
    if (stem == column) exact.push_back(file.string());
    if (stem.ends_with("_" + column)) suffixed.push_back(file.string());
  }
  std::vector<std::string>& found = exact.empty() ? suffixed : exact;
  if (found.empty()) return implied;
  if (found.size() > 1) {
    throw Error(
        ErrorKind::job,
        fmt::format("two hierarchy files for the column '{}': '{}' and '{}'; name one", column, found[0], found[1]),
        Advice{Setting::hierarchy, column});
  }
  return HierarchySpec{found[0], std::nullopt, std::nullopt};
}

namespace {

void read_hierarchy(const FileJob& job, ColumnJob& column, std::vector<std::string>& notices) {
  column.hierarchy = hierarchy_of(job, column.name);
  if (!column.hierarchy || column.hierarchy->builder || column.hierarchy->tree) return;
  std::vector<HierarchyFault> warnings;
  const std::string& file = column.hierarchy->file;
  column.hierarchy->tree = read_tree(file, &warnings);
  if (warnings.empty()) return;
  notices.push_back(fmt::format(
      "hierarchy of '{}': {} line {}: {}{}", column.name, file, warnings[0].line, warnings[0].message,
      warnings.size() > 1 ? fmt::format(" (and {} more; checking the hierarchy lists all)", warnings.size() - 1) : ""));
}

}  // namespace

FileJob with_sensitive_hierarchies_read(FileJob job, std::vector<std::string>& notices) {
  for (ColumnJob& column : job.columns) {
    // The folder's file of a sensitive column is for the model that asks for one; else nobody meant it.
    if (column.role == Role::sensitive && (column.hierarchy || asks_for_tree(job, column.name))) {
      read_hierarchy(job, column, notices);
    }
  }
  return job;
}

FileJob with_hierarchies_read(FileJob job, std::vector<std::string>& notices) {
  for (ColumnJob& column : job.columns) {
    if (column.role == Role::quasi) read_hierarchy(job, column, notices);
  }
  return with_sensitive_hierarchies_read(std::move(job), notices);
}

}  // namespace shoal
