#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "io/files/file_fingerprints.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// Indexes of text files that were gone through once, for all readers of the same
/// trajectory. From any thread.
class TextIndexStore {
 public:
  using Make = std::function<TextIndex()>;

  /// The file's index, which `make` makes the first time, and when the file has another
  /// size or time of its last change than then.
  std::shared_ptr<const TextIndex> get(const std::string& path, const Make& make);

 private:
  struct Entry {
    FileFingerprint state;
    std::shared_ptr<const TextIndex> index;
  };

  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

/// The index from the store, or a new one where there is no store.
std::shared_ptr<const TextIndex> known_index(TextIndexStore* store,
                                             const std::string& path,
                                             const TextIndexStore::Make& make);

}  // namespace starhist::io
