#!/usr/bin/env python3
"""Runs the job scripts of scripts/user/slurm on a real Slurm, started on this machine for the check.

    check_slurm.py [--program build/starhist]

* one_node.sh runs out of time, is requeued, and resumes in the same log; its result equals the result of
  an undisturbed run in every object, attribute, type and stored chunk except for the provenance
  (compare_results.py);
* tasks of the count_part.sh array are stopped and requeued one by one, and merge_parts.sh runs after
  them: the counts equal a single run;
* a cancelled job is not requeued; submitted again, it resumes;
* jobs that share a node use only their cores, whether or not Slurm binds them;
* many_nodes.sh, if starhist-mpi is in the folder of the program: two ranks are stopped, requeued and
  resumed, and the result equals an undisturbed run.

Exit status: 0 passed, 1 failed, 77 if Slurm cannot run (it needs the packages slurm-wlm and munge, and root).
"""

import argparse
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/checks"))
from one_machine_slurm import CannotStart, OneMachineSlurm, SlurmError  # noqa: E402

SCRIPTS = ROOT / "scripts/user/slurm"
WATER = ROOT / "tests/data/water.h5"
BINS = ["--r-max", "1.4", "--bins", "280", "--repeated", "keep"]
JOB_SECONDS = 25  # of a job that is to be stopped by its limit of a minute, were it not stopped


def expect(condition, *what):
    if not condition:
        sys.exit("check_slurm.py: " + "\n".join(str(each) for each in what))


def say(start, *what):
    print(f"{time.monotonic() - start:5.1f} s", *what, flush=True)


def count(program, files, output, *options):
    words = [program, "rdf", *files, "-o", output, *BINS, "-q", *options]
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL)


class Jobs:
    """Runs of the job scripts, and the same runs without Slurm."""

    def __init__(self, program, folder, slurm):
        self.program = program
        self.folder = folder
        self.slurm = slurm

    def alone(self, name, files, *options):
        """The result of a run without Slurm."""
        output = self.folder / f"{name}-alone.h5"
        count(self.program, files, output, "--force", *options)
        return output

    def submit(self, script, name, *words, options=()):
        """A job with one core, whose log is NAME.log."""
        log = self.folder / f"{name}.log"
        return self.slurm.submit("--cpus-per-task=1", f"--output={log}", *options, SCRIPTS / script, *words)

    def log(self, name):
        path = self.folder / f"{name}.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def started(self, job, name, partial):
        """Waits until a job counts and has something to lose."""
        self.slurm.until(f"job {job} counts:\n{self.log(name)}", 60, partial.exists)

    def expect_equal(self, output, reference):
        compared = subprocess.run(
            [sys.executable, ROOT / "scripts/checks/compare_results.py", output, reference],
            capture_output=True,
            text=True,
            check=False,
        )
        expect(compared.returncode == 0, f"{output} is not {reference}:", compared.stdout, compared.stderr)

    def expect_done(self, job, name, seconds):
        facts = self.slurm.wait(job, seconds)
        expect(
            [fact["JobState"] for fact in facts] == ["COMPLETED"] * len(facts),
            f"job {job} ({name}) has not completed:",
            facts,
            self.log(name),
        )
        return facts


def copies_for(program, folder, seconds):
    """Returns how often water.h5 must be counted to take a core `seconds` of CPU time, which does not depend
    on other load of this machine. Start-up time is excluded."""

    def taken(copies):
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        count(program, [WATER] * copies, folder / f"speed{copies}.h5")
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start

    return max(4, round(40 * seconds / max(taken(44) - taken(4), 0.1)))


def submit_for_time_limit(jobs, number, copies):
    name = f"limit{number}"
    return jobs.submit(
        "one_node.sh",
        name,
        *[WATER] * copies,
        "-o",
        jobs.folder / f"{name}.h5",
        *BINS,
        options=["--time=1", "--signal=USR1@50", "--mem=600"],
    )


def check_time_limit(jobs, job, number, copies):
    """False where the job ended before its time."""
    name = f"limit{number}"
    output = jobs.folder / f"{name}.h5"
    reference = jobs.alone(name, [WATER] * copies)
    facts = jobs.expect_done(job, name, 900)
    restarts = int(facts[0]["Restarts"])
    log = jobs.log(name)
    jobs.expect_equal(output, reference)
    expect(log.count("stopped by SIGUSR1") == restarts, f"{restarts} restarts:", log)
    expect("TIME LIMIT" not in log, log)
    info = subprocess.run([jobs.program, "info", output], capture_output=True, text=True, check=True).stdout
    expect(f"\n  run {restarts + 1}: " in info, f"{restarts} restarts:", info)
    expect("option --memory: 0.439" in info, "the memory of the job is not the bound:", info)
    left = [path.name for path in jobs.folder.glob(f"{name}.h5.*")]
    expect(not left, "left behind:", left)
    return restarts


def check_array(jobs, files):
    parts = 3
    output = jobs.folder / "array.h5"
    reference = jobs.alone("array", files, "--block", "10")
    job = jobs.submit(
        "count_part.sh", "array-%a", output, parts, *files, *BINS, "--block", "10", options=[f"--array=1-{parts}"]
    )
    merge = jobs.submit(
        "merge_parts.sh", "merge", output, parts, "--repeated", "keep", options=[f"--dependency=afterok:{job}"]
    )
    # The last task has the number of the whole array.
    jobs.started(job, f"array-{parts}", jobs.folder / f"array.h5.part-{parts}.h5.partial")
    jobs.slurm.command("scancel", "--signal=USR1", f"{job}_{parts}")
    facts = jobs.expect_done(job, f"array-{parts}", 600)
    restarts = {int(fact["ArrayTaskId"]): int(fact["Restarts"]) for fact in facts}
    expect(
        restarts == {1: 0, 2: 0, 3: 1},
        f"only task {parts} should have been requeued, once:",
        restarts,
        jobs.log(f"array-{parts}"),
    )
    jobs.expect_done(merge, "merge", 60)
    jobs.expect_equal(output, reference)


def check_cancelled(jobs, files):
    output = jobs.folder / "cancelled.h5"
    words = ["one_node.sh", "cancelled", *files, "-o", output, *BINS]
    job = jobs.submit(*words)
    jobs.started(job, "cancelled", jobs.folder / "cancelled.h5.partial")
    jobs.slurm.command("scancel", job)
    fact = jobs.slurm.wait(job, 60)[0]
    expect(
        fact["JobState"] == "CANCELLED" and fact["Restarts"] == "0",
        "a cancelled job continues:",
        fact,
        jobs.log("cancelled"),
    )
    expect((jobs.folder / "cancelled.h5.partial").exists(), "counted frames are lost:", jobs.log("cancelled"))
    again = jobs.submit(*words)
    jobs.expect_done(again, "cancelled", 600)
    jobs.expect_equal(output, jobs.alone("cancelled", files))


def check_shared_node(jobs, files):
    """Each job has a core for itself: as many workers as it was given."""
    names = ["first", "second"]
    submitted = [
        jobs.submit(
            "one_node.sh", name, *files, "-o", jobs.folder / f"{name}.h5", *BINS, "--json", jobs.folder / f"{name}.json"
        )
        for name in names
    ]
    reference = jobs.alone("shared", files)
    for name, job in zip(names, submitted):
        jobs.expect_done(job, name, 600)
        jobs.expect_equal(jobs.folder / f"{name}.h5", reference)
        summary = json.loads((jobs.folder / f"{name}.json").read_text("utf-8"))
        workers = [worker for worker in summary["workers"] if worker["kind"] == "cpu"]
        expect(len(workers) == 1, f"{len(workers)} workers for one core:", jobs.log(name))


def check_ranks(jobs, files):
    output = jobs.folder / "ranks.h5"
    job = jobs.submit(
        "many_nodes.sh",
        "ranks",
        *files,
        "-o",
        output,
        *BINS,
        "--block",
        "20",
        options=["--nodes=1", "--ntasks-per-node=2"],
    )
    jobs.started(job, "ranks", jobs.folder / "ranks.h5.partial")
    jobs.slurm.command("scancel", "--signal=USR1", job)
    fact = jobs.expect_done(job, "ranks", 600)[0]
    expect(
        (fact["NumTasks"], fact["Restarts"]) == ("2", "1"),
        "not two ranks, requeued once:",
        fact,
        jobs.log("ranks"),
        jobs.slurm.logs(),
    )
    jobs.expect_equal(output, jobs.alone("ranks", files, "--block", "20"))


def check(program, folder):
    start = time.monotonic()
    # Jobs and undisturbed runs share an environment; the slowest kernel makes the work last.
    os.environ.update(PATH=f"{program.parent}:{os.environ['PATH']}", STARHIST_CPU_VARIANT="baseline", STARPU_SILENT="1")
    for name in ("STARPU_NCPU", "STARPU_WORKERS_NOBIND"):
        os.environ.pop(name, None)
    os.environ["STARPU_NCUDA"] = "0"
    bound, unbound = folder / "bound", folder / "unbound"
    bound.mkdir()
    unbound.mkdir()
    copies = copies_for(program, folder, JOB_SECONDS)
    few = [WATER] * max(12, copies // 5)
    with OneMachineSlurm(bound) as slurm:
        say(start, "Slurm runs")
        jobs = Jobs(program, folder, slurm)
        for number in range(3):
            job = submit_for_time_limit(jobs, number, copies)
            if number == 0:
                check_array(jobs, few)
                say(start, "a job array, one task of it requeued, and the merge behind it: the counts of one run")
                check_cancelled(jobs, few)
                say(start, "a cancelled job: not requeued, and resumed when submitted again")
                check_shared_node(jobs, few)
                say(start, "two jobs on the node: a worker each on the core that Slurm binds it to")
            restarts = check_time_limit(jobs, job, number, copies)
            if restarts:
                break
            copies *= 3
        if (program.parent / "starhist-mpi").exists():
            check_ranks(jobs, [WATER] * copies)
            say(start, "two ranks, requeued: the result of an undisturbed run")
        else:
            say(start, "two ranks: skipped, starhist-mpi is missing")
        expect(restarts, "the job ended before its time was over, three times")
        say(start, f"out of time and requeued {restarts} times: the result of an undisturbed run")
    with OneMachineSlurm(unbound, task_plugin="task/none") as slurm:
        check_shared_node(Jobs(program, unbound, slurm), few)
        say(start, "the same where Slurm does not bind jobs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", default=str(ROOT / "build/starhist"))
    arguments = parser.parse_args()
    program = pathlib.Path(arguments.program).resolve()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends Slurm, and removes its files
    with tempfile.TemporaryDirectory(prefix="starhist-slurm-") as folder:
        try:
            check(program, pathlib.Path(folder))
        except CannotStart as reason:
            print(f"SKIPPED: check_slurm.py: {reason}")
            return 77
        except SlurmError as error:
            print(f"check_slurm.py: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
