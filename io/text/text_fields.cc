#include "io/text/text_fields.hh"

#include <charconv>
#include <cmath>

#include "codelets/core/base/error.hh"
#include "io/text/short_decimal.hh"

namespace starhist::io {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t';
}

template <class Number>
Number number_field(std::string_view field, const char* kind, const char* what) {
  Number value{};
  std::string_view digits = field;
  if (digits.starts_with('+') && !digits.starts_with("+-")) {
    digits.remove_prefix(1);
  }
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (field.empty() || parsed.ec != std::errc() || parsed.ptr != end) {
    throw InputError("'" + std::string(field) + "' is not a " + kind + " (" + what +
                     ")");
  }
  return value;
}

}  // namespace

std::string_view take_field(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && blank(line[begin])) {
    ++begin;
  }
  std::size_t end = begin;
  while (end < line.size() && !blank(line[end])) {
    ++end;
  }
  const std::string_view field = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return field;
}

bool is_count(std::string_view line) {
  const std::string_view count = take_field(line);
  return !count.empty() && take_field(line).empty() &&
         count.find_first_not_of("0123456789") == std::string_view::npos;
}

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::string_view field = take_field(line); !field.empty();
       field = take_field(line)) {
    fields.push_back(field);
  }
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  split_fields(line, fields);
  return fields;
}

double real_field(std::string_view field, const char* what) {
  const bool negative = field.starts_with('-');
  const bool has_sign = negative || field.starts_with('+');
  if (const auto value = short_decimal(field.substr(has_sign ? 1 : 0))) {
    return negative ? -*value : *value;
  }
  const auto value = number_field<double>(field, "number", what);
  if (!std::isfinite(value)) {
    throw InputError(std::string(what) + " is " + std::string(field) +
                     ", not a finite number");
  }
  return value;
}

std::int64_t whole_field(std::string_view field, const char* what) {
  return number_field<std::int64_t>(field, "whole number", what);
}

}  // namespace starhist::io
