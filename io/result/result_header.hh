#pragma once

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Writes the parts that all blocks share: H5MD groups, parameters, species, pairs and
/// bin edges, with the edge_shift of the counts. Throws RunError.
void write_result_header(hid_t file, const HistogramLayout& layout, double edge_shift);

/// ResultFile::edge_shift. Throws InputError for a result whose edges this version does
/// not know.
double read_edge_shift(hid_t file);

/// Writes the provenance group and the version of the H5MD creator, which is the
/// record's "version". Replaces an earlier record. Throws RunError.
void write_run_record(hid_t file, const RunRecord& record);

/// `first` with the values of `second` for names that both have, followed by the other
/// entries of `second`.
RunRecord merged(RunRecord first, const RunRecord& second);

}  // namespace starhist::io
