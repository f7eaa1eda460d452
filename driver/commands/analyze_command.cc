#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "driver/commands/command.hh"
#include "driver/commands/result_input.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/text_output.hh"
#include "io/export/analysis_quantities.hh"

namespace starhist::driver {
namespace {

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
std::pair<double, double> parse_sub_volumes(const std::string& option,
                                            const std::string& text) {
  const std::vector<std::string> words = split_list(text);
  if (words.size() != 2) {
    throw InputError(option + " '" + text +
                     "' is not SMALLEST,LARGEST, the diameters of two spheres");
  }
  return {parse_length(option, words[0]), parse_length(option, words[1])};
}

/// --experiment-range X1,X2.
std::pair<double, double> parse_experiment_range(const std::string& option,
                                                 const std::string& text) {
  const std::vector<std::string> words = split_list(text);
  if (words.size() == 2) {
    const std::pair<double, double> range{parse_number(option, words[0]),
                                          parse_number(option, words[1])};
    if (range.first < range.second) {
      return range;
    }
  }
  throw InputError(
      option + " '" + text +
      "' is not X1,X2 with X1 < X2, the smallest and largest x to compare");
}

const io::AnalysisQuantity& find_quantity(const std::string& name) {
  return **std::find_if(io::quantities::all.begin(), io::quantities::all.end(),
                        [&](const auto* quantity) { return quantity->name == name; });
}

/// Names of the quantities for which `condition` is true.
template <class Condition>
std::vector<std::string> names_if(Condition condition) {
  std::vector<std::string> names;
  for (const io::AnalysisQuantity* quantity : io::quantities::all) {
    if (condition(*quantity)) {
      names.emplace_back(quantity->name);
    }
  }
  return names;
}

/// The words for a sentence: "xray, pdf and fqt", with `last` for "and".
std::string enumerated(const std::vector<std::string>& words, const std::string& last) {
  const std::string start = join({words.begin(), words.end() - 1}, ", ");
  return (start.empty() ? "" : start + " " + last + " ") + words.back();
}

/// The quantities that accept an option: "for pdf and fqt"; "" for an option of all.
std::string scope_of(const std::string& option) {
  const auto accepting =
      names_if([&](const auto& quantity) { return accepts(quantity, option); });
  const auto others =
      names_if([&](const auto& quantity) { return !accepts(quantity, option); });
  if (accepting.empty() || others.empty()) {
    return "";
  }
  return others.size() > 2 ? "for " + enumerated(accepting, "and")
                           : "for all quantities except " + enumerated(others, "and");
}

/// Adds a problem for each option that does not apply to the quantity, or needs another
/// option.
void check_relevance(const ParsedOptions& parsed, const io::AnalysisQuantity& quantity,
                     Problems& problems) {
  for (const auto& [option, value] : parsed.values) {
    const std::string scope = scope_of(option);
    if (!scope.empty() && !accepts(quantity, option)) {
      problems.add("--" + option + " has no meaning for --quantity " + quantity.name +
                   (parsed.has("quantity") ? "" : ", the default") + " (it is " +
                   scope + ")");
    }
  }
  const auto refuse = [&](std::initializer_list<const char*> options,
                          const std::string& with) {
    for (const char* option : options) {
      if (parsed.has(option)) {
        problems.add("--" + std::string(option) + " has no meaning " + with);
      }
    }
  };
  if (!parsed.has("experiment")) {
    refuse({"experiment-unit", "experiment-curve", "experiment-range", "fit-scale"},
           "without --experiment");
  }
  if (!parsed.has("table")) {
    refuse({"tail", "sub-volumes"}, "without --quantity kirkwood-buff --table");
  }
  if (parsed.has("at-q")) {
    refuse({"q-min", "q-max", "q-step"}, "with --at-q");
  }
  if (accepts(quantity, "weights") && parsed.get("weights") == "number") {
    refuse({"element"}, "without --weights xray or neutron");
  }
}

/// --at-q: values of q from 0 on, "20,30.5".
std::vector<double> parse_at_q(const std::string& option, const std::string& text) {
  std::vector<double> values;
  for (const std::string& value : split_list(text)) {
    values.push_back(parse_number(option, value));
    if (!(values.back() >= 0.0) || !std::isfinite(values.back())) {
      throw InputError(option + " " + value + " is not a finite number of 0 or more");
    }
  }
  if (values.empty()) {
    throw InputError(option + " is empty (give values of q, such as 20,30.5)");
  }
  return values;
}

io::AnalysisRequest make_request(const ParsedOptions& parsed, Problems& problems) {
  io::AnalysisRequest request;
  request.quantity = &find_quantity(parsed.get("quantity"));
  if (!parsed.refused.contains("quantity")) {
    check_relevance(parsed, *request.quantity, problems);
  }
  // Sets a value if its option is given.
  const auto parse = [&](const std::string& name, const auto& parse_text, auto& value) {
    problems.collect([&] {
      if (parsed.has(name)) {
        value = parse_text("--" + name, parsed.get(name));
      }
    });
  };
  problems.collect(
      [&] { request.format = io::parse_export_format(table_format(parsed)); });
  request.window = io::parse_window(parsed.get("window"));
  if (parsed.has("partials")) {
    request.partials = io::parse_partials(parsed.get("partials"));
  }
  request.correction = io::parse_tail_correction(parsed.get("correction"));
  request.weights = io::parse_weights(parsed.get("weights"));
  problems.collect([&] {
    request.elements = parse_by_species("--element", parsed.get("element"),
                                        "SPECIES=ELEMENT, as OW=O");
  });
  problems.collect([&] { request.charges = parse_charges(parsed.get("charges")); });
  parse("r-step", parse_length, request.r_step);
  parse("q-damp", parse_length, request.q_damp);
  parse("tail", parse_length, request.tail);
  parse("sub-volumes", parse_sub_volumes, request.sub_volumes);
  parse("q-min", parse_number, request.q_min);
  parse("q-max", parse_number, request.q_max);
  parse("q-step", parse_number, request.q_step);
  parse("at-q", parse_at_q, request.at_q);
  parse("r-cut", parse_number, request.r_cut);
  request.experiment = parsed.get("experiment");
  request.experiment_curve = parsed.get("experiment-curve");
  request.fit_scale = parsed.has("fit-scale");
  parse("experiment-unit", parse_shown_unit, request.experiment_unit);
  parse("experiment-range", parse_experiment_range, request.experiment_range);
  request.table = parsed.has("table");
  request.form = parsed.get("form");
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
                     request.quantity->name +
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

/// The lines with `before` in front of the first one, and each of the others indented
/// to the same column.
std::string indented(std::string before, const std::string& lines) {
  std::string text;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    text += before + line + "\n";
    before.assign(before.size(), ' ');
  }
  return text;
}

/// The names of all quantities, in a column, with their help.
std::string described_quantities() {
  std::string text;
  for (const io::AnalysisQuantity* quantity : io::quantities::all) {
    std::string name = std::string("  ") + quantity->name;
    name.resize(std::max<std::size_t>(17, name.size() + 2), ' ');
    text += indented(name, quantity->help);
  }
  return text;
}

std::string examples() {
  std::string text;
  for (const io::AnalysisQuantity* quantity : io::quantities::all) {
    text += indented("  ", quantity->examples);
  }
  return text;
}

}  // namespace

Manual analyze_manual() {
  Manual manual{
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
            enumerated(names_if(std::not_fn(io::needs_lags)), "or") +
                "; of results of vanhove " + enumerated(names_if(io::needs_lags), "or"),
            {.fallback = "sq", .choices = names_if([](const auto&) { return true; })}},
           {OptionGroup::quantity,
            "pairs",
            "A-B,...",
            "species pairs",
            {.otherwise = "all"}},
           {OptionGroup::quantity, "errors", "",
            "add columns of standard errors (jackknife over the blocks)"},
           {OptionGroup::quantity,
            "partials",
            "P",
            "ashcroft-langreth, faber-ziman (not for fqt) or, for sq of two species, "
            "bhatia-thornton",
            {.otherwise = "faber-ziman; ashcroft-langreth for fqt",
             .choices = {"faber-ziman", "ashcroft-langreth", "bhatia-thornton"}}},
           {OptionGroup::quantity,
            "form",
            "F",
            "S, i or F; for pdf g, G, GPDF, D, T or RDF",
            {.otherwise = "I(q)/N and S(q); g",
             .choices = {"g", "G", "GPDF", "D", "T", "RDF", "S", "i", "F"}}},
           {OptionGroup::quantity,
            "weights",
            "W",
            "weights of the pairs: number, xray or neutron",
            {.fallback = "number", .choices = {"number", "xray", "neutron"}}},
           {OptionGroup::quantity, "charges", "A=Z,...",
            "charge of each species, such as NA=1,CL=-1"},
           {OptionGroup::quantity,
            "element",
            "A=E,...",
            "element of each species, such as OW=O,NA=Na1+,HW=D; a number is a "
            "constant "
            "factor, none a site without an atom",
            {.otherwise = "the element recorded in the result"}},
           {OptionGroup::quantity, "debye", "",
            "Debye sum over all counted pairs, for clusters and open boxes"},
           {OptionGroup::quantity,
            "correction",
            "C",
            "correction of the tail of g(r), none or ganguly",
            {.fallback = "none", .choices = {"none", "ganguly"}}},
           {OptionGroup::quantity, "table", "",
            "a table of G and excess numbers by five methods, with standard errors, "
            "instead of running integrals; for the three pairs of two species also "
            "activity derivatives"},
           {OptionGroup::quantity,
            "experiment",
            "FILE",
            "text file with a measured curve, in columns x, y and optionally error; "
            "the "
            "table then has its points, the computed curve at them and the residual, "
            "and R_w is printed",
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
            "largest q; for pdf the end of the transform from q to r, without which "
            "g(r) is used as it is",
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
            "a curve over the lag at each of these q",
            {.otherwise = "a curve over q for each lag", .examples = {"20,30.5"}}},
           {OptionGroup::ranges, "q-damp", "Q",
            "resolution of a diffractometer, Q_damp of PDFgui: oscillations "
            "are multiplied by exp(-(Q r)^2 / 2)"},
           {OptionGroup::ranges,
            "r-step",
            "R",
            "step of r after a transform with --q-max",
            {.otherwise = "about pi / (10 q-max)"}},
           {OptionGroup::ranges,
            "r-cut",
            "R",
            "largest distance used, in the length unit of the output",
            {.otherwise = "half the box for pdf, s2 and kirkwood-buff, otherwise the "
                          "end of g(r)"}},
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
      .sections = {{"quantities", described_quantities()}, {"examples", examples()}}};
  for (OptionSpec& option : manual.options) {
    const std::string scope = scope_of(long_name(option));
    option.help = (scope.empty() ? "" : scope + ": ") + option.help;
  }
  return manual;
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

  if (io::needs_lags(*request.quantity)) {
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
