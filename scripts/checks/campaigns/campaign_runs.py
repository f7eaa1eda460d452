"""Options of the campaigns, and their runs of starhist."""

import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/checks"))
import compare_results  # noqa: E402, F401

WATER = ROOT / "tests/data/water.h5"


def make_parser(description):
    """Returns a parser with --program and --seed."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist")))
    parser.add_argument("--seed", type=int, default=1)
    return parser


def environment(**more):
    """Returns the variables of a run: StarPU does not print, and other work may share the machine."""
    return {**os.environ, "STARPU_SILENT": "1", "STARPU_WORKERS_NOBIND": "1", **more}


def rdf(program, files, output, *options):
    """Returns the words of a quiet run of starhist rdf."""
    return [str(word) for word in (program, "rdf", *files, "-o", output, "--quiet", *options)]
