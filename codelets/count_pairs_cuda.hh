#pragma once

#include <string>

#include <starpu.h>

#include "perfmodels/work_class.hh"

namespace starhist {

/// Adds the CUDA implementations to a counting codelet: the variant of that name, or
/// for "auto" all that suit the geometry, the usually fastest first. Does nothing in a
/// build without CUDA. Throws InputError for an unknown name.
void add_cuda_implementations(starpu_codelet& codelet, Geometry geometry,
                              const std::string& variant);

}  // namespace starhist
