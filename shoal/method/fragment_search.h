// What a method says about a table that is searched in fragments (plan/by_fragments.h), each of them alone and with the
// whole table's hierarchies, weights and rules.
#pragma once

#include "shoal/method/method.h"

namespace shoal {

// A side of methods that do something else for a fragment than for a whole table; others need not have it: their
// fragments are searched like tables.
class FragmentSearch {
 public:
  virtual ~FragmentSearch() = default;
  // Like Method::search, but nothing is said about how good an answer could be at best.
  virtual SearchResult search_fragment(const Problem& fragment, Progress& progress) const = 0;
  // After the answers of all fragments were put together in `result`: adds what can only be said about the whole, such
  // as a lower bound. Out of time: adds nothing that takes long.
  virtual void conclude(const Problem& whole, SearchResult& result, Progress& progress) const = 0;
};

}  // namespace shoal
