#pragma once

#include <string>

namespace starhist::io {

/// Throws InputError for a pipe, a socket or a device: opening one may block forever,
/// and files are read more than once.
void refuse_special_file(const std::string& path);

}  // namespace starhist::io
