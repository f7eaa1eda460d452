#include "io/reader/probed_file.hh"

#include <utility>

#include "codelets/core/base/error.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/text/text_file.hh"

namespace starhist::io {

ProbedFile::ProbedFile(const std::string& path, ExternalFiles external)
    : path_(path), external_(external) {
  check_is_file(path);
  signature_ = signature_of_file(path);
}

bool ProbedFile::has_bytes(std::size_t offset, std::string_view bytes) const {
  return has_bytes_at(signature_.bytes, offset, bytes);
}

std::string_view ProbedFile::line(std::size_t index) {
  if (!has_lines_ && may_be_text()) {
    TextFile file(path_);
    std::string_view line;
    try {
      for (std::size_t k = 0; k < lines_.size() && file.next(line); ++k) {
        lines_[k] = line;
      }
    } catch (const InputError& too_long) {
      long_line_ = too_long.what();
    }
  }
  has_lines_ = true;
  return lines_.at(index);
}

const Hdf5Object& ProbedFile::hdf5() {
  if (!has_hdf5_) {
    hdf5_ = try_open_inspected_hdf5_file(path_, Hdf5Reading::deferred, external_);
    has_hdf5_ = true;
  }
  return hdf5_;
}

Hdf5Object ProbedFile::take_hdf5() {
  hdf5();
  return std::move(hdf5_);
}

}  // namespace starhist::io
