#pragma once

#include "codelets/core/bins.hh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::cuda {

/// The list for a lattice.
///
/// With V the lattice's Voronoi cell, the shortest displacement of the centres is in V,
/// and the image of it from which particles h away come closest is in V + h. Their
/// difference v, a lattice vector, is in 2 V + h, so v . f <= |f|^2 + h |f| for every
/// lattice vector f: it is needed from the largest of (v . f - |f|^2) / |f| on.
ImageSteps image_steps(const MinimumImage& image, const UniformBins& bins);

}  // namespace starhist::cuda
