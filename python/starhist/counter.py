"""Counting frame by frame."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core, _settings, _starpu
from ._arrays import OPEN, Box, as_box, as_gpu_positions, as_positions
from ._gpu_arrays import GpuArray
from ._messages import passed_on
from ._species import Pairs, Species, pair_list
from .result import NORMALIZATIONS, Result


class Counter:
    """Pair distances of frames that come one by one, from a simulation or a generator.

    Parameters
    ----------
    species : array_like of str or int, shape (particles,), optional
        Label of the species of each particle. None, NaN and what else pandas takes for missing: not
        counted. Without labels all particles are of one species, "all", and their number may change
        from frame to frame.
    r_max : float
        Distances below it are counted, in the unit of the positions.
    bins : int
        Number of bins of equal width on [0, r_max).
    pairs : str or sequence of str or of 2-tuples, optional
        Pairs of species to count, such as "O-O,O-H" or [("O", "O"), ("O", "H")]; None: all.
    names : iterable of str or int, optional
        Names of all species, where the first labels do not have all of them.
    frames_per_block : int
        Frames whose counts are kept together: standard errors come from the differences of blocks.
    periodic : sequence of 3 bools
        Whether images repeat along the three edges of the box. An edge without images may be of
        length 0.
    length_unit, time_unit : str
        Units, for files and plots; "": not known. Nothing is converted.
    memory : int, optional
        Main memory for frames and counts in flight [bytes]; None: half of the machine's.

    Raises
    ------
    ValueError
        For settings that cannot be, such as pairs that do not exist.

    Notes
    -----
    Counts are those of the program `starhist rdf`, bit for bit. Any thread may call; calls of
    several threads wait for each other. Other threads of Python run while frames are counted.

    Examples
    --------
    >>> import numpy as np, starhist
    >>> counter = starhist.Counter(species=["O", "H", "H"], r_max=0.25, bins=5)
    >>> water = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [-0.03, 0.09, 0.0]]
    >>> counter.add(water, box=[1.0, 1.0, 1.0])
    >>> result = counter.result()
    >>> result.pairs
    ['H-H', 'H-O', 'O-O']
    >>> result.counts
    array([[0, 0, 0, 1, 0],
           [0, 1, 1, 0, 0],
           [0, 0, 0, 0, 0]], dtype=uint64)
    """

    def __init__(
        self,
        species: Any = None,
        *,
        r_max: float,
        bins: int,
        pairs: Pairs = None,
        names: Iterable[Any] | None = None,
        frames_per_block: int = 100,
        periodic: Any = (True, True, True),
        length_unit: str = "",
        time_unit: str = "",
        memory: int | None = None,
    ) -> None:
        self._histogram: _core.Histogram | None = None
        self._species = Species(species, names)
        self._labels = self._species.labels  # of the frames to come; None: all are of one species
        self._r_max = _settings.number(r_max, "r_max", "in the unit of the positions")
        self._bins = _settings.integer(bins, "bins", 1)
        self._pairs = _settings.text(pair_list(pairs), "pairs")
        self._frames_per_block = _settings.integer(frames_per_block, "frames_per_block", 1, 2**32 - 1)
        self._periodic = _settings.axes(periodic)
        self._units = (_settings.text(length_unit, "length_unit"), _settings.text(time_unit, "time_unit"))
        self._memory = None if memory is None else _settings.integer(memory, "memory", 1)
        self._frames_at_end = 0  # `frames` once the histogram is gone
        # Labels of a frame that is being added, and the number of frames before it.
        self._labels_of_frame: tuple[npt.NDArray[np.int32], int] | None = None
        self._closed = False
        self._ending = False  # the histogram is given back as soon as no call runs
        self._thread: int | None = None  # that of the running call
        self._lock = threading.Lock()  # held while frames are added, and while they are summed up
        with passed_on():
            self._make(OPEN)
        _starpu.register(self)

    def _make(self, box: Box) -> None:
        """An empty histogram for boxes of this kind."""
        histogram = _core.Histogram(_starpu.context(), self._r_max, self._bins, box.kind)
        histogram.set_species(self._species.names)
        if self._pairs:
            histogram.set_pairs(self._pairs)
        if box.kind != OPEN.kind:
            histogram.set_periodic(*self._periodic)
        histogram.set_frames_per_block(self._frames_per_block)
        histogram.set_units(*self._units)
        if self._memory is not None:
            histogram.set_memory(self._memory)
        self._kind = -1  # Ctrl-C may come between the next lines
        self._labels_there: npt.NDArray[np.int32] | None = None  # those that the histogram has
        self._histogram = histogram
        self._kind = box.kind

    def _open(self) -> _core.Histogram:
        _starpu.check_process()
        if self._histogram is None:
            why = "the counter was closed" if self._closed else "StarPU was shut down"
            raise RuntimeError(f"{why}, and the counts went with it: make a new counter")
        return self._histogram

    @property
    def frames(self) -> int:
        """Number of frames so far."""
        histogram = self._histogram
        return self._frames_at_end if histogram is None else histogram.frames

    def add(
        self, positions: Any, box: Any = None, *, species: Any = None, step: int | None = None, time: float = 0.0
    ) -> None:
        """Count the pairs of a frame.

        Parameters
        ----------
        positions : array_like of float, shape (particles, 3)
            Of float32 or float64, with any strides, in NumPy or whatever gives its memory by
            DLPack, in the unit of r_max. They need not lie in the box. They are copied. Arrays on a
            GPU, of PyTorch, CuPy, JAX and others with DLPack or __cuda_array_interface__, are
            counted there without a copy in main memory, after the work of the stream that makes
            them, where the module was built with CUDA.
        box : array_like of float, optional
            None: no periodic images. 3 numbers: lengths. 6 numbers: lengths, then the angles
            alpha, beta, gamma in degrees. 9 numbers or 3 x 3: the edges as rows. All frames have
            the same kind of box.
        species : array_like, shape (particles,), optional
            Labels from this frame on, where they or the number of particles change.
        step, time : int, float
            Of the frame, for files; step None: its number.

        Raises
        ------
        ValueError
            Where a position is NaN, infinite or far away, the box is none, or their numbers do not
            fit. The frame is not counted, its labels are forgotten, and others may follow.
        KeyboardInterrupt
            At Ctrl-C. Before or after it waits the frame is counted or not, as `frames` says. While
            it waits the counts are lost; reset() begins anew.

        Notes
        -----
        It returns before the frame is counted, and waits where many are in flight.
        """
        self._open()
        array = as_gpu_positions(positions) or as_positions(positions)
        edges = as_box(box, self._periodic)
        labels = None if species is None else self._species.numbers(species)
        number = None if step is None else _settings.integer(step, "step", -(2**63))
        time = _settings.number(time, "time", "of the frame")
        with self._alone():
            if edges.kind != self._kind:
                self._change_kind(edges)
            histogram = self._open()
            self._settle_labels(histogram)
            particles = array.shape[0]
            self._give_labels(histogram, self._labels if labels is None else labels, particles)
            frames = histogram.frames
            number = frames if number is None else number
            if labels is not None:
                self._labels_of_frame = labels, frames
            if isinstance(array, GpuArray):
                histogram.add_on_gpu(array.for_extension(), edges.numbers, number, time)
            else:
                histogram.add(array, edges.numbers, number, time)
            self._settle_labels(histogram)

    def _give_labels(self, histogram: _core.Histogram, labels: npt.NDArray[np.int32] | None, particles: int) -> None:
        """Gives the histogram the labels of the next frame, unless it has them."""
        if labels is None and self._labels_there is not None:
            labels = np.zeros(particles, dtype=np.int32)  # after a refused frame with labels
        if labels is not None and labels is not self._labels_there:
            self._labels_there = np.empty(0, dtype=np.int32)  # unknown, if Ctrl-C comes now
            histogram.set_labels(labels)
            self._labels_there = labels

    def _settle_labels(self, histogram: _core.Histogram) -> None:
        """Keeps the labels of the last frame if it was counted, also where Ctrl-C ended add()."""
        if self._labels_of_frame is not None:
            labels, frames_before = self._labels_of_frame
            if histogram.frames > frames_before:
                self._labels = labels
            self._labels_of_frame = None

    def _change_kind(self, box: Box) -> None:
        if self.frames > 0:
            raise ValueError(
                "the frames before have had another kind of box: give all as None, or as 3, as 6, or as 9 numbers"
            )
        self._make(box)

    def result(self, normalization: str = "pairs-over-volume") -> Result:
        """Counts, g(r), coordination numbers and errors of all frames so far.

        Parameters
        ----------
        normalization : {"pairs-over-volume", "mean-volume", "per-frame"}
            How frames of different volumes or numbers of particles make g(r): as GROMACS and
            mdtraj, as MDAnalysis, or as VMD and LAMMPS do it. The last one needs
            frames_per_block=1 where these change.

        Returns
        -------
        Result
            It does not change any more. Frames may follow.

        Raises
        ------
        ValueError
            Without a frame, or for a normalization that there is not.
        KeyboardInterrupt
            At Ctrl-C while it waits. The counts are lost; reset() begins anew.
        """
        if normalization not in NORMALIZATIONS:
            raise ValueError(f"normalization is {normalization!r}: give one of {', '.join(NORMALIZATIONS)}")
        self._open()
        with self._alone():
            histogram = self._open()
            if histogram.frames == 0:
                raise ValueError("there is no frame yet: add() one")
            histogram.wait()
            return Result._of(histogram, normalization, self._units)

    def reset(self) -> None:
        """Forget all frames. Settings and labels stay."""
        self._open()
        with self._alone():
            histogram = self._open()
            self._settle_labels(histogram)
            histogram.reset()

    def close(self) -> None:
        """Give memory back; the counter cannot be used any more.

        A running call of another thread ends with an exception. A signal handler may call this
        during a call of its own thread: the memory is given back when that call ends.
        """
        self._closed = True
        self._end_histogram()

    def _end_histogram(self) -> None:
        """Ends a running call as Ctrl-C would, and gives the histogram back after it."""
        histogram = self._histogram
        if histogram is None:
            return
        self._ending = True
        histogram.interrupt()
        if self._thread == threading.get_ident():
            return  # a signal handler during a call, whose end gives the histogram back
        if self._lock.acquire(timeout=10):  # a handler may also run just before _thread is set
            try:
                self._give_back()
            finally:
                self._lock.release()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Has other threads wait for the call within, and gives back what close() could not."""
        if self._thread == threading.get_ident():
            raise RuntimeError(
                "a signal handler cannot use the counter during a call of its own thread: only close() can"
            )
        with self._lock, passed_on():
            try:
                self._thread = threading.get_ident()
                yield
            finally:
                self._thread = None
                if self._ending:
                    self._give_back()

    def _give_back(self) -> None:
        histogram = self._histogram
        if histogram is not None:
            self._frames_at_end = histogram.frames
            self._histogram = None
            histogram.close()  # other threads may still refer to it
