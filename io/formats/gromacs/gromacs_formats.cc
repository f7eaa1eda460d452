#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/decoder/gromacs_decoder.hh"
#include "io/formats/gromacs/decoder/gromacs_program.hh"
#include "io/formats/gromacs/g96_frames.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/formats/gromacs/xdr/xdr_readers.hh"
#include "io/formats/records.hh"
#include "io/particles/structure.hh"
#include "io/reader/atom_trajectory.hh"
#include "io/reader/unit_cell.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

/// `ending`: the extension by which libgromacs identifies the format.
SharedStructure read_by_libgromacs(const std::string& path, const char* ending) {
  gromacs::check_built(path, "a structure of GROMACS");
  const std::string absolute = std::filesystem::absolute(path).string();
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  try {
    decoder::Packer packer;
    packer.add_source(
        {.kind = decoder::Source::Kind::path, .format = ending, .content = absolute});
    decoder::Process process(gromacs::program());
    std::error_code ignored;
    const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
    process.ask(decoder::Request::particles_and_pbc, packer.bytes(), {},
                ignored ? 0 : bytes);
    decoder::Unpacker unpacker(process.content());
    structure->pbc = unpacker.take<Pbc>();
    structure->particles = unpacker.take_particles();
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  if (structure->particles.count == 0) {
    throw InputError(path + ": has no atoms");
  }
  return structure;
}

/// Reads the atoms of a GROMACS TPR file with libgromacs. Throws InputError, also if
/// starhist was built without libgromacs.
SharedStructure read_tpr_structure(const std::string& path) {
  return read_by_libgromacs(path, "tpr");
}

/// Whether a G96 file contains atom names; trajectories have only positions.
bool g96_has_names(const std::string& path) {
  TextFile file(path);
  std::string_view line;
  while (file.next(line)) {
    if (line.starts_with("POSITION")) {
      return !line.starts_with("POSITIONRED");
    }
  }
  return false;
}

/// Reads the atoms of a G96 file with libgromacs. Throws InputError, also for a file
/// without names.
SharedStructure read_g96_structure(const std::string& path) {
  gromacs::check_built(path, "a structure of GROMACS");
  if (!g96_has_names(path)) {
    throw InputError(path + ": has no POSITION block, and therefore no atom names");
  }
  return read_by_libgromacs(path, "g96");
}

/// Reads TNG and G96, whose frames only libgromacs finds, in order: seeking backwards
/// restarts the file.
class GromacsStreamReader : public AtomTrajectory {
 public:
  /// `ending`: "tng" or "g96". Reads the whole file to count its frames. Throws
  /// InputError when it has no frame.
  GromacsStreamReader(const std::string& path, const std::string& ending,
                      const ReadOptions& options, const SharedStructure& structure)
      : AtomTrajectory(path, ending == "tng" ? "GROMACS TNG" : "GROMOS G96", options,
                       structure),
        ending_(ending) {
    info_.sequential_only = true;
    info_.lists_moments = true;
    if (ending == "g96" && g96_has_names(path)) {
      const SharedStructure own = read_g96_structure(path);
      if (structure) {
        check_own_atoms(*structure, path, own->particles);
      } else {
        set_structure(own);
      }
    }
    std::string damage;
    try {
      rewind();
      while (decoder_.next(decoded_)) {
        if (info_.frame_count == 0) {
          set_atoms(decoded_.positions.size() / 3);
        }
        ++info_.frame_count;
        moments_.push_back(decoded_.moment);
      }
      damage = decoder_.remarks();
    } catch (const InputError& error) {
      damage = error.what();
    }
    if (info_.frame_count == 0) {
      throw InputError(path + ": has no whole frame with positions" +
                       (damage.empty() ? "" : " (" + damage + ")"));
    }
    if (!damage.empty()) {
      const std::string sentence = "frame " + std::to_string(info_.frame_count) +
                                   " cannot be read (" + damage + ")";
      info_.truncation = {path + ": " + frames_before(sentence, info_.frame_count)};
    }
    if (ending == "g96") {
      drop_cut_off_frame();
    }
    next_ = info_.frame_count + 1;
  }

  void read(FrameIndex index, Frame& frame) override {
    try {
      if (index.get() < next_) {
        rewind();
      }
      while (next_ <= index.get()) {
        if (!decoder_.next(decoded_)) {
          throw InputError("has become shorter since it was opened");
        }
        ++next_;
      }
      clear_placeholder(decoded_.edges);
      fill(index, decoded_.moment, decoded_.positions, decoded_.edges, frame);
    } catch (const InputError& error) {
      next_ = info_.frame_count + 1;
      throw InputError(path() + ": " + error.what());
    }
  }

  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return moments_[index.index()];
  }

 private:
  /// Drops a truncated last frame of G96, which libgromacs would accept as complete,
  /// even if it ends within a number.
  void drop_cut_off_frame() {
    TextFile file(path());
    const TextIndex index = index_g96(file);
    const std::size_t whole = index.frames.size();
    if (whole < info_.frame_count || info_.truncation.empty() ||
        (whole == info_.frame_count && !index.damage.empty())) {
      info_.frame_count = std::min<std::uint64_t>(info_.frame_count, whole);
      info_.truncation = index.truncation_sentences(path());
    }
  }

  void rewind() {
    decoder_.open(ending_, path());
    next_ = 0;
  }

  std::string ending_;
  gromacs::Decoder decoder_;
  gromacs::DecodedFrame decoded_;
  std::vector<StepAndTime> moments_;  ///< of all frames
  std::uint64_t next_ = 0;            ///< next frame of the decoder
};

using namespace std::string_view_literals;
using Names = TrajectoryFormat::Names;

constexpr const char* names_of_structure =
    "atom names of `--structure`; without it all atoms are one";

using Reader = std::unique_ptr<TrajectoryReader>;

Reader open_g96(ProbedFile& file, const ReadOptions& options,
                const SharedStructure& structure) {
  gromacs::check_built(file.path(), "a GROMOS G96 file");
  return std::make_unique<GromacsStreamReader>(file.path(), "g96", options, structure);
}

Reader open_tng(ProbedFile& file, const ReadOptions& options,
                const SharedStructure& structure) {
  gromacs::check_built(file.path(), "a GROMACS TNG trajectory");
  return std::make_unique<GromacsStreamReader>(file.path(), "tng", options, structure);
}

/// Returns the fields of a trajectory whose atoms are named by a structure.
DeliveredFields fields_of_trajectory() {
  return {.box = "matrix; all axes, or the axes of a TPR; or no box",
          .names = "of `--structure`",
          .residues = "of `--structure`",
          .elements = "of `--structure`",
          .molecules = "of `--structure`",
          .bonds = "no",
          .times = "time and step",
          .units = "nm"};
}

}  // namespace

TrajectoryFormat g96_format() {
  return {.name = "G96",
          .extensions = {"g96"},
          .contents = TrajectoryFormat::Contents::text,
          .names = Names::file_unless_structure,
          .by_libgromacs = true,
          .by_name = true,
          .open = open_g96,
          .read_structure = read_g96_structure,
          .known_by = "the ending of the name",
          .species = "atom names, where the file has them",
          .fields = {.box = "matrix; all axes, or no box",
                     .names = "atom names, where the file has them",
                     .residues = "number and name",
                     .elements = "no",
                     .molecules = "no",
                     .bonds = "no",
                     .times = "time and step",
                     .units = "nm"}};
}

TrajectoryFormat xtc_format() {
  return {.name = "XTC",
          .extensions = {"xtc"},
          .names = Names::structure,
          .probe =
              [](ProbedFile& file) {
                return file.has_bytes(0, "\0\0\x07\xcb"sv) ||
                       file.has_bytes(0, "\0\0\x07\xe7"sv);
              },
          .open = open_xtc,
          .known_by = "first bytes",
          .compression = "built in",
          .species = names_of_structure,
          .fields = fields_of_trajectory()};
}

TrajectoryFormat trr_format() {
  return {.name = "TRR",
          .extensions = {"trr"},
          .names = Names::structure,
          .probe = [](ProbedFile& file) { return file.has_bytes(0, "\0\0\x07\xc9"sv); },
          .open = open_trr,
          .known_by = "first bytes",
          .species = names_of_structure,
          .fields = fields_of_trajectory()};
}

TrajectoryFormat tng_format() {
  return {.name = "TNG",
          .extensions = {"tng"},
          .names = Names::structure,
          .by_libgromacs = true,
          .probe = [](ProbedFile& file) { return file.has_bytes(40, "GENERAL INFO"); },
          .open = open_tng,
          .known_by = "first bytes",
          .compression = "built in",
          .species = names_of_structure,
          .fields = fields_of_trajectory()};
}

TrajectoryFormat tpr_format() {
  return {.name = "TPR",
          .extensions = {"tpr"},
          .by_libgromacs = true,
          .probe = [](ProbedFile& file) { return file.has_bytes(8, "VERSION "); },
          .read_structure = read_tpr_structure,
          .refusal =
              "is a GROMACS TPR file, which has no frames (give it as "
              "--structure of a trajectory)",
          .known_by = "first bytes; as `--structure` the ending of the name",
          .species = "no frames, only for `--structure`",
          .fields = {.box = "periodic axes of the trajectory",
                     .names = "atom names, types",
                     .residues = "number and name",
                     .elements = "elements, masses",
                     .molecules = "molecules of the topology",
                     .bonds = "no",
                     .times = "no",
                     .units = "no"}};
}

}  // namespace starhist::io
