#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "codelets/core/analysis/lags/lag_blocks.hh"
#include "io/export/export.hh"
#include "io/export/export_table.hh"
#include "io/result/lag_result.hh"

namespace starhist::io {

/// Quantity of a count between frames.
enum class LagQuantity {
  g,            ///< distinct part: g(r, t) = G_d(r, t) / density
  counts,       ///< pairs per bin, integers
  self,         ///< self part: G_s(r, t) [1 / length unit^3]
  self_counts,  ///< displacements per bin, integers
  msd,          ///< mean squared displacement [length unit^2]
};

/// Parses "g", "counts", "self", "self-counts" and "msd". Throws InputError for other
/// names, with the path of the result.
LagQuantity parse_lag_quantity(const std::string& name, const std::string& path);

/// Mean time of a lag, given by its index; NaN without times.
double lag_time(const LagResult& result, std::size_t lag);
/// Sets the columns of the lag and of its time.
void set_lag_axis(const LagResult& result, ExportTable& table);
/// Path and layout of the pairs of each lag, for find_pairs(), which expects each once.
ResultFile result_of_a_lag(const LagResult& result);
/// Adds how errors were made of the blocks of each lag, and the caveat about them, if
/// any (analysis::error_caveat; `pairs`: those shown), to the table's facts and to the
/// messages for the user.
void add_errors_of_lags(const LagResult& result,
                        const std::vector<analysis::LagBlocks>& of_lags,
                        const std::vector<PairId>& pairs, ExportTable& table,
                        std::vector<std::string>& notes);
/// Name of a curve at a lag: "O-H lag 5 (0.5 ps)"; without the time if it is unknown.
std::string curve_name(const LagResult& result, const std::string& name,
                       std::size_t lag);

/// Options of `starhist export` for a result of starhist vanhove.
struct LagExportRequest {
  LagQuantity quantity = LagQuantity::g;
  ExportFormat format = ExportFormat::csv;
  std::vector<SpeciesPair> pairs;    ///< g and counts only; empty: all
  std::vector<std::string> species;  ///< self part and msd only; empty: all
  bool errors = false;               ///< not for counts
  /// One line per lag and bin, with the lag in columns, in place of a curve per lag.
  bool map = false;
};

/// Writes one table: a curve per lag and species pair or species over r, or, for msd, a
/// curve per species over the lag. Throws InputError and RunError, and returns
/// messages, like write_export().
std::vector<std::string> write_lag_export(std::ostream& out, const LagResult& result,
                                          const LagExportRequest& request);

}  // namespace starhist::io
