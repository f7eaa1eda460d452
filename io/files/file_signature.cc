#include "io/files/file_signature.hh"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "codelets/core/base/error.hh"
#include "io/compression/byte_source.hh"

namespace starhist::io {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  const char* description;
};

/// Kinds of files that are not text.
constexpr Signature signatures[] = {
    {0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {4, "CORD"sv, "a DCD trajectory"},
    {0, "CDF\x01"sv, "a NetCDF file"},
    {0, "CDF\x02"sv, "a NetCDF file"},
    {0, "CDF\x05"sv, "a NetCDF file"},
    {0, "\xdf\x65\xdf\x65\xdf\x65\xdf\x65"sv, "a GSD trajectory"},
    {0, "\x1f\x8b"sv, "gzip-compressed data"},
    {4, "1AY&SY"sv, "bzip2-compressed data"},
    {0,
     "\xfd"
     "7zXZ\0"sv,
     "xz-compressed data"},
    {0, "\x28\xb5\x2f\xfd"sv, "zstd-compressed data"},
    {0, "PK\x03\x04"sv, "a zip archive"},
    {257, "ustar"sv, "a tar archive, whose files are to be unpacked"},
};

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return code >= 0x20 ? code != 0x7f : code >= '\t' && code <= '\r';
  });
}

std::string describe(std::string_view bytes) {
  for (const Signature& signature : signatures) {
    if (has_bytes_at(bytes, signature.offset, signature.bytes)) {
      return signature.description;
    }
  }
  if (bytes.find_first_not_of('\0') == std::string_view::npos) {
    return "zeros (" + std::to_string(bytes.size()) + " bytes or more of them)";
  }
  if (is_text(bytes)) {
    constexpr std::size_t longest = 40;
    const std::string_view line = bytes.substr(0, bytes.find_first_of("\r\n"));
    return "text that begins with \"" + std::string(line.substr(0, longest)) + "\"";
  }
  return "binary data of an unknown kind";
}

}  // namespace

void check_is_file(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    const bool is_rule = path.find('=') != std::string::npos;
    // En and em dash, which text processors write instead of hyphens.
    const bool is_dash = path.starts_with("\u2013") || path.starts_with("\u2014");
    throw InputError(
        path + ": does not exist" +
        (path == "-" ? " (standard input is not read: give a file)"
         : is_dash   ? " (options begin with two hyphens, --, instead of this dash)"
         : is_rule
             ? " (is it a rule? --species takes all rules in one argument: \"A=X; "
               "B=Y\")"
             : ""));
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError(path + ": is a directory");
  }
  refuse_special_file(path);
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) {
    throw InputError(path + ": cannot be opened (" + std::strerror(errno) + ")");
  }
  if (std::filesystem::file_size(path, failure) == 0) {
    throw InputError(path + ": is empty (0 bytes)");
  }
}

FileSignature signature_of_file(const std::string& path) {
  constexpr std::streamsize most = 512;
  FileSignature signature;
  signature.bytes.resize(most);
  std::ifstream file(path, std::ios::binary);
  file.read(signature.bytes.data(), most);
  signature.bytes.resize(static_cast<std::size_t>(file.gcount()));
  signature.may_be_text = is_compressed(signature.bytes) || is_text(signature.bytes);
  signature.description = describe(signature.bytes);
  return signature;
}

bool has_bytes_at(std::string_view bytes, std::size_t offset,
                  std::string_view signature) {
  return bytes.size() > offset && bytes.substr(offset).starts_with(signature);
}

}  // namespace starhist::io
