#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/box.hh"

namespace starhist {

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

/// Frames first, first + step, ... up to last (inclusive) of a trajectory.
struct FrameSelection {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> last;
  std::uint64_t step = 1;

  /// Number of frames selected from `frame_count`. Throws InputError when it is none.
  std::uint64_t count(std::uint64_t frame_count) const;
};

/// "1000,10000" -> {1000, 10000}.
std::vector<std::string> split_list(const std::string& text);

}  // namespace starhist
