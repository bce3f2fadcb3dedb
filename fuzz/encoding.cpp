// Encodings from bytes: those that are taken give the same bytes again.
#include "shoal/encode/encoding.h"
#include "fuzz/fuzz.h"

using namespace shoal;

FUZZ_TARGET(bytes) {
  const Encoding encoding = Encoding::from_bytes(bytes.rest());
  const std::string written = encoding.bytes();
  fuzz::expect(Encoding::from_bytes(written).bytes() == written, "an encoding survives being written");
}
