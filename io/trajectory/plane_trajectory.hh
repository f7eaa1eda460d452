#pragma once

#include <memory>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Projects a trajectory onto a plane: coordinates along the normal become 0, boxes
/// planar (Box::in_plane()). With `open_box` frames without any periodic axis stay
/// open.
///
/// Reading a frame throws InputError if its box is not periodic along both axes of the
/// plane, or if the projection of the third edge, where periodic, is not a lattice
/// vector of the plane: then a distance in the plane would depend on the periodic image
/// of each particle that the file stores. Throws InternalError for Plane{}.
///
/// `heights`: coordinates along the normal become Frame::heights. Reading then also
/// throws InputError if the first two edges, where periodic, lean out of the
/// plane: a separation along the normal would depend on the image in the plane.
std::unique_ptr<TrajectoryReader> in_plane(std::unique_ptr<TrajectoryReader> reader,
                                           Plane plane, bool open_box, bool heights);

}  // namespace starhist::io
