#pragma once

#include <string>
#include <vector>

namespace starhist::io {

/// Whether a word is protein, backbone, water or ion, which select by residue name.
bool is_selection_keyword(const std::string& word);

/// Residue names that a keyword selects. The names for protein and water are from
/// MDAnalysis 2.11, with four more names of water.
const std::vector<std::string>& residues_of_keyword(const std::string& keyword);

/// Atom names to which a keyword is limited: N, CA, C and O of backbone; empty for the
/// other keywords.
const std::vector<std::string>& names_of_keyword(const std::string& keyword);

}  // namespace starhist::io
