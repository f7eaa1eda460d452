#pragma once

#include <string>
#include <vector>

#include "io/export/export_table.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

// What the tables of export and analyze are put together from.

ExportFact number_fact(const std::string& name, const std::string& value);
ExportFact number_fact(const std::string& name, double value);

/// A column of numbers; those that are not finite are not defined.
ExportColumn real_column(const std::string& name, std::vector<double> values);
ExportColumn count_column(const std::string& name, std::vector<std::uint64_t> values);

/// "O-O standard error"
std::string error_name(const std::string& curve);

/// What every table says of its source: path, unit, bins, frames.
std::vector<ExportFact> source_facts(const ResultFile& result,
                                     const std::string& quantity);

/// Throws InputError when the result has no block.
void check_has_blocks(const ResultFile& result);

/// Throw InputError when short distances, or some pairs, were left out of the counts.
void check_counted_from_zero(const ResultFile& result);
void check_all_pairs_counted(const ResultFile& result);

/// The result's pairs that were asked for, all if `wanted` is empty. Throws InputError
/// for one that was not counted.
std::vector<PairId> find_pairs(const ResultFile& result,
                               const std::vector<SpeciesPair>& wanted);

/// Throws InputError when the result has too few blocks for errors.
void check_blocks_for_errors(const ResultFile& result);
/// "jackknife over 20 blocks", or over so many groups of them.
ExportFact errors_fact(std::size_t groups, std::size_t blocks);

/// "" for an empty unit, else " (unit)"; "r" becomes "r (nm)".
std::string with_unit(const std::string& symbol, const std::string& unit);

}  // namespace starhist::io
