#include "io/reader/source_defaults.hh"

#include <algorithm>
#include <utility>

#include "io/text/text_index.hh"

namespace starhist::io {
namespace {

constexpr const char* the_file = "the file";
constexpr const char* nothing = "none";

/// Returns the source of a property: the structure if it has the property, otherwise
/// the file. `phrase`: detail provided by the structure's reader.
std::string source_of(bool in_structure, const Structure* structure,
                      const std::string& phrase, bool in_file) {
  if (in_structure) {
    return structure->path + (phrase.empty() ? "" : ": " + phrase);
  }
  return in_file ? the_file : nothing;
}

bool any_element(const std::vector<SpeciesElement>& species) {
  return std::any_of(species.begin(), species.end(),
                     [](const SpeciesElement& each) { return !each.element.empty(); });
}

}  // namespace

ReadFrom complete_read_from(const TrajectoryInfo& file, const Structure* structure,
                            const std::string& length_unit) {
  ReadFrom from = file.from;
  const auto fill = [](std::string& part, const std::string& text) {
    if (part.empty()) {
      part = text;
    }
  };
  static const ParticleTable no_particles;
  static const ReadFrom no_phrases;
  const ParticleTable& told = structure ? structure->particles : no_particles;
  const ReadFrom& phrases = structure ? structure->from : no_phrases;
  const bool species = file.species.size() > 1 || (file.species.size() == 1 &&
                                                   file.species.front() != any_species);
  const ParticleTable& own = file.particles;
  fill(from.box, the_file);
  fill(from.periodic, from.box);
  fill(from.names,
       source_of(!told.name.empty() || !told.type.empty(), structure, phrases.names,
                 species || !own.name.empty() || !own.type.empty()));
  fill(from.elements, source_of(!told.element.empty(), structure, phrases.elements,
                                !own.element.empty() || any_element(file.elements)));
  fill(from.residues, source_of(!told.residue.empty(), structure, phrases.residues,
                                !own.residue.empty()));
  fill(from.times, the_file);
  fill(from.units, !file.length_unit.empty()                      ? the_file
                   : structure && !structure->length_unit.empty() ? structure->path
                   : !length_unit.empty()                         ? "--unit"
                                                                  : nothing);
  for (const std::string& assumption : phrases.assumptions) {
    from.assumptions.push_back(assumption);
  }
  return from;
}

}  // namespace starhist::io
