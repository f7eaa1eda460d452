#pragma once

#include <functional>

#include "io/export/analysis.hh"
#include "io/export/analysis_tables.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Makes a table with scattering factors of the atoms alone. Species without an atom,
/// such as the fourth site of TIP4P water, are left out of the result that `make` gets,
/// and of its request, because the number of particles and the density in its formulas
/// are those of atoms; a note and the fact `left_out` name them. Throws InputError if
/// no species is left.
AnalysisTable table_of_atoms(
    const ResultFile& result, const AnalysisRequest& request,
    const std::function<AnalysisTable(const ResultFile&, const AnalysisRequest&)>&
        make);

}  // namespace starhist::io
