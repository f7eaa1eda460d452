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

// Return the table of each analysis, for a result with blocks. Throw like
// write_analysis().
AnalysisTable scattering_table(const ResultFile& result,
                               const AnalysisRequest& request);
AnalysisTable kirkwood_buff_table(const ResultFile& result,
                                  const AnalysisRequest& request);
AnalysisTable block_length_table(const ResultFile& result,
                                 const AnalysisRequest& request);

/// Returns the number of bins below `r_cut`, or `limit` if it is empty. Throws
/// InputError if r_cut is not a bin edge (up to a relative error of 1e-9), or beyond
/// the upper edge of bin `limit`; `why` completes that message.
std::uint32_t bins_below_cut(const ResultFile& result, std::optional<double> r_cut,
                             std::uint32_t limit, const std::string& why);

/// Adds a column of values and, if `with_errors`, one of errors.
void add_curve(ExportTable& table, const std::string& name, std::vector<double> values,
               std::vector<double> errors, bool with_errors);

}  // namespace starhist::io
