#pragma once

#include <string>
#include <vector>

namespace starhist::io {

/// Sorts species names and removes repetitions: numbers first, by value ("2" before
/// "10"), then words by their bytes.
void sort_species(std::vector<std::string>& names);

}  // namespace starhist::io
