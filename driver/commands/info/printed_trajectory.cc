#include "driver/commands/info/printed_trajectory.hh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "codelets/core/geometry/flat_positions.hh"
#include "driver/commands/info/info_texts.hh"
#include "io/particles/particle_compounds.hh"
#include "io/particles/particle_field.hh"
#include "io/particles/particle_table.hh"
#include "io/particles/read_from.hh"
#include "io/text/index_groups.hh"

namespace starhist::driver {
namespace {

std::string count_of(const std::vector<std::uint32_t>& compounds,
                     const std::string& kind) {
  const auto most = std::max_element(compounds.begin(), compounds.end());
  const std::uint64_t count = most == compounds.end() ? 0 : std::uint64_t{*most} + 1;
  return std::to_string(count) + " " + kind + (count == 1 ? "" : "s") + ", ";
}

/// "in chains A: 214, B: 214, ": residues of each of several chains, in the order of
/// the file; "" without chains.
std::string residues_by_chain(const io::ParticleTable& table,
                              const std::vector<std::uint32_t>& residues) {
  if (table.chain.empty() || residues.empty()) {
    return "";
  }
  std::vector<std::string> chains;
  std::map<std::string, std::size_t> count;
  for (std::size_t k = 0; k < residues.size(); ++k) {
    if (k == 0 || residues[k] != residues[k - 1]) {
      if (++count[table.chain[k]] == 1) {
        chains.push_back(table.chain[k]);
      }
    }
  }
  if (chains.size() < 2) {
    return "";
  }
  std::vector<std::string> parts;
  for (const std::string& chain : chains) {
    parts.push_back((chain.empty() ? "without" : chain) + ": " +
                    std::to_string(count[chain]));
  }
  return "in chains " + listed(parts) + "; ";
}

/// Lists the particle properties that can be used for selection: a line for each column
/// of the table with the values that occur in it, shortened, after a label of 13
/// characters.
std::string particle_summary(const io::ParticleTable& table) {
  const io::ParticleCompounds compounds(table);
  std::string text;
  const auto add = [&](const std::string& line) {
    text += (text.empty() ? "select by    " : "             ") + line + "\n";
  };
  for (std::size_t k = 0; k <= io::column_fields; ++k) {
    const io::ParticleField field = io::column_field(k);
    // `starhist info` has already printed the species.
    if (field == io::ParticleField::species || !io::has_field(table, field)) {
      continue;
    }
    const std::string count = field == io::ParticleField::residue
                                  ? count_of(compounds.residue, "residue") +
                                        residues_by_chain(table, compounds.residue)
                              : field == io::ParticleField::molecule
                                  ? count_of(compounds.molecule, "molecule")
                                  : "";
    add(io::word_of(field) + ": " + count + io::values_text(table, field));
  }
  if (!table.mass.empty()) {
    const auto [low, high] = std::minmax_element(table.mass.begin(), table.mass.end());
    add("masses " + single_text(*low) + " .. " + single_text(*high) +
        ", for centres of mass");
  }
  if (!table.charge.empty()) {
    const auto [low, high] =
        std::minmax_element(table.charge.begin(), table.charge.end());
    add("charges " + single_text(*low) + " .. " + single_text(*high));
  }
  return text;
}

constexpr std::size_t shown_of_more_species = 12;

/// The value with six digits, rounded down, so that it is valid for --r-max.
std::string six_digits_down(double value) {
  if (!std::isfinite(value) || value <= 0.0) {
    return six_digits(value);
  }
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 5.0);
  return six_digits(std::floor(value / unit * (1.0 + 1e-12)) * unit);
}

/// Smallest and largest of the values added.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// False if only NaN was added.
  bool any() const { return low <= high; }
  std::string text() const {
    return low == high ? number_text(low)
                       : number_text(low) + " .. " + number_text(high);
  }
  /// The range with six digits.
  std::string short_text() const {
    const std::string from = six_digits(low);
    const std::string to = six_digits(high);
    return from == to ? from : from + " .. " + to;
  }
  /// The range in another unit. `power`: power of length in the unit.
  Range in(const LengthConversion& conversion, int power) const {
    return {conversion(low, power), conversion(high, power)};
  }
};

/// Properties of the frames that were read.
struct Survey {
  std::uint64_t frames = 0;
  std::uint64_t unusable = 0;  ///< number of unusable frames
  std::string first_problem;   ///< problem of the first unusable frame
  std::map<std::string, std::uint64_t> box_kinds;
  std::vector<Range> particles;  // per species
  Range volume;
  Range inscribed_radius;
  Range covering_radius;
  Range time;
  std::set<Plane> planes;  ///< two_dimensional() of each frame
};

Survey survey(io::TrajectoryReader& reader, std::uint64_t most_frames) {
  const io::TrajectoryInfo& info = reader.info();
  Survey seen;
  seen.particles.resize(info.species.size());
  const std::uint64_t count = info.stream ? 1 : std::min(info.frame_count, most_frames);
  Frame frame;
  for (std::uint64_t k = 0; k < count; ++k) {
    // Evenly spread, including the first and the last frame.
    const std::uint64_t index =
        count == 1 ? 0 : k * (info.frame_count - 1) / (count - 1);
    ++seen.frames;
    try {
      reader.read(FrameIndex(index), frame);
    } catch (const InputError& error) {
      if (seen.unusable++ == 0) {
        seen.first_problem = error.what();
      }
      continue;
    }
    ++seen.box_kinds[to_string(frame.box.kind()) +
                     (frame.box.periodic_axis_count() % 3 == 0
                          ? ""
                          : " (periodic along " +
                                std::to_string(frame.box.periodic_axis_count()) +
                                " axes)")];
    seen.inscribed_radius.add(frame.box.inscribed_radius());
    seen.covering_radius.add(frame.box.covering_radius());
    seen.volume.add(frame.box.volume());
    seen.time.add(frame.time);
    seen.planes.insert(two_dimensional(frame.box, frame.positions));
    for (std::uint32_t s = 0; s < info.species.size(); ++s) {
      seen.particles[s].add(static_cast<double>(frame.particle_count(SpeciesId(s))));
    }
  }
  if (seen.unusable == seen.frames) {
    throw InputError(seen.first_problem);
  }
  return seen;
}

/// Lists the properties of the first frame on which particles can be selected, or the
/// reason why selection is not possible. `residues`: source of the residues; replaced
/// if only the reading of single particles finds them.
std::string selection_text(const std::string& path, io::ReadOptions reading,
                           std::string& residues) {
  reading.species.clear();
  reading.per_particle = true;
  try {
    const auto reader = io::open_trajectory({path}, reading);
    residues = residues == "none" ? reader->info().from.residues : residues;
    return reader->info().particles.count > 0
               ? particle_summary(reader->info().particles)
               : "select by    not possible: the first frame has no particles\n";
  } catch (const InputError& error) {
    return std::string("select by    not possible: ") + error.what() + "\n";
  }
}

std::string time_text(const Range& time, const std::string& unit) {
  if (!time.any()) {
    return "not specified in the file";
  }
  const std::string low = starhist::time_text(time.low);
  const std::string high = starhist::time_text(time.high);
  return (low == high ? low : low + " .. " + high) + unit_suffix(unit);
}

/// "O: 216, H: 432". For many species their number and the most frequent ones, or with
/// `all` one species per line.
std::string species_text(const std::vector<std::string>& species,
                         const std::vector<Range>& particles, bool all) {
  std::vector<std::string> entries;
  std::vector<double> numbers;
  for (std::size_t s = 0; s < species.size(); ++s) {
    entries.push_back(species[s] + ": " + particles[s].text());
    numbers.push_back(particles[s].high);
  }
  if (entries.size() <= most_species) {
    return join(entries, ", ");
  }
  const std::string count = grouped(entries.size());
  if (all) {
    return count + "\n             " + join(entries, "\n             ");
  }
  std::vector<std::string> shown;
  for (const std::size_t s : largest(numbers, shown_of_more_species)) {
    shown.push_back(entries[s]);
  }
  return count + "; the most frequent: " + join(shown, ", ") +
         ", ... (--all lists all)";
}

/// Lines with the sources of the data, and one for each assumption.
std::string sources_text(const io::ReadFrom& from) {
  using Words = std::pair<std::string, std::string>;
  std::string elements = from.elements;
  if (!from.elements_by_rule.empty()) {
    elements = elements == "none" ? "" : elements;
    io::add_phrase(from.elements_by_rule, elements);
  }
  std::string box = from.box;
  if (from.periodic != from.box) {
    box += "; periodic axes: " + from.periodic;
  }
  std::string text;
  for (const auto& [part, source] :
       std::initializer_list<Words>{{"box", box},
                                    {"names", from.names},
                                    {"elements", elements},
                                    {"residues", from.residues},
                                    {"times", from.times},
                                    {"units", from.units}}) {
    text += std::string(text.empty() ? "read from    " : "             ") + part +
            ": " + source + "\n";
  }
  for (const std::string& assumption : from.assumptions) {
    text += "assumed      " + assumption + "\n";
  }
  return text;
}

/// `own`: the file's unit; `shown`: the unit of the printed lengths.
std::string length_unit_text(const std::string& own, const std::string& shown) {
  return own.empty() ? "not specified in the file (give it with --unit)"
                     : own + (shown == own ? "" : ", shown in " + shown);
}

}  // namespace

std::uint64_t print_trajectory(io::TrajectoryReader& reader,
                               const io::ReadOptions& reading, bool all,
                               const std::string& out_unit) {
  constexpr std::uint64_t sample = 1000;
  const io::TrajectoryInfo& info = reader.info();
  const std::string shown = out_unit.empty() ? info.length_unit : out_unit;
  const LengthConversion conversion(info.paths.front(), info.length_unit, shown);
  const Survey seen = survey(reader, all ? info.frame_count : sample);
  const std::string unit = unit_suffix(shown);
  std::cout << join(info.paths, ", ") << ": " << info.format << " trajectory"
            << (info.group.empty() ? "" : ", group " + info.group) << '\n'
            << "frames       "
            << (info.stream ? "as they arrive" : std::to_string(info.frame_count));
  if (seen.frames < info.frame_count && !info.stream) {
    std::cout << " (" << seen.frames << " of them read; --all reads all)";
  }
  if (seen.unusable > 0) {
    std::cout << "\nunusable     " << seen.unusable
              << " of these frames, the first: " << seen.first_problem;
  }
  std::cout << external_text(info.external_files);
  std::cout << "\ntime         " << time_text(seen.time, info.time_unit)
            << "\nlength unit  " << length_unit_text(info.length_unit, shown)
            << "\nspecies      " << species_text(info.species, seen.particles, all)
            << elements_text(info.species, info.elements) << '\n';
  io::ReadFrom from = info.from;
  if (!info.stream) {  // a stream cannot be opened again
    std::cout << selection_text(info.paths.front(), reading, from.residues);
  }
  if (!reading.index.empty()) {
    std::cout << "groups       " << join(io::IndexGroups(reading.index).names(), ", ")
              << '\n';
  }
  const bool any_box = seen.box_kinds.size() > 1 || !seen.box_kinds.contains("open");
  std::cout << sources_text(io::seen_in_frames(from, any_box, seen.time.any()))
            << "box          ";
  const char* separator = "";
  for (const auto& [kind, frames] : seen.box_kinds) {
    std::cout << separator << kind;
    if (seen.box_kinds.size() > 1) {
      std::cout << " in " << frames << " frames";
    }
    separator = ", ";
  }
  if (seen.volume.low > 0.0) {
    std::cout << "\nvolume       " << seen.volume.in(conversion, 3).short_text()
              << (unit.empty() ? "" : unit + "^3") << "\nlargest r    "
              << six_digits_down(conversion(seen.inscribed_radius.low)) << unit
              << " for whole shells (half the shortest lattice vector)\n             "
              << six_digits(conversion(seen.covering_radius.high)) << unit
              << " is the largest possible nearest-image distance";
  }
  if (seen.planes.size() == 1 && *seen.planes.begin() != Plane::none) {
    std::cout
        << "\nplane        all particles lie in one (for g(r) in it: starhist rdf "
           "--plane "
        << to_string(*seen.planes.begin()) << ")";
  }
  std::cout << '\n';
  return seen.unusable;
}

}  // namespace starhist::driver
