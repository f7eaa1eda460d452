// XTC: headers, frames and compressed positions.

#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/formats/gromacs/xdr/xtc_header.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  const fuzz::InputFile input(fuzz::text_of(data, size));
  fuzz::refuse_or([&] {
    const io::ByteFile file(input.path());
    const io::FrameOffsets frames = io::find_frames<io::XtcHeader>(file);
    frames.truncation_sentences(input.path());
    for (const io::FrameOffsets::Place& place : frames.frames) {
      std::string bytes;
      file.read(place.offset, place.size, bytes);
      bool whole = false;
      const io::XtcHeader header = io::XtcHeader::parse(bytes, whole);
      if (whole && header.compressed && header.size == bytes.size()) {
        io::XtcCode code = header.code;
        code.bytes =
            std::string_view(bytes).substr(header.positions, header.code_bytes);
        std::vector<std::int32_t> coordinates;
        code.decode(header.atoms, coordinates);
      }
    }
  });
  return 0;
}
