#pragma once

#include "io/selection/selection.hh"
#include "io/selection/selection_lexer.hh"

namespace starhist::io {

/// Whether a selection begins with this word, rather than a list of species names.
bool begins_selection(const RuleWords::Word& word);

/// Takes a selection from the words, up to the first word that does not belong to it:
///
///   selection = part { "or" part }
///   part      = factor { "and" factor }
///   factor    = "not" factor | "(" selection ")" | "all" | field value { value }
///             | "group" word { word }
///
/// A field is name, type, element, resname, resid, icode, chain, segment, altloc,
/// molecule, id, index or species. A value is a word, in which * ? [..] match other
/// letters, a "word" in quotes, in which they do not, or for numbers a number or a
/// range: 1-100, or 1*3, *3, 2* as in LAMMPS. Throws InputError with the position.
Selection parse_selection(RuleWords& words);

}  // namespace starhist::io
