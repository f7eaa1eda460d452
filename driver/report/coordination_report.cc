#include "driver/report/coordination_report.hh"

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

}  // namespace starhist::driver
