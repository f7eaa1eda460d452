#include "driver/commands/merge/mergeable_layouts.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/counting/layout_text.hh"
#include "driver/commands/merge/rearrange.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/species_order.hh"

namespace starhist::driver {
namespace {

using Names = std::vector<std::string>;

/// "only a.h5 has C1, C2", or "" if `other` has all names. Long lists are shortened.
std::string surplus(const std::string& path, const Names& names, const Names& other) {
  Names more;
  for (const std::string& name : names) {
    if (std::find(other.begin(), other.end(), name) == other.end()) {
      more.push_back(name);
    }
  }
  return more.empty() ? "" : "only " + path + " has " + listed(more);
}

/// End of a message about equal names in another order.
std::string order_remedy(const std::string& what, Names names) {
  if (what != "species") {
    return " (count both with the same --" + what + ", in the same order)";
  }
  io::sort_species(names);
  return " (the order must be the same: starhist sorts species, so callers of the C "
         "library name them in the order " +
         listed(names) + " in starhist_set_species())";
}

/// Removes the species that are in no pair.
void keep_species_of_pairs(io::ResultFile& result) {
  HistogramLayout& layout = result.layout;
  std::vector<char> used(layout.species.size());
  for (const SpeciesPair& pair : layout.pairs) {
    used[pair.first.index()] = used[pair.second.index()] = 1;
  }
  std::vector<SpeciesId> number(used.size());  // new number of each species
  Names species;
  std::vector<SpeciesElement> elements;
  Names selections;
  for (std::size_t s = 0; s < used.size(); ++s) {
    number[s] = SpeciesId(static_cast<std::uint32_t>(species.size()));
    if (used[s] != 0) {
      species.push_back(layout.species[s]);
      elements.push_back(io::element_of(layout, s));
      if (!layout.selections.empty()) {
        selections.push_back(layout.selections[s]);
      }
    }
  }
  for (SpeciesPair& pair : layout.pairs) {
    pair = {number[pair.first.index()], number[pair.second.index()]};
  }
  layout.species = std::move(species);
  layout.elements = std::move(elements);
  layout.selections = std::move(selections);
  for (BlockCounts& block : result.blocks) {
    for (auto* numbers : {&block.particle_number, &block.empty_frames}) {
      std::vector<std::uint64_t> kept;
      for (std::size_t s = 0; s < numbers->size(); ++s) {
        if (used[s] != 0) {
          kept.push_back((*numbers)[s]);
        }
      }
      *numbers = std::move(kept);
    }
  }
  const bool any_changes =
      std::any_of(layout.selections.begin(), layout.selections.end(),
                  [](const std::string& rule) { return !rule.empty(); });
  if (!any_changes) {
    layout.selections.clear();
    for (BlockCounts& block : result.blocks) {
      block.empty_frames.clear();
    }
  }
}

std::string edges_text(double edge_shift) {
  return edge_shift == 0.0
             ? "edges at whole numbers of bins (counted by an older version)"
             : "edges shifted down by a billionth of a bin (counted by this version)";
}

std::string unit_text(const HistogramLayout& layout) {
  const auto said = [](const std::string& unit) {
    return unit.empty() ? std::string("no unit") : unit;
  };
  return said(layout.length_unit) + " and " + said(layout.time_unit);
}

/// End of a message: the option that sets the unit missing in one of the results.
std::string unit_remedy(const HistogramLayout& a, const HistogramLayout& b) {
  const bool length = a.length_unit.empty() != b.length_unit.empty();
  if (!length && a.length_unit != b.length_unit) {
    return " (merge does not convert: count all of them in one length unit)";
  }
  const bool time = a.time_unit.empty() != b.time_unit.empty();
  if (length && time) {
    return " (give the units of results without them with --unit and --time-unit)";
  }
  return length ? " (give the length unit of results without one with --unit)"
         : time ? " (give the time unit of results without one with --time-unit)"
                : "";
}

/// "near = 'name OW and z < 2'", or "the same W in all frames".
std::string selection_text(const HistogramLayout& layout, std::size_t species) {
  const std::string rule = layout.selections.empty() ? "" : layout.selections[species];
  return rule.empty() ? "the same " + layout.species[species] + " in all frames"
                      : layout.species[species] + " = '" + rule + "'";
}

}  // namespace

void check_same_names(const std::string& named, const io::ResultFile& a,
                      const Names& of_a, const io::ResultFile& b, const Names& of_b) {
  if (of_a == of_b) {
    return;
  }
  const std::string first = surplus(a.path, of_a, of_b);
  const std::string second = surplus(b.path, of_b, of_a);
  const bool same_set = first.empty() && second.empty();
  throw InputError(
      "results with different " + named + " cannot be merged: " +
      (same_set ? a.path + " has " + listed(of_a) + ", " + b.path + " has " +
                      listed(of_b) + order_remedy(named, of_a)
                : first + (first.empty() || second.empty() ? "" : ", ") + second));
}

void agree_in_species(std::vector<io::ResultFile>& results) {
  const Names first = results.front().layout.species;
  const bool same = std::all_of(
      results.begin(), results.end(),
      [&](const io::ResultFile& result) { return result.layout.species == first; });
  if (!same) {
    for (io::ResultFile& result : results) {
      keep_species_of_pairs(result);
    }
  }
}

void agree_in_order(const HistogramLayout& first, io::ResultFile& result) {
  HistogramLayout& layout = result.layout;
  if (layout.second) {
    return;
  }
  std::vector<std::size_t> species;  // by number in `first`
  for (const std::string& name : first.species) {
    const auto found = std::find(layout.species.begin(), layout.species.end(), name);
    species.push_back(static_cast<std::size_t>(found - layout.species.begin()));
  }
  std::vector<std::size_t> pairs;
  for (const SpeciesPair& pair : first.pairs) {
    const std::size_t a = species[pair.first.index()];
    const std::size_t b = species[pair.second.index()];
    const auto found = std::find_if(
        layout.pairs.begin(), layout.pairs.end(), [&](const SpeciesPair& own) {
          return (own.first.index() == a && own.second.index() == b) ||
                 (own.first.index() == b && own.second.index() == a);
        });
    if (found == layout.pairs.end()) {
      return;
    }
    pairs.push_back(static_cast<std::size_t>(found - layout.pairs.begin()));
  }
  if (species.size() != layout.species.size() || pairs.size() != layout.pairs.size() ||
      std::count(species.begin(), species.end(), layout.species.size()) > 0) {
    return;
  }
  rearrange(layout.species, species);
  rearrange(layout.elements, species);
  rearrange(layout.selections, species);
  layout.pairs = first.pairs;
  for (BlockCounts& block : result.blocks) {
    rearrange(block.particle_number, species);
    rearrange(block.empty_frames, species);
    rearrange(block.counts, pairs);
    rearrange(block.underflow, pairs);
    rearrange(block.out_of_range, pairs);
    rearrange(block.pairs, pairs);
    rearrange(block.excluded, pairs);
    rearrange(block.pairs_over_volume, pairs);
  }
}

void check_same_layout(const io::ResultFile& a, const io::ResultFile& b) {
  const auto compare = [&](const char* what, const std::string& of_a,
                           const std::string& of_b, const std::string& remedy = "") {
    if (of_a != of_b) {
      throw InputError("results with different " + std::string(what) +
                       " cannot be merged: " + a.path + " has " + of_a + ", " + b.path +
                       " has " + of_b + remedy);
    }
  };
  check_same_names("pairs", a, pair_names(a.layout), b, pair_names(b.layout));
  compare("units", unit_text(a.layout), unit_text(b.layout),
          unit_remedy(a.layout, b.layout));
  compare("bins", bins_text(a.layout.bins), bins_text(b.layout.bins));
  compare("edges of bins", edges_text(a.edge_shift), edges_text(b.edge_shift),
          ": recount the older one with this version");
  for (std::size_t s = 0; s < a.layout.species.size(); ++s) {
    const std::string of_a = io::element_of(a.layout, s).element;
    const std::string of_b = io::element_of(b.layout, s).element;
    if (!of_a.empty() && !of_b.empty()) {
      compare("elements", a.layout.species[s] + " of " + of_a,
              b.layout.species[s] + " of " + of_b);
    }
  }
  for (std::size_t s = 0; s < a.layout.species.size(); ++s) {
    compare("selections", selection_text(a.layout, s), selection_text(b.layout, s),
            " (count both with the same --species)");
  }
  compare("planes", plane_text(a.layout.plane), plane_text(b.layout.plane));
  compare("volumes", region_text(a.layout.region), region_text(b.layout.region),
          " (give both the same --volume, or --geometry and --extent)");
  compare("second axes", second_axis_text(a.layout.second),
          second_axis_text(b.layout.second),
          " (count both with the same --axis2, --axis2-bins and --axis2-max)");
  compare("excluded pairs", to_string(a.layout.exclusion),
          to_string(b.layout.exclusion));
}

}  // namespace starhist::driver
