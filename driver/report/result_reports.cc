#include "driver/report/result_reports.hh"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "driver/report/record_lines.hh"
#include "io/export/neighbours/coordination_table.hh"

namespace starhist::driver {

std::string neighbours_text(const io::CoordinationResult& result) {
  const HistogramLayout& layout = result.file.layout;
  std::ostringstream text;
  for (std::size_t s = 0; s < result.shells.size(); ++s) {
    const io::MeanNeighbours mean = io::mean_neighbours(result, s);
    NeighbourCounts sum;
    for (const auto& block : result.counts) {
      add(block[s], sum);
    }
    text << shell_name(result.shells[s], layout.species) << " below "
         << decimal_text(result.shells[s].cutoff()) << unit_suffix(layout.length_unit)
         << ": ";
    if (std::isnan(mean.value)) {
      text << "no particles\n";
      continue;
    }
    const auto mode = std::max_element(sum.begin(), sum.end()) - sum.begin();
    text << text_with_error(mean.value, mean.error)
         << " neighbours per particle, most often " << mode << '\n';
  }
  if (result.file.blocks.size() > 1) {
    std::vector<std::size_t> shells(result.shells.size());
    std::iota(shells.begin(), shells.end(), 0);
    const std::string caveat = io::neighbour_caveat(result, shells);
    text << caveat << (caveat.empty() ? "" : "\n");
  }
  return text.str();
}

std::string coordination_text(const io::CoordinationResult& result,
                              const std::string& state) {
  const HistogramLayout& layout = result.file.layout;
  std::ostringstream text;
  text << result.file.path << ": starhist result of neighbours (coordination)" << state
       << "\n"
       << "species      " << listed(layout.species) << "\nblocks       "
       << result.file.blocks.size() << "\nframes       " << grouped(result.times.size())
       << '\n';
  if (layout.exclusion != Exclusion::none) {
    text << "left out     pairs of the " << to_string(layout.exclusion) << '\n';
  }
  text << "recorded     " << io::recorded_text(result) << '\n';
  std::istringstream lines(neighbours_text(result));
  const char* title = "neighbours   ";
  for (std::string line; std::getline(lines, line);) {
    text << title << line << '\n';
    title = "             ";
  }
  text << input_lines(result.file.record);
  return text.str();
}

std::string lag_result_text(const io::LagResult& result, const std::string& state) {
  const LagLayout& layout = result.layout;
  const HistogramLayout& pairs = layout.pairs;
  const std::string unit = unit_suffix(pairs.length_unit);
  std::ostringstream text;
  text << result.channels.path << ": starhist result of pairs between frames (vanhove)"
       << state << "\nspecies      " << listed(pairs.species) << "\nbins         "
       << pairs.bins.count << " of " << pairs.bins.width() << unit << " up to "
       << number_text(pairs.bins.r_max) << unit << "\nblocks       "
       << result.channels.blocks.size() << '\n';
  if (result.channels.damaged) {
    text << "lost blocks  all after these: the file is damaged\n";
  }
  std::uint64_t frames = 0;
  std::vector<DisplacementCounts> sum = empty_displacements(layout);
  for (std::size_t b = 0; b < result.channels.blocks.size(); ++b) {
    frames += result.channels.blocks[b].frames;
    add_displacements(result.displacements[b], sum);
  }
  text << "frames       " << grouped(frames) << "\nlags         " << layout.lags.size()
       << " (frames, origins, time, mean squared displacement of each species)\n";
  for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
    const DisplacementCounts& first = sum[layout.displacement(lag, SpeciesId(0))];
    text << "             " << counted(layout.lags[lag], "frame") << ", "
         << counted(first.frames, "origin") << ", ";
    const double time = first.time / static_cast<double>(first.frames);
    if (std::isnan(time)) {
      text << "unknown time";
    } else {
      text << rounded_text(time) << unit_suffix(pairs.time_unit);
    }
    for (std::uint32_t s = 0; s < pairs.species.size(); ++s) {
      const DisplacementCounts& own = sum[layout.displacement(lag, SpeciesId(s))];
      text << (s == 0 ? ": " : ", ") << pairs.species[s] << ' '
           << own.squares / static_cast<double>(own.particles)
           << (unit.empty() ? "" : unit + "^2");
    }
    text << '\n';
  }
  text << input_lines(result.channels.record);
  return text.str();
}

}  // namespace starhist::driver
