#pragma once

#include "io/text/text_index.hh"

namespace starhist::io {

/// Frames of G96: a block of positions that END ends, with the blocks before and behind
/// it. The last frame needs a box where others have one.
TextIndex index_g96(TextFile& file);

}  // namespace starhist::io
