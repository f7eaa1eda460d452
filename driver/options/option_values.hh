#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::driver {

// Each function returns the value of an option and throws InputError, which names the
// option and the text, if the text is invalid.

/// A number, and an integer of 0 or more.
double parse_number(const std::string& option, const std::string& text);
std::uint64_t parse_count(const std::string& option, const std::string& text);

/// An integer of 1 or more.
std::uint64_t parse_positive(const std::string& option, const std::string& text);

/// A finite and positive length.
double parse_length(const std::string& option, const std::string& text);

/// --checkpoint: seconds in (0, 10^6].
double parse_checkpoint(const std::string& text);

/// --memory: bytes from GiB, such as "4" or "0.5" [> 0].
std::uint64_t parse_memory(const std::string& text);

/// Replacement for the boxes of a trajectory by --box: one box, the boxes of a file, or
/// unset.
struct BoxChoice {
  std::optional<Box> box;
  std::string file;  ///< path of a file with a box per frame; "": no file
};

/// --box: "file" is unset (the file's boxes), "none" an open box, "a,b,c" an
/// orthorhombic and "a,b,c,alpha,beta,gamma" a triclinic one, with angles in degrees;
/// nine numbers are the edge vectors a, b and c. Other text is the path of a file.
BoxChoice parse_box_choice(const std::string& text);

/// --box without files.
std::optional<Box> parse_box(const std::string& text);

/// --r-max: the largest distance to count, finite and positive.
double parse_r_max(const std::string& text);

/// Number of bins from 0 to r_max, from either --bins or --bin-width; the other one is
/// "". The width must divide `r_max`. If `r_max` is empty, because its text is invalid,
/// only the syntax and sign of the width are checked.
std::uint64_t parse_bin_count(const std::string& bins, const std::string& bin_width,
                              std::optional<double> r_max);

/// The elements of a comma-separated list: {"1000", "10000"} from "1000,10000".
std::vector<std::string> split_list(const std::string& text);

}  // namespace starhist::driver
