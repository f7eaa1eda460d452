#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace starhist::io {

/// Removes the next blank-separated field from the line and returns it; empty at the
/// end of the line.
std::string_view take_field(std::string_view& line);

/// Whether the line is a single field of digits: a number of atoms.
bool is_count(std::string_view line);

/// Splits the line into `fields`, whose memory is reused.
void split_fields(std::string_view line, std::vector<std::string_view>& fields);
std::vector<std::string_view> fields_of(std::string_view line);

/// Returns the field as a finite number, correctly rounded. Throws InputError naming
/// the quantity `what`: "'1.2.3' is not a number (x)".
double real_field(std::string_view field, const char* what);
std::int64_t whole_field(std::string_view field, const char* what);

}  // namespace starhist::io
