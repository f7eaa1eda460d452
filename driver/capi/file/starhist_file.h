/* libstarhist_file: result files of libstarhist's histograms, as `starhist rdf` writes
 * them.
 *
 * It is a library of its own because it needs HDF5: a process must not have two
 * versions of that library in it. Besides what starhist.h says: HDF5's error messages
 * are switched off in the threads that call, and where the process has not used HDF5
 * before, HDF5 does not close the files of others at the end of the process
 * (H5dont_atexit).
 */
#ifndef STARHIST_FILE_H
#define STARHIST_FILE_H

#include <starhist.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the counts of all frames so far, block by block, with g(r) where there is a
 * volume, to a new HDF5 file, which `starhist info`, `export`, `analyze`, `merge` and
 * `plot` read. More frames may follow; no other thread may add any during the call.
 *
 * overwrite: 1 to replace a file of this name, else 0. The file has its name when it is
 * whole; until then, and where the call fails, it is PATH.partial.
 *
 * STARHIST_NO_FRAMES without a frame. STARHIST_FILE_ERROR where the file is there
 * already, cannot be written, or another process writes it; and where the disk is full.
 */
STARHIST_API starhist_status starhist_save(starhist_histogram* histogram,
                                           const char* path, int overwrite);

#ifdef __cplusplus
}
#endif

#endif
