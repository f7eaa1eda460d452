#pragma once

#include <string>
#include <vector>

#include "io/export/analysis.hh"
#include "io/export/export_table.hh"

namespace starhist::io {

/// A table, and notes for the user, a sentence each.
struct AnalysisTable {
  ExportTable table;
  std::vector<std::string> notes;
};

// The table of each analysis, for a result with blocks. Throw as write_analysis().
AnalysisTable scattering_table(const ResultFile& result,
                               const AnalysisRequest& request);
AnalysisTable kirkwood_buff_table(const ResultFile& result,
                                  const AnalysisRequest& request);
AnalysisTable block_length_table(const ResultFile& result,
                                 const AnalysisRequest& request);

/// Number of bins below `r_cut`, or `limit` if it is empty. r_cut must be a bin edge,
/// up to a relative error of 1e-9. Throws InputError if it is not, or if it is beyond
/// the upper edge of bin `limit`; `why` completes that message.
std::uint32_t bins_below_cut(const ResultFile& result, std::optional<double> r_cut,
                             std::uint32_t limit, const std::string& why);

/// Adds a column of values, and one of errors if with_errors.
void add_curve(ExportTable& table, const std::string& name, std::vector<double> values,
               std::vector<double> errors, bool with_errors);

}  // namespace starhist::io
