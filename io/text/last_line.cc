#include "io/text/last_line.hh"

#include <algorithm>
#include <optional>
#include <utility>

#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

/// Digit counts of a number, such as -12.345e-06: 2, 3 and 2.
struct Digits {
  std::size_t whole = 0;
  std::size_t decimals = 0;
  std::size_t exponent = 0;
  bool has_point = false;
  bool has_exponent = false;
};

std::size_t take_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count;
}

void skip_sign(std::string_view& text) {
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
}

/// Returns the digit counts of a number; empty if the text is not a number.
std::optional<Digits> digits_of(std::string_view text) {
  Digits digits;
  skip_sign(text);
  digits.whole = take_digits(text);
  digits.has_point = text.starts_with('.');
  if (digits.has_point) {
    text.remove_prefix(1);
    digits.decimals = take_digits(text);
  }
  digits.has_exponent = text.starts_with('e') || text.starts_with('E');
  if (digits.has_exponent) {
    text.remove_prefix(1);
    skip_sign(text);
    digits.exponent = take_digits(text);
  }
  const bool is_number = text.empty() && digits.whole + digits.decimals > 0;
  return is_number ? std::optional(digits) : std::nullopt;
}

bool ends_with_blank(std::string_view line) {
  return line.ends_with(' ') || line.ends_with('\t');
}

/// Removes a "\r" at the end of the line. A line that ends with it is complete: only
/// "\n" can be missing.
bool take_carriage_return(std::string_view& line) {
  const bool found = line.ends_with('\r');
  line.remove_suffix(found ? 1 : 0);
  return found;
}

/// Returns the precision of the last field, larger for more digits: its decimals, then
/// its other digits (or its characters, if it is not a number).
std::pair<std::size_t, std::size_t> precision_of(std::string_view line) {
  const std::size_t end = line.find_last_not_of(" \t") + 1;  // npos + 1 is 0
  const std::size_t begin = line.substr(0, end).find_last_of(" \t") + 1;
  const std::string_view field = line.substr(begin, end - begin);
  const auto digits = digits_of(field);
  return digits ? std::pair(digits->decimals, digits->whole + digits->exponent)
                : std::pair(std::size_t{0}, field.size());
}

}  // namespace

bool is_whole_number(std::string_view number, std::string_view like) {
  constexpr std::size_t least_exponent = 2;
  const auto own = digits_of(number);
  const auto other = digits_of(like);
  if (!own || !other || own->has_exponent != other->has_exponent ||
      own->decimals < other->decimals || (own->has_point && own->decimals == 0) ||
      (!own->has_point && own->whole < other->whole)) {
    return false;
  }
  return !own->has_exponent ||
         own->exponent >= std::max(least_exponent, other->exponent);
}

bool is_whole_last_number(std::string_view line, std::string_view like) {
  if (take_carriage_return(line) || ends_with_blank(line)) {
    return true;
  }
  const auto fields = fields_of(line);
  return !fields.empty() && is_whole_number(fields.back(), like);
}

bool is_whole_atom(std::string_view line, std::string_view above,
                   const AtomColumns& columns) {
  const bool ended = take_carriage_return(line) || ends_with_blank(line);
  const auto fields = fields_of(line);
  const auto like = fields_of(above);
  if (fields.empty() || fields.size() < columns.count || fields.size() < like.size()) {
    return false;
  }
  if (ended) {
    return true;
  }
  return fields.size() == like.size() && is_whole_number(fields.back(), like.back());
}

bool is_whole_last_atom(TextFile& file, const TextFile::Position& begin,
                        std::string_view rest, const std::string& above,
                        const AtomColumns& columns) {
  const std::string last(rest);  // copied because the buffer changes
  std::string like = above;
  file.go_to(begin);
  std::string_view line;
  while (file.next(line)) {
    if (precision_of(line) >= precision_of(like)) {
      like = line;
    }
  }
  return is_whole_atom(last, like, columns);
}

bool is_whole_box(std::string_view line, std::string_view before) {
  const bool ended = take_carriage_return(line);
  const auto fields = fields_of(line);
  const std::size_t due = fields_of(before).size();
  if ((fields.size() != 3 && fields.size() != 9) ||
      (due != 0 && fields.size() != due)) {
    return false;
  }
  if (ended) {
    return true;
  }
  if (ends_with_blank(line)) {
    return fields.size() == 9 || due == 3;  // otherwise six more may have followed
  }
  return is_whole_number(fields.back(), fields.front());
}

}  // namespace starhist::io
