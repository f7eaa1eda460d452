#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "codelets/core/base/decimal_text.hh"
#include "io/export/export_table.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

// Common parts of the tables of `starhist export` and `starhist analyze`.

/// Returns a fact with a numeric value; "null" if it is not finite.
ExportFact number_fact(const std::string& name, const std::string& value);
ExportFact number_fact(const std::string& name, double value);
/// The time unit of the layout; "unknown" without one.
ExportFact time_unit_fact(const HistogramLayout& layout);

/// Returns a column of numbers; non-finite numbers count as undefined.
ExportColumn real_column(const std::string& name, std::vector<double> values);
ExportColumn count_column(const std::string& name, std::vector<std::uint64_t> values);
/// Returns a column of decimal_text() of value(row).
template <class Value>
ExportColumn decimal_column(const std::string& name, Value value) {
  return {name, [value](std::uint32_t row) { return decimal_text(value(row)); }};
}

/// Returns the column "time"; times stored in single precision are decimals again.
ExportColumn time_column(std::vector<double> times);

/// Returns the column name of a curve's errors: "O-O standard error".
std::string error_name(const std::string& curve);

/// The different warnings of a result, or of the results that were merged into it.
std::vector<std::string> recorded_warnings(const RunRecord& record);

/// Returns the facts about a table's source: path, unit, bins, frames, warning.
std::vector<ExportFact> source_facts(const ResultFile& result,
                                     const std::string& quantity);

/// Entry of a merged result's provenance that lists the parts it lacks: "2/4 of a.h5".
inline constexpr const char* missing_parts_entry = "missing parts";

/// Smallest and largest frame number of the blocks, which merge keeps in any order.
struct FrameRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};
FrameRange frame_range(const std::vector<BlockCounts>& blocks);

/// Throws InputError when the result has no block.
void check_has_blocks(const ResultFile& result);

/// Throws InputError if distances were measured in a plane, where the quantity, such as
/// "the pair entropy", is not defined.
void check_in_space(const ResultFile& result, const std::string& quantity);

/// Throw InputError when distances below r_min, or excluded pairs, were not counted.
void check_counted_from_zero(const ResultFile& result);

/// Throws InputError if the bins have explicit edges, because `quantity` needs bins of
/// equal width.
void check_bins_of_equal_width(const ResultFile& result, const std::string& quantity);
void check_all_pairs_counted(const ResultFile& result);

/// Returns the wanted pairs among the result's pairs; all if `wanted` is empty. Throws
/// InputError for a pair that was not counted.
std::vector<PairId> find_pairs(const ResultFile& result,
                               const std::vector<SpeciesPair>& wanted);

/// Throws InputError when the result has fewer than two blocks, which errors require.
void check_blocks_for_errors(const ResultFile& result);
/// Describes the errors: "jackknife over 20 blocks", or "jackknife over 20 groups of
/// blocks".
ExportFact errors_fact(std::size_t groups, std::size_t blocks);
/// Adds the caveat about the errors of the wanted pairs, if any
/// (analysis::error_caveat), to the table's facts and to the messages for the user.
void add_error_caveat(const ResultFile& result, const std::vector<SpeciesPair>& wanted,
                      ExportTable& table, std::vector<std::string>& notes);

/// Adds a caveat to the facts and to the messages for the user if g(r) extends beyond
/// half the box: there it is an average over only those directions in which the cell
/// extends to r, which is right for isotropic systems. `end`: number of bins.
void add_isotropic_caveat(const HistogramLayout& layout,
                          const std::vector<BlockCounts>& blocks, std::uint32_t end,
                          ExportTable& table, std::vector<std::string>& notes);

/// Adds a caveat, unless it is "", to the facts and to the messages for the user.
void add_caveat(const std::string& name, const std::string& caveat, ExportTable& table,
                std::vector<std::string>& notes);

/// Adds a column of values and, if `with_errors`, one of errors.
void add_curve(ExportTable& table, const std::string& name, std::vector<double> values,
               std::vector<double> errors, bool with_errors);

/// Returns the position of `name` among the names. Throws InputError that lists them
/// between `problem` and `end`.
std::size_t find_name(std::span<const char* const> names, const std::string& name,
                      const std::string& problem, const std::string& end);
/// find_name() for an option: "KIND 'name' is unknown (choose one of ...)".
template <class Value>
Value find_value(std::span<const char* const> names, const std::string& name,
                 const std::string& kind) {
  return static_cast<Value>(
      find_name(names, name, kind + " '" + name + "' is unknown (choose one of ", ")"));
}

/// Throws RunError if the `content` was not written completely.
void check_written(std::ostream& out, const std::string& content);

/// Returns the symbol with its unit, "r (nm)"; only the symbol for the unit "".
std::string with_unit(const std::string& symbol, const std::string& unit);

}  // namespace starhist::io
