#pragma once

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/result/result_layout.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Writes the parts common to all blocks: H5MD groups, parameters, species, pairs and
/// bin edges, with the edge_shift of the counts. Throws RunError.
void write_result_header(
    hid_t file, const HistogramLayout& layout, double edge_shift,
    const result_layout::KindOfResult& kind = result_layout::pair_histogram);

/// Returns ResultFile::edge_shift. Throws InputError for edges that this version does
/// not support.
double read_edge_shift(hid_t file);

/// Writes the provenance group, replacing an earlier record, and the version of the
/// H5MD creator, which is the record's "version". Throws RunError.
void write_run_record(hid_t file, const RunRecord& record);

/// Returns `first`, updated with the values of `second` for names in both, followed by
/// the other entries of `second`.
RunRecord merged(RunRecord first, const RunRecord& second);

}  // namespace starhist::io
