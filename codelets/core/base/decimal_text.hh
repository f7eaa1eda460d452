#pragma once

#include <string>

namespace starhist {

/// A length for readers: the decimal that was meant, "0.003" for 3 * 0.001, where
/// number_text() prints 0.0029999999999999996. That is the value with 15 digits if
/// these end in zeros, otherwise number_text(value), which reads back as the same
/// double. The two differ by less than 1e-15 relative.
std::string decimal_text(double value);

}  // namespace starhist
