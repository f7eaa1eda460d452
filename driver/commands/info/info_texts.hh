#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/hdf5/inspection/external_files.hh"
#include "io/particles/element_of_species.hh"

namespace starhist::driver {

/// Largest number of species shown, the most frequent ones, unless all are requested.
inline constexpr std::size_t most_species = 20;

/// Indices of the `most` largest values, in descending order; if there are no more than
/// `most`, all in their order.
std::vector<std::size_t> largest(const std::vector<double>& values, std::size_t most);

/// The value with six digits, rounded to nearest.
std::string six_digits(double value);

/// A line, starting with a newline, for each other file that holds data of this one.
std::string external_text(const io::ExternalFileList& files);

/// Text, starting with a newline, with a line of elements for each of their sources; ""
/// if none is known.
std::string elements_text(const std::vector<std::string>& names,
                          const std::vector<SpeciesElement>& elements);

}  // namespace starhist::driver
