"""MDAnalysis' own tests of InterRDF and InterRDF_s, with the classes of starhist in their place."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("MDAnalysisTests")

TIES = {"test_norm[client_InterRDF0-density-1.956823]", "test_norm[client_InterRDF0-rdf-244602.88385]"}
"""Tests that expect a distance of exactly 1, an edge of the bins, in the bin below, where single precision puts it."""


def test_own_tests():
    modules = [f"MDAnalysisTests.analysis.{name}" for name in ("test_rdf", "test_rdf_s")]
    words = [sys.executable, "-m", "pytest", "-q", "-p", "exchanged_interrdf", "-p", "no:cacheprovider", "--pyargs"]
    here = str(pathlib.Path(__file__).parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([here, *filter(None, sys.path)])}
    done = subprocess.run([*words, *modules], env=environment, capture_output=True, text=True, check=False)
    failed = set(re.findall(r"^(?:FAILED|ERROR) .*?::(\S+)", done.stdout, re.MULTILINE))
    assert failed == TIES, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 40
