#include "io/formats/h5md/h5md_writer.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/disk_space.hh"
#include "io/formats/h5md/h5md_column_writer.hh"
#include "io/formats/h5md/h5md_species_writer.hh"
#include "io/hdf5/h5md_root.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/reader/particle_order.hh"

namespace starhist::io {
namespace {

bool is_diagonal(const std::array<Vec3, 3>& edges) {
  return edges[0].y == 0.0 && edges[0].z == 0.0 && edges[1].x == 0.0 &&
         edges[1].z == 0.0 && edges[2].x == 0.0 && edges[2].y == 0.0;
}

bool is_increasing(const std::vector<std::int64_t>& steps) {
  return std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) ==
         steps.end();
}

/// Returns an upper bound of the file size [bytes].
std::uint64_t bytes_of(std::uint64_t frames, std::uint64_t particles,
                       H5mdPrecision precision) {
  constexpr std::uint64_t per_frame = 1024;  // chunk index, box, step, time, alignment
  constexpr std::uint64_t once = 1U << 20U;
  const std::uint64_t number = precision == H5mdPrecision::single ? 4 : 8;
  return once + 12 * particles + frames * (3 * number * particles + per_frame);
}

/// Returns an upper bound of the species' size, if all frames change them [bytes].
std::uint64_t bytes_of_species(std::uint64_t frames, std::uint64_t particles) {
  constexpr std::uint64_t per_frame = 256;
  return frames * (4 * particles + per_frame);
}

/// Returns the unit in the spelling of MDAnalysis and other readers of H5MD; starhist's
/// reader accepts all spellings.
std::string h5md_unit(const std::string& unit) {
  return unit == "A" ? "Angstrom" : unit;
}

/// Creates `value` with shape [frames][particles][3], one chunk per frame, stored as
/// `type`.
Hdf5Object create_positions(hid_t group, hsize_t frames, hsize_t particles,
                            hid_t type) {
  const Hdf5Object access =
      own_hdf5<RunError>(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, group, "value");
  // Disable HDF5's chunk cache, so that frames go to the disk at once: a cache would
  // fill up and be written when the free space is no longer checked.
  check_hdf5<RunError>(H5Pset_chunk_cache(access.get(), 0, 0, 1.0), group, "value");
  return create_hdf5_chunks(group, "value", type, {frames, particles, 3},
                            {1, std::max<hsize_t>(particles, 1), 3}, false,
                            access.get());
}

/// Detaches an open file from the disk: HDF5 crashes when it closes a file after a
/// failed write, unless it can write the rest.
void detach_hdf5_file(hid_t file) noexcept {
  void* handle = nullptr;
  const int nowhere = ::memfd_create("abandoned", MFD_CLOEXEC);
  if (nowhere >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0) {
    ::dup2(nowhere, *static_cast<int*>(handle));
  }
  ::close(nowhere);
}

}  // namespace

/// The open PATH.partial.
class H5mdWriter::File {
 public:
  File(const std::string& path, Overwrite overwrite, const TrajectoryInfo& info,
       const Frame& first, std::uint64_t most_frames, const H5mdFormat& format);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool append(const Frame& frame);
  bool species_change() const { return species_.changed(); }
  void finish(const std::string& version);

 private:
  void create();
  void append_species();
  std::vector<std::uint32_t> table_places() const;
  void write_columns();
  template <class Number>
  void write_row(const std::vector<Number>& row);
  void write_box();
  void discard() noexcept;

  OutputPath path_;
  TrajectoryInfo info_;
  H5mdFormat format_;
  std::array<bool, 3> periodic_;
  ParticleOrder order_;
  H5mdSpeciesWriter species_;
  std::uint64_t most_frames_;
  Hdf5Object file_;
  Hdf5Object particles_;
  Hdf5Object positions_;
  std::vector<double> row_;
  std::vector<float> single_row_;
  std::vector<std::int64_t> steps_;
  std::vector<std::int64_t> frames_;
  std::vector<double> times_;
  std::vector<double> edges_;
};

H5mdWriter::File::File(const std::string& path, Overwrite overwrite,
                       const TrajectoryInfo& info, const Frame& first,
                       std::uint64_t most_frames, const H5mdFormat& format)
    : path_(path, overwrite),
      info_(info),
      format_(format),
      periodic_(first.box.periodic()),
      order_(info.species, first),
      species_(info.species, order_.species()),
      most_frames_(most_frames),
      file_(create_hdf5_file(path_.partial())) {
  try {
    create();
  } catch (...) {
    discard();
    throw;
  }
}

H5mdWriter::File::~File() {
  if (file_) {
    discard();
  }
}

void H5mdWriter::File::create() {
  const std::uint64_t count = order_.count();
  reserve_growth(path_.partial(), bytes_of(most_frames_, count, format_.precision));
  write_h5md_root(file_.get(), info_.length_unit);
  const Hdf5Object group = create_hdf5_group(file_.get(), "particles/all/position");
  positions_ = create_positions(
      group.get(), most_frames_, count,
      format_.precision == H5mdPrecision::single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE);
  write_hdf5_unit(positions_.get(), h5md_unit(info_.length_unit));
  particles_ = own_hdf5<RunError>(H5Gopen2(file_.get(), "particles/all", H5P_DEFAULT),
                                  H5Gclose, file_.get(), "particles/all");
}

template <class Number>
void H5mdWriter::File::write_row(const std::vector<Number>& row) {
  write_hdf5_part(positions_.get(), {steps_.size(), 0, 0}, {1, order_.count(), 3}, row);
}

bool H5mdWriter::File::append(const Frame& frame) {
  const std::string number = "frame " + std::to_string(frame.index.get());
  if (frame.box.periodic() != periodic_) {
    throw InputError(number +
                     " is periodic along other axes than the first (give one box for "
                     "all with --box)");
  }
  const std::array<Vec3, 3>& edges = frame.box.edges();
  if (format_.edges == H5mdEdges::vector && !is_diagonal(edges)) {
    throw InputError(number +
                     " has a box that is not along x, y and z, which "
                     "--edges vector cannot hold");
  }
  order_.gather(frame, row_);
  try {
    if (format_.precision == H5mdPrecision::full) {
      write_row(row_);
    } else {
      single_row_.resize(row_.size());
      bool exact = true;
      for (std::size_t k = 0; k < row_.size(); ++k) {
        single_row_[k] = static_cast<float>(row_[k]);
        exact = exact && static_cast<double>(single_row_[k]) == row_[k];
      }
      if (!exact) {
        discard();
        return false;
      }
      write_row(single_row_);
    }
    append_species();
  } catch (...) {
    discard();
    throw;
  }
  steps_.push_back(frame.step);
  frames_.push_back(static_cast<std::int64_t>(frame.index.get()));
  times_.push_back(frame.time);
  for (const Vec3& edge : edges) {
    edges_.insert(edges_.end(), {edge.x, edge.y, edge.z});
  }
  return true;
}

/// Appends the species of the frame just written.
void H5mdWriter::File::append_species() {
  if (species_.differs(order_.species()) && !species_.changed()) {
    const std::uint64_t left = most_frames_ - steps_.size();
    reserve_growth(path_.partial(), bytes_of(left, order_.count(), format_.precision) +
                                        bytes_of_species(left + 1, order_.count()));
  }
  species_.append(particles_.get(), steps_.size(), order_.species());
}

/// Returns the index of each row in the particle table, which is sorted by id; empty if
/// the table lacks some, such as compound centres.
std::vector<std::uint32_t> H5mdWriter::File::table_places() const {
  const ParticleTable& table = info_.particles;
  std::vector<std::uint32_t> places = order_.places();
  if (!order_.ids().empty() && !table.id.empty()) {
    for (std::size_t row = 0; row < places.size(); ++row) {
      const auto found = std::ranges::lower_bound(table.id, order_.ids()[row]);
      places[row] = static_cast<std::uint32_t>(found - table.id.begin());
    }
  }
  const bool all = std::ranges::all_of(
      places, [&](std::uint32_t place) { return place < table.count; });
  return all ? places : std::vector<std::uint32_t>();
}

void H5mdWriter::File::write_columns() {
  const bool with_id = !order_.ids().empty();
  if (with_id) {
    write_hdf5_numbers(particles_.get(), "id", order_.ids(), {order_.count()});
  }
  const std::vector<std::uint32_t> places = table_places();
  if (!places.empty()) {
    write_h5md_columns(particles_.get(), info_.particles, places, !with_id);
  }
}

void H5mdWriter::File::write_box() {
  const std::string path = "particles/all/box";
  const Hdf5Object box = create_hdf5_group(file_.get(), path);
  write_hdf5_attribute(box.get(), "dimension", std::int32_t{3});
  std::vector<std::string> boundary;
  for (const bool repeats : periodic_) {
    boundary.emplace_back(repeats ? "periodic" : "none");
  }
  write_hdf5_attribute(box.get(), "boundary", boundary);
  if (periodic_ == std::array<bool, 3>{}) {
    return;
  }
  const hsize_t frames = steps_.size();
  std::vector<hsize_t> shape{frames, 3, 3};
  if (format_.edges == H5mdEdges::vector) {
    for (std::size_t k = 0; k < 3 * frames; ++k) {
      edges_[k] = edges_[k / 3 * 9 + k % 3 * 4];  // only the diagonal
    }
    edges_.resize(3 * frames);
    shape.pop_back();
  }
  const Hdf5Object value =
      write_hdf5_numbers(file_.get(), path + "/edges/value", edges_, shape);
  write_hdf5_unit(value.get(), h5md_unit(info_.length_unit));
  for (const std::string name : {"/step", "/time"}) {
    if (name == "/step" || !times_.empty()) {
      const std::string second = path + "/edges" + name;
      check_hdf5<RunError>(
          H5Lcreate_hard(file_.get(), ("particles/all/position" + name).c_str(),
                         file_.get(), second.c_str(), H5P_DEFAULT, H5P_DEFAULT),
          file_.get(), second);
    }
  }
}

void H5mdWriter::File::finish(const std::string& version) {
  try {
    const hsize_t frames = steps_.size();
    resize_hdf5_rows(positions_.get(), frames);
    positions_ = {};
    // Readers match boxes and positions by step. Steps of concatenated files may repeat
    // or be missing; frame numbers are used then.
    const std::vector<std::int64_t>& steps = is_increasing(steps_) ? steps_ : frames_;
    write_hdf5_numbers(file_.get(), "particles/all/position/step", steps, {frames});
    if (std::all_of(times_.begin(), times_.end(),
                    [](double time) { return std::isnan(time); })) {
      times_.clear();
    } else {
      const Hdf5Object time = write_hdf5_numbers(
          file_.get(), "particles/all/position/time", times_, {frames});
      write_hdf5_unit(time.get(), info_.time_unit);
    }
    species_.finish(particles_.get(), steps, times_, info_.time_unit);
    write_columns();
    particles_ = {};
    write_box();
    const Hdf5Object creator =
        own_hdf5<RunError>(H5Gopen2(file_.get(), "h5md/creator", H5P_DEFAULT), H5Gclose,
                           file_.get(), "h5md/creator");
    write_hdf5_attribute(creator.get(), "version", version);
    check_hdf5<RunError>(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), file_.get(), "",
                         "cannot be flushed");
  } catch (...) {
    discard();
    throw;
  }
  if (file_.close() < 0) {
    const std::string reason = hdf5_reason();
    path_.remove();
    throw RunError(path_.partial() + " cannot be closed (" + reason + ")");
  }
  file_ = {};
  release_reserve(path_.partial());
  path_.publish();
}

void H5mdWriter::File::discard() noexcept {
  if (file_) {
    detach_hdf5_file(file_.get());
  }
  positions_ = {};
  particles_ = {};
  file_ = {};
  path_.remove();
}

H5mdWriter::H5mdWriter(const std::string& path, Overwrite overwrite,
                       const TrajectoryInfo& info, const Frame& first,
                       std::uint64_t most_frames, const H5mdFormat& format)
    : file_(std::make_unique<File>(path, overwrite, info, first, most_frames, format)) {
}

H5mdWriter::~H5mdWriter() = default;

bool H5mdWriter::append(const Frame& frame) {
  return file_->append(frame);
}

bool H5mdWriter::species_change() const {
  return file_->species_change();
}

void H5mdWriter::finish(const std::string& version) {
  file_->finish(version);
}

}  // namespace starhist::io
