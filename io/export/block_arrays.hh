#pragma once

#include <iosfwd>
#include <vector>

#include "io/result/result_reader.hh"

namespace starhist::io {

/// Writes the counts of each block of a result for programs: a line of JSON, which ends
/// with a newline, and then arrays of unsigned integers and doubles of 64 bits in the
/// byte order of the machine, without anything between them.
///
/// JSON: source, complete (false for a run that did not finish), species, length_unit
/// ("" if unknown), pairs (label, and the indexes first and second of its species),
/// bins, blocks and provenance. Arrays, of which those with * hold doubles:
/// edges* [bins + 1], frames [blocks], particle_number [blocks, species]; then for each
/// pair: pairs [blocks], pairs_over_volume* [blocks], underflow [blocks] and
/// counts [blocks, bins].
///
/// `wanted`: the pairs, in this order; all if empty. Throws InputError if the result
/// has no block or no such pair, RunError if `out` fails.
void write_block_arrays(std::ostream& out, const ResultFile& result,
                        const std::vector<SpeciesPair>& wanted);

}  // namespace starhist::io
