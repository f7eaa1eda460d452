#pragma once

#include <map>
#include <string>

namespace starhist::io {

/// Elements by the names of atoms.
using ElementAliases = std::map<std::string, std::string>;

/// Reads a file with a name and its element in each line, plain or compressed; what
/// follows '#' is a comment. Throws InputError, with the number of the line, for other
/// lines, for what is no element, and for a name with two elements.
ElementAliases read_element_aliases(const std::string& path);

}  // namespace starhist::io
