#!/usr/bin/env bash
# Rooms depend one way (ARCHITECTURE.md): a file may include its own room and those to the left of it, never one to the
# right; doors include shoal/shoal.h and nothing else of the engine. Prints every line that breaks this, and fails.
# With --graph: prints the edges between rooms with their number of includes instead.
set -euo pipefail
cd "$(dirname "$0")/.."
graph=0
[ "${1:-}" = --graph ] && graph=1
git ls-files --cached --others --exclude-standard 'shoal/*.h' 'shoal/*.cpp' 'cli/*.h' 'cli/*.cpp' 'web/*.h' 'web/*.cpp' 'python/*.h' 'python/*.cpp' | grep -v '_test\.cpp$' |
  xargs grep -nH '^#include "\(shoal\|cli\|web\)/' |
  awk -F: -v graph="$graph" '
    BEGIN {
      # Rooms with the same rank are neighbours that do not see each other.
      split("error run table hierarchy model recode measure,learn method plan job encode verify examine,evaluate report release read write files anonymize web cli,python", order, " ")
      for (i in order) { n = split(order[i], rooms, ","); for (j = 1; j <= n; ++j) rank[rooms[j]] = i + 0 }
    }
    function room(path,   parts, n) {
      n = split(path, parts, "/")
      if (parts[1] != "shoal") return parts[1]
      if (n > 2) return parts[2]
      return parts[2] ~ /^(error|nearest_word|version)\./ ? "error" : "anonymize"
    }
    {
      match($3, /"[^"]+"/)
      included = substr($3, RSTART + 1, RLENGTH - 2)
      from = room($1); to = room(included)
      if (!(from in rank) || !(to in rank)) { print $1 ":" $2 ": no such room: " from " or " to; bad = 1; next }
      if (from == to) next
      edges[from " -> " to]++
      door = (from == "cli" || from == "python" || from == "web") && included != "shoal/shoal.h" && included != "web/serve.h"
      if (rank[to] >= rank[from] || door) {
        wrong++
        if (!graph) print $1 ":" $2 ": " from " may not include " included
      }
    }
    END {
      if (graph) for (e in edges) print e " (" edges[e] ")" | "sort"
      else if (wrong) print wrong " includes against the order of rooms"
      exit wrong > 0 || bad
    }'
