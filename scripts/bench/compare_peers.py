#!/usr/bin/env python3
"""Compares pair counts, g(r) and times of starhist and other programs on the same frames.

    compare_peers.py TRAJ[,r_max=R][,bins=N][,pairs=A-A+A-B][,frames=F]... [--markdown FILE] [--json FILE]
    compare_peers.py tests/data/water.h5,pairs=O-O+H-O,r_max=1.4,bins=280 traj.dump,pairs=63-63,r_max=12

TRAJ: H5MD, a LAMMPS dump or a GRO file (species are atom names) with a periodic box, read without starhist.
Defaults: 3 frames, 200 bins, r_max slightly below half the smallest width of the boxes, the first species with
itself.

Peers: LAMMPS (`lmp`), GROMACS (`gmx`, with MDAnalysis to write its input), MDAnalysis, mdtraj, freud; missing
peers are skipped with a note. LAMMPS computes in double precision and must agree bin by bin. The others compute
in float32: the number of pairs that cross a bin edge must not exceed a bound on rounding errors, computed from the
frames (peer_bounds.py). g(r) must agree to 1e-6 if the counts are equal, below half the box and with the peer's
normalization (for mdtraj and freud, after a correction for their float32 shell volumes).

Times are medians over alternating runs (A B A B). starhist, LAMMPS and gmx: the whole command, from start to
written result. Libraries: only the call, without import and reading. All use --threads threads.

Exit codes: 0 all agree, 1 bad input, 2 some disagree.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(
        f"compare_peers.py: needs h5py and NumPy ({missing}; in Debian and Ubuntu: python3-h5py, to be run with "
        "/usr/bin/python3)",
        file=sys.stderr,
    )
    sys.exit(1)

import peer_table
from peer_bounds import MOST_G, compare, distance_error, largest_g_difference, near_edges
from peer_programs import PeerError, call, peers
from peer_systems import BadInput, read_system, shortest_vector, write_h5md

SCRIPTS = pathlib.Path(__file__).resolve().parent


class Starhist:
    """starhist on one pair of a system."""

    def __init__(self, program, system, pair, folder, threads):
        self.program, self.folder, self.threads, self.pair = program, folder, threads, "-".join(pair)
        self.input = system.path.resolve()
        if not system.native:
            self.input = folder / "frames.h5"
            write_h5md(system, self.input, list(dict.fromkeys(pair)))
        self.last = system.frames - 1
        self.result = folder / "starhist.h5"

    def run(self, r_max, bins, block=1):
        """(seconds, counts [blocks of frames, bins]); the result stays in self.result."""
        workers = {"STARPU_NCPU": str(self.threads), "STARPU_NCUDA": "0", "STARPU_WORKERS_NOBIND": "1"}
        seconds, _ = call(
            [
                self.program,
                "rdf",
                self.input,
                "-o",
                self.result,
                "--force",
                "--quiet",
                "--block",
                block,
                "--r-max",
                repr(float(r_max)),
                "--bins",
                bins,
                "--pairs",
                self.pair,
                "--last",
                self.last,
            ],
            self.folder,
            self.threads,
            **workers,
        )
        with h5py.File(self.result, "r") as file:
            return seconds, file["observables/pair_distance_histogram/value"][:, 0]

    def g(self, normalization):
        _, text = call(
            [self.program, "export", self.result, "--format", "json", "--normalization", normalization],
            self.folder,
            self.threads,
        )
        return json.loads(text)["curves"][0]["value"]


def row_of(system, pair, peer, version, starhist, options):
    """One line of the table: counts, g and times of one peer."""
    row = {
        "system": system.name,
        "file": str(system.path),
        "pair": "-".join(pair),
        "peer": peer.name,
        "version": version,
        "frames": system.frames,
        "r_max": system.r_max,
        "unit": system.unit,
        "bins": system.bins,
        "particles": [system.positions[name].shape[1] for name in dict.fromkeys(pair)],
    }
    reason = peer.reason_to_skip(system, pair)
    if reason:
        return {**row, "skipped": reason}
    try:
        peer.prepare(system, pair, starhist.folder, options.threads)
        times, peer_times = [], []
        for _ in range(options.repeat):
            seconds, counts = starhist.run(system.r_max, system.bins)
            times.append(seconds)
            counted = peer.run()
            peer_times.append(counted.seconds)
        g = starhist.g(counted.normalization) if counted.g is not None else None
        near = None
        if not peer.exact:
            error = distance_error(system, pair, counted.cells)
            row["distance_error"] = error
            near = near_edges(lambda r_max, bins: starhist.run(r_max, bins, system.frames)[1][0], system, error)
    except PeerError as error:
        return {**row, "ok": False, "verdict": str(error)}
    except ValueError as error:
        return {**row, "skipped": str(error)}
    found = compare(counts.sum(axis=0), counted, near)
    equal = found.pop("equal", None)
    if equal is not None and counted.by_frame is not None:
        # Averaging over frames of different volumes detects counts that are equal only in sum.
        equal = equal & np.all(counts == counted.by_frame, axis=0)
    if g is not None and equal is not None:
        half_box = min(map(shortest_vector, system.cells)) / 2
        difference = largest_g_difference(g, counted.g, equal, half_box, system)
        found["g_difference"] = difference
        if found["ok"] and difference is not None and difference > MOST_G:
            found |= {"ok": False, "verdict": f"g differs by {difference:.1e}"}
    seconds, peer_seconds = statistics.median(times), statistics.median(peer_times)
    return {
        **row,
        **found,
        "starhist_seconds": seconds,
        "peer_seconds": peer_seconds,
        "ratio": peer_seconds / seconds,
        "starhist_times": times,
        "peer_times": peer_times,
    }


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", nargs="+", metavar="TRAJ[,...]")
    parser.add_argument("--peers", default="lammps,gromacs,mdanalysis,mdtraj,freud", metavar="A,B,...")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each (default %(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="of each program (default %(default)s)")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="FILE",
        help="an interpreter with libraries that this one has not, as of a virtual environment",
    )
    parser.add_argument(
        "--program",
        default=SCRIPTS.parents[1] / "build/starhist",
        type=pathlib.Path,
        help="starhist (default: build/starhist of this tree)",
    )
    parser.add_argument("--markdown", metavar="FILE", help="write the table as Markdown too")
    parser.add_argument("--json", metavar="FILE", help="write all numbers")
    return parser.parse_args()


def available(options):
    """[(peer, version)] of those asked for that are here; the others are named."""
    known = peers(options.python)
    wanted = options.peers.split(",")
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise BadInput(f"--peers: {', '.join(unknown)} is not one of {', '.join(known)}")
    found = [(known[name], known[name].version()) for name in wanted]
    for peer, version in found:
        if version is None:
            print(f"{peer.name} is not here, it is left out", file=sys.stderr)
    return [(peer, version) for peer, version in found if version is not None]


def compare_all(options):
    if options.repeat < 1 or options.threads < 1:
        raise BadInput("--repeat and --threads are at least 1")
    if shutil.which(options.program) is None:
        raise BadInput(f"{options.program}: program not found (pass the path of starhist with --program)")
    options.program = os.path.abspath(shutil.which(options.program))
    systems = [read_system(description) for description in options.system]
    found, rows = available(options), []
    for system in systems:
        for pair in system.pairs:
            with tempfile.TemporaryDirectory(prefix="starhist-peers-") as name:
                starhist = Starhist(options.program, system, pair, pathlib.Path(name), options.threads)
                for peer, version in found:
                    rows.append(row_of(system, pair, peer, version, starhist, options))
                    print(peer_table.line(rows[-1]), flush=True)
    return rows


def main():
    options = parse_arguments()
    try:
        rows = compare_all(options)
        if options.json:
            version = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=False).stdout
            pathlib.Path(options.json).write_text(
                json.dumps(
                    {
                        "starhist": version.strip(),
                        "processor": peer_table.processor(),
                        "threads": options.threads,
                        "command": sys.argv,
                        "rows": rows,
                    },
                    indent=1,
                )
                + "\n",
                encoding="utf-8",
            )
        if options.markdown:
            pathlib.Path(options.markdown).write_text(peer_table.markdown(rows, options.threads), encoding="utf-8")
    except (BadInput, OSError) as error:
        print(f"compare_peers.py: {error}", file=sys.stderr)
        return 1
    except PeerError as error:
        print(f"compare_peers.py: {error}", file=sys.stderr)
        return 2
    bad = [row for row in rows if not row.get("ok", True)]
    compared = sum("skipped" not in row for row in rows)
    print(f"{compared} comparisons, {len(bad)} do not agree")
    return 2 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
