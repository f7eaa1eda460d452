#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "io/text/text_file.hh"

namespace starhist::io {

/// Lines whose fields stand in fixed columns, as in GRO and PDB. Columns count from 0.

/// The text in these columns without the blanks around it; "" behind the line's end.
std::string_view text_in(std::string_view line, std::size_t column, std::size_t width);

/// The number in these columns, correctly rounded, such as 12.345 or -.5 with blanks
/// around it. Nothing for what is no decimal number: "12", "1e5", "12.3x5", "12.3 5".
std::optional<double> decimal_in(std::string_view line, std::size_t column,
                                 std::size_t width);

/// The whole number with which the text in these columns begins: 12 of "12A". 0 where
/// it begins with none.
std::int64_t whole_number_in(std::string_view line, std::size_t column,
                             std::size_t width);

/// Throws InputError "line 8 has no position ('...')" about the line just read.
[[noreturn]] void refuse_position(const TextFile& file, std::string_view line);

/// The number behind the first `key` in a title, 1.5 for "t=" in "water t= 1.5 ps".
/// Nothing where there is no key, or no number behind the first one.
std::optional<double> real_after(std::string_view title, std::string_view key);
std::optional<std::int64_t> whole_number_after(std::string_view title,
                                               std::string_view key);

}  // namespace starhist::io
