#!/usr/bin/env bash
# Installs a built tree (build, or the folder given) below a temporary prefix, moves that elsewhere, and uses it as a
# stranger would: the program from an empty folder, then programs of their own against the package. Fails on the first
# step that does, saying which.
set -euo pipefail
cd "$(dirname "$0")/.."
source_folder=$PWD
build=$(realpath "${1:-build}")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
log=$place/log
step() { # what is tried, then the command
  local what=$1
  shift
  "$@" >"$log" 2>&1 || { cat "$log"; echo "check_install: $what: failed" >&2; exit 1; }
}

step "installing" cmake --install "$build" --prefix "$place/first"
# Moved, so that nothing can hang on the folder it was installed to.
mv "$place/first" "$place/moved"
prefix=$place/moved
mkdir "$place/empty"
cd "$place/empty"
shoal() { env -i PATH=/usr/bin:/bin "$prefix/bin/shoal" "$@"; }
step "shoal demo from an empty folder" shoal demo --quiet
step "demo left a release" test -s demo/people_release.csv
sample=$prefix/share/shoal/examples/census
step "shoal anonymize from an empty folder" shoal anonymize "$sample/people.csv" -o release.csv --identifier name \
  --quasi age,sex,zip --numeric age --hierarchy zip=build:mask --k 5
step "shoal verify of that release" shoal verify release.csv --quasi age,sex,zip --k 5
! grep -rqF "$source_folder" "$prefix/bin" "$prefix/lib/cmake" || {
  echo "check_install: what is installed names the source folder:" >&2
  grep -rlF "$source_folder" "$prefix/bin" "$prefix/lib/cmake" >&2
  exit 1
}

# The package: a program for each library, then every example that is a project of its own.
consume() { # project, name
  step "$2: configuring against the package" cmake -S "$1" -B "$place/$2" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
  step "$2: building against the package" cmake --build "$place/$2"
}
consume "$source_folder/testing/installed" installed
step "a program on shoal::core" "$place/installed/on_core"
step "a program on shoal::files" "$place/installed/on_files" "$sample/job.yaml" "$place/empty/from_program.csv"
step "shoal::core brings no library for files along" bash -c "! ldd '$place/installed/on_core' | grep -E 'duckdb|yaml|crypto'"
for project in "$source_folder"/examples/*/CMakeLists.txt; do
  [ -e "$project" ] || continue
  name=$(basename "$(dirname "$project")")
  consume "$(dirname "$project")" "$name"
  step "$name: running" "$place/$name/$name"
done
echo "installed, moved and used"
