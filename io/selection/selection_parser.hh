#pragma once

#include "io/selection/selection.hh"
#include "io/selection/selection_lexer.hh"

namespace starhist::io {

/// Whether a selection begins with this word, rather than names of species.
bool begins_selection(const RuleWords::Word& word);

/// Takes a selection off the words, up to the first that cannot be of it:
///
///   selection = part { "or" part }
///   part      = factor { "and" factor }
///   factor    = "not" factor | "(" selection ")" | "all" | field value { value }
///
/// where a field is name, type, element, resname, resid, molecule, id, index or
/// species. Values are words, with * ? [..], or "words" in quotes, which stand for
/// themselves; of numbers also ranges, 1-100. Throws InputError that shows the place.
Selection parse_selection(RuleWords& words);

}  // namespace starhist::io
