// Facts about a run that come from the machine: file hashes, memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shoal {

// SHA-256 in hexadecimal, as sha256sum prints it.
std::string sha256_of_file(const std::string& path);
std::string sha256_of_text(std::string_view text);

// The most memory this process has held so far.
uint64_t peak_memory_bytes();
// What it holds now, after what it has freed is given back. 0 where the machine does not tell.
uint64_t resident_memory_bytes();

}  // namespace shoal
