#pragma once

#include <string>
#include <vector>

namespace starhist::io {

/// Where the parts of a trajectory come from, as phrases for `starhist info`. A reader
/// sets those that it knows better than complete_read_from(), which fills the others.
/// "none" means that neither the file nor an option has the part.
struct ReadFrom {
  std::string box;       ///< "Lattice of the comment line", "--box", "none"
  std::string periodic;  ///< source of the periodic axes: "pbc of the comment line"
  std::string names;     ///< "atom names of columns 13-16", "--structure top.gro"
  std::string elements;  ///< "columns 77-78", "none"
  std::string elements_by_rule;  ///< "--aliases; guessed from names", ""
  /// What tells residues apart: "chain, number, insertion code and name".
  std::string residues;
  std::string times;  ///< "time of each frame", "frame numbers"
  std::string units;  ///< "the file", "the format", "--unit"
  /// Choices that the file does not make, one line each, as "WHAT: CHOICE (REASON)":
  /// "alternate locations: first of each atom (--altloc)". rdf prints them after its
  /// result. Nothing that the file states belongs here.
  std::vector<std::string> assumptions;
};

/// Adds `phrase` to a list of phrases separated by "; ", unless it is empty or listed.
void add_phrase(const std::string& phrase, std::string& all);

/// Adds the sources of a further file of the same trajectory: phrases that differ are
/// listed one after the other, and assumptions are added once.
void add_read_from(const ReadFrom& file, ReadFrom& all);

/// The sources once frames were read: box and times become "none" if a reader named no
/// source of its own and no frame had one.
ReadFrom seen_in_frames(ReadFrom from, bool any_box, bool any_time);

}  // namespace starhist::io
