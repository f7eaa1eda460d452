#pragma once

#include <cstdint>

namespace starhist::kernels::cuda {

// README.md has the measurements behind these numbers.

/// Threads of a thread block; one block fills a multiprocessor.
inline constexpr int threads = 1024;
inline constexpr int warps = threads / 32;

/// Pairs that a thread judges between two looks at those in doubt: one bit each.
inline constexpr int pairs_per_look = 32;

/// Pairs in doubt that a warp can hold. It settles 32 at a time, before there might be
/// too many; less than 64, for the room that one tile of columns more takes.
inline constexpr int doubt_capacity = 60;

/// Work items per multiprocessor, so that none waits long for the last; fewer where
/// they would have too few tiles to be worth loading the rows.
inline constexpr int items_per_multiprocessor = 16;
inline constexpr int least_tiles_per_item = 64;

/// Threads of a thread block of the kernels for particles in spatial order: each with
/// 128 registers.
inline constexpr int tile_threads = 512;

/// Pairs that a thread block counts loosely for each bin before all counts go to the
/// totals: even bins with several times as many as the others are far from 255.
inline constexpr double loose_pairs_per_bin = 24.0;
/// Tiles that a warp counts loosely before it adds a slice of the counts to the totals:
/// so many that the slice has about 384 words, three times as many as lanes take at
/// once.
inline constexpr std::uint32_t loose_tiles_per_flush = 36;

/// Units of work per warp, at least, where particles are in spatial order.
inline constexpr int units_per_warp = 16;

}  // namespace starhist::kernels::cuda
