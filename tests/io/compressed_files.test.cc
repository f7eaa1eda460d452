#include "codelets/core/base/error.hh"
#include "io/text/text_file.hh"
#include "io/trajectory/formats.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/packed_bytes.hh"
#include "tests/support/read_all.hh"
#include "tests/support/temporary_directory.hh"

// Text compressed by gzip, bzip2, xz and zstd.

namespace starhist::testing {
namespace {

/// Returns frames of XYZ, longer than the pieces in which files are read.
std::string many_frames() {
  std::string text;
  for (int frame = 0; frame < 60; ++frame) {
    text += "200\nTime=" + std::to_string(frame) + "\n";
    for (int atom = 0; atom < 200; ++atom) {
      text += "Ar " + std::to_string((7919 * atom + 31 * frame) % 1000) + "." +
              std::to_string((104729 * atom * (frame + 1)) % 1000) + " " +
              std::to_string(atom) + " " + std::to_string(frame) + "\n";
    }
  }
  return text;
}

class PackedFile {
 public:
  PackedFile(const std::string& bytes, const std::string& name = "a.xyz.packed")
      : path(folder_.file(name)) {
    write_bytes(path, bytes);
  }

 private:
  TemporaryDirectory folder_;

 public:
  const std::string path;
};

const char* any_compression() {
  return GENERATE("gzip", "bzip2", "xz", "zstd");
}

/// Returns "" if both have the same frames.
std::string difference(const WholeTrajectory& a, const WholeTrajectory& b) {
  if (a.frames.size() != b.frames.size()) {
    return std::to_string(a.frames.size()) + " frames, " +
           std::to_string(b.frames.size());
  }
  for (std::size_t k = 0; k < a.frames.size(); ++k) {
    if (a.frames[k].positions != b.frames[k].positions ||
        a.frames[k].time != b.frames[k].time) {
      return "frame " + std::to_string(k);
    }
  }
  return "";
}

TEST_CASE("compressed text is decompressed whatever the file is called") {
  const std::string text = many_frames();
  const PackedFile plain(text);
  const PackedFile file(packed(text, any_compression()));
  const auto whole = read_all({file.path});
  CHECK(whole.frames.size() == 60);
  CHECK(whole.info.truncation.empty());
  CHECK(whole.info.sequential_only);
  CHECK(difference(whole, read_all({plain.path})) == "");
}

TEST_CASE("frames of compressed text are read in any order") {
  const std::string text = many_frames();
  const PackedFile file(packed(text, any_compression()));
  const auto whole = read_all({file.path});
  const auto reader = io::open_trajectory({file.path}, {});
  Frame frame;
  for (const std::uint64_t index : {59U, 3U, 40U, 0U, 58U}) {
    reader->read(FrameIndex(index), frame);
    CHECK(frame.positions == whole.frames[index].positions);
  }
}

TEST_CASE("concatenated streams are read as one") {
  const std::string text = many_frames();
  const char* compression = any_compression();
  const std::size_t cut = text.size() / 3;
  const PackedFile file(packed(text.substr(0, cut), compression) +
                        packed(text.substr(cut), compression));
  const auto whole = read_all({file.path});
  CHECK(whole.frames.size() == 60);
  CHECK(whole.info.truncation.empty());
}

TEST_CASE("an empty stream may precede others") {
  const std::string text = many_frames();
  const char* compression = any_compression();
  const PackedFile file(packed("", compression) + packed(text, compression));
  const auto whole = read_all({file.path});
  CHECK(whole.frames.size() == 60);
  CHECK(whole.info.truncation.empty());
}

TEST_CASE("a truncated compressed file yields the frames before the cut") {
  const std::string text = many_frames();
  const char* compression = any_compression();
  const std::string rest = packed(text.substr(text.size() / 2), compression);
  const PackedFile file(packed(text.substr(0, text.size() / 2), compression) +
                        rest.substr(0, rest.size() / 2));
  const auto whole = read_all({file.path});
  CHECK(whole.frames.size() >= 29);
  CHECK(whole.frames.size() < 60);
  REQUIRE(whole.info.truncation.size() == 1);
  CHECK(missing(whole.info.truncation[0], {"is cut off"}) == "");
}

TEST_CASE("garbage after a stream counts as damage, except for gzip") {
  const std::string bytes = packed(many_frames(), GENERATE("bzip2", "xz", "zstd"));
  const PackedFile file(bytes + "garbage behind it");
  const auto whole = read_all({file.path});
  CHECK(whole.frames.size() >= 59);
  CHECK_FALSE(whole.info.truncation.empty());
}

TEST_CASE("a flipped bit is detected") {
  std::string bytes = packed(many_frames(), any_compression());
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
  const PackedFile file(bytes);
  const PackedFile plain(many_frames());
  const auto expected = read_all({plain.path});
  try {
    const auto whole = read_all({file.path});
    CHECK_FALSE(whole.info.truncation.empty());
    for (std::size_t k = 0; k + 20 < whole.frames.size(); ++k) {
      REQUIRE(whole.frames[k].positions == expected.frames[k].positions);
    }
  } catch (const InputError& error) {
    CHECK(missing(error.what(), {file.path.c_str()}) == "");
  }
}

TEST_CASE("text that begins like bzip2 is read as text") {
  const PackedFile file("BZh is no number of atoms\n");
  CHECK(missing(read_error(file.path), {"looks like text that begins with \"BZh is"}) ==
        "");
}

TEST_CASE("a decompressor that needs too much memory is refused") {
  const PackedFile file(packed_by_zstd(many_frames(), 28));
  CHECK(missing(read_error(file.path), {"256 MiB", "zstd", "decompress it first"}) ==
        "");
}

TEST_CASE("a compressed file that expands too much is refused") {
  const std::string block(16U << 20U, '\n');
  const std::string once = packed(block, "zstd");
  std::string bytes = packed("2\n\n", "zstd");
  for (int copy = 0; copy < 20; ++copy) {
    bytes += once;
  }
  const PackedFile file(bytes);
  io::TextFile text(file.path);
  std::string_view line;
  CHECK(missing(error_text<InputError>([&] {
                  while (text.next(line)) {
                  }
                }),
                {"zstd has made", "more than 500 times as many"}) == "");
}

TEST_CASE("structures may be compressed, as indicated by the file name") {
  const std::string pdb =
      "ATOM      1  OW  SOL A   1      10.000  20.000  30.000  1.00  0.00           O\n"
      "END\n";
  for (const auto& [ending, compression] :
       {std::pair{".gz", "gzip"}, std::pair{".bz2", "bzip2"}, std::pair{".xz", "xz"},
        std::pair{".zst", "zstd"}}) {
    const PackedFile file(packed(pdb, compression), std::string("s.pdb") + ending);
    CHECK(io::read_structure(file.path)->particles.name ==
          std::vector<std::string>{"OW"});
  }
}

}  // namespace
}  // namespace starhist::testing
