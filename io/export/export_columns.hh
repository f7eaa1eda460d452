#pragma once

#include <string>
#include <vector>

#include "io/export/export_table.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

// Parts of the tables of `starhist export` and `starhist analyze`.

/// A fact whose value is a number; "null" for one that is not finite.
ExportFact number_fact(const std::string& name, const std::string& value);
ExportFact number_fact(const std::string& name, double value);

/// A column of numbers; numbers that are not finite count as not defined.
ExportColumn real_column(const std::string& name, std::vector<double> values);
ExportColumn count_column(const std::string& name, std::vector<std::uint64_t> values);

/// Name of the column of errors of a curve: "O-O standard error".
std::string error_name(const std::string& curve);

/// Facts of every table about its source: path, unit, bins, frames.
std::vector<ExportFact> source_facts(const ResultFile& result,
                                     const std::string& quantity);

/// Throws InputError when the result has no block.
void check_has_blocks(const ResultFile& result);

/// Throw InputError when distances below r_min, or excluded pairs, were left out of the
/// counts.
void check_counted_from_zero(const ResultFile& result);
void check_all_pairs_counted(const ResultFile& result);

/// The wanted pairs in the result's list of pairs; all if `wanted` is empty. Throws
/// InputError for a pair that was not counted.
std::vector<PairId> find_pairs(const ResultFile& result,
                               const std::vector<SpeciesPair>& wanted);

/// Throws InputError when the result has fewer than two blocks, too few for errors.
void check_blocks_for_errors(const ResultFile& result);
/// "jackknife over 20 blocks", or "jackknife over 20 groups of blocks".
ExportFact errors_fact(std::size_t groups, std::size_t blocks);
/// Adds what is to be said beside the errors of the wanted pairs, if anything
/// (analysis::error_caveat), to the table's facts and to the notes for the user.
void add_error_caveat(const ResultFile& result, const std::vector<SpeciesPair>& wanted,
                      ExportTable& table, std::vector<std::string>& notes);

/// The symbol with its unit, "r (nm)"; the symbol alone for the unit "".
std::string with_unit(const std::string& symbol, const std::string& unit);

}  // namespace starhist::io
