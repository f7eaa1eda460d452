"""verify(): recounts blocks of a result file and compares every number."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

from ._analysis import AnyPath
from ._output import output

_METHODS = ("reference", "cpu", "gpu")


class Difference(NamedTuple):
    """A number of a result that differs from the recount, or a frame that has changed."""

    block: int | None
    """Number of the block, from 0; None: of the whole result."""
    number: str
    """Name of the number: "pair H-O, bin 57 (0.285 to 0.29 nm)"."""
    result: str
    """Value in the result."""
    recounted: str
    """Value from the trajectory."""


class Verification(NamedTuple):
    """Outcome of :func:`verify`."""

    equal: bool
    """True if all compared numbers are equal."""
    verdict: str
    """The outcome as a sentence."""
    method: str
    """Method of the recount."""
    seed: int
    """Seed of the sample."""
    blocks: list[int]
    """Numbers of the recounted blocks, from 0."""
    frames: int
    """Number of recounted frames."""
    pairs: int
    """Number of recounted particle pairs."""
    differences: list[Difference]
    """The first 1000 differences."""
    difference_count: int
    """Number of all differences."""


def verify(
    path: AnyPath,
    trajectory: AnyPath | Sequence[AnyPath] | None = None,
    *,
    blocks: int | str | None = None,
    time: float | None = None,
    seed: int = 1,
    method: str | None = None,
) -> Verification:
    """Recount random blocks of a result file in another way, and compare every number.

    Parameters
    ----------
    path : path-like
        A result file that was counted from trajectory files.
    trajectory : path-like or list of path-like, optional
        Present paths of trajectory files that were moved.
    blocks : int or "all", optional
        Number of random blocks to recount. Default: as many as `time` allows, at least one.
    time : float, optional
        Time limit for recounting, in seconds. Default: 60, or no limit if `blocks` is given.
    seed : int
        Seed of the random sample.
    method : {"reference", "cpu", "gpu"}, optional
        The defining double loop, another kernel variant, or GPUs. Default: "reference", or "cpu" if that takes too
        long.

    Returns
    -------
    Verification
        Its `equal` is False if numbers or frames differ.

    Raises
    ------
    OSError
        If the file does not exist or cannot be read.
    ValueError
        If an argument is invalid, or the result cannot be verified: it is damaged, its trajectory is another one, or
        information is missing.
    RuntimeError
        If the program fails.

    Examples
    --------
    >>> import starhist
    >>> checked = starhist.verify("rdf.h5", blocks="all")  # doctest: +SKIP
    >>> checked.equal  # doctest: +SKIP
    True
    """
    if method is not None and method not in _METHODS:
        raise ValueError(f"method is {method!r}: pass one of {', '.join(_METHODS)}")
    name = os.fspath(path)
    with open(name, "rb"):
        pass
    options = ["--seed", str(seed)]
    options += [] if blocks is None else ["--blocks", str(blocks)]
    options += [] if time is None else ["--time", str(time)]
    options += [] if method is None else ["--with", method]
    if trajectory is not None:
        files = [trajectory] if isinstance(trajectory, (str, os.PathLike)) else trajectory
        options += ["--trajectory", ",".join(os.fspath(file) for file in files)]
    with tempfile.TemporaryDirectory(prefix="starhist-") as folder:
        table = os.path.join(folder, "report.json")
        try:
            output(["verify", *options, "--report", table, "--", name])
        except RuntimeError:
            if not os.path.exists(table):  # otherwise numbers differ
                raise
        with open(table, encoding="utf-8") as file:
            found = json.load(file)
    return Verification(
        found["equal"],
        found["verdict"],
        found["method"],
        found["seed"],
        found["recounted_blocks"],
        found["recounted_frames"],
        found["recounted_pairs"],
        [Difference(d["block"], d["number"], d["result"], d["recounted"]) for d in found["differences"]],
        found["difference_count"],
    )
