#pragma once

#include <string>

namespace starhist {

/// A length for readers: the decimal that was meant, "0.003" for 3 * 0.001, where
/// number_text() prints 0.0029999999999999996. That is the value with 15 digits if
/// these end in zeros, otherwise number_text(value), which reads back as the same
/// double. The two differ by less than 1e-15 relative.
std::string decimal_text(double value);

/// A time or mass for readers: decimal_text(), or if this has more than 12 digits, the
/// shortest decimal that reads back as the same float. Files in single precision, and
/// files converted from them, store 0.1 as 0.10000000149011612.
std::string single_text(double value);

/// The value with six digits: "2.59808".
std::string rounded_text(double value);

/// A value with two digits of its standard error, "4.4427 ± 0.0081"; with six digits
/// and without an error if `error` is NaN or 0.
std::string text_with_error(double value, double error);

}  // namespace starhist
