#include "io/formats/python/python_decoder.hh"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/files/own_program.hh"
#include "io/files/python.hh"

namespace starhist::io {
namespace {

decoder::Program python() {
  // Isolated mode (-I): neither the user's folders nor variables affect imports.
  return {.command = {chosen_python("MDAnalysis"), "-I", "-B",
                      find_script("read_frames.py", own_program())},
          .name = "starhist-python",
          .library = "Python",
          .most_seconds = 60.0,
          .seconds_per_byte = 1e-6};
}

std::string absolute_path(const std::string& path) {
  return std::filesystem::absolute(path).string();
}

template <class Real>
void take_positions(decoder::Unpacker& unpacker, std::vector<double>& positions) {
  std::vector<Real> values(positions.size());
  const std::size_t size = values.size() * sizeof(Real);
  std::memcpy(values.data(), unpacker.take_bytes(size).data(), size);
  std::copy(values.begin(), values.end(), positions.begin());
}

/// Describes the axes: "x and y".
std::string axes_text(std::uint64_t periodic) {
  std::vector<std::string> axes;
  for (std::size_t k = 0; k < 3; ++k) {
    if ((periodic >> k & 1) != 0) {
      axes.emplace_back(1, "xyz"[k]);
    }
  }
  return axes.empty() ? "no axis" : join(axes, " and ");
}

}  // namespace

std::array<bool, 3> PythonFrame::periodic() const {
  return {(head.periodic & 1) != 0, (head.periodic & 2) != 0, (head.periodic & 4) != 0};
}

PythonDecoder::PythonDecoder() : process_(python()) {}

void PythonDecoder::ask(decoder::Request kind, const std::string& format,
                        const std::string& path, const SharedStructure& structure) {
  std::error_code ignored;
  const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
  source_bytes_ = ignored ? 0 : bytes;
  const bool is_address = path.find("://") != std::string::npos;
  const std::string absolute = is_address ? path : absolute_path(path);
  const std::string of_structure = structure ? absolute_path(structure->path) : "";
  decoder::Packer packer;
  packer.add_source({.kind = decoder::Source::Kind::path,
                     .format = format,
                     .atoms = structure ? structure->particles.count : 0,
                     .structure = of_structure,
                     .content = absolute});
  if (process_.ask(kind, packer.bytes(), {}, source_bytes_) ==
      decoder::Reply::refusal) {
    throw InputError(std::string(content()));
  }
}

bool PythonDecoder::ask_frame(std::uint64_t index) {
  decoder::Packer packer;
  packer.add(index);
  const decoder::Reply reply =
      process_.ask(decoder::Request::read, packer.bytes(), {}, source_bytes_);
  if (reply == decoder::Reply::refusal) {
    throw InputError(std::string(content()));
  }
  return reply != decoder::Reply::end;
}

void PythonDecoder::take_frame(PythonFrame& frame) const {
  decoder::Unpacker unpacker(content());
  frame.head = unpacker.take<decoder::FrameHead>();
  frame.positions.resize(3 * frame.head.atoms);
  if (frame.head.real_bytes == sizeof(double)) {
    take_positions<double>(unpacker, frame.positions);
  } else {
    take_positions<float>(unpacker, frame.positions);
  }
  frame.box_refusal = unpacker.take_bytes(frame.head.refusal_bytes);
  const bool has_types = frame.head.types != decoder::FrameHead::Types::none;
  frame.types.resize(has_types ? frame.head.atoms : 0);
  const std::size_t size = frame.types.size() * sizeof(std::uint32_t);
  std::memcpy(frame.types.data(), unpacker.take_bytes(size).data(), size);
}

void PythonPeriodicity::check(const PythonFrame& frame) {
  if (!frame.box_refusal.empty()) {
    throw InputError(frame.box_refusal +
                     " (give the box with --box, or --box none for no periodicity)");
  }
  axes_ = axes_.value_or(frame.head.periodic);
  if (*axes_ != frame.head.periodic) {
    throw InputError("is periodic along " + axes_text(frame.head.periodic) +
                     ", the first frame along " + axes_text(*axes_) +
                     " (periodicity must be the same in all frames: --box gives one "
                     "box for all)");
  }
}

}  // namespace starhist::io
