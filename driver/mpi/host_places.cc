#include "driver/mpi/host_places.hh"

#include "driver/ranks/packing.hh"

namespace starhist::driver {

template <class Archive>
void fields(Archive& archive, RankPlace& place) {
  auto& [host, processors, visible_gpus, gpus] = place;
  archive(host, processors, visible_gpus, gpus);
}

template <class Archive>
void fields(Archive& archive, HostShare& share) {
  auto& [number, ranks, processors, visible_gpus] = share;
  archive(number, ranks, processors, visible_gpus);
}

namespace {

template <class T>
std::string text_of(T value) {
  Packer packer;
  packer(value);
  return {packer.bytes.begin(), packer.bytes.end()};
}

template <class T>
T value_of(const std::string& text) {
  const std::vector<char> bytes(text.begin(), text.end());
  Unpacker unpacker(bytes);
  T value;
  unpacker(value);
  return value;
}

}  // namespace

HostShare share_of_host(Communicator& ranks) {
  const std::vector<std::string> texts = ranks.gather(
      text_of(own_place(static_cast<std::uint32_t>(ranks.first_rank_on_host()))));
  std::vector<RankPlace> places;
  for (const std::string& text : texts) {
    places.push_back(value_of<RankPlace>(text));
  }
  std::vector<std::string> shares;
  for (const HostShare& share : share_hosts(places)) {
    shares.push_back(text_of(share));
  }
  return value_of<HostShare>(ranks.scatter(shares));
}

}  // namespace starhist::driver
