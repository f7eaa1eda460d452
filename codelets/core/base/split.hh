#pragma once

#include <string>
#include <vector>

namespace starhist {

/// The parts of the text between separators: {"0", "", "2"} from "0,,2" and ','. At
/// least one.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace starhist
