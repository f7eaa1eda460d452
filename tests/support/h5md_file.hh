#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::testing {

enum class NumberType { i8, i32, i64, f32, f64, f64_big_endian };
enum class StringType { fixed, blank_padded, variable };

/// Storage of a dataset of numbers.
struct Storage {
  NumberType type = NumberType::f64;
  std::vector<hsize_t> chunk{};  ///< empty: contiguous
  std::optional<double> fill{};
  bool deflate = false;
};

/// An HDF5 file written path by path. Parent groups are created as needed, and existing
/// objects are replaced. Throws RunError.
class HdfFile {
 public:
  enum class Mode { create, edit };
  explicit HdfFile(const std::string& path, Mode mode = Mode::create);

  void group(const std::string& path);
  /// An empty `shape` creates a scalar.
  void numbers(const std::string& path, const std::vector<hsize_t>& shape,
               const std::vector<double>& values, const Storage& storage = {});
  /// An HDF5 enumeration of 8-bit integers: names[i] has the value i.
  void enumeration(const std::string& path, const std::vector<hsize_t>& shape,
                   const std::vector<std::uint8_t>& values,
                   const std::vector<std::string>& names);
  void text(const std::string& path, const std::vector<hsize_t>& shape,
            const std::vector<std::string>& values,
            StringType type = StringType::fixed);

  void number_attribute(const std::string& object, const std::string& name,
                        const std::vector<hsize_t>& shape,
                        const std::vector<double>& values,
                        NumberType type = NumberType::i32);
  void text_attribute(const std::string& object, const std::string& name,
                      const std::vector<hsize_t>& shape,
                      const std::vector<std::string>& values,
                      StringType type = StringType::fixed);

  void hard_link(const std::string& existing, const std::string& path);
  void remove(const std::string& path);
  void remove_attribute(const std::string& object, const std::string& name);

 private:
  io::Hdf5Object create_dataset(const std::string& path, hid_t type,
                                const std::vector<hsize_t>& shape, hid_t properties);

  io::Hdf5Object file_;
};

/// A trajectory of a few particles; modify it for a test, then write it.
struct SmallTrajectory {
  std::string group = "all";
  std::vector<std::string> species{"O", "H", "H", "O", "H"};  ///< of each particle
  std::vector<std::vector<double>> positions;  ///< [frame]: x, y, z of each particle
  std::array<double, 3> edges{3.0, 4.0, 5.0};
  std::int64_t first_step = 0;
  std::int64_t step_increment = 10;
  double time_increment = 0.5;
  std::string length_unit = "nm";
  std::string time_unit = "ps";
};

/// Frames with positions that are exact in float32 and differ from each other.
SmallTrajectory small_trajectory(std::uint64_t frame_count = 3);

/// Writes it according to the H5MD specification: float32 positions in chunks of one
/// frame, explicit step and time, species as an enumeration, constant edges of a cuboid
/// that is periodic along all axes. HdfFile turns it into dialects.
void write_h5md(const std::string& path, const SmallTrajectory& trajectory);

/// x, y, z of the particles of one species in a frame, as a reader must return them.
std::vector<double> positions_of(const SmallTrajectory& trajectory, std::uint64_t frame,
                                 const std::string& species);

}  // namespace starhist::testing
