#pragma once

#include <string>
#include <vector>

#include "io/export/analysis.hh"
#include "io/export/export_table.hh"

namespace starhist::io {

/// A table, and messages for the user.
struct AnalysisTable {
  ExportTable table;
  std::vector<std::string> notes;
};

/// Replaces a table by the comparison of one of its curves with
/// AnalysisRequest::experiment: rows at the experiment's points, the computed curve
/// interpolated linearly, the measured one, and their difference. Adds R_w to the facts
/// and messages. Throws InputError if units or ranges do not fit.
void compare_with_experiment(AnalysisTable& made, const ResultFile& result,
                             const AnalysisRequest& request);

/// Adds a caveat to the facts and messages if rows lie below the fact q_limit_lower:
/// distances up to r_cut do not determine smaller q.
void add_small_q_caveat(AnalysisTable& made, const std::string& length_unit);

/// Writes the table of Kirkwood-Buff values (AnalysisRequest::table). Returns messages
/// for the user.
std::vector<std::string> write_kirkwood_buff_values(std::ostream& out,
                                                    const ResultFile& result,
                                                    const AnalysisRequest& request);

/// Number of bins of an integral over whole spheres: up to --r-cut, or as far as the
/// spheres fit into the box. Throws InputError if only pairs within molecules or
/// residues were counted.
std::uint32_t whole_sphere_bins(const ResultFile& result,
                                const AnalysisRequest& request);

/// Throws InputError for --pairs, and if a pair of species was not counted; `quantity`
/// needs them all.
void check_all_species_pairs(const ResultFile& result, const AnalysisRequest& request,
                             const std::string& quantity);

/// Charge of each species from --charges, which is added to the facts. Throws
/// InputError for a species without a charge, and a charge without a species.
std::vector<double> charges_of(AnalysisTable& made, const HistogramLayout& layout,
                               const AnalysisRequest& request);

/// Returns the number of bins below `length`, the value of `option`. Throws InputError
/// if it is not a bin edge (up to a relative error of 1e-9), or beyond the upper edge
/// of bin `limit`; `why` completes that message.
std::uint32_t bins_below(const ResultFile& result, const std::string& option,
                         double length, std::uint32_t limit, const std::string& why);
/// bins_below() for --r-cut; `limit` if it is not given.
std::uint32_t bins_below_cut(const ResultFile& result, std::optional<double> r_cut,
                             std::uint32_t limit, const std::string& why);

}  // namespace starhist::io
