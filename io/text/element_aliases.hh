#pragma once

#include <map>
#include <string>

namespace starhist::io {

/// Atom name -> element symbol.
using ElementAliases = std::map<std::string, std::string>;

/// Reads a file, plain or compressed, with an atom name and its element on each line;
/// '#' begins a comment. Throws InputError with the line number for malformed lines,
/// unknown elements, and names with two different elements.
ElementAliases read_element_aliases(const std::string& path);

}  // namespace starhist::io
