#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace starhist::io {

/// Returns the usual spelling of an element symbol in any case: "Cl" for "CL". Also
/// accepts D, T, and DUMMY, a site without an atom. "" if the word is not a symbol.
std::string element_spelling(const std::string& word);

/// Returns the symbol of an atomic number: "O" for 8; "" if it is out of range.
std::string element_of_number(std::int64_t number);

/// Returns the atomic number of a symbol: 8 for "O", 1 for "D" and "T"; 0 for other
/// words.
std::int64_t number_of_element(const std::string& symbol);

/// Guesses the element of an atom from its name by the rules of MDAnalysis 2.11
/// (DefaultGuesser.guess_atom_element): a table of ions, then the longest prefix of the
/// name's letters that is one of 16 common elements, so that CA is carbon. "" if they
/// find no element. An ion whose residue has its name is that element: CA of a residue
/// CA is calcium.
std::string guess_element(const std::string& name, const std::string& residue = "");

/// Lists the names of each element, at most 40 per element: "C of CA CB, H of HA".
std::string names_by_element(const std::map<std::string, std::set<std::string>>& names);

}  // namespace starhist::io
