#pragma once

#include <iosfwd>
#include <vector>

#include "io/result/result_reader.hh"

namespace starhist::io {

/// Writes the counts of each block of a result for other programs: a line of JSON that
/// ends with a newline, followed by contiguous arrays of 64-bit unsigned integers and
/// doubles in the machine's byte order.
///
/// JSON: source, complete (false for an unfinished run), species, length_unit ("" if
/// unknown), pairs (label, and the indices first and second of its species), bins,
/// blocks and provenance. Arrays (* marks doubles): edges* [bins + 1], frames [blocks],
/// particle_number [blocks, species]; then for each pair: pairs [blocks],
/// pairs_over_volume* [blocks], underflow [blocks] and counts [blocks, bins].
///
/// `wanted`: the pairs, in this order; all if empty. Throws InputError if the result
/// has no block or no such pair, RunError if `out` fails.
void write_block_arrays(std::ostream& out, const ResultFile& result,
                        const std::vector<SpeciesPair>& wanted);

}  // namespace starhist::io
