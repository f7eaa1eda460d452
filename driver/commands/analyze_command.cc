#include <iostream>

#include "codelets/core/base/error.hh"
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

/// Element by species from "OW=O,HW=H". Throws InputError for another form or a
/// repeated species.
std::map<std::string, std::string> parse_elements(const std::string& text) {
  std::map<std::string, std::string> elements;
  for (const std::string& entry : split_list(text)) {
    const std::size_t sign = entry.rfind('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == entry.size()) {
      throw InputError("--element '" + entry + "' is not SPECIES=ELEMENT, as OW=O");
    }
    if (!elements.emplace(entry.substr(0, sign), entry.substr(sign + 1)).second) {
      throw InputError("--element names " + entry.substr(0, sign) + " twice");
    }
  }
  return elements;
}

/// Adds a problem for each option that does not apply to the quantity.
void check_relevance(const ParsedOptions& parsed, io::Analysis analysis,
                     Problems& problems) {
  const bool scattering = analysis == io::Analysis::structure_factor ||
                          analysis == io::Analysis::x_ray ||
                          analysis == io::Analysis::neutron;
  const auto refuse = [&](std::initializer_list<const char*> options) {
    for (const char* option : options) {
      if (parsed.has(option)) {
        problems.add("--" + std::string(option) + " has no meaning for --quantity " +
                     to_string(analysis));
      }
    }
  };
  if (!scattering) {
    refuse({"q-min", "q-max", "q-step", "window", "partials", "element", "debye"});
  }
  if (analysis != io::Analysis::kirkwood_buff) {
    refuse({"correction"});
  }
  if (analysis == io::Analysis::block_length) {
    refuse({"r-cut", "errors"});
  }
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
  problems.collect([&] { request.elements = parse_elements(parsed.get("element")); });
  problems.collect([&] { request.q_min = number_if_given(parsed, "q-min"); });
  problems.collect([&] { request.q_max = number_if_given(parsed, "q-max"); });
  problems.collect([&] { request.q_step = number_if_given(parsed, "q-step"); });
  problems.collect([&] { request.r_cut = number_if_given(parsed, "r-cut"); });
  request.debye = parsed.has("debye");
  request.errors = parsed.has("errors");
  return request;
}

}  // namespace

Manual analyze_manual() {
  return {
      .command = "analyze",
      .summary = "compute S(q), I(q), Kirkwood-Buff integrals; test blocks",
      .synopsis = "RESULT.h5 [options]",
      .description =
          "Computes structure factors, intensities or integrals from a result's "
          "counts.",
      .options =
          {{OptionGroup::quantity,
            "quantity",
            "Q",
            "sq, xray, neutron, kirkwood-buff or blocks",
            {.fallback = "sq",
             .choices = {"sq", "xray", "neutron", "kirkwood-buff", "blocks"}}},
           {OptionGroup::quantity,
            "pairs",
            "A-B,...",
            "for sq, kirkwood-buff and blocks: species pairs",
            {.otherwise = "all"}},
           {OptionGroup::quantity, "errors", "",
            "add columns of standard errors (jackknife over the blocks)"},
           {OptionGroup::quantity,
            "partials",
            "P",
            "for sq: faber-ziman or ashcroft-langreth",
            {.fallback = "faber-ziman",
             .choices = {"faber-ziman", "ashcroft-langreth"}}},
           {OptionGroup::quantity,
            "element",
            "A=E,...",
            "for xray and neutron: element of each species, such as OW=O,NA=Na1+,HW=D; "
            "a number is a constant factor, none a site without an atom",
            {.otherwise = "the element recorded in the result"}},
           {OptionGroup::quantity, "debye", "",
            "Debye sum over all counted pairs, for clusters and open boxes"},
           {OptionGroup::quantity,
            "correction",
            "C",
            "for kirkwood-buff: correction of the tail of g(r), none or ganguly",
            {.fallback = "none", .choices = {"none", "ganguly"}}},
           {OptionGroup::ranges,
            "q-min",
            "Q",
            "smallest q [1/length unit of the output]",
            {.otherwise = "--q-step"}},
           {OptionGroup::ranges,
            "q-max",
            "Q",
            "largest q",
            {.otherwise = "0.2/bin width, up to which sharp peaks of g(r) are "
                          "accurate; at most 30/Angstrom"}},
           {OptionGroup::ranges,
            "q-step",
            "Q",
            "step of q",
            {.otherwise = "about pi / (4 r-cut)"}},
           {OptionGroup::ranges,
            "r-cut",
            "R",
            "largest distance used, in the length unit of the output",
            {.otherwise = "the largest r at which g(r) is defined"}},
           {OptionGroup::ranges,
            "window",
            "W",
            "window function to reduce termination ripples: none, lorch or hann",
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
  kirkwood-buff  running integrals of 4 pi r^2 (g - 1), plain and with the
                 weights of Krueger et al. for closed systems
  blocks         standard error against block length, a test of block lengths
)"},
          {"examples", R"(  starhist analyze rdf.h5 --window lorch --errors > sq.csv
  starhist analyze rdf.h5 --quantity xray --element OW=O,HW=H -o iq.csv
  starhist analyze cluster.h5 --quantity xray --debye --q-max 50 > iq.csv
  starhist analyze rdf.h5 --quantity kirkwood-buff --correction ganguly
  starhist analyze rdf.h5 --quantity blocks
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

  io::ResultFile result =
      read_result_input(parsed->positional.front(), external_files(*parsed));
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
