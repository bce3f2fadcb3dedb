// Steps from texts to codes that a table in memory (encode_table) and one that is only streamed (streamed_table.h)
// share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/raw_table.h"
#include "shoal/table/missing_texts.h"
#include "shoal/table/text_stream.h"

namespace shoal {

// Puts the column's texts into the order of their bytes; its codes follow. [number before]: number now.
std::vector<uint32_t> number_by_text(RawColumn& column);

// The encoding of these columns, whose texts are numbered by their bytes. A mistake in them is named where it stands
// first. Throws as make_encoding does.
Encoding encoding_of(const Job& job, const std::vector<RawColumn*>& columns, const TableSource& source);

// Somebody unknown could be anybody, so that nothing could be promised about persons: Error(input) where a cell of the
// person column is missing.
void refuse_missing_persons(const RawColumn& column, const MissingTexts& missing, const TableSource& source);

// Mixes the cells of a chunk's column into the first halves of its rows' fingerprints (Table::rest, where no two halves
// meet by chance: a probability of 3 in 1,000,000 for ten million rows).
void add_to_first_halves(const TextStream& stream, size_t column, std::span<uint64_t> prints);

}  // namespace shoal
