#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/commands/command.hh"
#include "io/result/result_reader.hh"
#include "io/trajectory/joined/repeated_frames.hh"

namespace starhist::driver {

/// Returns an order of results in which the results of one trajectory follow each other
/// in the order of their frames. Errors and block tests compare neighbouring blocks.
std::vector<std::size_t> order_of_frames(const std::vector<io::ResultFile>& results);

/// " of 3 trajectories", or "" for one.
std::string trajectories_text(const std::vector<io::ResultFile>& results);

/// Throws InputError if frames would count twice without being allowed to, or if runs
/// of one trajectory do not match; reports missing frames. Returns
/// MissingFrames::parts.
std::vector<std::string> check_frames(const std::vector<io::ResultFile>& results,
                                      io::RepeatedFrames repeated);

/// Reports frames in which selections are empty. Throws InputError if one is empty in
/// all frames.
void report_empty_selections(const std::vector<io::ResultFile>& results);

/// Reports a result of an unfinished run.
void report_unfinished(const io::ResultFile& result);

/// Returns the provenance of the merged result. `missing`: MissingFrames::parts.
io::RunRecord make_record(const std::vector<io::ResultFile>& results,
                          const std::vector<std::string>& missing);

/// Returns the exit code of a merged result without these parts.
ExitCode code_of(const std::vector<std::string>& missing_parts);

/// The elements that all results record, with their sources; prints a note about those
/// that only some record.
std::vector<SpeciesElement> common_elements(const std::vector<io::ResultFile>& results);

}  // namespace starhist::driver
