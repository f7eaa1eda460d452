#include "io/result/lag_rows.hh"

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
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

void add_lag_rows(const std::vector<DisplacementCounts>& displacements,
                  std::size_t species, RowRecord& record) {
  STARHIST_EXPECT(displacements.size() % species == 0,
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
    if (k % species == 0) {
      frames.push_back(own.frames);
      times.push_back(own.time);
    }
  }
  record.add_compressed("self_value", values);
  record.add("self_underflow", underflow);
  record.add("self_overflow", overflow);
  record.add("self_particles", particles);
  record.add("squared_displacement", squares);
  record.add("lag_frames", frames);
  record.add("lag_time", times);
}

}  // namespace starhist::io
