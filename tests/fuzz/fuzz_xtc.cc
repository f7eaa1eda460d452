// XTC: headers and frames; libgromacs, a process of its own, decodes what is in them.

#include "io/files/byte_file.hh"
#include "io/formats/gromacs/xdr/xtc_header.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  const fuzz::InputFile input(fuzz::text_of(data, size));
  fuzz::refuse_or([&] {
    const io::ByteFile file(input.path());
    const io::FrameOffsets frames = io::find_xtc_frames(file);
    frames.truncation_sentences(input.path());
    for (const io::FrameOffsets::Place& place : frames.frames) {
      std::string bytes;
      file.read(place.offset, place.size, bytes);
      bool whole = false;
      io::XtcHeader::parse(bytes, whole);
    }
  });
  return 0;
}
