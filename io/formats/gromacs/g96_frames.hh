#pragma once

#include "io/text/text_index.hh"

namespace starhist::io {

/// Frames of G96: a block of positions that END ends, with the blocks before and behind
/// it. Each frame needs a box where one before it has one. Frames behind one that is
/// cut off are not in the index, as libgromacs does not find them.
TextIndex index_g96(TextFile& file);

}  // namespace starhist::io
