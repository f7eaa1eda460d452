#include "io/trajectory/source_defaults.hh"

#include <algorithm>
#include <utility>

#include "io/text/text_index.hh"

namespace starhist::io {
namespace {

constexpr const char* the_file = "the file";
constexpr const char* nothing = "none";

/// Source of a property of the particles: the structure for what it lists, else the
/// file. `phrase`: what the structure's reader says of it.
std::string source_of(bool in_structure, const Structure* structure,
                      const std::string& phrase, bool in_file) {
  if (in_structure) {
    return structure->path + (phrase.empty() ? "" : ": " + phrase);
  }
  return in_file ? the_file : nothing;
}

class GivenBox : public TrajectoryReader {
 public:
  GivenBox(std::unique_ptr<TrajectoryReader> reader, const std::string& source)
      : reader_(std::move(reader)), info_(reader_->info()) {
    ReadFrom& from = info_.from;
    if (from.box != nothing) {
      from.assumptions.insert(from.assumptions.begin(),
                              "box: " + source + " replaces the boxes of the file");
    }
    from.box = source;
    from.periodic = source;
  }

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override { reader_->read(index, frame); }
  double read_time(FrameIndex index, Frame& scratch) override {
    return reader_->read_time(index, scratch);
  }
  bool passes_on() const override { return reader_->passes_on(); }
  PassedOn passed_on(FrameIndex index) override { return reader_->passed_on(index); }

 private:
  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
};

}  // namespace

ReadFrom complete_read_from(const TrajectoryInfo& file, const Structure* structure,
                            const std::string& length_unit) {
  ReadFrom from = file.from;
  const auto fill = [](std::string& part, const std::string& text) {
    if (part.empty()) {
      part = text;
    }
  };
  static const ParticleTable no_particles;
  static const ReadFrom no_phrases;
  const ParticleTable& told = structure ? structure->particles : no_particles;
  const ReadFrom& phrases = structure ? structure->from : no_phrases;
  const bool species = file.species.size() > 1 || (file.species.size() == 1 &&
                                                   file.species.front() != any_species);
  const ParticleTable& own = file.particles;
  fill(from.box, the_file);
  fill(from.periodic, from.box);
  fill(from.names,
       source_of(!told.name.empty() || !told.type.empty(), structure, phrases.names,
                 species || !own.name.empty() || !own.type.empty()));
  fill(from.elements, source_of(!told.element.empty(), structure, phrases.elements,
                                !own.element.empty()));
  fill(from.residues, source_of(!told.residue.empty(), structure, phrases.residues,
                                !own.residue.empty()));
  fill(from.times, the_file);
  fill(from.units, !file.length_unit.empty()                      ? the_file
                   : structure && !structure->length_unit.empty() ? structure->path
                   : !length_unit.empty()                         ? "--unit"
                                                                  : nothing);
  for (const std::string& assumption : phrases.assumptions) {
    from.assumptions.push_back(assumption);
  }
  return from;
}

std::unique_ptr<TrajectoryReader> with_given_box(
    std::unique_ptr<TrajectoryReader> reader, const std::string& source) {
  return std::make_unique<GivenBox>(std::move(reader), source);
}

}  // namespace starhist::io
