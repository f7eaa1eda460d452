#include "tests/fuzz/hdf5/reading.hh"

#include "io/result/result_reader.hh"
#include "io/trajectory/formats.hh"
#include "tests/fuzz/fuzz_input.hh"

namespace starhist::fuzz {

void read_hdf5(const std::string& path) {
  bool is_result = false;
  refuse_or([&] {
    is_result = io::is_result(path);
    if (is_result) {
      io::read_result(path);
      io::read_result_extent(path);
    }
  });
  if (is_result) {
    return;
  }
  for (const io::ReadOptions& options : {whole_species(), per_particle()}) {
    refuse_or([&] { read_frames(*io::open_trajectory({path}, options)); });
  }
}

}  // namespace starhist::fuzz
