#include "io/output/path_conflicts.hh"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "io/files/whole_file.hh"
#include "io/output/output_path.hh"

namespace starhist::io {
namespace {

namespace fs = std::filesystem;

/// The file or name that a path refers to.
struct Place {
  bool exists = false;
  mode_t mode = 0;                 ///< 0 if it does not exist
  std::pair<dev_t, ino_t> file{};  ///< device and inode; 0 if it does not exist
  /// device and inode of its folder; 0 if that does not exist
  std::pair<dev_t, ino_t> folder{};
  fs::path path;  ///< absolute, with links resolved
};

Place place_of(const std::string& name) {
  Place place;
  std::error_code error;
  const fs::path absolute = fs::absolute(name, error);
  const fs::path path = error ? fs::path(name) : absolute;
  place.path = fs::weakly_canonical(path, error);
  if (error) {
    place.path = path.lexically_normal();
  }
  struct stat found {};
  if (::stat(name.c_str(), &found) == 0) {
    place.exists = true;
    place.mode = found.st_mode;
    place.file = {found.st_dev, found.st_ino};
  }
  if (::stat(place.path.parent_path().c_str(), &found) == 0) {
    place.folder = {found.st_dev, found.st_ino};
  }
  return place;
}

std::string folded(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return name;
}

/// Whether the folder ignores case: a file in it is found under its name in another
/// case.
bool ignores_case(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    const auto letter = std::find_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    if (letter != name.end()) {
      const auto byte = static_cast<unsigned char>(*letter);
      *letter = static_cast<char>(std::islower(byte) != 0 ? std::toupper(byte)
                                                          : std::tolower(byte));
      return fs::equivalent(entry.path(), folder / name, error);
    }
  }
  return false;
}

bool is_same(const Place& a, const Place& b) {
  if (a.exists && b.exists) {
    return a.file == b.file && S_ISREG(a.mode);
  }
  if (a.exists != b.exists || a.folder != b.folder) {
    return false;
  }
  const std::string name = a.path.filename();
  const std::string other = b.path.filename();
  return a.folder == Place().folder ? a.path == b.path
         : name == other
             ? true
             : folded(name) == folded(other) && ignores_case(a.path.parent_path());
}

/// Whether `place` is a file in the folder `read` or in one of its subfolders.
bool lies_in(const Place& place, const Place& read) {
  if (!read.exists || !S_ISDIR(read.mode) || !place.exists) {
    return false;
  }
  return std::mismatch(read.path.begin(), read.path.end(), place.path.begin(),
                       place.path.end())
             .first == read.path.end();
}

/// An output file: the path of a UsedPath, or a file next to it.
struct Written {
  std::string name;
  const UsedPath* of;
  Place place;
};

std::string named(const UsedPath& path) {
  return path.source + " '" + path.path + "'";
}

/// Explains why a name next to an output is used; "" for the output itself.
std::string reason(const Written& written) {
  return written.name == written.of->path
             ? ""
             : ", because a run keeps '" + written.name + "' next to its output";
}

void check_read(const Written& written, const UsedPath& read, const Place& place) {
  const bool same = is_same(written.place, place);
  if (same || lies_in(written.place, place)) {
    throw InputError(
        named(*written.of) + " would overwrite " + (same ? "" : "a file in ") + "'" +
        read.path + "', which " +
        (read.source.empty() ? "is read" : read.source + " reads") + reason(written) +
        " (choose another name for the output" +
        (same ? "" : ", or give a file: '" + read.path + "' is a directory") + ")");
  }
}

}  // namespace

void check_path_conflicts(const std::vector<UsedPath>& paths) {
  std::vector<Written> all_written;
  for (const UsedPath& path : paths) {
    if (path.path.empty() || path.use == PathUse::none || path.use == PathUse::read) {
      continue;
    }
    std::vector<std::string> names{path.path};
    if (path.use == PathUse::grown) {
      const std::vector<std::string> beside = files_beside(end_of_links(path.path));
      names.insert(names.end(), beside.begin(), beside.end());
    }
    for (const std::string& name : names) {
      const Written written{name, &path, place_of(end_of_links(name))};
      for (const Written& other : all_written) {
        if (other.of != &path && is_same(written.place, other.place)) {
          throw InputError(named(path) + " and " + named(*other.of) +
                           " would overwrite each other" + reason(written) +
                           reason(other) + " (choose another name for one of them)");
        }
      }
      all_written.push_back(written);
    }
  }
  if (all_written.empty()) {
    return;
  }
  for (const UsedPath& path : paths) {
    if (path.use == PathUse::read && !path.path.empty()) {
      const Place place = place_of(path.path);
      for (const Written& written : all_written) {
        check_read(written, path, place);
      }
    }
  }
}

std::vector<UsedPath> external_paths(const ExternalFileList& files) {
  std::vector<UsedPath> paths;
  for (const ExternalFile& file : files) {
    paths.push_back({file.path, PathUse::read, ""});
  }
  return paths;
}

}  // namespace starhist::io
