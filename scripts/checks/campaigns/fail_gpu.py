#!/usr/bin/env python3
"""Makes a GPU refuse launches and memory: no wrong counts, crash or hang is allowed, and a message is required.

    fail_gpu.py [--program build/starhist] [--library cuda_memory.so] [--most 40] [--tiles on,off]

Runs of the water example, with the GPU and two CPU workers, and with the GPU only:

* refuse:K  every K-th launch is refused (STARHIST_GPU_FAULT)
* trap:K    the GPU fails permanently before the K-th launch
* device:K  the K-th cudaMalloc fails, and with + all later ones; host:K likewise for pinned memory
  (preloaded library, tests/faults/cuda_memory.c, built with cc unless --library names it)
* memory:M  StarPU may use M MB of the GPU (STARPU_LIMIT_CUDA_MEM)

K is 1, 2, ... up to the number of launches or calls of a run without faults, at most --most values,
spread evenly. Each run must end either with exit code 0 and the result of a run on CPUs, or with exit
code 1 or 2, a message, no result, and a readable .partial file, if any. If the GPU runs out of memory
after the start, StarPU waits: after 20 s the run gets SIGTERM, and must end with exit code 4, a
message and no result. Skipped (77) without a GPU.
"""

import collections
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from campaign_runs import ROOT, WATER, build_library, compare_results, environment, make_parser, rdf, unreadable

MEGABYTES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
WAITS = re.compile(r"device:[0-9]+\+")
LAUNCHES = 200  # more than a run below has: 91 frames in blocks of 7, tasks of 10^7 pairs


def spread(last, most):
    """1, 2, ... last, at most `most` of them."""
    count = min(last, most)
    return [1 + k * (last - 1) // max(count - 1, 1) for k in range(count)]


class Campaign:
    def __init__(self, program, library, folder):
        self.program = program
        self.library = library
        self.folder = folder
        self.outcomes = collections.Counter()
        self.findings = []

    def run(self, name, tiles, settings):
        """Starts a run; its process, and the path of its result."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        output = place / "out.h5"
        options = "--r-max 1.4 --bins 2000 --block 7 --task-pairs 10000000 --clusters".split()
        words = rdf(self.program, [WATER], output, "--species", "O=name O; all=all", *options, tiles)
        variables = environment(**settings)
        run = subprocess.Popen(words, env=variables, stderr=subprocess.PIPE, text=True, errors="replace")
        waits = WAITS.match(name)
        for number, patience in ((signal.SIGTERM, 20 if waits else 100), (signal.SIGKILL, 40)):
            try:
                error = run.communicate(timeout=patience)[1]
                return run.returncode, error, output
            except subprocess.TimeoutExpired:
                run.send_signal(number)
        error = run.communicate()[1]
        return run.returncode, error, output

    def problem(self, name, code, error, output, reference):
        """Returns the problem of a run that has ended, or ""."""
        if code == 0:
            if not output.exists():
                return "exit code 0 without a result"
            return "; ".join(list(compare_results.differences(output, reference))[:3])
        if code not in (1, 2, 4) or (code == 4 and not WAITS.match(name)):
            return f"exit code {code}: {error[-500:]}"
        if "starhist: " not in error:
            return f"exit code {code} without a sentence: {error[-500:]}"
        if output.exists():
            return f"exit code {code} and a result"
        partial = output.with_name("out.h5.partial")
        return unreadable(self.program, partial) if partial.exists() else ""

    def fail(self, name, tiles, settings, reference):
        code, error, output = self.run(name, tiles, settings)
        wrong = self.problem(name, code, error, output, reference)
        if wrong:
            self.findings.append(f"{name}: {wrong}")
            print(f"{name}: {wrong}", flush=True)
        kind = name.split(":", maxsplit=1)[0]
        self.outcomes[f"{kind}, exit code {code}"] += 1

    def reference(self, tiles):
        code, error, output = self.run("CPUs alone", tiles, {"STARPU_NCUDA": "0"})
        if code != 0:
            sys.exit(f"fail_gpu: a run on CPUs only ended with exit code {code}: {error}")
        return output

    def calls(self, tiles):
        """Number of calls for memory of the GPU and for pinned memory, without faults."""
        path = self.folder / "calls"
        code, error, _ = self.run("GPU", tiles, {"STARHIST_CUDA_CALLS": str(path), "LD_PRELOAD": str(self.library)})
        if code != 0:
            sys.exit(f"fail_gpu: a run without faults ends with {code}: {error}")
        return [int(word) for word in path.read_text(encoding="ascii").split()]

    def faults(self, tiles, most):
        """Pairs of (name, settings)."""
        for word in ("refuse", "trap"):
            for k in spread(LAUNCHES, most):
                yield f"{word}:{k}", {"STARHIST_GPU_FAULT": f"{word}:{k}"}
        for word, last in zip(("device", "host"), self.calls(tiles)):
            print(f"tiles {tiles}: {last} calls for {word} memory", flush=True)
            for k in spread(last, most):
                for later in ("", "+"):
                    yield (
                        f"{word}:{k}{later}",
                        {"STARHIST_CUDA_MEMORY": f"{word}:{k}{later}", "LD_PRELOAD": str(self.library)},
                    )
        for size in MEGABYTES:
            yield f"memory:{size}", {"STARPU_LIMIT_CUDA_MEM": str(size)}


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--library")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--tiles", default="on,off")
    given = parser.parse_args()
    if (
        not shutil.which("nvidia-smi")
        or subprocess.run(["nvidia-smi", "-L"], check=False, stdout=subprocess.DEVNULL).returncode != 0
    ):
        print("SKIPPED: no GPU found")
        return 77
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        library = given.library or build_library(folder / "cuda_memory.so", [ROOT / "tests/faults/cuda_memory.c"])
        campaign = Campaign(given.program, library, folder)
        for tiles in given.tiles.split(","):
            reference = campaign.reference(tiles)
            for name, settings in campaign.faults(tiles, given.most):
                for cpus in ("2", "0"):
                    campaign.fail(
                        f"{name}, {cpus} CPU workers, tiles {tiles}", tiles, dict(settings, STARPU_NCPU=cpus), reference
                    )
    for what, count in sorted(campaign.outcomes.items()):
        print(f"{what}: {count}")
    runs = sum(campaign.outcomes.values())
    print(f"{runs} runs in {time.monotonic() - start:.0f} s, {len(campaign.findings)} findings")
    return 1 if campaign.findings else 0


if __name__ == "__main__":
    sys.exit(main())
