#pragma once

namespace starhist::io {

/// Lets HDF5 read what h5py compresses by "lzf" (filter 32000), as in CADISHI's
/// trajectories: the plugin that Debian ships for it cannot be loaded. Safe to repeat.
void register_lzf_filter();

}  // namespace starhist::io
