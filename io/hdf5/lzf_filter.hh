#pragma once

namespace starhist::io {

/// HDF5's number of h5py's filter "lzf".
inline constexpr int lzf_filter_id = 32000;

/// Registers that filter for reading, which CADISHI's trajectories use.
/// The plugin that Debian ships for it cannot be loaded. May be called several times.
void register_lzf_filter();

}  // namespace starhist::io
