#include "io/result/lag_rows.hh"

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "io/hdf5/compressed_row.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_text.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/result/create_rows.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
void create_lag_rows(hid_t group, const LagLayout& layout) {
  const std::size_t species = layout.pairs.species.size();
  std::vector<std::uint64_t> of_channels;
  std::vector<std::uint64_t> of_displacements;
  std::vector<std::int32_t> species_of_displacements;
  for (const std::uint64_t lag : layout.lags) {
    of_channels.insert(of_channels.end(), layout.pairs.pairs.size(), lag);
    for (std::size_t s = 0; s < species; ++s) {
      of_displacements.push_back(lag);
      species_of_displacements.push_back(static_cast<std::int32_t>(s));
    }
  }
  const hsize_t histograms = of_displacements.size();
  write_hdf5_numbers(group, result_layout::lag, of_channels, {of_channels.size()});
  write_hdf5_numbers(group, result_layout::self_lag, of_displacements, {histograms});
  write_hdf5_numbers(group, result_layout::self_species, species_of_displacements,
                     {histograms});
  create_rows<std::uint64_t>(group, "self_value", {histograms, layout.pairs.bins.count},
                             "", Hdf5Storage::compressed);
  create_rows<std::uint64_t>(group, "self_underflow", {histograms}, "");
  create_rows<std::uint64_t>(group, "self_overflow", {histograms}, "");
  create_rows<std::uint64_t>(group, "self_particles", {histograms}, "");
  create_rows<double>(group, "squared_displacement", {histograms},
                      scale_power(layout.pairs.length_unit, 2));
  create_rows<std::uint64_t>(group, "lag_frames", {layout.lags.size()}, "");
  create_rows<double>(group, "lag_time", {layout.lags.size()}, layout.pairs.time_unit);
}

LagRows::LagRows(hid_t group, const LagLayout& layout)
    : species_(layout.pairs.species.size()) {
  for (const char* name :
       {"self_value", "self_underflow", "self_overflow", "self_particles",
        "squared_displacement", "lag_frames", "lag_time"}) {
    datasets_.emplace(
        name, own_hdf5<RunError>(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose, group,
                                 name, "cannot be opened for writing"));
  }
}

template <class Number>
void LagRows::put(const std::string& name, const std::vector<Number>& values) {
  write_hdf5_part(datasets_.at(name).get(), {blocks_ - 1, 0}, {1, values.size()},
                  values);
}

void LagRows::append(const std::vector<DisplacementCounts>& displacements) {
  STARHIST_EXPECT(displacements.size() % species_ == 0,
                  "a row has displacements of each species and lag");
  std::vector<std::vector<std::uint64_t>> values;
  std::vector<std::uint64_t> underflow;
  std::vector<std::uint64_t> overflow;
  std::vector<std::uint64_t> particles;
  std::vector<double> squares;
  std::vector<std::uint64_t> frames;
  std::vector<double> times;
  for (std::size_t k = 0; k < displacements.size(); ++k) {
    const DisplacementCounts& own = displacements[k];
    if (!adds_up(own)) {
      throw InternalError("displacements do not add up to their " +
                          std::to_string(own.particles) + " particles");
    }
    values.push_back(own.counts);
    underflow.push_back(own.underflow);
    overflow.push_back(own.out_of_range);
    particles.push_back(own.particles);
    squares.push_back(own.squares);
    if (k % species_ == 0) {
      frames.push_back(own.frames);
      times.push_back(own.time);
    }
  }
  ++blocks_;
  for (const auto& [name, dataset] : datasets_) {
    resize_hdf5_rows(dataset.get(), blocks_);
  }
  write_compressed_hdf5_row(datasets_.at("self_value").get(), blocks_ - 1, values);
  put("self_underflow", underflow);
  put("self_overflow", overflow);
  put("self_particles", particles);
  put("squared_displacement", squares);
  put("lag_frames", frames);
  put("lag_time", times);
}

}  // namespace starhist::io
