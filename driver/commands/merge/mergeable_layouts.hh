#pragma once

#include <string>
#include <vector>

#include "io/result/result_reader.hh"

namespace starhist::driver {

/// Throws InputError unless the names in two results, `of_a` and `of_b`, are equal.
/// `named`: "species" or "pairs", for the message.
void check_same_names(const std::string& named, const io::ResultFile& a,
                      const std::vector<std::string>& of_a, const io::ResultFile& b,
                      const std::vector<std::string>& of_b);

/// Throws InputError with the first property in which the layouts differ.
void check_same_layout(const io::ResultFile& a, const io::ResultFile& b);

/// If results differ in species that are in no pair, removes these species from all.
void agree_in_species(std::vector<io::ResultFile>& results);

/// Sorts species and pairs into the order of `first`, because O-H is H-O. Does not
/// change a result with other species or pairs, or with a second axis, whose cosines
/// depend on the order.
void agree_in_order(const HistogramLayout& first, io::ResultFile& result);

}  // namespace starhist::driver
