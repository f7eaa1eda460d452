#include "io/formats/gromacs/decoder/gromacs_decoder.hh"

#include <algorithm>
#include <filesystem>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/decoder/gromacs_program.hh"

namespace starhist::io::gromacs {

using decoder::FrameHead;
using decoder::Packer;
using decoder::Reply;
using decoder::Request;
using decoder::Source;

Reply Decoder::ask(Request kind, const std::string& head, std::string_view rest) {
  if (!process_) {
    process_ = std::make_unique<decoder::Process>(program());
  }
  try {
    return process_->ask(kind, head, rest, source_bytes_);
  } catch (...) {
    process_.reset();
    throw;
  }
}

void Decoder::take_frame(DecodedFrame& frame) const {
  decoder::Unpacker unpacker(process_->content());
  const auto head = unpacker.take<FrameHead>();
  frame.moment = {head.step, head.time};
  std::copy_n(head.box, 9, frame.edges);
  if (head.periodic == 0) {
    std::fill_n(frame.edges, 9, 0.0);
  }
  frame.positions.resize(3 * head.atoms);
  const std::size_t size = frame.positions.size() * sizeof(float);
  std::memcpy(frame.positions.data(), unpacker.take_bytes(size).data(), size);
}

void Decoder::decode(const std::string& ending, std::string_view bytes,
                     DecodedFrame& frame) {
  Packer packer;
  packer.add_source({.kind = Source::Kind::bytes, .format = ending});
  if (ask(Request::frame, packer.bytes(), bytes) != Reply::frame) {
    const std::string remarks = process_->remarks();
    throw InputError("libgromacs finds no whole frame" +
                     (remarks.empty() ? "" : " (" + remarks + ")"));
  }
  take_frame(frame);
}

void Decoder::open(const std::string& ending, const std::string& path) {
  std::error_code ignored;
  const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
  source_bytes_ = ignored ? 0 : bytes;
  Packer packer;
  const std::string absolute = std::filesystem::absolute(path).string();
  packer.add_source(
      {.kind = Source::Kind::path, .format = ending, .content = absolute});
  ask(Request::open, packer.bytes());
}

bool Decoder::next(DecodedFrame& frame) {
  if (ask(Request::next, "") != Reply::frame) {
    return false;
  }
  take_frame(frame);
  return true;
}

}  // namespace starhist::io::gromacs
