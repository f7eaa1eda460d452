#!/usr/bin/env python3
"""Counts every file of MDAnalysis' test data that MDAnalysis opens, with `starhist rdf FILE` (and
--structure if MDAnalysis needs a topology), and writes a table: counted or refused, the message, and
the time.

If the message of a refusal names a remedy, it is tried: --guess-elements, --box none, or the file as
--structure of a generated frame with the same number of atoms.

    python3 -m venv VENV
    VENV/bin/pip install MDAnalysis MDAnalysisTests gemmi netCDF4 gsd h5py pytng pyedr
    VENV/bin/python scripts/checks/campaigns/sweep_files.py build -o sweep.md [--only WORD...] [--compare]

--compare: for the first counted file of each suffix, a NumPy loop over MDAnalysis' positions counts the
pairs of the first frame. Exit status 1 if a file crashes starhist, takes more than MOST_CPU seconds of
CPU time (including child processes), or counts differ.
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
import threading
import time
import warnings

import h5py
import MDAnalysis
import MDAnalysisTests.datafiles as data
import numpy as np

MOST_CPU = 30.0  # seconds of CPU time for a file
LIMIT = 300.0  # seconds, after which it hangs
MOST_ATOMS = 1500  # of the loop in NumPy
# Files that are neither frames nor atoms.
OTHER = {"npy", "py", "pyc", "txt", "xvg", "dat", "edr", "fasta", "sdf"}
# Trajectories and the topologies with which MDAnalysis' own tests open them.
TOPOLOGIES = {
    "AUX_EDR_XTC": "AUX_EDR_TPR",
    "COORDINATES_DCD": "COORDINATES_TOPOLOGY",
    "COORDINATES_TNG": "COORDINATES_TOPOLOGY",
    "COORDINATES_TRR": "COORDINATES_TOPOLOGY",
    "COORDINATES_XTC": "COORDINATES_TOPOLOGY",
    "CPPTRAJ_TRAJ": "CPPTRAJ_TRAJ_TOP",
    "DCD": "PSF",
    "DCD2": "PSF",
    "DCD_NAMD_GBIS": "PSF_NAMD_GBIS",
    "DCD_NAMD_TRICLINIC": "PSF_NAMD_TRICLINIC",
    "DCD_TRICLINIC": "PSF_TRICLINIC",
    "DCD_empty": "PSF",
    "INPCRD": "XYZ_five",
    "LAMMPSdcd2": "LAMMPSdata2",
    "NAMDBIN": "PDB_small",
    "NCDF": "PRMncdf",
    "NCDFtruncoct": "PRM7",
    "PFncdf_Trj": "PFncdf_Top",
    "RANDOM_WALK": "RANDOM_WALK_TOPO",
    "RST7_ala2": "PRM7_ala2",
    "SURFACE_TRR": "SURFACE_PDB",
    "TNG_traj": "TNG_traj_gro",
    "TNG_traj_uneven_blocks": "TNG_traj_gro",
    "TNG_traj_vels_forces": "TNG_traj_gro",
    "TRC_EMPTY": "TRC_PDB_VAC",
    "TRC_TRAJ1_VAC": "TRC_PDB_VAC",
    "TRC_TRAJ1_VAC_EXTRA_POS": "TRC_PDB_VAC",
    "TRC_TRAJ1_VAC_MISSING_POS": "TRC_PDB_VAC",
    "TRC_TRAJ1_VAC_WHITESPACE": "TRC_PDB_VAC",
    "TRC_TRAJ2_VAC": "TRC_PDB_VAC",
    "TRC_CLUSTER_VAC": "TRC_PDB_VAC",
    "TRC_TRUNCOCT_VAC": "TRC_PDB_VAC",
    "TRC_TRAJ_SOLV": "TRC_PDB_SOLV",
    "TRC_TRICLINIC_SOLV": "TRC_PDB_SOLV",
    "TRC_GENBOX_EULER": "TRC_PDB_SOLV",
    "TRC_GENBOX_ORIGIN": "TRC_PDB_SOLV",
    "TRJ": "PRM",
    "WIN_TRJ": "PRM",
    "TRJ12_bz2": "PRM12",
    "TRJ_bz2": "PRM",
    "TRJ_NCBOX": "PRM_NCBOX",
    "TRJncdf": "PRMncdf",
    "TRJpbc_bz2": "PRMpbc",
    "TRR": "GRO",
    "TRR_multi_frame": "",
    "TRR_sub_sol": "TPR_xvf",
    "TRZ": "TRZ_psf",
    "trz4data": "LAMMPSdata",
    "XTC": "GRO",
    "XTC_MEMPROT": "GRO_MEMPROT",
    "XTC_multi_frame": "",
    "XTC_sub_sol": "TPR_xvf",
    "waterDCD": "waterPSF",
}
# Refusals that another option resolves.
NO_BOX = "--r-max is missing"
MANY_SPECIES = "choose some with --pairs or --species"
NO_FRAMES = "give it as --structure of a trajectory"
# In MDAnalysis' unit, Angstrom.
PER_ANGSTROM = {"nm": 0.1, "A": 1.0, "Angstrom": 1.0}

MDANALYSIS = threading.Lock()  # which is not made for threads
# `remedies`: options added to `rdf FILE`; `path`, `structure`: the files that MDAnalysis opens.
Swept = collections.namedtuple("Swept", "name path structure opened remedies code seconds cpu sentence")
Run = collections.namedtuple("Run", "code seconds cpu text")


def data_files():
    """Names of the data files by their path, which several names may share."""
    files = {}
    for name in sorted(vars(data)):
        value = getattr(data, name)
        if isinstance(value, (str, os.PathLike)) and os.path.isfile(value):
            files.setdefault(str(value), name)
    return {path: name for path, name in files.items() if ending(path).split(".")[-1] not in OTHER}


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
    """Returns how MDAnalysis opens the file: "frames", "atoms" or the reason why it does not."""
    try:
        read = universe(path, structure)
        return "frames" if hasattr(read, "trajectory") else "atoms"
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}".split("\n", maxsplit=1)[0]


def starhist(program, arguments):
    """Runs it. Run.cpu: of all processes that it starts and waits for."""
    environment = dict(
        os.environ, STARHIST_PYTHON=sys.executable, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2", STARPU_NCUDA="0"
    )
    start = time.monotonic()
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen([program, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=said)
        timer = threading.Timer(LIMIT, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return Run(process.returncode, time.monotonic() - start, usage.ru_utime + usage.ru_stime, said.read())


def words_for(path, structure, output):
    return ["rdf", path, *(["--structure", structure] if structure else []), "-o", output, "-q"]


def made_frame(topology, path):
    """Writes a frame of as many atoms as the topology has, at random in a box."""
    with MDANALYSIS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        atoms = len(universe(topology, "").atoms)
        edge = 10.0 + (10.0 * atoms) ** (1 / 3)
        made = MDAnalysis.Universe.empty(atoms, trajectory=True)
        made.atoms.positions = np.random.default_rng(7).uniform(0, edge, (atoms, 3))
        made.dimensions = [edge, edge, edge, 90, 90, 90]
        made.atoms.write(path)


def next_remedy(text, remedies, view):
    """Returns the remedy that a refusal names; None if there is none that was not tried."""
    for sign, remedy, possible in (
        (MANY_SPECIES, "--guess-elements", True),
        (NO_BOX, "--box none", True),
        (NO_FRAMES, "--structure", view in ("atoms", "frames")),
    ):
        if sign in text and remedy not in remedies and possible:
            return remedy
    return None


def sweep(program, path, name, view):
    structure = structure_of(name)
    remedies = []
    with tempfile.TemporaryDirectory() as folder:
        words = words_for(path, structure, folder + "/out.h5")
        runs = [starhist(program, words)]
        while remedy := next_remedy(runs[-1].text, remedies, view):
            remedies.append(remedy)
            if remedy == "--structure":
                made_frame(path, folder + "/made.xtc")
                words = words_for(folder + "/made.xtc", path, folder + "/out.h5")
            else:
                words += remedy.split()
            runs.append(starhist(program, words))
    lines = [line for line in runs[-1].text.splitlines() if line.strip()]
    sentence = lines[-1].replace("starhist: ", "", 1) if lines else ""
    for long, short in ((path, pathlib.Path(path).name), (structure, pathlib.Path(structure).name)):
        sentence = sentence.replace(long, short) if long else sentence
    return Swept(
        name,
        path,
        structure,
        view,
        " ".join(remedies),
        runs[-1].code,
        max(run.seconds for run in runs),
        max(run.cpu for run in runs),
        sentence,
    )


def distances(positions, dimensions):
    """Of all pairs, at the nearest of 27 images."""
    first, second = np.triu_indices(len(positions), 1)
    delta = positions[first] - positions[second]
    if dimensions is None or not np.all(dimensions[:3] > 0):
        return np.sqrt((delta**2).sum(axis=1))
    cell = MDAnalysis.lib.mdamath.triclinic_vectors(dimensions, dtype=np.float64)
    delta -= np.rint(delta @ np.linalg.inv(cell)) @ cell
    best = np.full(len(delta), np.inf)
    for shift in np.ndindex(3, 3, 3):
        best = np.minimum(best, ((delta + (np.array(shift) - 1) @ cell) ** 2).sum(axis=1))
    return np.sqrt(best)


def comparison(program, found):
    """Returns "" if starhist's counts of the first frame agree with MDAnalysis' positions, otherwise the difference."""
    read = universe(found.path, found.structure)
    atoms = min(MOST_ATOMS, len(read.atoms))
    if atoms < 2:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        output = folder + "/out.h5"
        words = [*words_for(found.path, found.structure, output), "--last", "0", "--species", f"all=index 1-{atoms}"]
        run = starhist(program, words)
        if NO_BOX in run.text:
            run = starhist(program, [*words, "--r-max", "5"])
        if run.code != 0:
            return run.text.strip()
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


def is_compared(found):
    """Whether both read frames of the file itself."""
    return found.opened == "frames" and found.code in (0, 3) and "--structure" not in found.remedies


def outcome(found):
    """ "counted", "counted with --box none", "refused", ..."""
    if found.code not in (0, 3):
        return "refused" if found.code == 1 else f"exit {found.code}"
    return " ".join(["counted", *(["with", found.remedies] if found.remedies else [])])


def table(all_found):
    lines = ["| file | topology | MDAnalysis | starhist | s | CPU s | sentence |", "|---|---|---|---|---|---|---|"]
    for found in sorted(all_found, key=lambda f: (ending(f.path), f.name)):
        lines.append(
            f"| {found.name} `{pathlib.Path(found.path).name}` | "
            f"{TOPOLOGIES.get(found.name, '')} | {found.opened} | {outcome(found)} | "
            f"{found.seconds:.1f} | {found.cpu:.1f} | {re.sub('[|]', '/', found.sentence)} |"
        )
    return "\n".join(lines) + "\n"


def summary(all_found):
    """How many files have each outcome, and the slowest."""
    lines = [f"{len(all_found)} files:"]
    counts = collections.Counter((outcome(found), found.opened in ("frames", "atoms")) for found in all_found)
    for (what, by_both), count in counts.most_common():
        lines.append(f"  {count} {what}" + ("" if by_both else ", not opened by MDAnalysis under this name"))
    for unit, key in (("s", lambda found: found.seconds), ("s of CPU time", lambda found: found.cpu)):
        slowest = max(all_found, key=key)
        lines.append(f"slowest: {slowest.name}, {key(slowest):.1f} {unit}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("-o", "--output", default="sweep.md")
    parser.add_argument("--only", nargs="+", default=[""], help="files whose name or path has one of these words")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.build).resolve() / "starhist")
    files = {
        path: name for path, name in data_files().items() if any(word in path or word in name for word in options.only)
    }
    views = {path: opened(path, structure_of(name)) for path, name in files.items()}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        all_found = list(pool.map(lambda item: sweep(program, *item, views[item[0]]), files.items()))
    pathlib.Path(options.output).write_text(table(all_found))
    bad = [
        f"{found.name}: {outcome(found)} after {found.cpu:.0f} s of CPU time"
        for found in all_found
        if found.code not in (0, 1, 3) or found.cpu > MOST_CPU
    ]
    if options.compare:
        compared = set()
        for found in all_found:
            if is_compared(found) and ending(found.path) not in compared:
                compared.add(ending(found.path))
                problem = comparison(program, found)
                print(f"{ending(found.path)}: {found.name}: {problem or 'equal'}")
                bad += [f"{found.name}: {problem}"] if problem else []
    print(summary(all_found))
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
