#include "io/result/edge_shift.hh"

#include "io/hdf5/inspection/inspected_file.hh"
#include "io/result/result_header.hh"

namespace starhist::io {

double read_edge_shift(const std::string& path, ExternalFiles external) {
  return read_edge_shift(open_inspected_hdf5_file(path, external).get());
}

}  // namespace starhist::io
