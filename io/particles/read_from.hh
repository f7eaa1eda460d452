#pragma once

#include <string>
#include <vector>

namespace starhist::io {

/// Sources of the parts of a trajectory, as phrases for `starhist info`. A reader sets
/// the sources that it knows in detail; complete_read_from() sets the others. "none"
/// means that neither the file nor an option provides the part.
struct ReadFrom {
  std::string box;       ///< "Lattice of the comment line", "--box", "none"
  std::string periodic;  ///< source of the periodic axes: "pbc of the comment line"
  std::string names;     ///< "atom names of columns 13-16", "--structure top.gro"
  std::string elements;  ///< "columns 77-78", "none"
  std::string elements_by_rule;  ///< "--aliases; guessed from names", ""
  /// Properties that distinguish residues: "chain, number, insertion code and name".
  std::string residues;
  std::string times;  ///< "time of each frame", "frame numbers"
  std::string units;  ///< "the file", "the format", "--unit"
  /// Choices that the file leaves open, one line each, as "SUBJECT: CHOICE (REASON)":
  /// "alternate locations: first of each atom (--altloc)". rdf prints them after its
  /// result. Facts stated in the file do not belong here.
  std::vector<std::string> assumptions;
};

/// Adds `phrase` to the list `all`, separated by "; ", unless it is empty or listed
/// already.
void add_phrase(const std::string& phrase, std::string& all);

/// Merges the sources of a further file of the same trajectory: different phrases are
/// listed one after the other, and assumptions are added once.
void add_read_from(const ReadFrom& file, ReadFrom& all);

/// Returns the sources after frames were read: box and times become "none" if the
/// reader did not set their source and no frame had any.
ReadFrom seen_in_frames(ReadFrom from, bool any_box, bool any_time);

}  // namespace starhist::io
