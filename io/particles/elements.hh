#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace starhist::io {

/// The usual spelling of an element's symbol in any case of letters: "Cl" for "CL". D
/// and T are elements too, and DUMMY, a site without an atom. "" for what is none.
std::string element_spelling(const std::string& word);

/// The symbol by an atomic number, "O" by 8; "" for what is none.
std::string element_of_number(std::int64_t number);

/// The atomic number of a symbol: 8 for "O", 1 for "D" and "T". 0 for other words.
std::int64_t number_of_element(const std::string& symbol);

/// The element of an atom by its name, by the rules of MDAnalysis 2.11
/// (DefaultGuesser.guess_atom_element): a table of ions, then the longest beginning of
/// the name's letters that is one of 16 common elements, so that CA is carbon. "" where
/// these give no element.
std::string guess_element(const std::string& name);

/// "C of CA CB, H of HA": the names that have each element, at most 40 of one element.
std::string names_by_element(const std::map<std::string, std::set<std::string>>& names);

}  // namespace starhist::io
