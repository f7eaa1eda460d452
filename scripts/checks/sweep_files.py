#!/usr/bin/env python3
"""Counts every file of MDAnalysis' test data that MDAnalysis opens, with `starhist rdf FILE` and no
other option but --structure where MDAnalysis needs a topology, and writes a table: counted or refused,
with the sentence, and the time.

    python3 -m venv VENV
    VENV/bin/pip install MDAnalysis MDAnalysisTests gemmi netCDF4 gsd h5py pytng pyedr
    VENV/bin/python scripts/checks/sweep_files.py build -o sweep.md [--only WORD] [--compare]

--compare: of the first counted file of each ending, the pairs of the first frame are counted by a loop
in NumPy over what MDAnalysis reads. Exit status 1 where a file crashes starhist, takes more than
LIMIT seconds, or where counts differ.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import warnings

import h5py
import MDAnalysis
import MDAnalysisTests.datafiles as data
import numpy as np

LIMIT = 60.0  # seconds for a file
MOST_ATOMS = 1500  # of the loop in NumPy
# Files that are neither frames nor atoms.
OTHER = {"npy", "py", "pyc", "txt", "xvg", "dat", "edr", "fasta", "sdf"}
# Trajectories and the topologies with which MDAnalysis' own tests open them.
TOPOLOGIES = {
    "AUX_EDR_XTC": "AUX_EDR_TPR", "COORDINATES_DCD": "COORDINATES_TOPOLOGY",
"COORDINATES_TNG": "COORDINATES_TOPOLOGY",
    "COORDINATES_TRR": "COORDINATES_TOPOLOGY", "COORDINATES_XTC": "COORDINATES_TOPOLOGY",
    "CPPTRAJ_TRAJ": "CPPTRAJ_TRAJ_TOP", "DCD": "PSF", "DCD2": "PSF", "DCD_NAMD_GBIS": "PSF_NAMD_GBIS",
    "DCD_NAMD_TRICLINIC": "PSF_NAMD_TRICLINIC", "DCD_TRICLINIC": "PSF_TRICLINIC", "DCD_empty": "PSF",
    "INPCRD": "XYZ_five", "LAMMPSdcd2": "LAMMPSdata2",
    "NAMDBIN": "PDB_small", "NCDF": "PRMncdf", "NCDFtruncoct": "PRM7", "PFncdf_Trj": "PFncdf_Top",
    "RANDOM_WALK": "RANDOM_WALK_TOPO", "RST7_ala2": "PRM7_ala2", "SURFACE_TRR": "SURFACE_PDB",
    "TNG_traj": "TNG_traj_gro", "TNG_traj_uneven_blocks": "TNG_traj_gro",
    "TNG_traj_vels_forces": "TNG_traj_gro", "TRC_EMPTY": "TRC_PDB_VAC", "TRC_TRAJ1_VAC": "TRC_PDB_VAC",
    "TRC_TRAJ1_VAC_EXTRA_POS": "TRC_PDB_VAC", "TRC_TRAJ1_VAC_MISSING_POS": "TRC_PDB_VAC",
    "TRC_TRAJ1_VAC_WHITESPACE": "TRC_PDB_VAC", "TRC_TRAJ2_VAC": "TRC_PDB_VAC",
    "TRC_CLUSTER_VAC": "TRC_PDB_VAC", "TRC_TRUNCOCT_VAC": "TRC_PDB_VAC", "TRC_TRAJ_SOLV": "TRC_PDB_SOLV",
    "TRC_TRICLINIC_SOLV": "TRC_PDB_SOLV", "TRC_GENBOX_EULER": "TRC_PDB_SOLV",
    "TRC_GENBOX_ORIGIN": "TRC_PDB_SOLV", "TRJ": "PRM", "WIN_TRJ": "PRM", "TRJ12_bz2": "PRM12",
    "TRJ_bz2": "PRM", "TRJ_NCBOX": "PRM_NCBOX", "TRJncdf": "PRMncdf", "TRJpbc_bz2": "PRMpbc", "TRR": "GRO",
    "TRR_multi_frame": "", "TRR_sub_sol": "TPR_xvf", "TRZ": "TRZ_psf", "trz4data": "LAMMPSdata",
    "XTC": "GRO", "XTC_MEMPROT": "GRO_MEMPROT", "XTC_multi_frame": "", "XTC_sub_sol": "TPR_xvf",
    "waterDCD": "waterPSF"}
# Refusals that another option mends.
NO_BOX = "--r-max is missing"
MANY_SPECIES = "choose some by --pairs or --species"
# In MDAnalysis' unit, Angstrom.
PER_ANGSTROM = {"nm": 0.1, "A": 1.0, "Angstrom": 1.0}

Swept = collections.namedtuple("Swept", "name path structure opened code seconds sentence")


def data_files():
    """Names of the data files by their path, which several names may share."""
    files = {}
    for name in sorted(vars(data)):
        value = getattr(data, name)
        if isinstance(value, (str, os.PathLike)) and os.path.isfile(value):
            files.setdefault(str(value), name)
    return {path: name for path, name in files.items()
            if ending(path).split(".")[-1] not in OTHER}


def ending(path):
    words = pathlib.Path(path).name.split(".")
    if words[-1] in ("gz", "bz2") and len(words) > 2:
        return words[-2]
    return words[-1] if len(words) > 1 else words[0].split("_")[0]


def structure_of(name):
    topology = TOPOLOGIES.get(name)
    return str(getattr(data, topology)) if topology else ""


def universe(path, structure):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        files = [structure, path] if structure else [path]
        return MDAnalysis.Universe(*files, to_guess=())


def opened(path, structure):
    """What MDAnalysis makes of the file: "frames", "atoms" or why it does not open it."""
    try:
        read = universe(path, structure)
        return "frames" if hasattr(read, "trajectory") else "atoms"
    except Exception as problem:  # pylint: disable=broad-except
        return f"{type(problem).__name__}: {problem}".split("\n", maxsplit=1)[0]


def starhist(program, arguments):
    environment = dict(os.environ, STARHIST_PYTHON=sys.executable, STARPU_WORKERS_NOBIND="1",
                       STARPU_NCPU="2", STARPU_NCUDA="0")
    start = time.monotonic()
    try:
        run = subprocess.run([program, *arguments], env=environment, text=True, errors="replace",
                             capture_output=True, timeout=LIMIT, check=False)
        code, text = run.returncode, run.stderr
    except subprocess.TimeoutExpired:
        code, text = "time", ""
    return code, time.monotonic() - start, text


def words_for(path, structure, output):
    return ["rdf", path, *(["--structure", structure] if structure else []), "-o", output, "-q"]


def sweep(program, path, name):
    structure = structure_of(name)
    with tempfile.TemporaryDirectory() as folder:
        code, seconds, text = starhist(program, words_for(path, structure, folder + "/out.h5"))
    lines = [line for line in text.splitlines() if line.strip()]
    sentence = lines[-1].replace("starhist: ", "", 1) if lines else ""
    for long, short in ((path, pathlib.Path(path).name), (structure, pathlib.Path(structure).name)):
        sentence = sentence.replace(long, short) if long else sentence
    return name, path, structure, code, seconds, sentence


def distances(positions, dimensions):
    """Of all pairs, at the nearest of 27 images."""
    first, second = np.triu_indices(len(positions), 1)
    delta = positions[first] - positions[second]
    if dimensions is None or not np.all(dimensions[:3] > 0):
        return np.sqrt((delta ** 2).sum(axis=1))
    cell = MDAnalysis.lib.mdamath.triclinic_vectors(dimensions, dtype=np.float64)
    delta -= np.rint(delta @ np.linalg.inv(cell)) @ cell
    best = np.full(len(delta), np.inf)
    for shift in np.ndindex(3, 3, 3):
        best = np.minimum(best, ((delta + (np.array(shift) - 1) @ cell) ** 2).sum(axis=1))
    return np.sqrt(best)


def comparison(program, found):
    """"" if starhist's counts of the first frame are those of MDAnalysis, else what differs."""
    read = universe(found.path, found.structure)
    atoms = min(MOST_ATOMS, len(read.atoms))
    if atoms < 2:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        output = folder + "/out.h5"
        words = [*words_for(found.path, found.structure, output), "--last", "0", "--species",
                 f"all=index 1-{atoms}"]
        code, _, text = starhist(program, words)
        if NO_BOX in text:
            code, _, text = starhist(program, [*words, "--r-max", "5"])
        if code != 0:
            return text.strip()
        with h5py.File(output) as file:
            counts = file["observables/pair_distance_histogram/value"][0, 0].astype(np.int64)
            edges = file["observables/pair_distance_histogram/bin_edges"][:]
            unit = np.bytes_(file["parameters/pair_histogram"].attrs["length_unit"]).decode()
    scale = PER_ANGSTROM.get(unit.rstrip("\0"), 1.0)
    dimensions = read.dimensions
    r = scale * distances(read.atoms.positions[:atoms].astype(np.float64), dimensions)
    expected = np.histogram(r[(r >= edges[0]) & (r < edges[-1])], edges)[0]
    width = edges[1] - edges[0]
    # MDAnalysis rounds text and units to float32.
    doubt = 4e-7 * (scale * np.abs(read.atoms.positions[:atoms]).max() + edges[-1])
    near = int((np.abs(r / width - np.rint(r / width)) * width < doubt).sum())
    moved = int(np.abs(np.cumsum(counts - expected)).max())
    if moved > near or counts.sum() == 0 < expected.sum():
        return f"counts differ: {moved} pairs in other bins, {near} near an edge"
    return ""


def is_read(found):
    """Whether starhist reads the frames, if with further options."""
    return found.opened == "frames" and (found.code == 0 or any(
        sentence in found.sentence for sentence in (NO_BOX, MANY_SPECIES)))


def opened_all(files):
    """MDAnalysis' view of the files, by path."""
    return {path: opened(path, structure_of(name)) for path, name in files.items()}


def table(all_found):
    lines = ["| file | topology | MDAnalysis | exit | s | sentence |", "|---|---|---|---|---|---|"]
    for found in sorted(all_found, key=lambda f: (ending(f.path), f.name)):
        lines.append(f"| {found.name} `{pathlib.Path(found.path).name}` | "
                     f"{TOPOLOGIES.get(found.name, '')} | {found.opened} | {found.code} | "
                     f"{found.seconds:.1f} | {re.sub('[|]', '/', found.sentence)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("-o", "--output", default="sweep.md")
    parser.add_argument("--only", default="", help="files whose name or path has this word")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.build).resolve() / "starhist")
    files = {path: name for path, name in data_files().items()
             if options.only in path or options.only in name}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda item: sweep(program, *item), files.items()))
    views = opened_all(files)
    all_found = [Swept(name, path, structure, views[path], code, seconds, sentence)
                 for name, path, structure, code, seconds, sentence in runs]
    pathlib.Path(options.output).write_text(table(all_found))
    bad = [f"{found.name}: exit {found.code} after {found.seconds:.0f} s" for found in all_found
           if found.code not in (0, 1, 3)]
    if options.compare:
        compared = set()
        for found in all_found:
            if is_read(found) and ending(found.path) not in compared:
                compared.add(ending(found.path))
                problem = comparison(program, found)
                print(f"{ending(found.path)}: {found.name}: {problem or 'equal'}")
                bad += [f"{found.name}: {problem}"] if problem else []
    counted = sum(found.code in (0, 3) for found in all_found)
    print(f"{len(all_found)} files, {counted} counted, "
          f"{sum(found.code == 1 for found in all_found)} refused, slowest "
          f"{max(found.seconds for found in all_found):.0f} s")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
