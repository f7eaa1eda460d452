#pragma once

#include <cstdint>

namespace starhist::kernels::cuda {

// README.md has the measurements behind these numbers.

/// Threads of a thread block; one block fills a multiprocessor.
inline constexpr int threads = 1024;
inline constexpr int warps = threads / 32;

/// Pairs that a thread bins between two looks at those ambiguous: one bit each.
inline constexpr int pairs_per_look = 32;

/// Ambiguous pairs that a warp can hold. It re-evaluates 32 at a time, before there
/// might be too many; less than 64, for the room that one cluster of columns more
/// takes.
inline constexpr int ambiguity_capacity = 60;

/// Work items per multiprocessor, so that none waits long for the last; fewer where
/// they would have too few clusters to be worth loading the rows.
inline constexpr int items_per_multiprocessor = 16;
inline constexpr int least_tiles_per_item = 64;

/// Threads of a thread block of the kernels for particles in spatial order: each with
/// 128 registers.
inline constexpr int cluster_threads = 512;

/// Pairs that a thread block counts optimistically for each bin before all counts go to
/// the totals: even bins with several times as many as the others are far from 255.
inline constexpr double optimistic_pairs_per_bin = 24.0;
/// Clusters that a warp counts optimistically before it adds a slice of the counts to
/// the totals: so many that the slice has about 384 words, three times as many as lanes
/// take at once.
inline constexpr std::uint32_t flush_interval = 36;

/// Units of work per warp, at least, where particles are in spatial order.
inline constexpr int work_items_per_warp = 16;

}  // namespace starhist::kernels::cuda
