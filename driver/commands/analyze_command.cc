#include <cmath>
#include <iostream>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/units.hh"
#include "driver/commands/command.hh"
#include "driver/commands/result_input.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/text_output.hh"
#include "io/export/analysis.hh"

namespace starhist::driver {
namespace {

std::optional<double> number_if_given(const ParsedOptions& parsed,
                                      const std::string& name) {
  if (!parsed.has(name)) {
    return std::nullopt;
  }
  return parse_number("--" + name, parsed.get(name));
}

/// Words by species from "OW=O,HW=H", the value of `option`. Throws InputError for
/// another form, of which `form` is an example, or a repeated species.
std::map<std::string, std::string> parse_by_species(const std::string& option,
                                                    const std::string& text,
                                                    const std::string& form) {
  std::map<std::string, std::string> words;
  for (const std::string& entry : split_list(text)) {
    const std::size_t sign = entry.rfind('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == entry.size()) {
      throw InputError(option + " '" + entry + "' is not " + form);
    }
    if (!words.emplace(entry.substr(0, sign), entry.substr(sign + 1)).second) {
      throw InputError(option + " names " + entry.substr(0, sign) + " twice");
    }
  }
  return words;
}

std::map<std::string, double> parse_charges(const std::string& text) {
  std::map<std::string, double> charges;
  for (const auto& [species, charge] :
       parse_by_species("--charges", text, "SPECIES=CHARGE, as NA=1")) {
    charges.emplace(species, parse_number("--charges", charge));
  }
  return charges;
}

/// --sub-volumes SMALLEST,LARGEST.
std::pair<double, double> parse_sub_volumes(const std::string& text) {
  const std::vector<std::string> words = split_list(text);
  if (words.size() != 2) {
    throw InputError("--sub-volumes '" + text +
                     "' is not SMALLEST,LARGEST, the diameters of two spheres");
  }
  return {parse_length("--sub-volumes", words[0]),
          parse_length("--sub-volumes", words[1])};
}

/// --experiment-range X1,X2.
std::pair<double, double> parse_experiment_range(const std::string& text) {
  const std::vector<std::string> words = split_list(text);
  if (words.size() == 2) {
    const std::pair<double, double> range{parse_number("--experiment-range", words[0]),
                                          parse_number("--experiment-range", words[1])};
    if (range.first < range.second) {
      return range;
    }
  }
  throw InputError(
      "--experiment-range '" + text +
      "' is not X1,X2 with X1 < X2, the smallest and largest x to compare");
}

/// Adds a problem for each option that does not apply to the quantity.
void check_relevance(const ParsedOptions& parsed, io::Analysis analysis,
                     Problems& problems) {
  const bool pdf = analysis == io::Analysis::total_distribution;
  const bool intensity =
      analysis == io::Analysis::x_ray || analysis == io::Analysis::neutron;
  const bool scattering = intensity || analysis == io::Analysis::structure_factor ||
                          analysis == io::Analysis::charge || io::needs_lags(analysis);
  const bool integrals = analysis == io::Analysis::kirkwood_buff;
  const auto refuse = [&](std::initializer_list<const char*> options) {
    for (const char* option : options) {
      if (parsed.has(option)) {
        problems.add("--" + std::string(option) + " has no meaning for --quantity " +
                     to_string(analysis));
      }
    }
  };
  if (!scattering) {
    refuse({"q-min", "q-step", "debye"});
  }
  if (io::needs_lags(analysis)) {
    refuse({"debye"});
  } else {
    refuse({"at-q"});
  }
  for (const char* option : {"q-min", "q-max", "q-step"}) {
    if (parsed.has("at-q") && parsed.has(option)) {
      problems.add("--" + std::string(option) + " has no meaning with --at-q");
    }
  }
  if (!scattering && !pdf) {
    refuse({"q-max", "window"});
  }
  if (analysis != io::Analysis::structure_factor && !io::needs_lags(analysis)) {
    refuse({"partials"});
  }
  const bool fqt = analysis == io::Analysis::intermediate;
  const bool weighted_fqt = fqt && parsed.get("weights") != "number";
  if (analysis == io::Analysis::charge || (io::needs_lags(analysis) && !weighted_fqt) ||
      (!scattering && !pdf)) {
    refuse({"element"});
  }
  if (!intensity && !pdf) {
    refuse({"form"});
  }
  if (!pdf &&
      (!scattering || analysis == io::Analysis::charge || io::needs_lags(analysis))) {
    refuse({"experiment"});
  }
  for (const char* option :
       {"experiment-unit", "experiment-curve", "experiment-range", "fit-scale"}) {
    if (parsed.has(option) && !parsed.has("experiment")) {
      problems.add("--" + std::string(option) + " has no meaning without --experiment");
    }
  }
  if (!pdf && !fqt) {
    refuse({"weights"});
  }
  if (!pdf) {
    refuse({"r-step", "q-damp"});
  }
  if (analysis != io::Analysis::charge) {
    refuse({"charges"});
  }
  if (!integrals) {
    refuse({"correction", "table"});
  }
  if (!integrals || !parsed.has("table")) {
    for (const char* option : {"tail", "sub-volumes"}) {
      if (parsed.has(option)) {
        problems.add("--" + std::string(option) +
                     " has no meaning without --quantity kirkwood-buff --table");
      }
    }
  }
  if (analysis == io::Analysis::block_length) {
    refuse({"r-cut", "errors"});
  }
  if (analysis == io::Analysis::legendre) {
    refuse({"r-cut"});
  }
}

/// Parses "20,30.5": values of q from 0 on.
std::vector<double> parse_at_q(const std::string& text) {
  std::vector<double> values;
  std::istringstream list(text);
  for (std::string value; std::getline(list, value, ',');) {
    values.push_back(parse_number("--at-q", value));
    if (!(values.back() >= 0.0) || !std::isfinite(values.back())) {
      throw InputError("--at-q " + value + " is not a finite number of 0 or more");
    }
  }
  return values;
}

io::AnalysisRequest make_request(const ParsedOptions& parsed, Problems& problems) {
  io::AnalysisRequest request;
  problems.collect([&] {
    request.analysis = io::parse_analysis(parsed.get("quantity"));
    check_relevance(parsed, request.analysis, problems);
  });
  problems.collect(
      [&] { request.format = io::parse_export_format(table_format(parsed)); });
  problems.collect([&] { request.window = io::parse_window(parsed.get("window")); });
  problems.collect([&] {
    if (parsed.has("partials")) {
      request.partials = io::parse_partials(parsed.get("partials"));
    }
  });
  problems.collect([&] {
    request.correction = io::parse_tail_correction(parsed.get("correction"));
  });
  problems.collect([&] {
    request.elements = parse_by_species("--element", parsed.get("element"),
                                        "SPECIES=ELEMENT, as OW=O");
  });
  problems.collect([&] { request.charges = parse_charges(parsed.get("charges")); });
  problems.collect([&] { request.weights = io::parse_weights(parsed.get("weights")); });
  problems.collect([&] {
    if (parsed.has("r-step")) {
      request.r_step = parse_length("--r-step", parsed.get("r-step"));
    }
  });
  problems.collect([&] {
    if (parsed.has("q-damp")) {
      request.q_damp = parse_length("--q-damp", parsed.get("q-damp"));
    }
  });
  problems.collect([&] {
    if (request.analysis == io::Analysis::total_distribution && parsed.has("q-max")) {
      parse_length("--q-max", parsed.get("q-max"));
    }
  });
  problems.collect([&] {
    if (parsed.has("tail")) {
      request.tail = parse_length("--tail", parsed.get("tail"));
    }
  });
  problems.collect([&] {
    if (parsed.has("sub-volumes")) {
      request.sub_volumes = parse_sub_volumes(parsed.get("sub-volumes"));
    }
  });
  request.experiment = parsed.get("experiment");
  request.experiment_curve = parsed.get("experiment-curve");
  request.fit_scale = parsed.has("fit-scale");
  problems.collect([&] {
    if (parsed.has("experiment-unit")) {
      request.experiment_unit =
          parse_shown_unit("--experiment-unit", parsed.get("experiment-unit"));
    }
  });
  problems.collect([&] {
    if (parsed.has("experiment-range")) {
      request.experiment_range = parse_experiment_range(parsed.get("experiment-range"));
    }
  });
  request.table = parsed.has("table");
  request.form = parsed.get("form");
  problems.collect([&] { request.q_min = number_if_given(parsed, "q-min"); });
  problems.collect([&] { request.q_max = number_if_given(parsed, "q-max"); });
  problems.collect([&] { request.q_step = number_if_given(parsed, "q-step"); });
  problems.collect([&] {
    request.at_q = parse_at_q(parsed.get("at-q"));
    if (parsed.has("at-q") && request.at_q.empty()) {
      throw InputError("--at-q is empty (give values of q, such as 20,30.5)");
    }
  });
  problems.collect([&] { request.r_cut = number_if_given(parsed, "r-cut"); });
  request.debye = parsed.has("debye");
  request.errors = parsed.has("errors");
  return request;
}

/// Writes the table of a result of starhist vanhove.
ExitCode analyze_lags(const ParsedOptions& parsed, io::AnalysisRequest& request,
                      const io::ShownUnits& units) {
  const std::string& path = parsed.positional.front();
  if (io::is_result(path, external_files(parsed))) {
    throw InputError(path + ": has distances within frames, but --quantity " +
                     to_string(request.analysis) +
                     " needs distances between frames: count with starhist vanhove");
  }
  io::LagResult result = io::read_lag_result(path, external_files(parsed));
  report_incomplete(result.channels);
  check_external_conflicts(analyze_manual(), parsed, result.channels.external_files);
  io::set_units(result, units);
  if (parsed.has("pairs")) {
    request.pairs = parse_pairs(parsed.get("pairs"), result.layout.pairs.species);
  }
  std::vector<std::string> notes;
  write_text(parsed.get("output"), [&](std::ostream& out) {
    notes = io::write_lag_analysis(out, result, request);
  });
  print_notes(notes);
  return ExitCode::done;
}

}  // namespace

Manual analyze_manual() {
  return {
      .command = "analyze",
      .summary = "compute S(q), PDF, Kirkwood-Buff integrals; test blocks",
      .synopsis = "RESULT.h5 [options]",
      .description =
          "Computes structure factors, intensities or integrals from a result's "
          "counts.",
      .options =
          {{OptionGroup::quantity,
            "quantity",
            "Q",
            "sq, xray, neutron, charge, pdf, s2, kirkwood-buff, blocks or legendre "
            "(rdf --axis2); of results of vanhove fqt, fqt-self or fqt-distinct",
            {.fallback = "sq",
             .choices = {"sq", "xray", "neutron", "charge", "pdf", "s2",
                         "kirkwood-buff", "blocks", "legendre", "fqt", "fqt-self",
                         "fqt-distinct"}}},
           {OptionGroup::quantity,
            "pairs",
            "A-B,...",
            "for sq, kirkwood-buff, blocks, legendre, fqt and fqt-distinct: species "
            "pairs",
            {.otherwise = "all"}},
           {OptionGroup::quantity, "errors", "",
            "add columns of standard errors (jackknife over the blocks)"},
           {OptionGroup::quantity,
            "partials",
            "P",
            "for sq: faber-ziman, ashcroft-langreth or, for two species, "
            "bhatia-thornton; for fqt-distinct one of the first two",
            {.otherwise = "faber-ziman; ashcroft-langreth for fqt",
             .choices = {"faber-ziman", "ashcroft-langreth", "bhatia-thornton"}}},
           {OptionGroup::quantity,
            "form",
            "F",
            "for pdf: g, G, GPDF, D, T or RDF; for xray and neutron: S, i or F",
            {.otherwise = "g; I(q)/N and S(q)",
             .choices = {"g", "G", "GPDF", "D", "T", "RDF", "S", "i", "F"}}},
           {OptionGroup::quantity,
            "weights",
            "W",
            "for pdf and fqt: number, xray or neutron",
            {.fallback = "number", .choices = {"number", "xray", "neutron"}}},
           {OptionGroup::quantity, "charges", "A=Z,...",
            "for charge: charge of each species, such as NA=1,CL=-1"},
           {OptionGroup::quantity,
            "element",
            "A=E,...",
            "for xray, neutron, pdf and fqt: element of each species, such as "
            "OW=O,NA=Na1+,HW=D; "
            "a number is a constant factor, none a site without an atom",
            {.otherwise = "the element recorded in the result"}},
           {OptionGroup::quantity, "debye", "",
            "Debye sum over all counted pairs, for clusters and open boxes"},
           {OptionGroup::quantity,
            "correction",
            "C",
            "for kirkwood-buff: correction of the tail of g(r), none or ganguly",
            {.fallback = "none", .choices = {"none", "ganguly"}}},
           {OptionGroup::quantity, "table", "",
            "for kirkwood-buff: a table of G and excess numbers by five methods, with "
            "standard errors, instead of running integrals; for the three pairs of two "
            "species also activity derivatives"},
           {OptionGroup::quantity,
            "experiment",
            "FILE",
            "for sq, xray, neutron and pdf: text file with a measured curve, in "
            "columns "
            "x, y and optionally error; the table then has its points, the computed "
            "curve at them and the residual, and R_w is printed",
            {.path = io::PathUse::read}},
           {OptionGroup::quantity,
            "experiment-unit",
            "UNIT",
            "length unit of --experiment: A for r in Angstrom or q in 1/Angstrom, nm, "
            "...",
            {.otherwise = "the unit in the file's header, or the output's",
             .examples = {"A", "nm"}}},
           {OptionGroup::quantity,
            "experiment-curve",
            "NAME",
            "curve to compare with --experiment, such as O-O or I(q)/N",
            {.otherwise = "the last one: the total"}},
           {OptionGroup::quantity,
            "experiment-range",
            "X1,X2",
            "compare from X1 to X2, in the length unit of the output",
            {.otherwise = "all points with a computed value"}},
           {OptionGroup::quantity, "fit-scale", "",
            "multiply the computed curve by the factor that minimises R_w"},
           {OptionGroup::ranges,
            "tail",
            "R",
            "for --table: the mean of g(r) from R to --r-cut is set to 1",
            {.otherwise = "0.8 --r-cut"}},
           {OptionGroup::ranges,
            "sub-volumes",
            "L1,L2",
            "for --table: smallest and largest diameter of the spheres for the "
            "extrapolation",
            {.otherwise = "from half of --r-cut to --r-cut"}},
           {OptionGroup::ranges,
            "q-min",
            "Q",
            "smallest q [1/length unit of the output]",
            {.otherwise = "2 pi/r-cut, below which distances do not determine S(q)"}},
           {OptionGroup::ranges,
            "q-max",
            "Q",
            "largest q; for pdf: end of the transform from q to r, without which g(r) "
            "is "
            "used as it is",
            {.otherwise = "0.2/bin width, up to which sharp peaks of g(r) are "
                          "accurate; at most 30/Angstrom"}},
           {OptionGroup::ranges,
            "q-step",
            "Q",
            "step of q",
            {.otherwise = "about pi / (4 r-cut)"}},
           {OptionGroup::ranges,
            "at-q",
            "Q,...",
            "for fqt, fqt-self and fqt-distinct: a curve over the lag at each of these "
            "q",
            {.otherwise = "a curve over q for each lag", .examples = {"20,30.5"}}},
           {OptionGroup::ranges, "q-damp", "Q",
            "for pdf: resolution of a diffractometer, Q_damp of PDFgui: oscillations "
            "are multiplied by exp(-(Q r)^2 / 2)"},
           {OptionGroup::ranges,
            "r-step",
            "R",
            "for pdf with --q-max: step of r",
            {.otherwise = "about pi / (10 q-max)"}},
           {OptionGroup::ranges,
            "r-cut",
            "R",
            "largest distance used, in the length unit of the output",
            {.otherwise = "the largest r at which g(r) is defined"}},
           {OptionGroup::ranges,
            "window",
            "W",
            "window function to reduce termination ripples, at --r-cut or, for pdf, at "
            "--q-max: none, lorch or hann",
            {.fallback = "none", .choices = {"none", "lorch", "hann"}}},
           {OptionGroup::output,
            "format",
            "F",
            "csv, xvg or json",
            {.otherwise = "from the extension of FILE, or csv",
             .choices = {"csv", "xvg", "json"}}},
           unit_option(),
           out_unit_option(),
           allow_external_option(),
           {OptionGroup::output,
            "output,o",
            "FILE",
            "write to FILE instead of standard output",
            {.path = io::PathUse::written}}},
      .sections = {
          {"quantities",
           R"(  sq             partial structure factors, and S(q) with all particles equal
  xray           I(q) per particle and total S(q), with the form factors of
                 Waasmaier and Kirfel
  neutron        the same with coherent scattering lengths
  charge         S(q) with charges as weights
  pdf            total pair distribution function, weighted with form factors or
                 scattering lengths; forms in the notation of Keen (2001):
                   g     tends to 1
                   G     sum of c_A c_B f_A f_B (g_AB - 1)
                   GPDF  4 pi r rho (g - 1), called G(r) by PDFgui and diffpy
                   D     4 pi r rho G
                   T     D + 4 pi r rho <f>^2
                   RDF   4 pi r^2 rho g
  s2             pair entropy per particle, as a running integral
  kirkwood-buff  running integrals of 4 pi r^2 (g - 1), plain and with the
                 weights of Krueger et al. for closed systems
  blocks         standard error against block length, a test of block lengths
  legendre       mean Legendre polynomials P1, P2 and P4 of cos(z) at each r
                 (starhist rdf --axis2)
  fqt            intermediate scattering functions F(q, t) of each lag: partial
                 ones, <rho_A(0)* rho_B(t)> / sqrt(N_A N_B), and with all
                 particles equal or, with --weights, I(q, t)/N
  fqt-self       their self part for each species, <exp(i q dr)>
  fqt-distinct   their distinct part for each pair
)"},
          {"examples", R"(  starhist analyze rdf.h5 --window lorch --errors > sq.csv
  starhist analyze rdf.h5 --quantity xray --element OW=O,HW=H -o iq.csv
  starhist analyze cluster.h5 --quantity xray --debye --q-max 50 > iq.csv
  starhist analyze rdf.h5 --quantity pdf --form GPDF --weights xray --q-max 250
  starhist analyze rdf.h5 --quantity neutron --form F --window lorch -o fq.csv
  starhist analyze rdf.h5 --quantity xray --experiment iq.dat -o fit.csv
  starhist analyze rdf.h5 --quantity kirkwood-buff --correction ganguly
  starhist analyze rdf.h5 --quantity kirkwood-buff --table -o kb.csv
  starhist analyze rdf.h5 --quantity blocks
  starhist analyze vanhove.h5 --quantity fqt --errors -o fqt.csv
)"}}};
}

ExitCode run_analyze(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_result_options(analyze_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  io::AnalysisRequest request = make_request(*parsed, problems);
  io::ShownUnits units;
  problems.collect([&] { units = shown_units(*parsed); });
  problems.throw_if_any("analyze");

  if (io::needs_lags(request.analysis)) {
    return analyze_lags(*parsed, request, units);
  }
  io::ResultFile result =
      read_result_input(parsed->positional.front(), external_files(*parsed));
  report_incomplete(result);
  check_external_conflicts(analyze_manual(), *parsed, result.external_files);
  io::set_units(result, units);
  if (parsed->has("pairs")) {
    request.pairs = parse_pairs(parsed->get("pairs"), result.layout.species);
  }
  std::vector<std::string> notes;
  write_text(parsed->get("output"), [&](std::ostream& out) {
    notes = io::write_analysis(out, result, request);
  });
  print_notes(notes);
  return ExitCode::done;
}

}  // namespace starhist::driver
