// Frame boundaries of G96; libgromacs, in a separate process, reads the contents.

#include "io/formats/gromacs/g96_frames.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  const fuzz::InputFile input(fuzz::text_of(data, size));
  fuzz::refuse_or([&] {
    io::TextFile file(input.path());
    const io::TextIndex index = io::index_g96(file);
    index.truncation_sentences(input.path());
    for (const io::TextFile::Position& frame : index.frames) {
      std::string_view line;
      file.go_to(frame);
      file.next(line);
    }
  });
  return 0;
}
