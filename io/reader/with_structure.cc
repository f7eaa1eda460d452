#include "io/reader/with_structure.hh"

#include <utility>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

class WithStructure : public TrajectoryReader {
 public:
  WithStructure(std::unique_ptr<TrajectoryReader> reader, const Structure& structure)
      : reader_(std::move(reader)), info_(reader_->info()) {
    const std::uint64_t atoms = info_.particles.count;
    if (structure.particles.count != atoms) {
      throw InputError(info_.paths.front() + ": has " + std::to_string(atoms) +
                       " atoms, but the structure " + structure.path + " has " +
                       std::to_string(structure.particles.count) +
                       " (give the one that belongs to the trajectory, with the same "
                       "atoms left out)");
    }
    info_.particles = structure.particles;
    info_.remarks.insert(info_.remarks.end(), structure.remarks.begin(),
                         structure.remarks.end());
  }

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override { reader_->read(index, frame); }
  double read_time(FrameIndex index, Frame& scratch) override {
    return reader_->read_time(index, scratch);
  }

 private:
  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
};

}  // namespace

std::unique_ptr<TrajectoryReader> with_structure(
    std::unique_ptr<TrajectoryReader> reader, const SharedStructure& structure) {
  return std::make_unique<WithStructure>(std::move(reader), *structure);
}

}  // namespace starhist::io
