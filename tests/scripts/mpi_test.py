#!/usr/bin/env python3
"""Tests of starhist-mpi: ranks on this host, whatever the number of its cores.

STARHIST_PROGRAM names starhist, beside which starhist-mpi is; CTest runs each class on its own.
Skipped where there is no mpirun or no starhist-mpi.
"""

import csv
import importlib.util
import io
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("STARHIST_PROGRAM", ROOT / "build/starhist"))
RANKED = PROGRAM.with_name("starhist-mpi")
DATA = ROOT / "tests/data"
sys.path.insert(0, str(ROOT / "scripts/checks"))
sys.path.insert(0, str(ROOT / "tests/bench"))

import result_log  # noqa: E402

try:
    import h5py
    import numpy

    import compare_results
    import make_trajectory
except ImportError as error:
    print(f"SKIPPED: {error}")
    sys.exit(77)
if shutil.which("mpirun") is None or not RANKED.exists():
    print("SKIPPED: there is no mpirun or no starhist-mpi")
    sys.exit(77)

ENVIRONMENT = {
    **os.environ,
    "STARPU_WORKERS_NOBIND": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
}

# Its mpirun often returns 0 after a signal that it has passed on, whatever the ranks return.
MPICH = "HYDRA" in subprocess.run(["mpirun", "--version"], env=ENVIRONMENT, text=True, capture_output=True).stdout


def write_xyz(path, frames, seed=1, bad=()):
    """Cubic boxes of 5; the number of particles changes; frames of `bad` have a NaN."""
    rng = random.Random(seed)
    with open(path, "w") as file:
        for frame in range(frames):
            count = 40 + frame % 7
            print(f'{count}\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3', file=file)
            for k in range(count):
                xyz = [f"{5 * rng.random():.4f}" for _ in range(3)]
                if frame in bad and k == 3:
                    xyz[1] = "nan"
                print("OH"[k % 2], *xyz, file=file)


def write_gro(path, frames):
    """Molecules of three atoms."""
    rng = random.Random(2)
    with open(path, "w") as file:
        for frame in range(frames):
            print(f"water t= {frame:.1f}\n60", file=file)
            for k in range(60):
                x, y, z = (2 * rng.random() for _ in range(3))
                name = ("OW", "HW1", "HW2")[k % 3]
                print(f"{k // 3 + 1:5d}SOL  {name:>5}{k + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}", file=file)
            print("   2.0   2.0   2.0", file=file)


class Job:
    """starhist-mpi under mpirun."""

    def __init__(self, ranks, words, folder, program=RANKED, command="rdf", **environment):
        command = ["mpirun", "-n", str(ranks), program, command, *words]
        self.start(command, folder, environment)

    def start(self, command, folder, environment):
        self.process = subprocess.Popen(
            [str(word) for word in command],
            cwd=folder,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # Jobs that end at the same time would remove each other's folder; killed ones leave theirs.
            env={**ENVIRONMENT, "OMPI_MCA_orte_tmpdir_base": str(folder), **environment},
        )

    def end(self, seconds=180):
        try:
            self.text = self.process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            for pid in self.ranks():
                os.kill(pid, signal.SIGKILL)
            self.process.kill()
            self.text = self.process.communicate()[0]
            raise AssertionError(f"not done after {seconds} s: {self.text}") from None
        return self.process.returncode

    def ranks(self):
        """Process numbers of the ranks, in their order: children of mpirun, or of its helper (MPICH)."""
        parents, ranks = {}, {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                words = (folder / "environ").read_bytes()
            except OSError:
                continue
            rank = re.search(rb"(?:^|\0)(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", words)
            if rank:
                ranks[int(folder.name)] = int(rank[1])
        own = {
            pid: rank
            for pid, rank in ranks.items()
            if parents[pid] not in ranks and self.process.pid in (parents[pid], parents.get(parents[pid]))
        }
        return sorted(own, key=own.get)

    def wait_for(self, path, seconds=60):
        """Until the file is there."""
        limit = time.monotonic() + seconds
        while not path.exists():
            if time.monotonic() > limit or self.process.poll() is not None:
                raise AssertionError(f"no {path.name}: {self.process.communicate()[0]}")
            time.sleep(0.02)


class MpiTest(unittest.TestCase):
    COMMAND = "rdf"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def alone(self, *words):
        """The result of one process; its exit code and messages."""
        output = self.folder / "alone.h5"
        run = subprocess.run(
            [PROGRAM, self.COMMAND, *map(str, words), "-o", output, "-f"],
            cwd=self.folder,
            text=True,
            capture_output=True,
            env=ENVIRONMENT,
        )
        return output, run.returncode, run.stderr

    def check_equal(self, a, b):
        if str(a).endswith(".partial"):
            logs = [list(result_log.records_of(pathlib.Path(path))) for path in (a, b)]
            self.assertEqual(logs[0][1:], logs[1][1:])
            a, b = (io.BytesIO(log[0][1]) for log in logs)
        self.assertEqual(list(compare_results.differences(a, b)), [])

    def check_ranks(self, ranks, *words):
        """Several ranks give the file of one process."""
        output, code, text = self.alone(*words)
        self.assertEqual(code, 0, text)
        ranked = self.folder / f"{ranks}.h5"
        job = Job(ranks, [*words, "-o", ranked, "-f"], self.folder, command=self.COMMAND)
        self.assertEqual(job.end(), 0, job.text)
        self.check_equal(output, ranked)
        self.assertEqual(sorted(path.name for path in self.folder.glob(f"{ranks}.h5*")), [f"{ranks}.h5"])
        return job.text

    def trajectory(self, name, frames, species, edge=6.0):
        path = self.folder / name
        make_trajectory.write(path, frames, species, numpy.eye(3) * edge, 1)
        return path

    def paused(self, before, call, after):
        """A library whose function of MPI writes a file for each process and waits."""
        return self.preload(
            "static void wait_here(void) {\n  char name[40];\n"
            '  snprintf(name, sizeof name, "paused.%d", getpid());\n'
            '  fclose(fopen(name, "w"));\n  sleep(1);\n}\n'
            f"int {call[0]} {{\n  {before}\n  int code = P{call[1]};\n  {after}\n  return code;\n}}\n"
        )

    def wait_for_paused(self):
        """Until two processes wait."""
        limit = time.monotonic() + 60
        while len(list(self.folder.glob("paused.*"))) < 2 and time.monotonic() < limit:
            time.sleep(0.02)

    def preload(self, code, before=""):
        """A library with functions of MPI that are called instead of MPI's, and `before` these."""
        if shutil.which("mpicc") is None:
            self.skipTest("no mpicc")
        source, library = self.folder / "own.c", self.folder / "own.so"
        source.write_text(
            "#define _GNU_SOURCE\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n"
            "#include <mpi.h>\n" + before + code
        )
        subprocess.run(["mpicc", "-shared", "-fPIC", "-o", library, source], check=True)
        return str(library)


class Equal(MpiTest):
    def test_cubic(self):
        text = self.check_ranks(3, self.trajectory("a.h5", 257, [60, 40]), "--block", "20")
        for rank in range(3):
            self.assertRegex(
                text, rf"rank {rank} on \S+: \d+ work units, .* busy .* waited .* for work and .* for reading"
            )

    def test_triclinic_npt(self):
        self.check_ranks(8, DATA / "nacl-triclinic-npt.h5", "--block", "3")

    def test_plane(self):
        text = self.check_ranks(3, DATA / "water.h5", "--plane", "xy", "--block", "3")
        self.assertIn("rank 2 on ", text)

    def test_plane_with_bins_up_to_the_corner_and_changing_numbers(self):
        write_xyz(self.folder / "a.xyz", 20)
        bins = ("--r-max", "2", "--bins", "50", "--block", "7", "--unit", "A")
        self.check_ranks(2, "a.xyz", "--plane", "xz", *bins)

    def test_text_with_changing_numbers_in_two_files(self):
        write_xyz(self.folder / "a.xyz", 50, seed=1)
        write_xyz(self.folder / "b.xyz", 30, seed=2)
        self.check_ranks(
            2,
            "a.xyz",
            "b.xyz",
            "--r-max",
            "2",
            "--bins",
            "50",
            "--block",
            "7",
            "--unit",
            "A",
            "--first",
            "3",
            "--step",
            "2",
        )

    def test_exclusions(self):
        write_gro(self.folder / "w.gro", 24)
        for what in ("--exclude-same", "--only-same"):
            self.check_ranks(
                4,
                "w.gro",
                "--species",
                "O=OW; H=HW1 HW2; all=OW HW1 HW2",
                what,
                "residue",
                "--r-max",
                "0.9",
                "--bins",
                "30",
                "--block",
                "5",
            )

    def test_rows_of_few_large_frames(self):
        path = self.trajectory("g.h5", 3, [22000, 3000])
        text = self.check_ranks(2, path, "--r-max", "1", "--bins", "300", "--block", "2")
        units = sum(map(int, re.findall(r"(\d+) work units", text)))
        self.assertGreater(units, 3)

    def test_trace(self):
        trajectory = self.trajectory("a.h5", 64, [200, 100])
        for words in ([], ["--block", "8"]):
            self.check_ranks(2, trajectory, *words, "--trace", "t.csv")
            with open(self.folder / "t.csv", newline="", encoding="utf-8") as file:
                tasks = list(csv.DictReader(file))
            self.assertEqual(sum(int(task["pairs"]) for task in tasks), 64 * 300 * 299 // 2)
            self.assertEqual({task["worker"].split(" CPU")[0] for task in tasks}, {"rank 0", "rank 1"})
            starts = [float(task["start"]) for task in tasks]
            self.assertEqual((starts[0], starts), (0.0, sorted(starts)))
            self.assertLess(max(float(task["end"]) for task in tasks), 60.0)
        if importlib.util.find_spec("matplotlib") is not None:
            subprocess.run(
                [sys.executable, ROOT / "scripts/user/plot_gantt.py", "t.csv", "-o", "t.svg"],
                cwd=self.folder,
                check=True,
            )
            names = re.findall(r"<!-- (rank \d+ CPU \d+) -->", (self.folder / "t.svg").read_text())
            self.assertEqual(names, sorted(names, key=lambda name: list(map(int, re.findall(r"\d+", name)))))
            self.assertLessEqual({"rank 0 CPU 0", "rank 1 CPU 0"}, set(names))

    def test_folder_of_the_output_on_one_host_alone(self):
        trajectory = self.trajectory("a.h5", 40, [60])
        for name in ("first/out", "second"):
            (self.folder / name).mkdir(parents=True)
        words = ["rdf", trajectory, "-o", "out/r.h5", "--trace", "out/t.csv", "--json", "out/s.json"]
        job = Job.__new__(Job)
        job.start(
            [
                "mpirun",
                "-n",
                "1",
                "-wdir",
                self.folder / "first",
                RANKED,
                *words,
                ":",
                "-n",
                "1",
                "-wdir",
                self.folder / "second",
                RANKED,
                *words,
            ],
            self.folder,
            {},
        )
        self.assertEqual(job.end(), 0, job.text)
        self.check_equal(self.alone(trajectory)[0], self.folder / "first/out/r.h5")
        self.assertEqual(list((self.folder / "second").iterdir()), [])

    def test_clocks_that_differ(self):
        """The clocks of rank 1, of the day and of its start, are an hour ahead."""
        library = self.preload(
            "#include <dlfcn.h>\n#include <stdlib.h>\n#include <time.h>\n"
            "int clock_gettime(clockid_t id, struct timespec* t) {\n"
            "  static int (*next)(clockid_t, struct timespec*);\n  static int ahead = -1;\n"
            '  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "clock_gettime");\n'
            "  if (ahead < 0) {\n"
            '    const char* rank = getenv("OMPI_COMM_WORLD_RANK");\n'
            '    if (!rank) rank = getenv("PMI_RANK");\n'
            "    ahead = rank && *rank == '1' ? 3600 : 0;\n"
            '    if (ahead) fclose(fopen("ahead", "w"));\n  }\n'
            "  int code = next(id, t);\n  t->tv_sec += ahead;\n  return code;\n}\n"
        )
        trajectory = self.trajectory("a.h5", 60, [60, 40])
        output = self.folder / "r.h5"
        job = Job(
            2,
            [trajectory, "-o", output, "--block", "7", "--trace", "t.csv"],
            self.folder,
            LD_PRELOAD=library,
            STARHIST_RANK_TIMEOUT="30",
        )
        self.assertEqual(job.end(), 0, job.text)
        self.assertTrue((self.folder / "ahead").exists())
        self.check_equal(self.alone(trajectory, "--block", "7")[0], output)
        with open(self.folder / "t.csv", newline="", encoding="utf-8") as file:
            self.assertLess(max(float(task["end"]) for task in csv.DictReader(file)), 60.0)

    def test_no_process_before_mpi(self):
        """Processes that decode or inspect files start after MPI, which a fork could disturb."""
        library = self.preload(
            "#include <dirent.h>\n#include <stdlib.h>\n"
            "int MPI_Init_thread(int* c, char*** v, int wanted, int* given) {\n"
            '  char name[300], line[80] = "";\n  struct dirent* task;\n'
            '  DIR* tasks = opendir("/proc/self/task");\n'
            "  while ((task = readdir(tasks))) {\n"
            '    snprintf(name, sizeof name, "/proc/self/task/%s/children", task->d_name);\n'
            '    FILE* file = fopen(name, "r");\n'
            "    if (file && fgets(line, sizeof line, file) && *line) abort();\n  }\n"
            '  fclose(fopen("looked", "w"));\n'
            "  return PMPI_Init_thread(c, v, wanted, given);\n}\n"
        )
        trajectory = self.trajectory("a.h5", 20, [60])
        job = Job(2, [trajectory, "-o", "r.h5"], self.folder, LD_PRELOAD=library)
        self.assertEqual(job.end(), 0, job.text)
        self.assertTrue((self.folder / "looked").exists())

    def test_notes_on_the_first_frame(self):
        """Particles in a plane, and a box that is partly empty."""
        rng = random.Random(4)
        for name, thickness, edge, note in (("flat", 0, 3, "count with --plane xy"), ("film", 2, 9, "empty along z")):
            with open(self.folder / f"{name}.xyz", "w") as file:
                for _ in range(4):
                    print(f'200\nLattice="5 0 0 0 5 0 0 0 {edge}" Properties=species:S:1:pos:R:3', file=file)
                    for _ in range(200):
                        print("O", *(f"{size * rng.random():.4f}" for size in (5, 5, thickness)), file=file)
            words = [f"{name}.xyz", "--r-max", "2", "--bins", "50"]
            (line,) = [line for line in self.alone(*words)[2].splitlines() if note in line]
            self.assertEqual(self.check_ranks(2, *words).count(line), 1)

    def test_without_launcher(self):
        write_xyz(self.folder / "a.xyz", 20)
        words = ["a.xyz", "--r-max", "2", "--bins", "50"]
        output, code, _ = self.alone(*words)
        run = subprocess.run(
            [RANKED, "rdf", *words, "-o", "own.h5"], cwd=self.folder, env=ENVIRONMENT, capture_output=True
        )
        self.assertEqual((code, run.returncode), (0, 0))
        self.check_equal(output, self.folder / "own.h5")


class Help(MpiTest):
    def test_once_for_all_ranks(self):
        run = subprocess.run(["mpirun", "-n", "2", RANKED, "--help"], env=ENVIRONMENT, text=True, capture_output=True)
        self.assertEqual((run.returncode, run.stdout.count("usage: starhist-mpi COMMAND")), (0, 1))

    def test_explain(self):
        """Ranks that are equally fast share the time of one, and rank 0 alone speaks."""
        words = ["rdf", DATA / "water.h5", "--r-max", "1.2", "--explain"]
        environment = {**ENVIRONMENT, "STARPU_NCPU": "1", "STARPU_HOSTNAME": "nowhere"}
        texts = [
            subprocess.run([*start, *words], env=environment, text=True, capture_output=True, check=True).stdout
            for start in ([PROGRAM], ["mpirun", "-n", "4", RANKED])
        ]
        (alone,), (share,) = (
            re.findall(r"^expected: ([0-9.]+) s for (\d+) frames", text, re.MULTILINE) for text in texts
        )
        self.assertEqual((alone[1], share[1]), ("51", "13"))
        (together,) = re.findall(r"^expected for all ranks: ([0-9.]+) s", texts[1], re.MULTILINE)
        self.assertAlmostEqual(float(together), float(alone[0]) / 4, delta=0.001)
        self.assertIn("ranks: 4 on 1 host", texts[1])
        self.assertIn("work units: up to 1 frame\n", texts[1])
        self.assertEqual((texts[1].count("expected:"), texts[1].count("expected for all")), (1, 1))

    def test_manual_page(self):
        if shutil.which("help2man") is None:
            self.skipTest("no help2man")
        subprocess.run(
            [sys.executable, ROOT / "scripts/cmake/write_man_pages.py", PROGRAM, self.folder, "--mpi", RANKED],
            env=ENVIRONMENT,
            check=True,
        )
        page = (self.folder / "starhist-mpi.1").read_text()
        for part in (
            "starhist-mpi \\- distances in trajectories, counted on all ranks of an MPI job",
            ".B starhist-mpi\n",
            '.SH "EXIT STATUS"',
            ".SH EXAMPLES",
            ".BR starhist-rdf (1)",
            ".BR starhist-vanhove (1)",
        ):
            self.assertIn(part, page)
        self.assertIn(".BR starhist-mpi (1)", (self.folder / "starhist.1").read_text())


class BadInput(MpiTest):
    def test_frame_that_cannot_be_used(self):
        write_xyz(self.folder / "bad.xyz", 60, bad=(37, 52))
        words = ["bad.xyz", "--r-max", "2", "--bins", "50", "--block", "5"]
        _, code, alone = self.alone(*words)
        job = Job(3, [*words, "-o", "r.h5"], self.folder)
        self.assertEqual((code, job.end()), (1, 1))
        self.assertIn(alone.strip(), job.text)
        self.check_equal(self.folder / "alone.h5.partial", self.folder / "r.h5.partial")

    def test_frames_left_out(self):
        write_xyz(self.folder / "bad.xyz", 60, bad=(0, 4, 37, 59))
        words = ["bad.xyz", "--r-max", "2", "--bins", "50", "--block", "5", "--skip-bad-frames"]
        output, code, alone = self.alone(*words)
        job = Job(3, [*words, "-o", "r.h5"], self.folder)
        self.assertEqual((code, job.end()), (3, 3), job.text)
        left_out = [line for line in alone.splitlines() if line.startswith("left out")]
        self.assertEqual(len(left_out), 4)
        self.assertEqual([line for line in job.text.splitlines() if line.startswith("left out")], left_out)
        self.check_equal(output, self.folder / "r.h5")

    def two_places(self, other, **environment):
        """Rank 0 in one folder, rank 1 in another with its own program."""
        for name in ("first", "second"):
            (self.folder / name).mkdir(exist_ok=True)
        words = ["rdf", "a.xyz", "-o", self.folder / "r.h5", "--r-max", "2", "--bins", "50"]
        job = Job.__new__(Job)
        job.start(
            [
                "mpirun",
                "-n",
                "1",
                "-wdir",
                self.folder / "first",
                RANKED,
                *words,
                ":",
                "-n",
                "1",
                "-wdir",
                self.folder / "second",
                other,
                *words,
            ],
            self.folder,
            environment,
        )
        self.assertEqual(job.end(), 1, job.text)
        self.assertFalse((self.folder / "r.h5").exists())
        return job.text

    def test_missing_and_other_files(self):
        (self.folder / "first").mkdir()
        write_xyz(self.folder / "first/a.xyz", 20)
        self.assertRegex(self.two_places(RANKED), r"rank 1 on \S+: a.xyz: does not exist")
        for seed, frames in ((2, 20), (1, 21)):
            write_xyz(self.folder / "second/a.xyz", frames, seed=seed)
            self.assertRegex(
                self.two_places(RANKED),
                r"the run is not the same on all ranks: 'input 1 .*' on rank 0 on \S+, "
                r"'input 1 .*' on rank 1 on \S+ \(give all ranks the same files",
            )

    def test_other_version(self):
        (self.folder / "first").mkdir()
        write_xyz(self.folder / "first/a.xyz", 20)
        version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.split()[1]
        library = self.preload(
            "int MPI_Isend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c,\n"
            "              MPI_Request* r) {\n"
            f'  char* at = memmem(b, 8 * n, "{version}", {len(version)});\n'
            f"  if (at) at[{len(version) - 1}] = '9';\n"
            "  return PMPI_Isend(b, n, t, to, tag, c, r);\n}\n"
        )
        self.assertRegex(
            self.two_places(RANKED, LD_PRELOAD=library),
            r"the version of starhist is not the same on all ranks: "
            rf"'{version}' on rank 0 on \S+, '{version[:-1]}9' on rank 1",
        )

    def test_options(self):
        write_xyz(self.folder / "a.xyz", 5)
        job = Job(2, ["a.xyz", "-o", "r.h5", "--bins", "0"], self.folder)
        self.assertEqual(job.end(), 1)
        self.assertEqual(job.text.count("starhist: "), 1, job.text)

    def test_result_too_large_for_rank_0(self):
        path = self.trajectory("a.h5", 50, [60, 40])
        words = ["rdf", path, "-o", self.folder / "r.h5", "--block", "4", "--bins", "8000000"]
        job = Job.__new__(Job)
        job.start(
            [
                "mpirun",
                "-n",
                "1",
                "sh",
                "-c",
                'ulimit -v 1500000; exec "$@"',
                "sh",
                RANKED,
                *words,
                ":",
                "-n",
                "1",
                RANKED,
                *words,
            ],
            self.folder,
            {"STARPU_NCPU": "1"},
        )
        self.assertEqual(job.end(), 2, job.text)
        self.assertRegex(job.text, r"out of memory \(use fewer bins, or lower --memory\)")
        self.assertFalse((self.folder / "r.h5").exists())
        job = Job(2, ["a.h5", "-o", "r2.h5", "--bins", "8000000", "--memory", "0.1"], self.folder)
        self.assertEqual(job.end(), 1, job.text)
        self.assertRegex(job.text, r"this run needs at least \S+ GiB of memory, --memory allows")

    def test_threads_that_cannot_be_started(self):
        library = self.preload(
            "#include <dlfcn.h>\n#include <errno.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
            "int pthread_create(pthread_t* t, const pthread_attr_t* a, void* (*f)(void*), void* x) {\n"
            "  static int number;\n"
            '  const char* rank = getenv("OMPI_COMM_WORLD_RANK");\n'
            '  rank = rank ? rank : getenv("PMI_RANK");\n'
            "  if (rank && *rank == '0' && ++number == atoi(getenv(\"FAILS\"))) {\n"
            '    fclose(fopen("failed", "w"));\n    return EAGAIN;\n  }\n'
            "  return ((int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))\n"
            '          dlsym(RTLD_NEXT, "pthread_create"))(t, a, f, x);\n}\n'
        )
        path = self.trajectory("a.h5", 60, [60, 40])
        sentences = 0
        # MPICH's mpirun waits forever for a rank that ends before MPI has started.
        for number in range(2 if MPICH else 1, 40):
            job = Job(
                2,
                [path, "-o", "r.h5", "-f", "--block", "4", "--bins", "50"],
                self.folder,
                LD_PRELOAD=library,
                FAILS=str(number),
                STARPU_NCPU="1",
                STARHIST_RANK_TIMEOUT="20",
            )
            code = job.end(60)
            self.assertNotIn("has not answered", job.text)
            failed = self.folder / "failed"
            if not failed.exists():
                self.assertEqual(code, 0, job.text)
                break
            failed.unlink()
            if code != 0:
                sentences += "a thread cannot be started (memory" in job.text
        self.assertGreaterEqual(sentences, 2)

    def test_mpi_without_threads(self):
        library = self.preload(
            "int MPI_Init_thread(int* c, char*** v, int wanted, int* given) {\n"
            "  int code = PMPI_Init_thread(c, v, wanted, given);\n"
            "  *given = MPI_THREAD_SERIALIZED;\n  return code;\n}\n"
        )
        job = Job(2, ["a.xyz", "-o", "r.h5"], self.folder, LD_PRELOAD=library)
        self.assertNotEqual(job.end(), 0)
        self.assertIn("MPI_THREAD_MULTIPLE", job.text)


class Memory(MpiTest):
    """An allocation of one rank fails."""

    CODE = """
#include <cstdio>
#include <cstdlib>
#include <new>
#include <atomic>
namespace {
std::atomic<long> number{0};
const char* own = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
const bool chosen = own && getenv("FAILING_RANK") && atoi(own) == atoi(getenv("FAILING_RANK"));
const long failing = chosen ? atol(getenv("FAILING")) : -1;
void write(const char* name) {
  FILE* file = fopen(name, "w");
  fprintf(file, "%ld", number.load());
  fclose(file);
}
struct AtExit {
  ~AtExit() { if (failing == 0) write("allocations"); }
} at_exit;
}
void* operator new(std::size_t size) {
  if (++number == failing) {
    write("failed");
    throw std::bad_alloc();
  }
  void* memory = malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete(void* memory, std::size_t) noexcept { free(memory); }
"""

    def test_all_ranks_end(self):
        compiler = shutil.which("c++")
        if compiler is None:
            self.skipTest("no c++")
        source, library = self.folder / "own.cc", self.folder / "own.so"
        source.write_text(self.CODE)
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
        path = self.trajectory("a.h5", 60, [60, 40])
        words = [path, "--r-max", "2", "--bins", "50", "--block", "4"]
        expected, code, text = self.alone(*words)
        self.assertEqual(code, 0, text)

        def job(rank, failing):
            run = Job(
                2,
                [*words, "-o", "r.h5", "-f"],
                self.folder,
                LD_PRELOAD=str(library),
                STARPU_NCPU="1",
                FAILING_RANK=str(rank),
                FAILING=str(failing),
                STARHIST_RANK_TIMEOUT="20",
            )
            return run.end(60), run.text

        failed = self.folder / "failed"
        ended_badly = 0
        for rank in (0, 1):
            self.assertEqual(job(rank, 0)[0], 0)
            allocations = int((self.folder / "allocations").read_text())
            self.assertGreater(allocations, 1000)
            for k in range(1, 4):
                code, text = job(rank, allocations * k // 4)
                self.assertNotIn("has not answered", text)
                if code == 0:
                    self.check_equal(expected, self.folder / "r.h5")
                else:
                    self.assertIn("starhist", text)
                    ended_badly += failed.exists()
                failed.unlink(missing_ok=True)
        self.assertGreaterEqual(ended_badly, 2)


class SignalsOutsideOfTheRun(MpiTest):
    """A signal that comes while MPI starts or ends stops the run, or leaves the result and its exit code."""

    def setUp(self):
        super().setUp()
        write_xyz(self.folder / "a.xyz", 40)
        self.words = ["a.xyz", "--r-max", "2", "--bins", "50"]
        self.reference = self.alone(*self.words)[0]

    def start(self, **environment):
        return Job(2, [*self.words, "-o", "r.h5"], self.folder, **environment)

    def signal_paused(self, job, ranks):
        self.wait_for_paused()
        for pid in [job.ranks()[rank] for rank in ranks]:
            os.kill(pid, signal.SIGUSR1)

    def test_while_mpi_starts(self):
        call = ("MPI_Init_thread(int* c, char*** v, int wanted, int* given)", "MPI_Init_thread(c, v, wanted, given)")
        for ranks, pause in (([1], ("wait_here();", "")), ([0, 1], ("", "wait_here();"))):
            job = self.start(LD_PRELOAD=self.paused(pause[0], call, pause[1]))
            self.signal_paused(job, ranks)
            self.assertEqual(job.end(), 4, job.text)
            self.assertRegex(job.text, r"stopped by SIGUSR1: \d+ of 40 frames are counted and saved; to resume, run\b")
            job = Job(2, [*self.words, "-o", "r.h5", "--resume"], self.folder)
            self.assertEqual(job.end(), 0, job.text)
            self.check_equal(self.reference, self.folder / "r.h5")
            for path in (*self.folder.glob("paused.*"), self.folder / "r.h5"):
                path.unlink()

    def check_done(self, job, ranks):
        self.signal_paused(job, ranks)
        self.assertEqual(job.end(), 0, job.text)
        self.check_equal(self.reference, self.folder / "r.h5")
        self.assertEqual([path.name for path in self.folder.glob("r.h5*")], ["r.h5"])

    def test_while_mpi_ends(self):
        library = self.paused("wait_here();", ("MPI_Finalize(void)", "MPI_Finalize()"), "wait_here();")
        self.check_done(self.start(LD_PRELOAD=library), [0, 1])

    def test_after_main(self):
        library = self.folder / "pause_at_exit.so"
        source = ROOT / "tests/faults/pause_at_exit.c"
        if subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=False).returncode:
            self.skipTest("no C compiler")
        job = self.start(LD_PRELOAD=str(library), STARHIST_PAUSE_AT_EXIT="starhist-mpi:paused.0")
        limit = time.monotonic() + 60
        path = self.folder / "paused.0"
        while not (path.exists() and path.read_text().count("\n") == 2) and time.monotonic() < limit:
            time.sleep(0.02)
        for pid in map(int, path.read_text().split()):
            os.kill(pid, signal.SIGUSR1)
        self.assertEqual(job.end(), 0, job.text)
        self.check_equal(self.reference, self.folder / "r.h5")


class Stops(MpiTest):
    """A run of some seconds that is interrupted goes on with --resume."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.place.name)
        trajectory = folder / "long.h5"
        make_trajectory.write(trajectory, 200, [7500], numpy.eye(3) * 6, 1)
        cls.words = [trajectory, "--r-max", "3", "--bins", "100", "--block", "8", "--clusters", "off"]
        cls.reference = folder / "reference.h5"
        subprocess.run([PROGRAM, "rdf", *cls.words, "-o", cls.reference, "-q"], check=True, env=ENVIRONMENT)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def setUp(self):
        super().setUp()
        self.output = self.folder / "r.h5"

    def start(self, *words, **environment):
        """Two ranks of one core, some tenths of a second after they have begun."""
        job = Job(2, [*self.words, "-o", self.output, *words], self.folder, STARPU_NCPU="1", **environment)
        job.wait_for(self.output.with_suffix(".h5.partial"))
        time.sleep(0.4)
        return job

    def check_resumed(self):
        job = Job(3, [*self.words, "-o", self.output, "--resume"], self.folder)
        self.assertEqual(job.end(), 0, job.text)
        self.assertIn("resuming at frame", job.text)
        self.check_equal(self.reference, self.output)

    def test_signal_to_one_rank(self):
        job = self.start()
        os.kill(job.ranks()[1], signal.SIGTERM)
        self.assertEqual(job.end(), 4, job.text)
        self.assertRegex(
            job.text,
            r"stopped by SIGTERM: \d+ of 200 frames are counted and saved; to resume, run with the options of "
            r"your mpirun: mpirun -n 2 \S*starhist-mpi rdf .* --resume",
        )
        self.check_resumed()

    def test_term_while_mpi_ends_after_a_stop(self):
        """Launchers send it to all ranks as soon as one has ended."""
        job = self.start(LD_PRELOAD=self.paused("wait_here();", ("MPI_Finalize(void)", "MPI_Finalize()"), ""))
        ranks = job.ranks()
        for pid in ranks:
            os.kill(pid, signal.SIGUSR1)
        self.wait_for_paused()
        os.kill(ranks[1], signal.SIGTERM)
        self.assertEqual(job.end(), 4, job.text)
        self.assertEqual(job.text.count("to resume, run"), 1)
        self.check_resumed()

    def start_with_stuck_rank(self):
        """A job that is asked to stop while rank 1 is halted; the process number of rank 0."""
        job = self.start("--checkpoint", "0.2")
        ranks = job.ranks()
        os.kill(ranks[1], signal.SIGSTOP)
        os.kill(ranks[0], signal.SIGUSR1)
        return job, ranks[0]

    def test_rank_that_does_not_stop(self):
        """Rank 0 names it after 20 s, and exit code and result are those of a run that was stopped."""
        job, _ = self.start_with_stuck_rank()
        code = job.end()
        self.assertTrue(code == 4 or MPICH, job.text)
        self.assertRegex(job.text, r"stopped within a frame of rank 1 on \S+; earlier results are saved")
        self.check_resumed()

    def test_disk_that_does_not_save(self):
        """Rank 0 says so after 20 s, and what was saved before is whole."""
        library = self.preload(
            'int fsync(int file) {\n  if (access("slow", F_OK) == 0) sleep(60);\n  return fdatasync(file);\n}\n'
        )
        for _ in range(3):  # a run that stops where a block ends has nothing left to save
            job = self.start(LD_PRELOAD=library)
            (self.folder / "slow").touch()
            for pid in job.ranks():
                os.kill(pid, signal.SIGUSR1)
            code = job.end()
            (self.folder / "slow").unlink()
            self.assertTrue(code == 4 or MPICH, job.text)
            if "stopped by SIGUSR1" not in job.text:
                break
            self.check_resumed()
            self.output.unlink()
        self.assertIn("stopped while saving counts; earlier results are saved", job.text)
        self.check_resumed()

    def test_second_signal(self):
        """It ends a rank at once, with the exit code of a run that was stopped: Slurm hands on the highest one."""
        job, first = self.start_with_stuck_rank()
        time.sleep(1)
        os.kill(first, signal.SIGTERM)
        code = job.end(15)
        self.assertTrue(code == 4 or MPICH, job.text)
        self.assertIn("to resume, run with the options of your mpirun: mpirun -n 2", job.text)
        self.check_resumed()

    def test_killed_when_all_was_counted(self):
        partial = self.folder / "r.h5.partial"
        image = io.BytesIO(self.reference.read_bytes())
        with h5py.File(image, "a") as file:
            del file["observables/pair_distance_histogram"].attrs["complete"]
        result_log.write_log(partial, image.getvalue())
        job = Job(2, [*self.words, "-o", self.output, "--resume"], self.folder)
        self.assertEqual(job.end(), 0, job.text)
        self.check_equal(self.reference, self.output)

    def test_usr1_to_mpirun(self):
        job = self.start()
        job.process.send_signal(signal.SIGUSR1)
        self.assertIn(job.end(), (0, 4) if MPICH else (4,), job.text)
        self.assertIn("stopped by SIGUSR1", job.text)
        self.check_resumed()

    def test_term_and_int_to_mpirun(self):
        """Open MPI's sends TERM to the ranks a second later, and KILL after another; MPICH's passes the signal on."""
        for number in (signal.SIGTERM, signal.SIGINT):
            job = self.start("--checkpoint", "0.2", "-f")
            job.process.send_signal(number)
            code = job.end()
            if self.output.exists():
                self.assertRegex(job.text, "200 frames in 25 blocks")  # it was done within that time
                self.check_equal(self.reference, self.output)
                self.output.unlink()
                continue
            self.assertTrue(code != 0 or MPICH, job.text)
            self.check_resumed()
            self.output.unlink()

    def test_killed_rank(self):
        job = self.start("--checkpoint", "0.2")
        os.kill(job.ranks()[1], signal.SIGKILL)
        self.assertNotEqual(job.end(), 0)
        self.assertRegex(job.text, "signal 9|stopped by|has not answered")
        self.check_resumed()

    def test_error_of_a_rank(self):
        library = self.preload(
            "int MPI_Isend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c,\n"
            "              MPI_Request* r) {\n"
            "  static int units;  /* to other ranks */\n"
            "  if (tag == 3 && ++units == 12) ((char*)b)[8] = 77;  /* its kind */\n"
            "  return PMPI_Isend(b, n, t, to, tag, c, r);\n}\n"
        )
        job = self.start(LD_PRELOAD=library)
        self.assertEqual(job.end(), 2, job.text)
        self.assertRegex(job.text, r"starhist-mpi: rank 1 on \S+: a message between ranks is of an unknown kind")
        self.check_resumed()

    def end_with_stopped(self, job, stopped):
        """Waits until the job fails, and kills the process that is stopped."""
        try:
            self.assertEqual(job.end(), 2, job.text)
        finally:
            try:
                os.kill(stopped, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def test_rank_that_is_stopped_while_mpi_starts(self):
        """Before it calls MPI, within MPI's start, and when rank 0 waits for its first message."""
        library = self.preload(
            "int MPI_Comm_split_type(MPI_Comm c, int t, int k, MPI_Info i, MPI_Comm* n) {\n"
            '  if (access("split", F_OK) == 0) wait_in(k);\n'
            "  return PMPI_Comm_split_type(c, t, k, i, n);\n}\n"
            "int MPI_Isend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c,\n"
            "              MPI_Request* r) {\n"
            '  if (access("send", F_OK) == 0) wait_in(to == 0);\n'
            "  return PMPI_Isend(b, n, t, to, tag, c, r);\n}\n",
            "#include <signal.h>\nstatic void wait_in(int rank) {\n"
            '  if (rank == 1) { fclose(fopen("paused", "w")); raise(SIGSTOP); }\n}\n',
        )
        script = self.folder / "rank"
        script.write_text(
            '#!/bin/sh\nif [ -e start ] && [ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 1 ]; then\n'
            f'  touch paused; kill -STOP $$\nfi\nexec {RANKED} "$@"\n'
        )
        script.chmod(0o755)
        # MPICH's mpirun waits forever for a rank that ends before MPI has started.
        for place in ("split", "send") if MPICH else ("start", "split", "send"):
            (self.folder / place).touch()
            job = Job(
                2,
                [*self.words, "-o", self.output],
                self.folder,
                script,
                STARPU_NCPU="1",
                LD_PRELOAD=library,
                STARHIST_RANK_TIMEOUT="6",
            )
            job.wait_for(self.folder / "paused")
            self.end_with_stopped(job, job.ranks()[1])
            self.assertRegex(job.text, r"MPI has not started within 6 s|rank 1.* has not answered for", place)
            self.assertFalse(self.output.exists())
            (self.folder / place).unlink()
            (self.folder / "paused").unlink()

    def test_rank_that_does_not_answer(self):
        job = self.start(STARHIST_RANK_TIMEOUT="6")  # the ranks must also start within this time
        stopped = job.ranks()[1]
        os.kill(stopped, signal.SIGSTOP)
        self.end_with_stopped(job, stopped)
        self.assertRegex(job.text, r"rank 1 on \S+ has not answered for \d+ s")
        self.check_resumed()


if __name__ == "__main__":
    unittest.main()
