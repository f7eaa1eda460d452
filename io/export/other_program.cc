#include "io/export/other_program.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <ostream>

#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_columns.hh"
#include "io/export/export_text.hh"
#include "io/files/printable_text.hh"

namespace starhist::io {
namespace {

// Same order as the enumeration.
constexpr std::array program_names{"gmx",    "mdanalysis", "vmd",
                                   "lammps", "freud",      "cpptraj"};
constexpr std::array program_titles{"gmx rdf",          "MDAnalysis InterRDF",
                                    "VMD measure gofr", "LAMMPS compute rdf",
                                    "freud RDF",        "cpptraj radial volume"};

std::string title_of(OtherProgram program) {
  return program_titles[static_cast<std::size_t>(program)];
}

/// Whether g(r) divides by the volumes of whole shells, also where nearest images reach
/// only a part of them.
bool divides_by_whole_shells(OtherProgram program) {
  return program == OtherProgram::gmx || program == OtherProgram::mdanalysis ||
         program == OtherProgram::cpptraj;
}

/// The curves of one pair.
struct PairCurve {
  std::string name;                   ///< "OW-HW", the centre first
  std::vector<double> g;              ///< per range
  std::vector<double> neighbours;     ///< per range: n at its upper edge
  std::vector<std::uint64_t> counts;  ///< per range: ordered pairs of a like pair
};

class ProgramTable {
 public:
  ProgramTable(const ResultFile& result, const LikeRequest& request)
      : result_(result),
        request_(request),
        sum_(total(result.blocks)),
        shells_(result.layout, result.blocks) {
    check_bins_of_equal_width(result, "a file of another program");
    check_counted_from_zero(result);
    choose_ranges();
    std::vector<CentredPair> pairs = request.pairs;
    if (pairs.empty()) {
      for (const SpeciesPair& pair : layout().pairs) {
        pairs.push_back({pair});
      }
    }
    check_pair_number(pairs);
    for (const CentredPair& pair : pairs) {
      add(pair);
      if (request.pairs.empty()) {
        note_direction(pair);
      }
    }
  }

  std::vector<std::string> notes;

  void write(std::ostream& out) {
    switch (request_.program) {
      case OtherProgram::gmx:
        return write_gmx(out);
      case OtherProgram::lammps:
        return write_lammps(out);
      case OtherProgram::mdanalysis:
        return write_csv(out, "bins,rdf,count", true);
      case OtherProgram::freud:
        return write_csv(out, "bin_centers,rdf,n_r", false);
      case OtherProgram::vmd:
        return write_columns(out, "# r g(r) n(r)", true);
      case OtherProgram::cpptraj:
        return write_columns(out, "#Distance g(r)", false);
    }
  }

 private:
  const HistogramLayout& layout() const { return result_.layout; }

  std::string described() const {
    const double width = layout().bins.width();
    std::string text = "like " + title_of(request_.program);
    if (request_.program == OtherProgram::gmx) {
      text += " -bin " + decimal_text(2.0 * width);
    } else {
      text += ", bins of " + decimal_text(width);
    }
    return text + unit_suffix(layout().length_unit) + ", from " +
           printable_line(result_.path) + cut_shells();
  }

  /// The r beyond which g is too small, because the box cuts the shells; "" if whole
  /// shells fit.
  std::string cut_shells() const {
    const std::uint32_t whole = shells_.whole();
    return divides_by_whole_shells(request_.program) && !request_.cumulative &&
                   whole < layout().bins.count
               ? "; g is too small beyond r = " +
                     decimal_text(layout().bins.edge(whole)) + ", where " +
                     title_of(request_.program) +
                     " divides by the volumes of whole shells, but the box cuts them"
               : "";
  }

  /// Whether the file has n(r), which depends on the direction of a pair.
  bool has_neighbours() const {
    return request_.cumulative || request_.program == OtherProgram::lammps ||
           request_.program == OtherProgram::vmd ||
           request_.program == OtherProgram::freud;
  }

  /// Notes which species n(r) counts around which, if the direction was not chosen.
  void note_direction(const CentredPair& pair) {
    if (has_neighbours() && !pair.pair.like()) {
      const std::string& centre = layout().species[pair.pair.first.index()];
      const std::string& other = layout().species[pair.pair.second.index()];
      notes.push_back("n of " + centred_name(pair, layout().species) + " counts " +
                      other + " around " + centre + " (--pairs " +
                      centred_name({pair.pair, true}, layout().species) + " counts " +
                      centre + " around " + other + ")");
    }
  }

  void choose_ranges() {
    const UniformBins bins = layout().bins;
    const bool gmx = request_.program == OtherProgram::gmx;
    const std::uint32_t whole = analysis::coordination_bins(layout(), sum_);
    const bool numbers =
        request_.cumulative || request_.program == OtherProgram::lammps;
    if (numbers && whole < bins.count) {
      notes.push_back(
          "numbers of neighbours beyond r = " + decimal_text(bins.edge(whole)) +
          " include only nearest images, as in " + title_of(request_.program) +
          " (the box is too small for more)");
    }
    if (gmx && request_.cumulative) {
      for (std::uint32_t k = 2; k <= bins.count; k += 2) {
        ranges_.push_back({k - 2, k, bins.edge(k)});
      }
      return;
    }
    ranges_ = gmx ? analysis::centred_ranges(bins) : analysis::bin_ranges(bins, {});
    std::uint32_t end = bins.count;
    if (request_.program == OtherProgram::lammps ||
        request_.program == OtherProgram::freud) {
      end = shells_.whole();
    } else if (request_.program == OtherProgram::vmd) {
      end = shells_.defined();
    }
    if (end < bins.count) {
      notes.push_back("rows end at r = " + decimal_text(bins.edge(end)) + ": " +
                      reason_of_end());
      std::erase_if(
          ranges_, [end](const analysis::BinRange& range) { return range.last > end; });
    }
    const std::string cut = cut_shells();
    if (!cut.empty()) {
      notes.push_back(cut.substr(2) + " (export without --like for exact shells)");
    }
    if (ranges_.empty()) {
      throw InputError("no bin of " + result_.path +
                       " lies within half the box (count with narrower bins)");
    }
  }

  /// Why a table ends before the last bin.
  std::string reason_of_end() const {
    switch (request_.program) {
      case OtherProgram::lammps:
        return "beyond half the box LAMMPS counts every image of a particle, starhist "
               "the nearest one";
      case OtherProgram::freud:
        return "freud refuses distances beyond half the box";
      default:
        return "no shell beyond it lies in the box";
    }
  }

  void check_pair_number(const std::vector<CentredPair>& pairs) const {
    const bool several = request_.program == OtherProgram::gmx ||
                         request_.program == OtherProgram::lammps;
    if (!several && pairs.size() > 1) {
      std::vector<std::string> names;
      for (const SpeciesPair& pair : layout().pairs) {
        names.push_back(pair_name(pair, layout().species));
      }
      throw InputError("a table of " + title_of(request_.program) +
                       " has one pair, but " + std::to_string(pairs.size()) +
                       " are wanted (" + join(names, ", ") +
                       "): choose one with --pairs");
    }
  }

  /// Throws InputError for excluded pairs in programs that count them.
  void check_excluded(std::size_t p) const {
    const bool can_exclude = request_.program == OtherProgram::gmx ||
                             request_.program == OtherProgram::lammps ||
                             request_.program == OtherProgram::mdanalysis;
    if (sum_.excluded[p] > 0 && !can_exclude) {
      throw InputError(result_.path + ": " + std::to_string(sum_.excluded[p]) + " " +
                       pair_name(layout().pairs[p], layout().species) +
                       " pairs were left out, which " + title_of(request_.program) +
                       " would count (count without --exclude-same and --only-same)");
    }
  }

  double volume_of_last_frame() const {
    const BlockCounts& last = result_.blocks.back();
    if (last.box) {
      return last.volume / last.frames;
    }
    if (last.frames == 1) {
      return last.volume;
    }
    throw InputError(result_.path +
                     ": freud divides by the density of the last frame, whose volume "
                     "is not recorded (count with --block 1)");
  }

  /// Mean number of particles of a species in the frames of a block.
  static double mean_number(const BlockCounts& block, SpeciesId species) {
    return static_cast<double>(block.particle_number[species.index()]) / block.frames;
  }

  /// N_A N_B / V of the last frame, by which freud divides.
  double density_of_last_frame(PairId id) const {
    const double volume = volume_of_last_frame();
    const BlockCounts& last = result_.blocks.back();
    const SpeciesPair pair = layout().pairs[id.index()];
    if (!analysis::has_constant_numbers(layout(), last, pair) ||
        !analysis::would_show_changing_numbers(layout(), result_.blocks, pair)) {
      throw InputError(result_.path + ": " + pair_name(pair, layout().species) +
                       ": numbers of particles may differ within blocks, so freud's "
                       "density of the last frame is unknown (count with --block 1)");
    }
    return mean_number(last, pair.first) * mean_number(last, pair.second) / volume;
  }

  /// (mean of N_centre) (mean of N_other / V), by which gmx divides.
  double product_of_means(const CentredPair& wanted) const {
    const SpeciesPair pair = wanted.pair;
    const SpeciesId centre = wanted.reversed ? pair.second : pair.first;
    const SpeciesId other = wanted.reversed ? pair.first : pair.second;
    double densities = 0.0;
    for (const BlockCounts& block : result_.blocks) {
      if (!analysis::has_constant_volume(block) &&
          !(analysis::has_constant_numbers(layout(), block, pair) &&
            analysis::would_show_changing_numbers(layout(), result_.blocks, pair))) {
        throw InputError(result_.path + ": " + pair_name(pair, layout().species) +
                         ": numbers of particles and volumes both change, or may "
                         "change, within block " +
                         std::to_string(block.index.get()) + " of " +
                         std::to_string(block.frames) +
                         " frames, so gmx's mean of N/V is unknown (count with "
                         "--block 1)");
      }
      densities += mean_number(block, other) * block.inverse_volume;
    }
    return mean_number(sum_, centre) * densities / sum_.frames;
  }

  /// Pairs of a frame over its volume, summed over the frames of a block, with excluded
  /// pairs, which LAMMPS leaves out of counts only.
  double all_pairs_over_volume(const BlockCounts& block, std::size_t p) const {
    const double counted = static_cast<double>(block.pairs[p]);
    return counted > 0.0 ? block.pairs_over_volume[p] *
                               (1.0 + static_cast<double>(block.excluded[p]) / counted)
                         : 0.0;
  }

  /// Mean over frames of each frame's g(r) from blocks with constant N and V.
  double mean_of_frames(std::size_t p, const analysis::BinRange& range) const {
    double sum = 0.0;
    for (std::size_t b = 0; b < result_.blocks.size(); ++b) {
      const BlockCounts& block = result_.blocks[b];
      const double expected =
          all_pairs_over_volume(block, p) * shells_.of(b, range.first);
      if (expected > 0.0) {
        sum +=
            block.frames * static_cast<double>(block.counts[p][range.first]) / expected;
      }
    }
    return sum / sum_.frames;
  }

  /// Mean over frames of each frame's n(r) at the upper edge of each bin, from blocks
  /// with constant N. Frames without a centre count as 0.
  std::vector<double> mean_of_neighbours(std::size_t p, SpeciesId centre) const {
    std::vector<double> mean(layout().bins.count);
    for (const BlockCounts& block : result_.blocks) {
      const double weight = analysis::neighbours_per_pair(layout().pairs[p]) /
                            (std::max(mean_number(block, centre), 1.0) * sum_.frames);
      std::uint64_t within = 0;
      for (std::size_t k = 0; k < mean.size(); ++k) {
        within += block.counts[p][k];
        mean[k] += weight * static_cast<double>(within);
      }
    }
    return mean;
  }

  double value(const CentredPair& pair, PairId id, const analysis::BinRange& range,
               double count) const {
    const std::size_t p = id.index();
    const UniformBins bins = layout().bins;
    const double shell =
        4.0 / 3.0 * std::numbers::pi *
        (std::pow(bins.edge(range.last), 3) - std::pow(bins.edge(range.first), 3));
    switch (request_.program) {
      case OtherProgram::gmx:
      case OtherProgram::freud:
        return analysis::neighbours_per_pair(layout().pairs[p]) * count /
               (sum_.frames *
                (request_.program == OtherProgram::gmx ? product_of_means(pair)
                                                       : density_of_last_frame(id)) *
                shell);
      case OtherProgram::mdanalysis:
      case OtherProgram::cpptraj:
        return count * sum_.volume /
               (static_cast<double>(sum_.pairs[p]) * sum_.frames * shell);
      case OtherProgram::lammps:
      case OtherProgram::vmd:
        return mean_of_frames(p, range);
    }
    throw InternalError("unknown program");
  }

  void add(const CentredPair& wanted) {
    const PairId id = find_pairs(result_, {wanted.pair}).front();
    const std::size_t p = id.index();
    check_excluded(p);
    if (request_.program == OtherProgram::lammps ||
        request_.program == OtherProgram::vmd) {
      analysis::check_equal_frames(layout(), result_.blocks, id);
    }
    const SpeciesPair pair = wanted.pair;
    const SpeciesId centre = wanted.reversed ? pair.second : pair.first;
    PairCurve curve;
    curve.name = centred_name(wanted, layout().species);
    const double centres =
        request_.program == OtherProgram::freud
            ? sum_.frames * mean_number(result_.blocks.back(), centre)
            : static_cast<double>(sum_.particle_number[centre.index()]);
    const double per_centre = analysis::neighbours_per_pair(pair) / centres;
    const std::vector<double> mean = request_.program == OtherProgram::lammps ||
                                             request_.program == OtherProgram::vmd
                                         ? mean_of_neighbours(p, centre)
                                         : std::vector<double>();
    std::uint64_t within = 0;
    for (const analysis::BinRange& range : ranges_) {
      std::uint64_t count = 0;
      for (std::uint32_t k = range.first; k < range.last; ++k) {
        count += sum_.counts[p][k];
      }
      within += count;
      curve.counts.push_back(pair.like() ? 2 * count : count);
      curve.neighbours.push_back(!mean.empty()
                                     ? mean[range.last - 1]
                                     : per_centre * static_cast<double>(within));
      curve.g.push_back(request_.cumulative
                            ? curve.neighbours.back()
                            : value(wanted, id, range, static_cast<double>(count)));
    }
    curves_.push_back(std::move(curve));
  }

  void write_gmx(std::ostream& out) const {
    ExportTable table;
    table.title = request_.cumulative ? "Cumulative Number RDF" : "Radial distribution";
    table.value_label = request_.cumulative ? "number" : "g(r)";
    table.length_unit = layout().length_unit;
    table.rows = static_cast<std::uint32_t>(ranges_.size());
    table.facts = {{"export", described()}};
    const auto ranges = ranges_;
    table.r = {"r", [ranges](std::uint32_t i) { return decimal_text(ranges[i].r); }};
    for (const PairCurve& curve : curves_) {
      table.curves.push_back(real_column(curve.name, curve.g));
    }
    write_xvg(out, table);
  }

  void write_lammps(std::ostream& out) const {
    const BlockCounts& last = result_.blocks.back();
    out << "# Time-averaged data, " << described();
    for (std::size_t c = 0; c < curves_.size(); ++c) {
      out << (c == 0 ? "; g and n: " : ", ") << "c_rdf[" << 2 * c + 2 << "] c_rdf["
          << 2 * c + 3 << "] of " << printable_line(curves_[c].name);
    }
    out << "\n"
        << "# TimeStep Number-of-rows\n# Row c_rdf[1]";
    for (std::size_t c = 0; c < 2 * curves_.size(); ++c) {
      out << " c_rdf[" << c + 2 << "]";
    }
    out << "\n" << last.last_step << " " << ranges_.size() << "\n";
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      out << i + 1 << " " << decimal_text(ranges_[i].r);
      for (const PairCurve& curve : curves_) {
        out << " " << number_text(curve.g[i]) << " "
            << number_text(curve.neighbours[i]);
      }
      out << "\n";
    }
  }

  void write_csv(std::ostream& out, const char* names, bool with_counts) const {
    const PairCurve& curve = curves_.front();
    out << "# " << described() << ": " << printable_line(curve.name) << "\n"
        << names << "\n";
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      out << decimal_text(ranges_[i].r) << "," << number_text(curve.g[i]) << ","
          << (with_counts ? std::to_string(curve.counts[i])
                          : number_text(curve.neighbours[i]))
          << "\n";
    }
  }

  void write_columns(std::ostream& out, const char* header, bool with_n) const {
    const PairCurve& curve = curves_.front();
    out << header << "  " << printable_line(curve.name) << " (" << described() << ")\n";
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      out << decimal_text(ranges_[i].r) << " " << number_text(curve.g[i]);
      if (with_n) {
        out << " " << number_text(curve.neighbours[i]);
      }
      out << "\n";
    }
  }

  const ResultFile& result_;
  const LikeRequest& request_;
  BlockCounts sum_;
  analysis::ShellVolumes shells_;
  std::vector<analysis::BinRange> ranges_;
  std::vector<PairCurve> curves_;
};

/// Throws InputError if a program that would count in two dimensions has another g(r).
void check_plane_of_particles(const ResultFile& result, OtherProgram program) {
  const auto plane = std::find_if(
      result.record.begin(), result.record.end(),
      [](const auto& entry) { return entry.first.ends_with(particles_in_plane); });
  const bool counts_planes =
      program == OtherProgram::lammps || program == OtherProgram::freud;
  if (plane != result.record.end() && counts_planes) {
    throw InputError(result.path + ": the particles lie in the plane " + plane->second +
                     ", but their distances were not measured in it: count with "
                     "--plane " +
                     plane->second);
  }
}

}  // namespace

std::vector<std::string> other_program_names() {
  return {program_names.begin(), program_names.end()};
}

OtherProgram parse_other_program(const std::string& name) {
  return find_value<OtherProgram>(program_names, name, "program");
}

std::string length_unit_of(OtherProgram program) {
  switch (program) {
    case OtherProgram::gmx:
      return "nm";
    case OtherProgram::mdanalysis:
    case OtherProgram::vmd:
    case OtherProgram::cpptraj:
      return "A";
    case OtherProgram::lammps:
    case OtherProgram::freud:
      return "";
  }
  throw InternalError("unknown program");
}

std::vector<std::string> write_like(std::ostream& out, const ResultFile& result,
                                    const LikeRequest& request) {
  check_has_blocks(result);
  if (request.program != OtherProgram::lammps || result.layout.plane == Plane::none) {
    check_in_space(result, "the table of another program");
  }
  check_plane_of_particles(result, request.program);
  ProgramTable table(result, request);
  table.write(out);
  check_written(out, "g(r) of " + result.path);
  return table.notes;
}

}  // namespace starhist::io
