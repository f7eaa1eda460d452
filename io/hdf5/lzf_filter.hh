#pragma once

namespace starhist::io {

/// HDF5's id of h5py's filter "lzf".
inline constexpr int lzf_filter_id = 32000;

/// Registers that filter for reading; CADISHI's trajectories use it. Debian's plugin
/// for it cannot be loaded. May be called several times.
void register_lzf_filter();

}  // namespace starhist::io
