#pragma once

#include <string>
#include <vector>

#include "io/export/analysis.hh"
#include "io/export/export_table.hh"

namespace starhist::io {

/// A table, and sentences for the user.
struct AnalysisTable {
  ExportTable table;
  std::vector<std::string> notes;
};

// Errors as in write_analysis; the result has blocks.
AnalysisTable scattering_table(const ResultFile& result,
                               const AnalysisRequest& request);
AnalysisTable kirkwood_buff_table(const ResultFile& result,
                                  const AnalysisRequest& request);
AnalysisTable block_length_table(const ResultFile& result,
                                 const AnalysisRequest& request);

/// Bins below `r_cut`, all below `limit` if there is none. The cut has to be an edge of
/// the bins, to 1e-9. Throws InputError with `why` it may not be beyond the limit.
std::uint32_t bins_below_cut(const ResultFile& result, std::optional<double> r_cut,
                             std::uint32_t limit, const std::string& why);

/// Adds a curve, and its errors if they were asked for.
void add_curve(ExportTable& table, const std::string& name, std::vector<double> values,
               std::vector<double> errors, bool with_errors);

}  // namespace starhist::io
