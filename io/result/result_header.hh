#pragma once

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Writes what does not change from block to block: the H5MD groups, parameters,
/// species, pairs and bin edges. Throws RunError.
void write_result_header(hid_t file, const HistogramLayout& layout);

/// Writes the provenance group and the H5MD creator, replacing what was written before.
/// The creator's version is the record's "version". Throws RunError.
void write_run_record(hid_t file, const RunRecord& record);

/// `first` with the values of `second` where they share a name, then what is new.
RunRecord merged(RunRecord first, const RunRecord& second);

}  // namespace starhist::io
