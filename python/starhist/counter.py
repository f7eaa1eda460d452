"""Counter: counts frame by frame."""

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
from ._messages import in_words_of_python, passed_on
from ._species import Pairs, Species, pair_list
from ._warnings import warn, warn_of_half_box, warn_of_undefined
from .result import NORMALIZATIONS, Result


class Counter:
    """Counts pair distances of frames that arrive one by one, from a simulation or a generator.

    Parameters
    ----------
    species : array_like of str or int, shape (particles,), optional
        Label of the species of each particle. Particles with a missing label (None, NaN, pandas'
        NA or NaT) are not counted. Without labels all particles are of one species, "all", and
        their number may change from frame to frame.
    r_max : float
        Upper limit of the counted distances (exclusive), above 0, in the unit of the positions.
    bins : int
        Number of bins of equal width on [0, r_max), 1 or more.
    pairs : str or sequence of str or of 2-tuples, optional
        Pairs of species to count, such as "O-O,O-H" or [("O", "O"), ("O", "H")]. None: all.
    names : iterable of str or int, optional
        Names of all species, if some do not occur in the first labels.
    frames_per_block : int
        Number of consecutive frames per block, 1 to 2^32 - 1. Standard errors are computed from
        the differences between blocks.
    periodic : sequence of 3 bools
        Whether the system is periodic along each edge of the box. Other edges may have length 0.
    length_unit, time_unit : str
        Units of lengths (A, nm, pm, um, mm, cm, m, bohr or sigma) and times (ps, fs, ns, us, s or
        tau), for files and plots; "": unknown. Values are not converted.
    memory : int, optional
        Main memory for frames and counts in flight [bytes], 1 or more; None: half of the
        machine's memory.

    Raises
    ------
    TypeError
        If a setting has the wrong type.
    ValueError
        If a setting has an invalid value, for example a pair of unknown species.
    RuntimeError
        If StarPU cannot start, or the process was forked after the first use.

    Notes
    -----
    Counts are identical to those of the program `starhist rdf`. All methods are thread-safe; calls
    from several threads wait for each other. Other Python threads run while frames are counted.

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
        self._labels = self._species.labels  # for the next frame; None: all particles are of one species
        self._r_max = _settings.number(r_max, "r_max", "in the unit of the positions")
        self._bins = _settings.integer(bins, "bins", 1)
        self._pairs = _settings.text(pair_list(pairs), "pairs")
        self._frames_per_block = _settings.integer(frames_per_block, "frames_per_block", 1, 2**32 - 1)
        self._expected = 0  # number of frames, for the length of the blocks; 0: frames_per_block
        self._periodic = _settings.axes(periodic)
        self._units = (_settings.text(length_unit, "length_unit"), _settings.text(time_unit, "time_unit"))
        self._memory = None if memory is None else _settings.integer(memory, "memory", 1)
        self._frames_at_end = 0  # `frames` after the histogram is released
        # Labels of a frame that is being added, and the number of frames before it.
        self._labels_of_frame: tuple[npt.NDArray[np.int32], int] | None = None
        self._closed = False
        self._ending = False  # true: the histogram is released when the running call ends
        self._thread: int | None = None  # thread of the running call
        self._lock = threading.Lock()  # held while frames are added or summed
        with passed_on():
            self._make(OPEN)
        _starpu.register(self)

    def _expect(self, frames: int) -> None:
        """Chooses the length of the blocks for a number of frames. Call it before the first frame."""
        self._expected = frames
        with passed_on():
            self._make(OPEN)

    def _make(self, box: Box) -> None:
        """Makes an empty histogram for boxes of the kind of `box`."""
        histogram = _core.Histogram(_starpu.context(), self._r_max, self._bins, box.kind)
        histogram.set_species(self._species.names)
        if self._pairs:
            histogram.set_pairs(self._pairs)
        if box.kind != OPEN.kind:
            histogram.set_periodic(*self._periodic)
        if self._expected:
            histogram.set_expected_frames(self._expected)
        else:
            histogram.set_frames_per_block(self._frames_per_block)
        histogram.set_units(*self._units)
        if self._memory is not None:
            histogram.set_memory(self._memory)
        self._kind = -1  # Ctrl-C may arrive between the next lines
        self._labels_there: npt.NDArray[np.int32] | None = None  # current labels of the histogram
        self._histogram = histogram
        self._kind = box.kind

    def _open(self) -> _core.Histogram:
        _starpu.check_process()
        if self._histogram is None:
            why = "the counter was closed" if self._closed else "StarPU was shut down"
            raise RuntimeError(f"{why}, and its counts are lost: make a new counter")
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
            Positions in the unit of r_max, float32 or float64, with any strides, in NumPy or any
            library that supports DLPack. They may lie outside the box, and are copied. If the
            module was built with CUDA, arrays in GPU memory (PyTorch, CuPy, JAX and other libraries
            with DLPack or __cuda_array_interface__) are counted on the GPU, without a copy in main
            memory, after the work queued on their stream.
        box : array_like of float, optional
            None: no periodic images. 3 numbers: lengths. 6 numbers: lengths, then the angles
            alpha, beta, gamma in degrees. 9 numbers or 3 x 3: the edges as rows. All frames must
            have the same kind of box.
        species : array_like of str or int, shape (particles,), optional
            Labels from this frame on; required if the number of particles changes.
        step : int, optional
            Step of the frame, stored in result files, -2^63 to 2^63 - 1; None: index of the frame.
        time : float
            Time of the frame in time_unit, stored in result files.

        Raises
        ------
        TypeError
            If an argument has the wrong type, such as a masked array or a quantity with units.
        ValueError
            If a position is NaN, infinite or more than 2^32 box lengths away, the box is invalid or
            of another kind than before, or the numbers of labels and positions differ. The frame is
            not counted, its labels are ignored, and more frames can be added.
        MemoryError
            If a frame and its counts exceed `memory`.
        KeyboardInterrupt
            On Ctrl-C. If it arrives while add() waits for memory, the counts are lost, and only
            reset() or close() can follow. Otherwise `frames` shows whether the frame was counted.

        Notes
        -----
        Returns before the frame is counted; waits if too many frames are in flight.
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
        """Sets the histogram's labels for the next frame, unless they are set already."""
        if labels is None and self._labels_there is not None:
            labels = np.zeros(particles, dtype=np.int32)  # after a refused frame with labels
        if labels is not None and labels is not self._labels_there:
            self._labels_there = np.empty(0, dtype=np.int32)  # unknown, if Ctrl-C arrives now
            histogram.set_labels(labels)
            self._labels_there = labels

    def _settle_labels(self, histogram: _core.Histogram) -> None:
        """Keeps the labels of the last frame if it was counted, even if Ctrl-C ended add()."""
        if self._labels_of_frame is not None:
            labels, frames_before = self._labels_of_frame
            if histogram.frames > frames_before:
                self._labels = labels
            self._labels_of_frame = None

    def _change_kind(self, box: Box) -> None:
        if self.frames > 0:
            raise ValueError(
                "earlier frames have another kind of box: pass all boxes as None, or all as 3, 6 or 9 numbers"
            )
        self._make(box)

    def result(self, normalization: str = "pairs-over-volume") -> Result:
        """Return counts, g(r), coordination numbers and errors of all frames so far.

        Parameters
        ----------
        normalization : {"pairs-over-volume", "mean-volume", "per-frame"}
            How g(r) is averaged over frames whose volume or number of particles differs, for a pair
            with c_k counts in the shell of volume v, and N_k pairs in the volume V_k of frame k:
            sum(c_k) / (v sum(N_k / V_k)) as in GROMACS and mdtraj; sum(c_k) mean(V_k) / (v sum(N_k))
            as in MDAnalysis; or mean(c_k V_k / (v N_k)) as in VMD and LAMMPS. The last one needs
            frames_per_block=1 if volume or numbers change.

        Returns
        -------
        Result
            A snapshot; frames added later do not change it.

        Raises
        ------
        ValueError
            If no frame was added, or the normalization is unknown or not possible.
        KeyboardInterrupt
            On Ctrl-C while it waits. The counts are lost; reset() starts anew.
        """
        if normalization not in NORMALIZATIONS:
            raise ValueError(f"normalization is {normalization!r}: pass one of {', '.join(NORMALIZATIONS)}")
        caveats: list[str] = []
        result = self._snapshot(normalization, caveats)
        warn_of_undefined(result)
        warn_of_half_box(result)
        warn(caveats)
        return result

    def _snapshot(self, normalization: str = "pairs-over-volume", caveats: list[str] | None = None) -> Result:
        """Returns result() without warnings; appends warnings about empty parts of the box and about the standard
        errors to `caveats`."""
        self._open()
        with self._alone():
            histogram = self._open()
            if histogram.frames == 0:
                raise ValueError("there is no frame yet: call add() first")
            histogram.wait()
            if caveats is not None:
                texts = (histogram.empty_parts_warning(), histogram.error_warning())
                caveats += [in_words_of_python(text) for text in texts if text]
            return Result._of(histogram, normalization, self._units)

    def reset(self) -> None:
        """Discard all frames. Settings and labels stay."""
        self._open()
        with self._alone():
            histogram = self._open()
            self._settle_labels(histogram)
            histogram.reset()

    def close(self) -> None:
        """Release the memory; afterwards only `frames` and close() can be used.

        A running call in another thread ends with an exception. A signal handler may call close()
        while its own thread is in a call: the memory is released when that call ends.
        """
        self._closed = True
        self._end_histogram()

    def _end_histogram(self) -> None:
        """Ends a running call as Ctrl-C would, then releases the histogram."""
        histogram = self._histogram
        if histogram is None:
            return
        self._ending = True
        histogram.interrupt()
        if self._thread == threading.get_ident():
            return  # in a signal handler during a call, which releases the histogram when it ends
        if self._lock.acquire(timeout=10):  # a handler may also run just before _thread is set
            try:
                self._give_back()
            finally:
                self._lock.release()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Context manager of a call: other threads wait, and a histogram that close() could not release
        is released at the end."""
        if self._thread == threading.get_ident():
            raise RuntimeError(
                "a signal handler cannot use the counter while its own thread is in a call (only close() works)"
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
