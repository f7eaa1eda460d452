#include "io/files/file_signature.hh"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  const char* description;
  const char* gromacs = "";
};

constexpr std::string_view gzip_signature = "\x1f\x8b"sv;
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n"sv;

constexpr Signature signatures[] = {
    {0, "\0\0\x07\xcb"sv, "a GROMACS XTC trajectory", "xtc"},
    {0, "\0\0\x07\xe7"sv, "a GROMACS XTC trajectory", "xtc"},
    {0, "\0\0\x07\xc9"sv, "a GROMACS TRR trajectory", "trr"},
    {40, "GENERAL INFO"sv, "a GROMACS TNG trajectory", "tng"},
    {8, "VERSION "sv, "a GROMACS TPR file", "tpr"},
    {4, "CORD"sv, "a DCD trajectory"},
    {0, "CDF\x01"sv, "a NetCDF file"},
    {0, "CDF\x02"sv, "a NetCDF file"},
    {0, "CDF\x05"sv, "a NetCDF file"},
    {0, "\xdf\x65\xdf\x65\xdf\x65\xdf\x65"sv, "a GSD trajectory"},
    {0, gzip_signature, "gzip-compressed data"},
    {0, "BZh"sv, "bzip2-compressed data"},
    {0,
     "\xfd"
     "7zXZ\0"sv,
     "xz-compressed data"},
    {0, "PK\x03\x04"sv, "a zip archive"},
};

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return code >= 0x20 ? code != 0x7f : code >= '\t' && code <= '\r';
  });
}

/// The signature that the bytes begin with; null if there is none.
const Signature* signature_of(std::string_view bytes) {
  const auto* found = std::find_if(
      std::begin(signatures), std::end(signatures), [bytes](const auto& one) {
        return bytes.size() > one.offset &&
               bytes.substr(one.offset).starts_with(one.bytes);
      });
  return found == std::end(signatures) ? nullptr : found;
}

std::string describe(std::string_view bytes) {
  if (const Signature* signature = signature_of(bytes)) {
    return signature->description;
  }
  if (bytes.find_first_not_of('\0') == std::string_view::npos) {
    return "zeros (" + std::to_string(bytes.size()) + " bytes or more of them)";
  }
  if (is_text(bytes)) {
    constexpr std::size_t longest = 40;
    const std::string_view line = bytes.substr(0, bytes.find_first_of("\r\n"));
    return "text (\"" + std::string(line.substr(0, longest)) + "\")";
  }
  return "binary data of an unknown kind";
}

}  // namespace

void check_is_file(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw InputError(path + ": does not exist");
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError(path + ": is a directory");
  }
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) {
    throw InputError(path + ": cannot be opened (" + std::strerror(errno) + ")");
  }
  if (std::filesystem::file_size(path, failure) == 0) {
    throw InputError(path + ": is empty (0 bytes)");
  }
}

FileSignature signature_of_file(const std::string& path) {
  std::array<char, 512> buffer{};
  std::ifstream file(path, std::ios::binary);
  file.read(buffer.data(), buffer.size());
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(file.gcount()));
  const Signature* signature = signature_of(bytes);
  return {bytes.starts_with(hdf5_signature),
          bytes.starts_with(gzip_signature) || is_text(bytes), describe(bytes),
          signature == nullptr ? "" : signature->gromacs};
}

}  // namespace starhist::io
