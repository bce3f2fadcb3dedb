// Which word was probably meant, for messages about words that are not known.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

// How far from each other two words may be. Names (of columns, keys, flags, methods) are few, and somebody typed them:
// one slip in three letters, three at most. Values of a table are many and like each other without being slips: one in
// words of four letters and more, two from eight on, none in numbers and shorter codes.
enum class WordKind { name, value };

// The candidate that differs from `word` least, if by no more than slips of the pen: a letter too many, too few,
// another one, or two neighbours swapped. Case, blanks at the ends and the difference between - and _ do not count. The
// first one on ties; never `word` itself. Cost: candidates x length^2 at worst.
std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string_view> candidates,
                                        WordKind kind);

// "; did you mean 'education'?" or "", among names.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace shoal
