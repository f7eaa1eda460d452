#include "io/text_index_store.hh"

#include <sys/stat.h>

namespace starhist {

TextIndexStore::State TextIndexStore::state_of(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) {
    return {};
  }
  return {file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
}

std::shared_ptr<const TextIndex> TextIndexStore::get(const std::string& path,
                                                     const Make& make) {
  const State state = state_of(path);  // before it is read, lest a change be missed
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

}  // namespace starhist
