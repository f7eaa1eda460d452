#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "io/text/text_file.hh"

namespace starhist::io {

/// Fields in fixed columns of a line, as in GRO and PDB. Columns count from 0.

/// Returns the text in these columns without surrounding blanks; "" past the end of the
/// line.
std::string_view text_in(std::string_view line, std::size_t column, std::size_t width);

/// Returns the correctly rounded number in these columns, such as 12.345 or -.5, with
/// optional surrounding blanks. Empty if the text is not a decimal number with a point:
/// "12", "1e5", "12.3x5", "12.3 5".
std::optional<double> decimal_in(std::string_view line, std::size_t column,
                                 std::size_t width);

/// Returns the whole number at the beginning of these columns: 12 for "12A"; 0 if the
/// text does not begin with a number.
std::int64_t whole_number_in(std::string_view line, std::size_t column,
                             std::size_t width);

/// Throws InputError "line 8 has no position ('...')" for the line just read.
[[noreturn]] void refuse_position(const TextFile& file, std::string_view line);

/// Returns the number after the first `key` in a title: 1.5 for the key "t=" in "water
/// t= 1.5 ps". Empty if the key is missing or not followed by a number.
std::optional<double> real_after(std::string_view title, std::string_view key);
std::optional<std::int64_t> whole_number_after(std::string_view title,
                                               std::string_view key);

}  // namespace starhist::io
