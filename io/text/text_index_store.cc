#include "io/text/text_index_store.hh"

namespace starhist::io {

std::shared_ptr<const TextIndex> TextIndexStore::get(const std::string& path,
                                                     const Make& make) {
  const FileFingerprint state =
      file_state(path);  // before reading, to notice a change during it
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(path);
    if (found != entries_.end() && found->second.state == state) {
      return found->second.index;
    }
  }
  auto index = std::make_shared<const TextIndex>(make());
  const std::lock_guard lock(mutex_);
  entries_[path] = {state, index};
  return index;
}

std::shared_ptr<const TextIndex> known_index(TextIndexStore* store,
                                             const std::string& path,
                                             const TextIndexStore::Make& make) {
  return store != nullptr ? store->get(path, make)
                          : std::make_shared<const TextIndex>(make());
}

}  // namespace starhist::io
