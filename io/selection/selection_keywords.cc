#include "io/selection/selection_keywords.hh"

#include <map>

namespace starhist::io {
namespace {

using Names = std::vector<std::string>;

const std::map<std::string, Names>& residues() {
  static const Names protein{
      "ACE",  "ALA",  "ALAD", "ARG",  "ARGN", "ASF",  "ASH",  "ASN",  "ASN1", "ASP",
      "ASPH", "CALA", "CARG", "CASF", "CASN", "CASP", "CCYS", "CCYX", "CGLN", "CGLU",
      "CGLY", "CHID", "CHIE", "CHIP", "CILE", "CLEU", "CLYS", "CME",  "CMET", "CPHE",
      "CPRO", "CSER", "CTHR", "CTRP", "CTYR", "CVAL", "CYM",  "CYS",  "CYS1", "CYS2",
      "CYSH", "CYX",  "DAB",  "GLH",  "GLN",  "GLU",  "GLUH", "GLY",  "HID",  "HIE",
      "HIP",  "HIS",  "HIS1", "HIS2", "HISA", "HISB", "HISD", "HISE", "HISH", "HSD",
      "HSE",  "HSP",  "HYP",  "ILE",  "LEU",  "LYN",  "LYS",  "LYSH", "MET",  "MSE",
      "NALA", "NARG", "NASN", "NASP", "NCYS", "NCYX", "NGLN", "NGLU", "NGLY", "NHID",
      "NHIE", "NHIP", "NILE", "NLEU", "NLYS", "NME",  "NMET", "NPHE", "NPRO", "NSER",
      "NTHR", "NTRP", "NTYR", "NVAL", "ORN",  "PGLU", "PHE",  "PRO",  "QLN",  "SER",
      "THR",  "TRP",  "TYR",  "VAL"};
  static const Names water{"DOD", "H2O",  "HHO",  "HOH",  "OH2",  "OHH",
                           "SOL", "SPC",  "SPCE", "T3P",  "T4P",  "T5P",
                           "TIP", "TIP2", "TIP3", "TIP4", "TIP5", "WAT"};
  static const Names ion{
      "AG",  "AL",  "BA",  "BA2+", "BAR", "BR",  "BR-",  "Br-", "CA",  "CA2", "CA2+",
      "CAD", "CAL", "CD",  "CD2+", "CES", "CL",  "CL-",  "CLA", "CO",  "CS",  "CS+",
      "CU",  "CU1", "CU2", "Cl",   "Cl-", "Cs+", "F-",   "FE",  "FE2", "FE3", "HG",
      "I-",  "IOD", "K",   "K+",   "LI",  "LI+", "LIT",  "Li+", "MG",  "MG2", "MG2+",
      "MN",  "MN2", "MN3", "Mg+",  "NA",  "NA+", "NI",   "Na",  "Na+", "PB",  "POT",
      "RB",  "RB+", "RUB", "Rb+",  "SOD", "SR",  "SR2+", "ZN",  "ZN2", "ZN2+"};
  static const std::map<std::string, Names> all{
      {"protein", protein}, {"backbone", protein}, {"water", water}, {"ion", ion}};
  return all;
}

}  // namespace

bool is_selection_keyword(const std::string& word) {
  return residues().contains(word);
}

const Names& residues_of_keyword(const std::string& keyword) {
  return residues().at(keyword);
}

const Names& names_of_keyword(const std::string& keyword) {
  static const Names none;
  static const Names backbone{"N", "CA", "C", "O"};
  return keyword == "backbone" ? backbone : none;
}

}  // namespace starhist::io
