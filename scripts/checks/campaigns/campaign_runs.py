"""Options of the campaigns, and their runs of starhist."""

import argparse
import os
import pathlib
import subprocess
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


def build_library(path, sources):
    """Compiles a library to preload, and returns its path."""
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-o", path, *sources, "-ldl"], check=True)
    return path


def unreadable(program, path):
    """Returns why `starhist info` cannot read a file; "" if it can."""
    run = subprocess.run([program, "info", path], env=environment(), text=True, capture_output=True, check=False)
    return f"{path} cannot be read: {run.stderr}" if run.returncode else ""


def rdf(program, files, output, *options):
    """Returns the words of a quiet run of starhist rdf."""
    return [str(word) for word in (program, "rdf", *files, "-o", output, "--quiet", *options)]
