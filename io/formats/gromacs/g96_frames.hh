#pragma once

#include "io/text/text_index.hh"

namespace starhist::io {

/// Indexes frames of G96: a block of positions terminated by END, with the blocks
/// before and after it. Once a frame has a box, all later ones need one. Frames after a
/// truncated one are not indexed, because libgromacs does not find them.
TextIndex index_g96(TextFile& file);

}  // namespace starhist::io
