#!/usr/bin/env python3
"""A running simulation, played by a server of this test, and counted while it runs: interactive molecular dynamics (IMD), version 3.

STARHIST_PROGRAM names starhist, STARHIST_PYTHON the Python that has MDAnalysis 2.10 or later and imdclient: by default the one that
runs this, or that of the virtual environment which scripts/setup/build_python.sh makes beside starhist.
"""

import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
CHECK = "from MDAnalysis.coordinates.IMD import HAS_IMDCLIENT as there; raise SystemExit(0 if there else 1)"


def has_imdclient(python):
    return (
        os.path.exists(python)
        and subprocess.run([python, "-I", "-c", CHECK], capture_output=True, check=False).returncode == 0
    )


GIVEN = os.environ.get("STARHIST_PYTHON")
PYTHONS = [GIVEN] if GIVEN else [sys.executable, str(pathlib.Path(PROGRAM).parent / "venv/bin/python")]
PYTHON = next(filter(has_imdclient, PYTHONS), None)
if PYTHON is None:
    print(f"SKIPPED: {' and '.join(PYTHONS)} have no MDAnalysis 2.10 with imdclient (STARHIST_PYTHON names another)")
    sys.exit(77)

DISCONNECT, FCOORDS, GO, HANDSHAKE, PAUSE, SESSIONINFO, RESUME, TIME, BOX = 0, 2, 3, 4, 7, 10, 11, 12, 13
ATOMS, FRAMES = 20, 7
BOX_ROWS = (10.0, 0, 0, 2.0, 9.0, 0, -1.0, 1.5, 8.0)
NUMBERS = random.Random(5)
# Multiples of 1/8, which single precision holds.
POSITIONS = [[NUMBERS.randrange(0, 64) / 8 for _ in range(3 * ATOMS)] for _ in range(FRAMES)]


class Simulation(threading.Thread):
    """Sends the frames to one client, waits for `hold` before frame `hold_before`, and keeps the types of what it is sent."""

    def __init__(self, positions=POSITIONS, cut=0, hold_before=None, atoms=ATOMS, boxes=()):
        super().__init__(daemon=True)
        self.boxes = boxes  # rows of each frame; else BOX_ROWS
        self.positions, self.cut, self.hold_before, self.atoms = positions, cut, hold_before, atoms
        self.hold = threading.Event()
        self.received = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"imd://127.0.0.1:{self.listener.getsockname()[1]}"
        self.start()

    def run(self):
        connection, _ = self.listener.accept()
        with connection, self.listener:
            connection.sendall(struct.pack("!i", HANDSHAKE) + struct.pack("<i", 3))
            connection.sendall(struct.pack("!ii", SESSIONINFO, 7) + bytes([1, 0, 1, 1, 0, 0, 0]))
            self.receive(connection, until=GO)
            for k, frame in enumerate(self.positions):
                if k == self.hold_before:
                    self.hold.wait(60)
                message = struct.pack("!ii", TIME, 1) + struct.pack("<ddq", 0.002, 0.5 * k, 250 * k)
                message += struct.pack("!ii", BOX, 1) + struct.pack("<9f", *(self.boxes[k] if self.boxes else BOX_ROWS))
                message += struct.pack("!ii", FCOORDS, self.atoms) + struct.pack(
                    f"<{3 * self.atoms}f", *frame[: 3 * self.atoms]
                )
                last = k == len(self.positions) - 1
                try:
                    connection.sendall(message[: len(message) - self.cut] if last else message)
                except OSError:
                    break
            if self.cut == 0:
                connection.shutdown(socket.SHUT_WR)
                self.receive(connection)

    def receive(self, connection, until=None):
        try:
            while header := connection.recv(8, socket.MSG_WAITALL):
                kind, _ = struct.unpack("!ii", header)
                self.received.append(kind)
                if kind == until:
                    return
        except OSError:
            pass


class ImdTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-imd-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "out.h5"
        self.structure = self.folder / "top.gro"
        names = ["A", "B"] * (ATOMS // 2)
        self.structure.write_text(
            f"title\n{ATOMS}\n"
            + "".join(f"    1RES  {name:>5s}{k + 1:5d}   0.000   0.000   0.000\n" for k, name in enumerate(names))
            + " 1 1 1\n"
        )

    def command(self, *arguments, bins=("--r-max", "6", "--bins", "24")):
        return [PROGRAM, "rdf", *map(str, arguments), "-o", str(self.output), "-f", *bins]

    def starhist(self, *arguments):
        return subprocess.run(
            self.command(*arguments),
            text=True,
            capture_output=True,
            check=False,
            timeout=240,
            env={**os.environ, "STARHIST_PYTHON": PYTHON},
        )

    def stream(self, simulation, *more):
        return self.starhist(simulation.address, "--structure", self.structure, *more)

    def file(self, frames):
        """The same frames as a LAMMPS dump."""
        xx, xy, xz, yz = 10.0, 2.0, -1.0, 1.5
        low, high = min(0, xy, xz, xy + xz), xx + max(0, xy, xz, xy + xz)
        text = ""
        for k in frames:
            text += (
                f"ITEM: TIMESTEP\n{250 * k}\nITEM: NUMBER OF ATOMS\n{ATOMS}\nITEM: BOX BOUNDS xy xz yz pp pp pp\n"
                f"{low} {high} {xy}\n0 {9 + yz} {xz}\n0 8 {yz}\nITEM: ATOMS id element x y z\n"
            )
            for atom in range(ATOMS):
                text += (
                    f"{atom + 1} {'AB'[atom % 2]} "
                    + " ".join(str(x) for x in POSITIONS[k][3 * atom : 3 * atom + 3])
                    + "\n"
                )
        path = self.folder / "same.dump"
        path.write_text(text)
        return path

    def counts(self):
        run = subprocess.run(
            [PROGRAM, "export", str(self.output), "--quantity", "counts"], text=True, capture_output=True, check=True
        )
        return [line for line in run.stdout.splitlines() if not line.startswith("#")]

    def expected(self, frames):
        run = self.starhist(self.file(frames))
        self.assertEqual(run.returncode, 0, run.stderr)
        return self.counts()

    def info(self, path):
        return subprocess.run([PROGRAM, "info", str(path)], text=True, capture_output=True, check=False).stdout

    def test_frames_are_counted_and_the_end_is_told(self):
        simulation = Simulation()
        run = self.stream(simulation, "--block", 3)
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn(
            f"left out: {simulation.address}: frame {FRAMES} and later frames: the simulation stopped sending",
            run.stderr,
        )
        self.assertIn("7 frames in 3 blocks", run.stderr)
        self.assertIn("lengths are assumed to be in Angstrom", run.stderr)
        self.assertIn("remark 1:", self.info(self.output))
        counts = self.counts()
        self.assertEqual(counts, self.expected(range(FRAMES)))

    def test_some_frames_and_nothing_that_steers(self):
        simulation = Simulation()
        run = self.stream(simulation, "--first", 1, "--step", 2, "--last", 4, "--unit", "sigma")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("Angstrom", run.stderr)
        self.assertIn("up to 6 sigma", self.info(self.output))
        counts = self.counts()
        simulation.join(60)
        self.assertFalse(simulation.is_alive())
        self.assertEqual(simulation.received[0], GO)
        self.assertLessEqual(set(simulation.received), {GO, DISCONNECT, PAUSE, RESUME})
        self.assertEqual(counts, self.expected([1, 3]))

    def test_the_result_can_be_read_meanwhile(self):
        simulation = Simulation(hold_before=5)
        run = subprocess.Popen(
            self.command(simulation.address, "--structure", self.structure, "--block", 2),
            text=True,
            stderr=subprocess.PIPE,
            env={**os.environ, "STARHIST_PYTHON": PYTHON},
        )
        partial = self.folder / "out.h5.partial"
        end = time.monotonic() + 120
        seen = ""
        while time.monotonic() < end and "frames       4 (0 to 3)" not in seen:
            time.sleep(0.2)
            seen = self.info(partial)
        simulation.hold.set()
        said = run.communicate(timeout=120)[1]
        self.assertIn("frames       4 (0 to 3)", seen, said)
        self.assertIn("the run is in progress", seen)
        self.assertEqual(run.returncode, 3, said)
        self.assertEqual(self.counts(), self.expected(range(FRAMES)))

    def test_a_signal_ends_the_run_with_a_result(self):
        simulation = Simulation(hold_before=5)
        run = subprocess.Popen(
            self.command(simulation.address, "--structure", self.structure, "--block", 5),
            text=True,
            stderr=subprocess.PIPE,
            env={**os.environ, "STARHIST_PYTHON": PYTHON},
        )
        partial = self.folder / "out.h5.partial"
        end = time.monotonic() + 120
        while time.monotonic() < end and "frames       5 (0 to 4)" not in self.info(partial):
            time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        while time.monotonic() < end and not self.output.exists():
            time.sleep(0.2)
        self.assertTrue(self.output.exists())
        simulation.hold.set()
        said = run.communicate(timeout=120)[1]
        self.assertEqual(run.returncode, 3, said)
        self.assertIn("left out: frames that the simulation sends after the signal", said)
        self.assertEqual(self.counts(), self.expected(range(5)))

    def test_an_engine_that_goes_away_within_a_frame(self):
        run = self.stream(Simulation(cut=10))
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("frame 6 and later frames", run.stderr)
        self.assertEqual(self.counts(), self.expected(range(6)))

    def test_periodicity_that_changes_is_refused(self):
        slab = (*BOX_ROWS[:6], 0, 0, 0)
        boxes = [BOX_ROWS] * 3 + [slab] + [BOX_ROWS] * 3
        run = self.stream(Simulation(boxes=boxes))
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("frame 3", run.stderr)
        self.assertIn("is periodic along x and y, the first frame along x and y and z", run.stderr)
        run = self.stream(Simulation(boxes=boxes), "--skip-bad-frames")
        self.assertEqual(self.counts(), self.expected([0, 1, 2, 4, 5, 6]))
        run = self.stream(Simulation(boxes=boxes), "--box", "none")
        self.assertIn("7 frames in 1 block", run.stderr)

    def test_ranks_refuse_a_simulation(self):
        ranked = pathlib.Path(PROGRAM).with_name("starhist-mpi")
        if not ranked.exists():
            self.skipTest("starhist-mpi is not built")
        simulation = Simulation()
        command = self.command(simulation.address, "--structure", self.structure)
        run = subprocess.run(
            [ranked, *command[1:]],
            text=True,
            capture_output=True,
            check=False,
            timeout=120,
            env={**os.environ, "STARHIST_PYTHON": PYTHON},
        )
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(
            f"{simulation.address}: frames of a running simulation arrive only once, in one process", run.stderr
        )
        self.assertFalse(self.output.exists())

    def test_what_cannot_be_is_refused(self):
        def refusal(run):
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertFalse(self.output.exists())
            return run.stderr

        self.assertIn(
            "does not provide the number of atoms and their names", refusal(self.starhist("imd://127.0.0.1:9"))
        )
        with socket.create_server(("127.0.0.1", 0)) as closed:
            free = closed.getsockname()[1]
        self.assertIn("refused", refusal(self.starhist(f"imd://127.0.0.1:{free}", "--structure", self.structure)))
        self.assertIn("imd://here: ", refusal(self.starhist("imd://here", "--structure", self.structure)))
        self.assertIn(
            "cannot be read together with other files",
            refusal(self.starhist("imd://127.0.0.1:9", self.structure, "--structure", self.structure)),
        )
        for option, word in (
            (("--resume",), "--resume"),
            (("--begin", 1), "selecting by time"),
            (("--blocks", 4), "--blocks"),
        ):
            text = refusal(self.stream(Simulation(), *option))
            self.assertIn(f"{word} cannot be used with a running simulation", text)
        for options, text in (
            ((), "give the last one with --last"),
            (("--begin", "1"), "selecting by time cannot be used with a running simulation"),
        ):
            run = subprocess.run(
                [
                    PROGRAM,
                    "convert",
                    Simulation().address,
                    "--structure",
                    str(self.structure),
                    *options,
                    "-o",
                    str(self.output),
                ],
                text=True,
                capture_output=True,
                check=False,
                timeout=240,
                env={**os.environ, "STARHIST_PYTHON": PYTHON},
            )
            self.assertIn(text, refusal(run))
        self.assertIn("n_atoms", refusal(self.stream(Simulation(atoms=ATOMS - 1))))


if __name__ == "__main__":
    unittest.main(verbosity=2)
