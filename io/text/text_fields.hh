#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace starhist::io {

/// Takes the next field, between blanks, off the line; empty at its end.
std::string_view take_field(std::string_view& line);

/// Whether the line has one field, which consists of digits: a number of atoms.
bool is_count(std::string_view line);

/// All of them, into `fields`, whose memory is reused.
void split_fields(std::string_view line, std::vector<std::string_view>& fields);
std::vector<std::string_view> fields_of(std::string_view line);

/// The field as a finite number, correctly rounded. Throws InputError that says what it
/// was to be: "'1.2.3' is not a number (x)".
double real_field(std::string_view field, const char* what);
std::int64_t whole_field(std::string_view field, const char* what);

}  // namespace starhist::io
