#include "io/hdf5/flushed/journaling_driver.hh"

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <new>

#include "codelets/core/base/error.hh"
#include "io/hdf5/disk_driver.hh"
#include "io/hdf5/flushed/pending_writes.hh"
#include "io/hdf5/flushed/redo_journal.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {
namespace {

/// State of an open file.
struct Journaled {
  std::unique_ptr<RedoJournal> journal;
  int descriptor = -1;
  PendingWrites pending;
  bool shorter =
      false;  ///< HDF5 wants the file truncated to the end of its allocated space
  bool dropped = false;  ///< set by drop_pending_writes()
  /// A write was lost or a flush cut short: metadata in the file must not change any
  /// more.
  bool failed = false;
  bool no_memory = false;  ///< memory for a write was missing
};

void change(H5FD_class_t& functions);
DiskDriver driver("starhist_journal", change);

/// Journal for the next file that this thread opens.
thread_local std::unique_ptr<RedoJournal>* next_journal = nullptr;

std::mutex files_mutex;
std::map<const H5FD_t*, std::unique_ptr<Journaled>> files;

Journaled* journaled(const H5FD_t* file) {
  const std::lock_guard lock(files_mutex);
  const auto found = files.find(file);
  return found == files.end() ? nullptr : found->second.get();
}

H5FD_t* open(const char* name, unsigned flags, hid_t access, haddr_t most) {
  H5FD_t* const file = driver.plain().open(name, flags, access, most);
  if (file == nullptr || next_journal == nullptr || !*next_journal) {
    return file;
  }
  void* descriptor = nullptr;
  try {
    auto state = std::make_unique<Journaled>();
    if (driver.plain().get_handle(file, H5P_DEFAULT, &descriptor) >= 0) {
      state->descriptor = *static_cast<int*>(descriptor);
      const std::lock_guard lock(files_mutex);
      Journaled& opened = *(files[file] = std::move(state));
      opened.journal = std::move(*next_journal);
      return file;
    }
  } catch (const std::bad_alloc&) {  // exceptions must not pass through HDF5
  }
  driver.plain().close(file);
  return nullptr;
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t offset,
             std::size_t size, const void* data) {
  Journaled* const state = journaled(file);
  if (state == nullptr || type == H5FD_MEM_DRAW) {
    return driver.plain().write(file, type, transfer, offset, size, data);
  }
  try {
    state->pending.add(offset, data, size);
    return 0;
  } catch (const std::bad_alloc&) {
    state->failed = true;  // later flushes would lack this write
    state->no_memory = true;
    return -1;
  }
}

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t offset,
            std::size_t size, void* data) {
  const herr_t status = driver.plain().read(file, type, transfer, offset, size, data);
  if (const Journaled* const state = journaled(file); status >= 0 && state != nullptr) {
    state->pending.copy_to(offset, data, size);
  }
  return status;
}

/// Performs all pending writes, through the journal.
herr_t commit(H5FD_t* file, Journaled& state, hid_t transfer, bool closing) {
  if (state.dropped || (state.pending.empty() && !state.shorter)) {
    return 0;
  }
  if (state.no_memory) {
    errno = ENOMEM;  // for the message of the flush
  }
  if (state.failed || !state.journal->hold(state.pending)) {
    state.failed = true;
    return -1;
  }
  for (const auto& [offset, data] : state.pending.extents()) {
    if (driver.plain().write(file, H5FD_MEM_SUPER, transfer, offset, data.size(),
                             data.data()) < 0) {
      state.failed = true;
      return -1;
    }
  }
  state.pending.clear();
  if (state.shorter && driver.plain().truncate(file, transfer, closing) < 0) {
    state.failed = true;
    return -1;
  }
  state.shorter = false;
  if (!state.journal->clear()) {
    state.failed = true;
    return -1;
  }
  return 0;
}

herr_t flush(H5FD_t* file, hid_t transfer, hbool_t closing) {
  Journaled* const state = journaled(file);
  return state == nullptr ? 0 : commit(file, *state, transfer, closing);
}

/// Extends the file at once, but shortens it only after metadata that no longer need
/// its end have been written.
herr_t truncate(H5FD_t* file, hid_t transfer, hbool_t closing) {
  Journaled* const state = journaled(file);
  if (state == nullptr || state->dropped ||
      driver.plain().get_eoa(file, H5FD_MEM_DEFAULT) >=
          driver.plain().get_eof(file, H5FD_MEM_DEFAULT)) {
    return driver.plain().truncate(file, transfer, closing);
  }
  state->shorter = true;
  return 0;
}

herr_t close(H5FD_t* file) {
  herr_t status = 0;
  if (Journaled* const state = journaled(file); state != nullptr) {
    status = commit(file, *state, H5P_DEFAULT, true);
    const std::lock_guard lock(files_mutex);
    files.erase(file);
  }
  return std::min(status, driver.plain().close(file));
}

void change(H5FD_class_t& functions) {
  functions.open = open;
  functions.close = close;
  functions.read = read;
  functions.write = write;
  functions.flush = flush;
  functions.truncate = truncate;
}

}  // namespace

JournalingScope::JournalingScope(hid_t file_access, const std::string& path,
                                 const std::string& journal) {
  const DiskDriver::Status status = driver.set(file_access, path);
  if (status == DiskDriver::Status::other) {
    return;
  }
  if (status == DiskDriver::Status::failed) {
    throw RunError(path + " cannot be opened for writing (" + hdf5_reason() + ")");
  }
  journal_ = std::make_unique<RedoJournal>(journal, path);
  next_journal = &journal_;
}

JournalingScope::~JournalingScope() {
  next_journal = nullptr;
}

void drop_pending_writes(int descriptor) noexcept {
  const std::lock_guard lock(files_mutex);
  for (auto& [file, state] : files) {
    if (state->descriptor == descriptor) {
      state->dropped = true;
    }
  }
}

}  // namespace starhist::io
