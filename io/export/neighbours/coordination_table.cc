#include "io/export/neighbours/coordination_table.hh"

#include <algorithm>
#include <array>
#include <limits>

#include "codelets/core/analysis/block_length.hh"
#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/export_columns.hh"
#include "io/export/export_table.hh"

namespace starhist::io {
namespace {

constexpr std::array neighbour_quantity_names{"distribution", "counts", "mean",
                                              "per-frame", "per-particle"};

double quotient(std::uint64_t above, std::uint64_t below) {
  return below > 0 ? static_cast<double>(above) / static_cast<double>(below)
                   : std::numeric_limits<double>::quiet_NaN();
}

/// Quotient of sums over blocks, and its jackknife error. Blocks without particles are
/// left out of the error.
MeanNeighbours estimate(const CoordinationResult& result,
                        const std::vector<std::uint64_t>& above,
                        const std::vector<std::uint64_t>& below) {
  std::uint64_t all_above = 0;
  std::uint64_t all_below = 0;
  std::vector<double> frames;
  for (std::size_t b = 0; b < above.size(); ++b) {
    all_above += above[b];
    all_below += below[b];
    frames.push_back(below[b] > 0 ? result.file.blocks[b].frames : 0.0);
  }
  return {quotient(all_above, all_below),
          analysis::jackknife_error(frames, [&](std::size_t b) {
            return quotient(all_above - above[b], all_below - below[b]);
          })};
}

std::string shell_label(const CoordinationResult& result, std::size_t shell) {
  return shell_name(result.shells[shell], result.file.layout.species);
}

/// Indices of the wanted shells.
std::vector<std::size_t> find_shells(const CoordinationResult& result,
                                     const std::string& wanted) {
  std::vector<std::string> names;
  std::vector<std::size_t> shells;
  for (std::size_t s = 0; s < result.shells.size(); ++s) {
    names.push_back(shell_label(result, s));
    shells.push_back(s);
  }
  if (wanted.empty()) {
    return shells;
  }
  shells.clear();
  for (const std::string& name : split(wanted, ',')) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw InputError("pair " + name + " was not counted in " + result.file.path +
                       " (it has " + listed(names) +
                       "; O-H are the neighbours H of O)" + did_you_mean(name, names));
    }
    shells.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return shells;
}

/// Makes the table of a request.
class CoordinationTable {
 public:
  CoordinationTable(const CoordinationResult& result,
                    const NeighbourExportRequest& request)
      : result_(result),
        request_(request),
        shells_(find_shells(result, request.pairs)) {}

  ExportTable make() {
    const HistogramLayout& layout = result_.file.layout;
    table_.source = result_.file.path;
    table_.length_unit = layout.length_unit;
    table_.facts = source_facts(
        result_.file,
        neighbour_quantity_names[static_cast<std::size_t>(request_.quantity)]);
    std::erase_if(table_.facts, [](const ExportFact& fact) {
      return fact.name == "r_max" || fact.name == "bin_count";
    });
    table_.facts.push_back(time_unit_fact(layout));
    table_.facts.push_back({"recorded", recorded_text(result_)});
    if (request_.errors) {
      check_blocks_for_errors(result_.file);
      table_.facts.push_back(
          errors_fact(result_.file.blocks.size(), result_.file.blocks.size()));
      add_caveat("errors_caveat", neighbour_caveat(result_, shells_), table_, notes_);
    }
    switch (request_.quantity) {
      case NeighbourQuantity::distribution:
        table_.title = "Distribution of the number of neighbours";
        table_.value_label = "P(n)";
        add_distribution();
        break;
      case NeighbourQuantity::counts:
        table_.title = "Particles by their number of neighbours";
        table_.value_label = "particles";
        add_counts();
        break;
      case NeighbourQuantity::mean:
        table_.title = "Mean number of neighbours";
        table_.value_label = "neighbours";
        add_means();
        break;
      case NeighbourQuantity::per_frame:
        table_.title = "Mean number of neighbours in each frame";
        table_.value_label = "neighbours";
        add_frames();
        break;
      case NeighbourQuantity::per_particle:
        table_.title = "Mean number of neighbours of each particle";
        table_.value_label = "neighbours";
        add_particles();
        break;
    }
    return std::move(table_);
  }

  /// Messages for the user, after make().
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// Adds a column, with the facts of its shell, and the column of its errors.
  void add(std::size_t shell, ExportColumn column, std::vector<double> errors = {}) {
    std::uint64_t particles = 0;
    std::uint64_t neighbours = 0;
    for (const auto& block : result_.counts) {
      particles += centre_sum(block[shell]);
      neighbours += neighbour_sum(block[shell]);
    }
    column.facts = {number_fact("cutoff", decimal_text(result_.shells[shell].cutoff())),
                    number_fact("particles", std::to_string(particles)),
                    number_fact("neighbours", std::to_string(neighbours))};
    table_.curves.push_back(std::move(column));
    if (request_.errors) {
      table_.curves.push_back(
          real_column(error_name(shell_label(result_, shell)), std::move(errors)));
    }
  }

  void set_rows_by_number() {
    std::size_t rows = 1;
    for (const auto& block : result_.counts) {
      for (const std::size_t s : shells_) {
        const NeighbourCounts& counts = block[s];
        const auto last = std::find_if(counts.rbegin(), counts.rend(),
                                       [](std::uint64_t count) { return count > 0; });
        rows = std::max(rows, static_cast<std::size_t>(counts.rend() - last));
      }
    }
    table_.rows = static_cast<std::uint32_t>(rows);
    table_.axis_label = "n";
    table_.r = {"n", [](std::uint32_t n) { return std::to_string(n); }};
  }

  /// Particles of each block with n neighbours.
  std::vector<std::uint64_t> with_neighbours(std::size_t shell, std::size_t n) const {
    std::vector<std::uint64_t> particles;
    for (const auto& block : result_.counts) {
      particles.push_back(n < block[shell].size() ? block[shell][n] : 0);
    }
    return particles;
  }

  void add_distribution() {
    set_rows_by_number();
    for (const std::size_t s : shells_) {
      std::vector<std::uint64_t> all;
      for (const auto& block : result_.counts) {
        all.push_back(centre_sum(block[s]));
      }
      std::vector<double> values;
      std::vector<double> errors;
      for (std::uint32_t n = 0; n < table_.rows; ++n) {
        const MeanNeighbours own = estimate(result_, with_neighbours(s, n), all);
        values.push_back(own.value);
        errors.push_back(own.error);
      }
      add(s, real_column(shell_label(result_, s), values), errors);
    }
  }

  void add_counts() {
    set_rows_by_number();
    for (const std::size_t s : shells_) {
      std::vector<std::uint64_t> values;
      for (std::uint32_t n = 0; n < table_.rows; ++n) {
        values.push_back(0);
        for (const std::uint64_t particles : with_neighbours(s, n)) {
          values.back() += particles;
        }
      }
      add(s, count_column(shell_label(result_, s), values));
    }
  }

  void add_means() {
    table_.rows = 1;
    table_.axis_label = "frames";
    table_.r = count_column("frames", {result_.times.size()});
    for (const std::size_t s : shells_) {
      const MeanNeighbours mean = mean_neighbours(result_, s);
      add(s, real_column(shell_label(result_, s), {mean.value}), {mean.error});
    }
    std::erase_if(table_.facts,
                  [](const ExportFact& fact) { return fact.name == "frames"; });
  }

  void add_frames() {
    if (!result_.frames) {
      throw InputError(result_.file.path +
                       " does not record the neighbours of each frame (count with "
                       "--per-frame)");
    }
    std::vector<std::uint64_t> numbers;
    for (const BlockCounts& block : result_.file.blocks) {
      for (const CountedFrame& frame : block.counted) {
        numbers.push_back(frame.index.get());
      }
    }
    table_.rows = static_cast<std::uint32_t>(numbers.size());
    table_.axis_label = "frame";
    table_.r = count_column("frame", numbers);
    table_.edges = {time_column(result_.times)};
    const std::size_t width = result_.shells.size();
    for (const std::size_t s : shells_) {
      std::vector<double> values;
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        values.push_back(quotient(result_.frames->neighbours[k * width + s],
                                  result_.frames->centres[k * width + s]));
      }
      add(s, real_column(shell_label(result_, s), values));
    }
  }

  void add_particles() {
    if (result_.particles.empty()) {
      throw InputError(result_.file.path +
                       " does not record the neighbours of each particle (count with "
                       "--per-particle)");
    }
    const std::size_t first = shells_.front();
    for (const std::size_t s : shells_) {
      if (!(result_.shells[s].centre == result_.shells[first].centre)) {
        throw InputError(
            result_.file.path +
            ": a table per particle has particles of one species, but the pairs have "
            "several (neighbours H of O and of H, for example): choose pairs with one "
            "first species with --pairs, such as " +
            shell_label(result_, first));
      }
    }
    const ParticleNeighbours& particles = result_.particles[first];
    table_.rows = static_cast<std::uint32_t>(particles.neighbours.size());
    table_.axis_label = "particle";
    const std::vector<std::uint32_t>& rows = particles.order.row;
    table_.r = {"particle", [rows](std::uint32_t k) {
                  return std::to_string(rows.empty() ? k : rows[k]);
                }};
    if (!particles.order.id.empty()) {
      const std::vector<std::int64_t>& ids = particles.order.id;
      table_.edges = {
          {"id", [ids](std::uint32_t k) { return std::to_string(ids[k]); }}};
    }
    for (const std::size_t s : shells_) {
      std::vector<double> values;
      for (const std::uint64_t neighbours : result_.particles[s].neighbours) {
        values.push_back(quotient(neighbours, result_.times.size()));
      }
      add(s, real_column(shell_label(result_, s), values));
    }
  }

  const CoordinationResult& result_;
  const NeighbourExportRequest& request_;
  const std::vector<std::size_t> shells_;
  ExportTable table_;
  std::vector<std::string> notes_;
};

}  // namespace

std::string neighbour_caveat(const CoordinationResult& result,
                             const std::vector<std::size_t>& shells) {
  std::size_t numbers = 1;
  for (const auto& block : result.counts) {
    for (const std::size_t s : shells) {
      numbers = std::max(numbers, block[s].size());
    }
  }
  HistogramLayout layout;
  layout.bins = make_bins(1.0, static_cast<std::uint32_t>(numbers));
  std::vector<PairId> pairs;
  for (std::uint32_t k = 0; k < shells.size(); ++k) {
    pairs.emplace_back(k);
  }
  std::vector<BlockCounts> blocks(result.counts.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    blocks[b].frames = result.file.blocks[b].frames;
    for (const std::size_t s : shells) {
      blocks[b].counts.emplace_back(result.counts[b][s].begin(),
                                    result.counts[b][s].end());
      blocks[b].counts.back().resize(numbers);
    }
  }
  return analysis::error_caveat(layout, blocks, pairs);
}

NeighbourQuantity parse_neighbour_quantity(const std::string& name,
                                           const std::string& path) {
  return static_cast<NeighbourQuantity>(
      find_name(neighbour_quantity_names, name,
                path + " has no quantity " + name +
                    " (it is a result of starhist coordination): choose one of ",
                ""));
}

std::string recorded_text(const CoordinationResult& result) {
  if (result.frames) {
    return result.particles.empty() ? "per frame" : "per frame, per particle";
  }
  return result.particles.empty() ? "per block" : "per particle";
}

MeanNeighbours mean_neighbours(const CoordinationResult& result, std::size_t shell) {
  std::vector<std::uint64_t> neighbours;
  std::vector<std::uint64_t> particles;
  for (const auto& block : result.counts) {
    neighbours.push_back(neighbour_sum(block[shell]));
    particles.push_back(centre_sum(block[shell]));
  }
  return estimate(result, neighbours, particles);
}

void set_units(CoordinationResult& result, const ShownUnits& units) {
  result.file.layout.bins = make_bins(1.0, 1);  // converted in place of the shells'
  set_units(result.file, units);
  const double factor = result.file.layout.bins.r_max;
  for (NeighbourShell& shell : result.shells) {
    shell.bins = make_bins(factor * shell.bins.r_max, shell.bins.count);
  }
}

std::vector<std::string> write_neighbour_export(std::ostream& out,
                                                const CoordinationResult& result,
                                                const NeighbourExportRequest& request) {
  if (request.errors && request.quantity != NeighbourQuantity::distribution &&
      request.quantity != NeighbourQuantity::mean) {
    throw InputError(
        "--errors applies to --quantity distribution and mean (numbers of single "
        "frames and particles, and counts, have no errors): omit it");
  }
  CoordinationTable maker(result, request);
  const ExportTable table = maker.make();
  std::vector<std::string> notes = maker.notes();
  write_table(out, table, request.format, notes);
  return notes;
}

}  // namespace starhist::io
