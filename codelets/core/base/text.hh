#pragma once

#include <string>
#include <vector>

namespace starhist {

/// Shortest text that reads back as the same double: "0.1", "1e+300", "nan".
std::string number_text(double value);

/// "1 234 567": digits in groups of three, for people.
std::string grouped(unsigned long long value);

/// "H, O" from {"H", "O"}.
std::string join(const std::vector<std::string>& words, const std::string& separator);

}  // namespace starhist
