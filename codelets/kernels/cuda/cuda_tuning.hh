#pragma once

#include <cstdint>

namespace starhist::kernels::cuda {

// The history of docs/benchmarks/kernels-gpu.md has the measurements for these numbers.

/// Threads of a thread block of the blocked kernels; one block fills a multiprocessor.
inline constexpr int threads = 1024;
inline constexpr int warps = threads / 32;

/// Pairs that a thread bins before it hands on the ambiguous ones: one bit each.
inline constexpr int pairs_per_look = 32;

/// Entries of the queue of a warp in the blocked kernels (AmbiguousLooks). The warp
/// re-evaluates pairs of 32 at a time, before the queue could overflow. Less than 64,
/// to make room for more bins in shared memory.
inline constexpr int ambiguity_capacity = 60;

/// Blocked kernels: largest number of work items per multiprocessor, which bounds the
/// wait for the last one; and smallest number of tiles of a work item, so that it is
/// worth loading the rows.
inline constexpr int items_per_multiprocessor = 16;
inline constexpr int least_tiles_per_item = 64;

/// Threads of a thread block of the cluster kernels: each has 128 registers.
inline constexpr int cluster_threads = 512;

/// Mean number of pairs per bin that a thread block counts optimistically before each
/// counter is added to the totals. Bins with several times the mean stay far from 255.
inline constexpr double optimistic_pairs_per_bin = 24.0;
/// Number of pairs of clusters after which a warp adds a slice of the counters to the
/// totals. The slice then has about 384 words, three times as many as a warp takes at
/// once.
inline constexpr std::uint32_t flush_interval = 36;

/// Cluster kernels: desired number of work items per warp.
inline constexpr int work_items_per_warp = 16;

}  // namespace starhist::kernels::cuda
