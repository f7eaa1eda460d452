#pragma once

#include <functional>
#include <optional>

#include <cuda_runtime.h>

#include "codelets/kernels/second_axis_pairs.hh"

namespace starhist::kernels::cuda {

/// Counts pairs by distance and second axis on the current device: pair_cell() decides
/// every pair. Asks next_rows() for ranges of rows until it returns an empty optional,
/// and adds the pairs of these particles of `pairs.first` to `counts`, as
/// SecondAxisCount::count() adds them; `counts` is in host memory and has bins.count *
/// axis.count + 1 entries, of which the last one is not defined. `in_spatial_order`:
/// particles are sorted, and ranges begin at multiples of 32; distant groups of
/// particles are skipped then. Each species has fewer than
/// gpu_particle_limit particles.
///
/// Memory is taken from the device's pool and returned to it. If it is not sufficient,
/// returns false before it calls next_rows(). Waits for `stream` after each range.
/// Throws RunError when CUDA reports another error.
bool count_second_axis(const SecondAxisPairs& pairs, bool in_spatial_order,
                       const std::function<std::optional<RowRange>()>& next_rows,
                       std::uint64_t* counts, cudaStream_t stream);

}  // namespace starhist::kernels::cuda
