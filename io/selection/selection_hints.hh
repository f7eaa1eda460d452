#pragma once

#include <string>

namespace starhist::io {

/// End of a message about a word of --species that is not a name in the file: ": did
/// you mean the term resname?" for "resnam", ": the term for 'serial' is 'id 1-100'"
/// for a term of VMD, MDAnalysis or Amber, ": separate names by blanks: HW1 HW2" for
/// "HW1,HW2"; "" without an idea.
std::string selection_hint(const std::string& word);

/// End of a message about a word that is not a range: ": write 1-10" for "1:10".
std::string range_hint(const std::string& word);

/// End of a message about a word that is not a distance: ": omit the unit ..."
/// for "3.5A"; "" if it does not begin with a number.
std::string distance_hint(const std::string& word);

/// End of a message about a rule without a name: ": name the species, as in A=name OW"
/// if `word` begins a selection, ": write O=name OW" for the word "O:name", ": did you
/// mean --species "O=O", or --pairs O-O?" if `word` is the whole rule; "" otherwise.
std::string name_hint(const std::string& word, const std::string& rule);

}  // namespace starhist::io
