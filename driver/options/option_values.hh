#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::driver {

/// Text of an option to its value; InputError names the option and the text.
double parse_number(const std::string& option, const std::string& text);
std::uint64_t parse_count(const std::string& option, const std::string& text);

/// The same, but at least 1.
std::uint64_t parse_positive(const std::string& option, const std::string& text);

/// "4", "0.5": GiB to bytes.
std::uint64_t parse_memory(const std::string& text);

/// "file" -> none (use what the file says); "none" -> open; "a,b,c" orthorhombic;
/// "a,b,c,alpha,beta,gamma" triclinic, angles in degrees.
std::optional<Box> parse_box(const std::string& text);

/// The largest distance to count: finite and positive.
double parse_r_max(const std::string& text);

/// Number of bins from either --bins or --bin-width, the other being empty. The width
/// must divide `r_max`, which is empty if it cannot be used itself; the bins are then
/// checked as far as is possible without it.
std::uint64_t parse_bin_count(const std::string& bins, const std::string& bin_width,
                              std::optional<double> r_max);

/// "1000,10000" -> {1000, 10000}.
std::vector<std::string> split_list(const std::string& text);

}  // namespace starhist::driver
