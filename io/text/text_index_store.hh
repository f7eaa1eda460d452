#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "io/files/file_fingerprints.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// Keeps the indexes of text files, so that all readers of a trajectory scan each file
/// only once. Thread-safe.
class TextIndexStore {
 public:
  using Make = std::function<TextIndex()>;

  /// Returns the file's index. Calls `make` the first time, and when the size or
  /// modification time of the file has changed since.
  std::shared_ptr<const TextIndex> get(const std::string& path, const Make& make);

 private:
  struct Entry {
    FileFingerprint state;
    std::shared_ptr<const TextIndex> index;
  };

  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

/// Returns the index from the store, or a new one if `store` is null.
std::shared_ptr<const TextIndex> known_index(TextIndexStore* store,
                                             const std::string& path,
                                             const TextIndexStore::Make& make);

}  // namespace starhist::io
