/* libstarhist_file: result files of libstarhist's histograms, in the format of
 * `starhist rdf`, also by second axis, or of `starhist vanhove` with lags and of
 * `starhist coordination` with shells.
 *
 * It is a separate library because it needs HDF5: a process must not load two versions
 * of that library. In addition to the properties in starhist.h: HDF5's error messages
 * are switched off in the calling threads, and if the process has not used HDF5 before,
 * HDF5 does not close other users' files at the end of the process (H5dont_atexit).
 */
#ifndef STARHIST_FILE_H
#define STARHIST_FILE_H

#include <starhist.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the counts of all frames so far, block by block, with g(r) if there is a
 * volume, to a new HDF5 file, which `starhist info`, `export`, `analyze`, `merge` and
 * `plot` read. More frames may follow; no other thread may add any during the call.
 * The file contains no elements of the species: `starhist analyze --element` sets them.
 *
 * overwrite: 1 to replace a file of this name, otherwise 0. Until the file is complete,
 * and if the call fails, its name is PATH.partial.
 *
 * STARHIST_NO_FRAMES without a frame; STARHIST_BAD_COUNT if no frame has a particle of
 * a shell's centre species. STARHIST_FILE_ERROR if the file already exists,
 * cannot be written, or another process writes it, and if the disk is full.
 */
STARHIST_API starhist_status starhist_save(starhist_histogram* histogram,
                                           const char* path, int overwrite);

#ifdef __cplusplus
}
#endif

#endif
