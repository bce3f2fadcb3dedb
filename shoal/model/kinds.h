// The models one by one, for make_model alone. Each takes a checked spec and a checked column.
#pragma once

#include <memory>

#include "shoal/model/model.h"

namespace shoal {

std::unique_ptr<Model> make_distinct(const ModelSpec& spec);  // distinct-l and persons
std::unique_ptr<Model> make_entropy(const ModelSpec& spec, const WholeColumn& whole);
std::unique_ptr<Model> make_recursive(const ModelSpec& spec);
std::unique_ptr<Model> make_confidence(const ModelSpec& spec, const WholeColumn& whole);
std::unique_ptr<Model> make_beta(const ModelSpec& spec, const WholeColumn& whole);
std::unique_ptr<Model> make_delta(const ModelSpec& spec, const WholeColumn& whole);
std::unique_ptr<Model> make_equal_closeness(const ModelSpec& spec, const WholeColumn& whole);
std::unique_ptr<Model> make_ordered_closeness(const ModelSpec& spec, const WholeColumn& whole);
std::unique_ptr<Model> make_hierarchical_closeness(const ModelSpec& spec, const WholeColumn& whole);
std::unique_ptr<Model> make_k_map(const ModelSpec& spec);
std::unique_ptr<Model> make_presence(const ModelSpec& spec);
// `inner` for each tuple of the other sensitive columns alone; histograms count other·values + value.
std::unique_ptr<Model> make_joint(std::unique_ptr<Model> inner, uint32_t values);

}  // namespace shoal
