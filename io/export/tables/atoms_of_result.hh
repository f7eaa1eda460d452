#pragma once

#include <functional>

#include "io/export/analysis.hh"
#include "io/export/analysis_tables.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Makes a table with scattering factors, whose formulas count atoms: `make` gets the
/// result and the request without species that are not atoms, such as the fourth site
/// of TIP4P water. A note and the fact `left_out` name them. Throws InputError if no
/// species is left.
AnalysisTable table_of_atoms(
    const ResultFile& result, const AnalysisRequest& request,
    const std::function<AnalysisTable(const ResultFile&, const AnalysisRequest&)>&
        make);

}  // namespace starhist::io
