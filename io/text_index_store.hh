#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "io/text_index.hh"

namespace starhist {

/// Indexes of text files that were gone through once, for all readers of the same
/// trajectory. From any thread.
class TextIndexStore {
 public:
  using Make = std::function<TextIndex()>;

  /// The file's index, which `make` makes the first time, and when the file has another
  /// size or time of its last change than then.
  std::shared_ptr<const TextIndex> get(const std::string& path, const Make& make);

 private:
  /// What tells that a file is still the same.
  struct State {
    long long bytes = 0;
    long long changed_seconds = 0;
    long long changed_nanoseconds = 0;

    friend bool operator==(const State&, const State&) = default;
  };
  struct Entry {
    State state;
    std::shared_ptr<const TextIndex> index;
  };
  static State state_of(const std::string& path);

  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

/// The index from the store, or a new one where there is no store.
std::shared_ptr<const TextIndex> known_index(TextIndexStore* store,
                                             const std::string& path,
                                             const TextIndexStore::Make& make);

}  // namespace starhist
