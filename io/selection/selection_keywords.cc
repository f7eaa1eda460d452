#include "io/selection/selection_keywords.hh"

#include <map>

namespace starhist::io {
namespace {

using Names = std::vector<std::string>;

const std::map<std::string, Names>& residues() {
  static const Names protein{
      "ABU",   "ACE",  "AIB",   "ALA",   "ALAD",  "ARG",   "ARGN",  "ASF",   "ASH",
      "ASN",   "ASN1", "ASP",   "ASP1",  "ASPH",  "ASPP",  "CALA",  "CARG",  "CASF",
      "CASN",  "CASP", "CASPH", "CCYS",  "CCYS2", "CCYX",  "CDAB",  "CGLN",  "CGLU",
      "CGLUH", "CGLY", "CHID",  "CHIE",  "CHIP",  "CHISD", "CHISE", "CHISH", "CHYP",
      "CILE",  "CLEU", "CLYS",  "CLYSN", "CME",   "CMET",  "CORN",  "CPHE",  "CPRO",
      "CSER",  "CT3",  "CTHR",  "CTRP",  "CTYR",  "CVAL",  "CYM",   "CYN",   "CYS",
      "CYS1",  "CYS2", "CYSH",  "CYX",   "DAB",   "DALA",  "GLH",   "GLN",   "GLU",
      "GLUH",  "GLUP", "GLY",   "HID",   "HIE",   "HIP",   "HIS",   "HIS1",  "HIS2",
      "HISA",  "HISB", "HISD",  "HISE",  "HISH",  "HISP",  "HSD",   "HSE",   "HSP",
      "HYP",   "ILE",  "LEU",   "LSN",   "LYN",   "LYP",   "LYS",   "LYSH",  "LYSN",
      "MELEU", "MET",  "MEVAL", "MSE",   "NAC",   "NALA",  "NARG",  "NASN",  "NASP",
      "NASPH", "NCYS", "NCYS2", "NCYX",  "NDAB",  "NGLN",  "NGLU",  "NGLUH", "NGLY",
      "NH2",   "NHE",  "NHID",  "NHIE",  "NHIP",  "NHISD", "NHISE", "NHISH", "NHYP",
      "NILE",  "NLEU", "NLYS",  "NLYSN", "NME",   "NMET",  "NORN",  "NPHE",  "NPRO",
      "NSER",  "NTHR", "NTRP",  "NTYR",  "NVAL",  "ORN",   "PGLU",  "PHE",   "PHEH",
      "PHEU",  "PHL",  "PRO",   "QLN",   "SER",   "THR",   "TRP",   "TRPH",  "TRPU",
      "TYR",   "TYRH", "TYRU",  "VAL"};
  static const Names water{"DOD",  "H2O",  "HHO",  "HOH",  "OH2", "OHH", "SOL",
                           "SPC",  "SPCE", "T3H",  "T3P",  "T4P", "T5P", "TIP",
                           "TIP2", "TIP3", "TIP4", "TIP5", "WAT"};
  static const Names ion{
      "AG",   "AL",  "BA",  "BA2+", "BAR",  "BR",   "BR-", "Br-", "CA",  "CA2",
      "CA2+", "CAD", "CAL", "CD",   "CD2+", "CES",  "CL",  "CL-", "CLA", "CO",
      "CS",   "CS+", "CU",  "CU1",  "CU2",  "Cal",  "Cl",  "Cl-", "Cs+", "F-",
      "FE",   "FE2", "FE3", "HG",   "I-",   "IB+",  "IOD", "K",   "K+",  "LI",
      "LI+",  "LIT", "Li+", "MG",   "MG2",  "MG2+", "MN",  "MN2", "MN3", "Mg+",
      "NA",   "NA+", "NI",  "Na",   "Na+",  "PB",   "POT", "RB",  "RB+", "RUB",
      "Rb+",  "SOD", "SR",  "SR2+", "ZN",   "ZN2",  "ZN2+"};
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
