// Privacy models as people write them: one that is read is written as the same.
#include "fuzz/fuzz.h"
#include "shoal/model/model_spec.h"

using namespace shoal;

FUZZ_TARGET(bytes) {
  const ModelSpec model = parse_model(bytes.rest());
  const std::string written = model_text(model);
  fuzz::expect(model_text(parse_model(written)) == written, "a written model reads back as the same");
  check_model(model);
  fuzz::expect(!promise_words(model).empty(), "a model says what it promises");
}
