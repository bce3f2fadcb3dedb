// The bytes of a text file in pieces, unpacked where it is compressed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "shoal/run/progress.h"

namespace shoal {

struct PackedText {
  std::string path;
  std::string name;         // for messages
  std::string compression;  // "", "gzip", "zstd"
};

// Hands over the whole text, a megabyte or so at a time, until `see` returns false. Several compressed parts one after
// the other are one text. Throws Error(input) where a compressed file is damaged or none, and Cancelled.
void for_blocks(const PackedText& text, const Progress& progress, const std::function<bool(std::string_view)>& see);

// The first `bytes` of it, fewer where there are no more.
std::string start_of(const PackedText& text, size_t bytes, const Progress& progress);

}  // namespace shoal
