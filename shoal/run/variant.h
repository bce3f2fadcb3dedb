// A std::variant whose copy may be refused memory.
#pragma once

#include <variant>

namespace shoal {

// libstdc++ takes a variant of strings, vectors and plain values for one that always holds something. Its copy
// constructor breaks that when the copy of what it holds gets no memory: something that was never made is destroyed,
// and the program crashes. By assignment to an empty one the same copy ends with std::bad_alloc and no harm.
template <typename... Types>
class Variant : public std::variant<Types...> {
 public:
  using std::variant<Types...>::variant;
  using std::variant<Types...>::operator=;

  Variant() = default;
  ~Variant() = default;
  Variant(Variant&&) noexcept = default;
  Variant& operator=(Variant&&) noexcept = default;
  Variant& operator=(const Variant&) = default;
  // NOLINTNEXTLINE(bugprone-copy-constructor-init): that one is what crashes
  Variant(const Variant& other) : std::variant<Types...>() { *this = other; }
};

}  // namespace shoal
