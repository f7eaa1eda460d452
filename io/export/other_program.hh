#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "io/result/result_reader.hh"

namespace starhist::io {

/// Programs whose g(r) `starhist export --like` reproduces: bins, normalisation, unit,
/// columns and file layout. docs/how-to/same-numbers.md compares each with the program.
enum class OtherProgram { gmx, mdanalysis, vmd, lammps, freud, cpptraj };

/// The names on the command line, in the order of the enumeration.
std::vector<std::string> other_program_names();
/// Throws InputError for an unknown name.
OtherProgram parse_other_program(const std::string& name);

/// Length unit of the program's files; "" for programs that keep their input's unit.
std::string length_unit_of(OtherProgram program);

struct LikeRequest {
  OtherProgram program = OtherProgram::gmx;
  std::vector<CentredPair> pairs;  ///< empty: all pairs
  bool cumulative = false;         ///< gmx only: the numbers of its option -cn
};

/// Writes g(r), and n(r) if the program's file has it. Returns messages for the user.
/// Throws InputError when the result lacks something that the program's definition
/// needs: a volume, bins from r = 0, excluded pairs that the program would count, one
/// pair for files of one pair, or constant N or V within each block; RunError when
/// `out` fails.
std::vector<std::string> write_like(std::ostream& out, const ResultFile& result,
                                    const LikeRequest& request);

}  // namespace starhist::io
