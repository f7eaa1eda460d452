"""Pair-distance histograms and radial distribution functions, counted exactly, on StarPU.

rdf() counts all frames of a trajectory, a Universe, Atoms or arrays; a Counter accepts frames one by
one. vanhove() counts distances between frames of these sources, and coordination() the neighbours of
each particle. InterRDF and InterRDF_s of starhist.mdanalysis, and RDF of starhist.freud, are drop-in
replacements for the classes of these libraries. Files are read by the program starhist, which the
package also installs as a command.
"""

from ._analysis import Comparison, Peak, Table
from ._core import version as __version__
from ._rdf import rdf
from ._starpu import shutdown, start, workers
from .coordination import Coordination, coordination, load_coordination
from .counter import Counter
from .load import load
from .result import PairCurves, Result
from .second_axis import SecondAxis
from .vanhove import VanHove, load_vanhove, vanhove
from .verify import Difference, Verification, verify

__all__ = [
    "Comparison",
    "Coordination",
    "Counter",
    "Difference",
    "PairCurves",
    "Peak",
    "Result",
    "SecondAxis",
    "Table",
    "VanHove",
    "Verification",
    "__version__",
    "coordination",
    "load",
    "load_coordination",
    "load_vanhove",
    "rdf",
    "shutdown",
    "start",
    "vanhove",
    "verify",
    "workers",
]
