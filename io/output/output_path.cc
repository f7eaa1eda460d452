#include "io/output/output_path.hh"

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/files/file_identity.hh"
#include "io/files/local_time.hh"
#include "io/files/whole_file.hh"
#include "io/result/coordination_result.hh"
#include "io/result/lag_result.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {
namespace {

/// End of the message about a file that --resume can continue.
constexpr const char* remedy =
    ": add --resume to continue it, with the same files and options; or --force to "
    "replace it, or rename it to keep it";

std::optional<ResultExtent> extent_of(const std::string& path) {
  try {
    return read_result_extent(path);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::string reason(int code) {
  return std::generic_category().message(code);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

void check_regular(const std::string& path) {
  std::error_code ignored;
  if (exists(path) && !std::filesystem::is_regular_file(path, ignored)) {
    throw InputError("output " + path + " is not a regular file");
  }
}

void check_target(const std::string& path, Overwrite overwrite) {
  if (overwrite == Overwrite::no && exists(path)) {
    throw InputError("output " + path +
                     " exists already (choose another name, or --force to replace it)");
  }
  check_regular(path);
}

/// Checks that the names of the files next to the output are possible as well.
void check_name(const std::string& path, const std::string& directory) {
  constexpr std::size_t longest_suffix = sizeof(".partial.new") - 1;
  const long most = ::pathconf(directory.c_str(), _PC_NAME_MAX);
  const std::size_t length = std::filesystem::path(path).filename().string().size();
  if (most > 0 && length + longest_suffix > static_cast<std::size_t>(most)) {
    throw InputError(
        "output " + path.substr(0, 200) + " has a name of " + std::to_string(length) +
        " bytes, too long by " +
        std::to_string(length + longest_suffix - static_cast<std::size_t>(most)) +
        " (files with '.partial' and '.partial.new' appended are written alongside "
        "it)");
  }
}

void check_directory(const std::string& path, const std::string& directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored)) {
    throw InputError("output " + path + " cannot be created: directory " + directory +
                     " does not exist (create it first)");
  }
  if (::access(directory.c_str(), W_OK | X_OK) != 0) {
    throw InputError("output " + path + " cannot be created: directory " + directory +
                     " is not writable (" + reason(errno) + ")");
  }
}

/// Throws InputError if another program writes the file. starhist before 0.3 wrote it
/// with HDF5, which locks files that it writes.
void check_not_held(const std::string& partial) {
  const Descriptor file(partial, O_RDONLY | O_NONBLOCK);
  if (file.get() >= 0 && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 &&
      errno == EWOULDBLOCK) {
    throw InputError(partial +
                     " is being written by another process (wait for it, or choose "
                     "another output)");
  }
}

/// Throws InputError if a PATH.partial exists that must not be replaced: it may hold
/// the only copy of a killed run's blocks.
void check_partial(const std::string& partial, OldPartial old) {
  if (!exists(partial)) {
    return;
  }
  check_regular(partial);
  check_not_held(partial);
  if (old == OldPartial::refuse) {
    throw InputError(partial + " of an earlier run exists, " +
                     partial_contents(partial));
  }
}

void remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    throw InputError("old " + path + " cannot be removed (" + reason(errno) + ")");
  }
}

/// Syncs the file. Throws RunError if that fails, unless its file system does not
/// support it.
void sync_file(int file, const std::string& name) {
  if (file < 0 || (::fsync(file) != 0 && errno != EINVAL)) {
    throw RunError(name + " cannot be synced to disk (" + reason(errno) + ")");
  }
}

void rename_to(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    throw RunError(from + " cannot be renamed to " + to + " (" + reason(errno) + ")");
  }
}

/// Writes at the file's offset, in one call if possible. Throws RunError.
void write_to(int file, const std::string& name, std::string_view bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno != EINTR) {
      throw RunError(name + " cannot grow by " + grouped(bytes.size()) + " bytes (" +
                     reason(errno) + "; make room, or write to another disk)");
    }
    done += written < 0 ? 0 : static_cast<std::size_t>(written);
  }
}

}  // namespace

std::string partial_contents(const std::string& partial) {
  struct stat file {};
  const bool known = ::stat(partial.c_str(), &file) == 0;
  const std::string modified =
      known ? ", last modified " + local_time(file.st_mtime) : "";
  const std::optional<ResultExtent> extent = extent_of(partial);
  const bool lags = !extent && is_lag_result(partial);
  if (lags || (!extent && is_coordination_result(partial))) {
    return std::string("with finished blocks of ") +
           (lags ? "pairs between frames" : "neighbours") + modified + remedy;
  }
  if (!extent && is_result(partial)) {
    return "but is damaged, or of a version of starhist before 0.3" + modified +
           ": finish it with that version, or rename it to keep it; --force replaces "
           "it";
  }
  if (!extent) {
    return "but cannot be read as a result" +
           (known ? ", has " + counted(static_cast<std::uint64_t>(file.st_size), "byte")
                  : std::string()) +
           modified + ": rename it to keep it; --force replaces it";
  }
  if (extent->blocks == 0) {
    return "without a finished block" + modified + remedy;
  }
  const std::string blocks = counted(extent->blocks, "block") + " with " +
                             counted(extent->frames, "frame") + " (" +
                             std::to_string(extent->first_frame.get()) + " to " +
                             std::to_string(extent->last_frame.get()) + ")" + modified;
  if (extent->state == ResultState::complete) {
    return "with a complete result of " + blocks +
           ": rename it to keep it; --force replaces it";
  }
  return "with finished blocks: " + blocks + remedy;
}

std::vector<std::string> files_beside(const std::string& path) {
  const std::string partial = path + ".partial";
  return {partial, partial + ".new", path + ".checkpoint", path + ".lock"};
}

OutputPath::OutputPath(const std::string& path, Overwrite overwrite, OldPartial old)
    : path_(overwrite == Overwrite::yes ? end_of_links(path) : path),
      partial_(path_ + ".partial"),
      written_(partial_ + ".new"),
      overwrite_(overwrite) {
  const std::filesystem::path parsed(path_);
  if (!parsed.has_filename()) {
    throw InputError("output '" + path + "' is not the name of a file");
  }
  directory_ = parsed.has_parent_path() ? parsed.parent_path().string() : ".";
  std::error_code ignored;
  for (const auto& name : {path_, partial_}) {
    if (std::filesystem::is_directory(name, ignored)) {
      throw InputError("output " + name + " is a directory (give the name of a file)");
    }
  }
  const auto type = std::filesystem::status(path_, ignored);
  if (std::filesystem::exists(type) && !std::filesystem::is_regular_file(type)) {
    throw InputError("output " + path_ +
                     " is a device, pipe or socket, but an HDF5 file is written (give "
                     "the name of a file)");
  }
  check_directory(path_, directory_);
  check_name(path_, directory_);
  lock_ = std::make_unique<OutputLock>(path_);
  check_target(path_, overwrite);
  check_partial(partial_, old);
  check_regular(written_);
  remove_file(written_);  // left by a killed run
  if (old != OldPartial::keep) {
    remove_file(partial_);
    remove_file(path_ + ".checkpoint");
  }
  created_ = std::make_unique<Descriptor>(
      written_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK);
  if (created_->get() < 0) {
    throw InputError("output " + written_ + " cannot be created (" + reason(errno) +
                     ")");
  }
}

OutputPath::~OutputPath() {
  struct stat written {};
  const bool empty = ::fstat(created_->get(), &written) == 0 && written.st_size == 0;
  if (empty || written_ != partial_) {
    remove();
  }
}

void OutputPath::show() {
  rename_to(written_, partial_);
  written_ = partial_;
}

void OutputPath::append(std::string_view bytes) {
  write_to(created_->get(), written_, bytes);
  // Limits the loss in a system crash, which loses all that is not on the disk.
  constexpr std::chrono::seconds interval{1};
  if (std::chrono::steady_clock::now() - synced_ >= interval) {
    sync();
    synced_ = std::chrono::steady_clock::now();
  }
}

void OutputPath::replace(std::string_view bytes) {
  check_ours();
  std::unique_ptr<Descriptor> created = write_new(bytes);
  written_ = partial_ + ".new";
  created_ = std::move(created);
  show();
}

void OutputPath::save(const std::string& path, std::string_view bytes) const {
  const std::unique_ptr<Descriptor> created = write_new(bytes);
  rename_to(partial_ + ".new", path);
}

/// Writes and syncs PATH.partial.new. Throws RunError; the file is then removed.
std::unique_ptr<Descriptor> OutputPath::write_new(std::string_view bytes) const {
  const std::string name = partial_ + ".new";
  ::unlink(name.c_str());
  auto file = std::make_unique<Descriptor>(
      name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK);
  if (file->get() < 0) {
    throw RunError("output " + name + " cannot be created (" + reason(errno) + ")");
  }
  try {
    write_to(file->get(), name, bytes);
    sync_file(file->get(), name);
  } catch (...) {
    ::unlink(name.c_str());
    throw;
  }
  return file;
}

void OutputPath::sync() const {
  sync_file(created_->get(), written_);
}

/// Throws RunError if another program has replaced the file.
void OutputPath::check_ours() const {
  if (!is_named(created_->get(), written_)) {
    throw RunError(written_ +
                   " is no longer the file that this run created: another program "
                   "replaced or removed it, so " +
                   path_ + " was not written (run again)");
  }
}

void OutputPath::publish() const {
  sync();
  check_ours();
  const unsigned flags = overwrite_ == Overwrite::no ? RENAME_NOREPLACE : 0;
  int status = ::renameat2(AT_FDCWD, partial_.c_str(), AT_FDCWD, path_.c_str(), flags);
  if (status != 0 && (errno == EINVAL || errno == ENOSYS)) {
    // Fallback for file systems without RENAME_NOREPLACE.
    if (overwrite_ == Overwrite::no && exists(path_)) {
      errno = EEXIST;
    } else {
      status = ::rename(partial_.c_str(), path_.c_str());
    }
  }
  if (status != 0) {
    throw RunError("the result is complete in " + partial_ +
                   " but cannot be renamed to " + path_ + " (" + reason(errno) + ")");
  }
  if (!is_named(created_->get(), path_)) {
    throw RunError(path_ +
                   " is not the file that this run wrote: another program replaced it "
                   "at the same time (run again)");
  }
  sync_file(Descriptor(directory_, O_RDONLY | O_DIRECTORY).get(), directory_);
}

void OutputPath::remove() const noexcept {
  if (is_named(created_->get(), written_)) {
    ::unlink(written_.c_str());
  }
}

}  // namespace starhist::io
