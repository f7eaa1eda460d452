#include "io/export/tables/atoms_of_result.hh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/export/scattering_factors.hh"

namespace starhist::io {
namespace {

/// The kept elements of a list with one per species or pair, or of an empty list.
template <class T>
std::vector<T> chosen(const std::vector<T>& list, const std::vector<bool>& kept) {
  std::vector<T> left;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (kept[k]) {
      left.push_back(list[k]);
    }
  }
  return left;
}

/// The result as if only the species `kept` had been counted.
ResultFile with_species(const ResultFile& result, const std::vector<bool>& kept) {
  std::vector<SpeciesId> places;  // of each species among those kept
  std::uint32_t place = 0;
  for (const bool is_kept : kept) {
    places.emplace_back(place);
    place += is_kept ? 1 : 0;
  }
  ResultFile made = result;
  HistogramLayout& layout = made.layout;
  std::vector<bool> pairs;
  for (SpeciesPair& pair : layout.pairs) {
    pairs.push_back(kept[pair.first.index()] && kept[pair.second.index()]);
    pair.first = places[pair.first.index()];
    pair.second = places[pair.second.index()];
  }
  layout.pairs = chosen(layout.pairs, pairs);
  layout.species = chosen(layout.species, kept);
  layout.elements = chosen(layout.elements, kept);
  layout.selections = chosen(layout.selections, kept);
  for (BlockCounts& block : made.blocks) {
    block.particle_number = chosen(block.particle_number, kept);
    block.empty_frames = chosen(block.empty_frames, kept);
    block.counts = chosen(block.counts, pairs);
    block.underflow = chosen(block.underflow, pairs);
    block.out_of_range = chosen(block.out_of_range, pairs);
    block.pairs = chosen(block.pairs, pairs);
    block.excluded = chosen(block.excluded, pairs);
    block.pairs_over_volume = chosen(block.pairs_over_volume, pairs);
    block.second = chosen(block.second, pairs);
    block.pairs_over_space = chosen(block.pairs_over_space, pairs);
  }
  return made;
}

}  // namespace

AnalysisTable table_of_atoms(
    const ResultFile& result, const AnalysisRequest& request,
    const std::function<AnalysisTable(const ResultFile&, const AnalysisRequest&)>&
        make) {
  const auto sites = sites_without_atom(result.layout, request);
  if (sites.empty()) {
    return make(result, request);
  }
  if (sites.size() == result.layout.species.size()) {
    throw InputError(result.path + ": no species has an element (--element names it)");
  }
  std::vector<bool> kept(result.layout.species.size(), true);
  AnalysisRequest atoms = request;
  std::vector<std::string> names;
  std::vector<std::string> sources;
  for (const auto& [name, source] : sites) {
    const auto& all = result.layout.species;
    kept[static_cast<std::size_t>(std::find(all.begin(), all.end(), name) -
                                  all.begin())] = false;
    atoms.elements.erase(name);
    names.push_back(name);
    sources.push_back(name + ": " + source);
  }
  AnalysisTable made = make(with_species(result, kept), atoms);
  made.table.facts.push_back({"left_out", join(sources, ", ")});
  made.notes.push_back("left out as sites without an atom: " + listed(names));
  return made;
}

}  // namespace starhist::io
