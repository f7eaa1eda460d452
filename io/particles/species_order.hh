#pragma once

#include <string>
#include <vector>

namespace starhist::io {

/// Sorts species names and removes duplicates: numbers first, by value ("2" before
/// "10"), then words bytewise.
void sort_species(std::vector<std::string>& names);

}  // namespace starhist::io
