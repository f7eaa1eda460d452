#include "io/hdf5/inspection/inspected_file.hh"

#include <array>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/files/descriptor.hh"
#include "io/files/file_fingerprints.hh"
#include "io/files/file_signature.hh"
#include "io/hdf5/inspection/hdf5_walk.hh"
#include "io/hdf5/inspection/inspection_process.hh"

namespace starhist::io {
namespace {

/// Whether HDF5's signature is at one of the offsets where HDF5 looks for it: 0, 512,
/// 1024, 2048, ...
bool is_hdf5(const std::string& path, off_t size) {
  constexpr std::array<char, 8> signature{'\x89', 'H',  'D',    'F',
                                          '\r',   '\n', '\x1a', '\n'};
  const Descriptor file(path, O_RDONLY);
  for (off_t at = 0; at < size; at = at == 0 ? 512 : 2 * at) {
    std::array<char, signature.size()> bytes{};
    if (::pread(file.get(), bytes.data(), bytes.size(), at) ==
            static_cast<ssize_t>(bytes.size()) &&
        bytes == signature) {
      return true;
    }
  }
  return false;
}

ExternalFileList inspect(const std::string& path, ExternalFiles external,
                         std::uint64_t file_size) {
  const std::string program = inspection_program();
  if (!program.empty()) {
    return inspect_hdf5_file(program, path, external, inspection_limits(file_size));
  }
  try {
    return walk_hdf5_file(path, external);
  } catch (const std::bad_alloc&) {
    throw InputError(path +
                     ": is an HDF5 file, but damaged (its metadata need more memory "
                     "than is available); copy it again, or check it with h5ls");
  } catch (const InputError& error) {
    throw InputError(path + ": is an HDF5 file, but damaged (" + error.what() +
                     "); copy it again, or check it with h5ls");
  }
}

/// Result of an inspection.
struct Inspected {
  std::string path;
  FileFingerprint state;
  ExternalFiles external = ExternalFiles::refused;
  ExternalFileList files;
  std::string problem;  ///< message of an InputError; "": no error
};

/// Throws InputError if an environment variable redirects HDF5 to other files than the
/// inspection reports.
void check_prefixes(const std::string& path, const ExternalFileList& files) {
  constexpr std::pair<const char*, const char*> prefixes[] = {
      {"virtual dataset", "HDF5_VDS_PREFIX"},
      {"external storage", "HDF5_EXTFILE_PREFIX"}};
  for (const auto& [kind, variable] : prefixes) {
    const char* const value = std::getenv(variable);
    if (value == nullptr || *value == '\0') {
      continue;
    }
    for (const ExternalFile& file : files) {
      if (file.kind == kind) {
        throw InputError(path + ": " + file.place + " lies in " + file.file + " (" +
                         kind + "), and " + variable +
                         " is set (starhist does not know which file HDF5 opens then, "
                         "and could overwrite it): unset " +
                         variable);
      }
    }
  }
}

/// Throws InputError for external files that are refused.
void check_external(const std::string& path, const ExternalFileList& files,
                    ExternalFiles external) {
  if (external == ExternalFiles::followed) {
    check_prefixes(path, files);
    return;
  }
  if (files.empty()) {
    return;
  }
  const ExternalFile& first = files.front();
  throw InputError(
      path + ": " + (first.place.empty() ? "/" : first.place) + " lies in " +
      (first.file == "(itself)" ? "other datasets" : first.file) + " (" + first.kind +
      "; an untrusted file could expose any of your files): give --allow-external if "
      "you know who made it");
}

}  // namespace

ExternalFileList external_files_of(const std::string& path, ExternalFiles external) {
  static std::mutex mutex;
  static std::vector<Inspected> inspected;
  check_is_file(path);
  const FileFingerprint state = file_state(path);
  if (!is_hdf5(path, state.bytes)) {
    return {};
  }
  const std::lock_guard lock(mutex);
  for (const Inspected& one : inspected) {
    if (one.path == path && one.state == state && one.external == external) {
      if (!one.problem.empty()) {
        throw InputError(one.problem);
      }
      return one.files;
    }
  }
  std::erase_if(inspected, [&](const Inspected& one) {
    return one.path == path && one.external == external;
  });
  Inspected one{path, state, external, {}, ""};
  try {
    one.files = inspect(path, external, static_cast<std::uint64_t>(state.bytes));
    check_external(path, one.files, external);
  } catch (const InputError& error) {
    one.problem = error.what();
    inspected.push_back(one);
    throw;
  }
  inspected.push_back(one);
  return one.files;
}

Hdf5Object try_open_inspected_hdf5_file(const std::string& path, Hdf5Reading reading,
                                        ExternalFiles external) {
  external_files_of(path, external);
  return try_open_hdf5_file(path, reading);
}

Hdf5Object open_inspected_hdf5_file(const std::string& path, ExternalFiles external) {
  external_files_of(path, external);
  return open_hdf5_file(path);
}

}  // namespace starhist::io
