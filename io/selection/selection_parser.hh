#pragma once

#include "io/selection/selection.hh"
#include "io/selection/selection_lexer.hh"

namespace starhist::io {

/// Whether a rule that begins with the current word is a selection, rather than a list
/// of species names.
bool begins_selection(const RuleWords& words);

/// Parses a selection, up to the first word that does not belong to it:
///
///   selection = part { "or" part }
///   part      = factor { "and" factor }
///   factor    = "not" factor | "(" selection ")" | "all" | field value { value }
///             | "group" word { word } | quantity comparison number
///             | ("within" | "beyond") distance "of" factor
///             | "same" ("residue" | "molecule" | "chain") "as" factor
///             | "protein" | "backbone" | "water" | "ion"
///
/// A quantity is x, y, z, mass or charge; a comparison is <, <=, >, >=, == or !=. The
/// words of the last four lines are ordinary words where they stand as values, or
/// without their second word: "chain x", "W=within".
///
/// A field is name, type, element, resname, resid, icode, chain, segment, altloc,
/// molecule, id, index or species. A value is a word with wildcards * ? [..], a quoted
/// "word" without wildcards, or, for numbers, a number or a range: 1-100, or 1*3, *3,
/// 2* as in LAMMPS. Throws InputError with the position.
Selection parse_selection(RuleWords& words);

}  // namespace starhist::io
