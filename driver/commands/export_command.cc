#include <algorithm>
#include <cmath>
#include <iostream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/units.hh"
#include "driver/commands/command.hh"
#include "driver/commands/result_input.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/text_output.hh"
#include "io/export/block_arrays.hh"
#include "io/export/cadishi_writer.hh"
#include "io/export/export.hh"
#include "io/export/lag_table.hh"
#include "io/export/neighbours/coordination_table.hh"
#include "io/export/other_program.hh"

namespace starhist::driver {
namespace {

/// Adds a problem for each option that does not apply to the counts exported by
/// `option`.
void refuse_options(const ParsedOptions& parsed, const std::string& option,
                    const std::vector<std::string>& others, Problems& problems) {
  for (const std::string& other : others) {
    if (parsed.has(other)) {
      problems.add("--" + other + " has no meaning with --" + option +
                   " (which writes counts in a fixed format; leave it out, or export "
                   "without --" +
                   option + ")");
    }
  }
}

/// A positive number of bins in `text`, the value of --rebin. Throws InputError with
/// all forms of that value.
std::uint32_t parse_bins_to_merge(const std::string& number, const std::string& text) {
  try {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(
        parse_positive("--rebin", number), std::uint64_t{max_bin_count} + 1));
  } catch (const InputError&) {
    throw InputError("--rebin '" + text +
                     "' is invalid (give N to merge N bins to one, log:N for N bins of "
                     "equal ratio, or edges such as 0,0.3,1)");
  }
}

/// --rebin: "5" merges five bins to one, "log:40" makes 40 bins of equal ratio, and
/// "0,0.3,1" merges all bins between these edges.
analysis::Rebinning parse_rebinning(const std::string& text) {
  using Kind = analysis::Rebinning::Kind;
  if (text.rfind("log:", 0) == 0) {
    return {Kind::logarithmic, parse_bins_to_merge(text.substr(4), text), {}};
  }
  if (text.find(',') == std::string::npos) {
    return {Kind::merged, parse_bins_to_merge(text, text), {}};
  }
  analysis::Rebinning rebinning{Kind::at_edges, 0, {}};
  for (const std::string& edge : split_list(text)) {
    rebinning.edges.push_back(parse_number("--rebin", edge));
  }
  return rebinning;
}

double parse_temperature(const std::string& text) {
  const double kelvin = parse_number("--temperature", text);
  if (!std::isfinite(kelvin) || kelvin <= 0.0) {
    throw InputError(
        "--temperature " + text +
        " is not a temperature (give kelvins above 0; in reduced units T*)");
  }
  return kelvin;
}

/// Adds a problem for each option that --like determines.
void check_like(const ParsedOptions& parsed, Problems& problems) {
  for (const char* option : {"format", "normalization", "errors", "rebin", "smooth",
                             "per-block", "temperature", "arrays"}) {
    if (parsed.has(option)) {
      problems.add("--" + std::string(option) + " has no meaning with --like " +
                   parsed.get("like") +
                   " (which writes that program's table; leave out one of them)");
    }
  }
  const std::string quantity = parsed.get("quantity");
  if (parsed.has("quantity") && quantity != "g" &&
      !(quantity == "coordination" && parsed.get("like") == "gmx")) {
    problems.add("--quantity " + quantity + " has no meaning with --like " +
                 parsed.get("like") +
                 " (give g, or coordination for the numbers of gmx rdf -cn)");
  }
}

/// Writes the table of another program. The unit is the program's, unless --out-unit is
/// given or the result's cannot be converted.
std::vector<std::string> write_like(const ParsedOptions& parsed, io::ResultFile& result,
                                    io::ShownUnits units) {
  io::LikeRequest request;
  request.program = io::parse_other_program(parsed.get("like"));
  request.cumulative = parsed.get("quantity") == "coordination";
  const std::string own = length_unit_spelling(result.layout.length_unit);
  if (units.out_unit.empty() && angstroms_per(own.empty() ? units.unit : own)) {
    units.out_unit = io::length_unit_of(request.program);
  }
  io::set_units(result, units);
  if (parsed.has("pairs")) {
    request.pairs = parse_centred_pairs(parsed.get("pairs"), result.layout.species);
  }
  std::vector<std::string> notes;
  write_text(parsed.get("output"),
             [&](std::ostream& out) { notes = io::write_like(out, result, request); });
  return notes;
}

/// Adds a problem for each option that does not apply with --cadishi, and for a missing
/// --output.
void check_cadishi(const ParsedOptions& parsed, Problems& problems) {
  if (!parsed.has("output")) {
    problems.add("--cadishi writes an HDF5 file: give its name (-o histograms.h5)");
  }
  refuse_options(parsed, "cadishi",
                 {"quantity", "format", "normalization", "errors", "pairs", "rebin",
                  "smooth", "per-block", "temperature", "like"},
                 problems);
  if (parsed.has("out-unit")) {
    problems.add(
        "--out-unit has no meaning with --cadishi (CADISHI's histograms are always in "
        "A; if the result has no unit, give it with --unit)");
  }
}

/// Throws InputError for options that have no meaning for a result with lags.
void check_lag_options(const ParsedOptions& parsed) {
  if (parsed.has("arrays")) {  // the scripts peaks and report use it
    throw InputError(
        parsed.positional.front() +
        ": is a result of starhist vanhove, which has curves for each lag (draw it on "
        "its own with starhist plot, or write them with starhist export)");
  }
  for (const char* option : {"normalization", "cadishi", "like", "rebin", "smooth",
                             "per-block", "temperature"}) {
    if (parsed.has(option)) {
      throw InputError(
          parsed.positional.front() + ": --" + option +
          " does not apply to a result of starhist vanhove (leave it out)");
    }
  }
  const std::string quantity = parsed.get("quantity");
  const bool of_pairs = quantity == "g" || quantity == "counts";
  for (const auto& [option, applies] :
       {std::pair{"pairs", of_pairs}, {"species", !of_pairs}}) {
    if (parsed.has(option) && !applies) {
      throw InputError(std::string("--") + option + " does not apply to --quantity " +
                       quantity + " (use --" + (of_pairs ? "pairs" : "species") + ")");
    }
  }
}

/// True for quantities of results of starhist coordination only.
bool is_of_neighbours(const std::string& quantity) {
  return quantity == "distribution" || quantity == "mean" || quantity == "per-frame" ||
         quantity == "per-particle";
}

/// Throws InputError for options that only results with lags have.
void refuse_lag_options(const ParsedOptions& parsed) {
  const std::string quantity = parsed.get("quantity");
  const std::string remedy =
      ": this is a result of starhist rdf (starhist vanhove counts between frames)";
  if (is_of_neighbours(quantity)) {
    throw InputError(parsed.positional.front() + " has no quantity " + quantity +
                     ": this is a result of starhist rdf (starhist coordination counts "
                     "neighbours of each particle)");
  }
  for (const char* name : {"self", "self-counts", "msd"}) {
    if (quantity == name) {
      throw InputError(parsed.positional.front() + " has no quantity " + quantity +
                       remedy);
    }
  }
  for (const char* option : {"species", "map"}) {
    if (parsed.has(option)) {
      throw InputError(parsed.positional.front() + ": --" + option + " does not apply" +
                       remedy);
    }
  }
}

ExitCode export_lags(const ParsedOptions& parsed, io::ExportFormat format,
                     const io::ShownUnits& units) {
  check_lag_options(parsed);
  io::LagExportRequest request;
  const std::string& path = parsed.positional.front();
  request.quantity = io::parse_lag_quantity(parsed.get("quantity"), path);
  request.format = format;
  request.errors = parsed.has("errors");
  request.map = parsed.has("map");
  io::LagResult result = io::read_lag_result(path, external_files(parsed));
  report_incomplete(result.channels);
  check_external_conflicts(export_manual(), parsed, result.channels.external_files);
  io::set_units(result, units);
  if (parsed.has("pairs")) {
    request.pairs = parse_pairs(parsed.get("pairs"), result.layout.pairs.species);
  }
  if (parsed.has("species")) {
    request.species = split_list(parsed.get("species"));
  }
  std::vector<std::string> notes;
  write_text(parsed.get("output"), [&](std::ostream& out) {
    notes = io::write_lag_export(out, result, request);
  });
  print_notes(notes);
  return ExitCode::done;
}

/// Writes a table of a result of starhist coordination.
ExitCode export_neighbours(const ParsedOptions& parsed, io::ExportFormat format,
                           const io::ShownUnits& units) {
  const std::string& path = parsed.positional.front();
  if (parsed.has("arrays")) {  // the scripts plot, peaks and report use it
    throw InputError(path +
                     ": is a result of starhist coordination, which has numbers of "
                     "neighbours, not distances (draw it on its own with starhist plot "
                     "or report, or write it with starhist export)");
  }
  for (const char* option : {"normalization", "cadishi", "like", "rebin", "smooth",
                             "per-block", "temperature", "species", "map"}) {
    if (parsed.has(option)) {
      throw InputError(
          path + ": --" + option +
          " does not apply to a result of starhist coordination (leave it out)");
    }
  }
  io::NeighbourExportRequest request;
  if (parsed.has("quantity")) {
    request.quantity = io::parse_neighbour_quantity(parsed.get("quantity"), path);
  }
  request.format = format;
  request.errors = parsed.has("errors");
  request.pairs = parsed.get("pairs");
  io::CoordinationResult result =
      io::read_coordination_result(path, external_files(parsed));
  report_incomplete(result.file);
  check_external_conflicts(export_manual(), parsed, result.file.external_files);
  io::set_units(result, units);
  std::vector<std::string> notes;
  write_text(parsed.get("output"), [&](std::ostream& out) {
    notes = io::write_neighbour_export(out, result, request);
  });
  print_notes(notes);
  return ExitCode::done;
}

/// Parses the options of the table. Its quantity is left out if only results of other
/// commands have it.
io::ExportRequest parse_request(const ParsedOptions& parsed, Problems& problems) {
  io::ExportRequest request;
  const std::string quantity = parsed.get("quantity");
  const bool of_lags =
      quantity == "self" || quantity == "self-counts" || quantity == "msd";
  if (!of_lags && !is_of_neighbours(quantity)) {
    problems.collect([&] { request.quantity = io::parse_quantity(quantity); });
  }
  problems.collect([&] {
    if (!parsed.has("cadishi")) {
      request.format = io::parse_export_format(table_format(parsed));
    }
  });
  problems.collect([&] {
    request.normalization = analysis::parse_normalization(parsed.get("normalization"));
  });
  problems.collect([&] {
    if (parsed.has("rebin")) {
      request.rebinning = parse_rebinning(parsed.get("rebin"));
    }
  });
  problems.collect([&] {
    if (parsed.has("smooth")) {
      request.smooth = parse_length("--smooth", parsed.get("smooth"));
    }
  });
  problems.collect([&] {
    if (parsed.has("temperature")) {
      request.temperature = parse_temperature(parsed.get("temperature"));
    }
  });
  request.per_block = parsed.has("per-block");
  request.errors = parsed.has("errors");
  return request;
}

/// Adds a problem for each option that does not apply with --cadishi, --arrays or
/// --like.
void check_combinations(const ParsedOptions& parsed, Problems& problems) {
  if (parsed.has("cadishi")) {
    check_cadishi(parsed, problems);
    check_hdf5_name(parsed.get("output"), "CADISHI's format is HDF5", "", problems);
    for (const std::string& result : parsed.positional) {
      problems.collect([&] {
        io::check_path_conflicts(
            {{parsed.get("output"), io::PathUse::grown, "--output"},
             {result, io::PathUse::read, ""}});
      });
    }
  } else if (parsed.has("force")) {
    problems.add(
        "--force has no meaning without --cadishi (existing tables are always "
        "replaced)");
  }
  if (parsed.has("arrays")) {
    refuse_options(parsed, "arrays",
                   {"quantity", "format", "normalization", "errors", "cadishi", "rebin",
                    "smooth", "per-block", "temperature"},
                   problems);
  }
  if (parsed.has("like")) {
    check_like(parsed, problems);
  }
}

/// Writes the histograms of CADISHI.
void export_cadishi(const ParsedOptions& parsed, const io::ResultFile& result) {
  io::CadishiExport cadishi;
  cadishi.overwrite = parsed.has("force") ? io::Overwrite::yes : io::Overwrite::no;
  cadishi.external = external_files(parsed);
  io::write_cadishi_histograms(parsed.get("output"), result, cadishi);
}

/// Writes a table of a result of starhist rdf.
ExitCode export_pairs(const ParsedOptions& parsed, io::ExportRequest request,
                      const io::ShownUnits& units) {
  const std::string& path = parsed.positional.front();
  io::ResultFile result = read_result_input(path, external_files(parsed));
  report_incomplete(result);
  refuse_lag_options(parsed);
  const std::string quantity = parsed.get("quantity");
  if (parsed.has("normalization") && quantity != "g" && quantity != "pmf") {
    throw InputError("--normalization does not apply to --quantity " + quantity +
                     " (it is for g and pmf; leave it out)");
  }
  check_external_conflicts(export_manual(), parsed, result.external_files);
  if (parsed.has("like")) {
    print_notes(write_like(parsed, result, units));
    return ExitCode::done;
  }
  io::set_units(result, units);
  if (parsed.has("cadishi")) {
    export_cadishi(parsed, result);
    return ExitCode::done;
  }
  if (parsed.has("pairs")) {
    request.pairs = parse_pairs(parsed.get("pairs"), result.layout.species);
    request.directions =
        parse_centred_pairs(parsed.get("pairs"), result.layout.species);
  }
  std::vector<std::string> notes;
  write_text(parsed.get("output"), [&](std::ostream& out) {
    if (parsed.has("arrays")) {
      io::write_block_arrays(out, result, request.pairs);
      return;
    }
    notes = io::write_export(out, result, request);
  });
  print_notes(notes);
  return ExitCode::done;
}

}  // namespace

Manual export_manual() {
  return {
      .command = "export",
      .summary = "write counts, g(r) or coordination numbers: csv, xvg, json",
      .synopsis = "RESULT.h5 [options]",
      .description =
          "Writes the counts of a result file, summed over its blocks, as text.",
      .options =
          {{OptionGroup::quantity,
            "quantity",
            "Q",
            "g, density, pmf, counts or coordination; with rdf --axis2 also axis2 or "
            "axis2-counts; of a result of vanhove: g "
            "or counts of distances between frames, self or self-counts "
            "(displacements), or msd; of a result of coordination: distribution, "
            "counts, mean, per-frame or per-particle",
            {.fallback = "g",
             .otherwise = "g; of a result of coordination: distribution",
             .choices = {"g", "density", "pmf", "counts", "coordination", "axis2",
                         "axis2-counts", "self", "self-counts", "msd", "distribution",
                         "mean", "per-frame", "per-particle"}}},
           {OptionGroup::quantity,
            "like",
            "PROGRAM",
            "g(r) as gmx, mdanalysis, vmd, lammps, freud or cpptraj prints it: "
            "bins, normalisation, unit, columns and file layout",
            {.choices = io::other_program_names()}},
           {OptionGroup::quantity, "rebin", "N|log:N|EDGES",
            "merge N bins to one, make N bins of equal ratio, or merge bins "
            "between edges such as 0,0.3,1"},
           {OptionGroup::quantity, "smooth", "W",
            "for g, density and pmf: running mean over a width W, in the length "
            "unit of the output"},
           {OptionGroup::quantity, "per-block", "",
            "a column for each block instead of one for all"},
           {OptionGroup::quantity, "temperature", "K",
            "for pmf: temperature, for values in kJ/mol instead of kT; of a result in "
            "reduced units T*, for values in epsilon"},
           {OptionGroup::output,
            "format",
            "F",
            "csv, xvg or json",
            {.otherwise = "from the extension of FILE, or csv",
             .choices = {"csv", "xvg", "json"}}},
           {OptionGroup::quantity,
            "normalization",
            "N",
            "for g and pmf: pairs-over-volume, mean-volume or per-frame",
            {.fallback = "pairs-over-volume",
             .choices = {"pairs-over-volume", "mean-volume", "per-frame"}}},
           {OptionGroup::quantity, "errors", "",
            "add columns of standard errors (jackknife over the blocks)"},
           {OptionGroup::quantity,
            "pairs",
            "A-B,...",
            "species pairs",
            {.otherwise = "all in the file"}},
           {OptionGroup::quantity,
            "species",
            "A,...",
            "for self, self-counts and msd: species",
            {.otherwise = "all in the file"}},
           {OptionGroup::output, "map", "",
            "of a result of vanhove: one line per lag and bin, in place of a "
            "column per lag"},
           {OptionGroup::output, "cadishi", "",
            "write all counts to the file of --output in CADISHI's format "
            "(HDF5), for CAPRIQORN"},
           {OptionGroup::output, "arrays", "",
            "write the counts of each block as arrays for programs (see Block "
            "arrays in the reference)"},
           unit_option(),
           out_unit_option(),
           allow_external_option(),
           {OptionGroup::output,
            "output,o",
            "FILE",
            "write to FILE instead of standard output",
            {.path = io::PathUse::written}},
           {OptionGroup::output, "force,f", "",
            "with --cadishi: replace an existing FILE and the FILE.partial of an "
            "earlier run"}},
      .sections = {
          {"quantities",
           R"(  g             radial distribution function
  density       number density around a particle, also in open boxes
  pmf           potential of mean force -ln g(r)
  counts        unordered pairs per bin
  coordination  mean number of neighbours up to r
  axis2         g(r, second axis), a line per bin of both (rdf --axis2)
  axis2-counts  pairs per bin of r and of the second axis
)"},
          {"normalizations of g(r), which differ only if V or N changes with time",
           R"(  pairs-over-volume  sum of counts / sum of pairs/V   (GROMACS, mdtraj)
  mean-volume        with the mean volume             (MDAnalysis)
  per-frame          mean of each frame's g(r)        (VMD, LAMMPS)
)"},
          {"examples",
           R"(  starhist export rdf.h5 --errors > g.csv
    in Python: pandas.read_csv("g.csv", comment="#")
  starhist export rdf.h5 --out-unit A > g-angstrom.csv
  starhist export rdf.h5 --quantity coordination --pairs O-H -o cn.xvg
  starhist export rdf.h5 --like gmx --pairs OW-OW -o gmx.xvg
  starhist export rdf.h5 --rebin 5 --errors > coarse.csv
  starhist export rdf.h5 --quantity pmf --temperature 300 > pmf.csv
  starhist export rdf.h5 --cadishi -o histograms.h5
  starhist export vh.h5 --quantity msd --errors > msd.csv
  starhist export cn.h5 --quantity mean --errors > mean.csv
)"}}};
}

ExitCode run_export(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_result_options(export_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  const io::ExportRequest request = parse_request(*parsed, problems);
  check_combinations(*parsed, problems);
  io::ShownUnits units;
  problems.collect([&] { units = shown_units(*parsed); });
  problems.throw_if_any("export");

  const std::string& path = parsed->positional.front();
  if (io::is_lag_result(path, external_files(*parsed))) {
    return export_lags(*parsed, request.format, units);
  }
  if (io::is_coordination_result(path, external_files(*parsed))) {
    return export_neighbours(*parsed, request.format, units);
  }
  return export_pairs(*parsed, request, units);
}

}  // namespace starhist::driver
