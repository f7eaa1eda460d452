#pragma once

#include <string>

#include "io/result/run_record.hh"

namespace starhist::io {

/// Reads only the provenance of a result. Throws InputError like read_result().
RunRecord read_run_record(const std::string& path);

}  // namespace starhist::io
