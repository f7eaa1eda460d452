#pragma once

namespace starhist::io {

/// Registers h5py's filter "lzf" (32000) for reading, which CADISHI's trajectories use.
/// The plugin that Debian ships for it cannot be loaded. May be called several times.
void register_lzf_filter();

}  // namespace starhist::io
