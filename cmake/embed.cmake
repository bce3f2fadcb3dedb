# cmake -DOUTPUT=assets.cpp -DFILES=a.js|b.css -P embed.cmake: files as arrays of bytes in a C++ source, which
# web/assets.h declares. Run at build time, when one of the files has changed.
string(REPLACE "|" ";" FILES "${FILES}")
set(arrays "")
set(entries "")
set(number 0)
foreach(file ${FILES})
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REPEAT "0x..," 16 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  get_filename_component(name "${file}" NAME)
  string(APPEND arrays "const unsigned char kBytes${number}[] = {\n${bytes}0};\n")
  string(APPEND entries "    {\"${name}\", std::string_view(reinterpret_cast<const char*>(kBytes${number}), sizeof kBytes${number} - 1)},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Made by cmake/embed.cmake.\n#include \"web/assets.h\"\n\nnamespace shoal::web {\nnamespace {\n\n${arrays}
const Asset kAssets[] = {\n${entries}};\n\n}  // namespace\n\nstd::span<const Asset> assets() { return kAssets; }\n\n}  // namespace shoal::web\n")
