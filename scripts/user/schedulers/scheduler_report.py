"""Statistics and tables of a comparison of schedulers: runs.csv, workers.csv, runs.json,
summary.md. Used by compare_schedulers.py."""

import csv
import json
import math
import pathlib
import statistics
from dataclasses import dataclass, field


def interval(values: list) -> tuple:
    """Returns (low, high) around the median: with six or more values, the order statistics that enclose the
    distribution's median with a probability of at least 95 %, for any distribution; otherwise min and max."""
    ordered, n = sorted(values), len(values)
    outside, rank = 0.0, 0  # the chance that the median lies below the rank-th smallest value
    while rank < n and 2 * (outside + math.comb(n, rank) / 2**n) <= 0.05:
        outside += math.comb(n, rank) / 2**n
        rank += 1
    return (ordered[rank - 1], ordered[n - rank]) if rank else (ordered[0], ordered[-1])


def interval_name(count: int) -> str:
    return "95 %" if count >= 6 else "min..max"


@dataclass
class Group:
    """The successful repetitions of one scheduler on one worker set."""

    scheduler: str
    workers: str
    runs: list  # of schedulers.runs.Run

    @property
    def throughput(self) -> float:
        return statistics.median(run.throughput for run in self.runs)

    @property
    def throughput_interval(self) -> tuple:
        return interval([run.throughput for run in self.runs])

    @property
    def seconds(self) -> float:
        return statistics.median(run.seconds for run in self.runs)

    def busy_shares(self) -> dict:
        """Maps each worker of the first run to the median of its busy share."""
        shares = {}
        for run in self.runs:
            for worker in run.worker_list:
                shares.setdefault(worker.name, []).append(run.busy_share(worker))
        return {name: statistics.median(values) for name, values in shares.items()}

    def median_of(self, value):
        """Returns the median of `value` over the runs; None if starhist does not report it."""
        values = [number for number in map(value, self.runs) if number is not None]
        return statistics.median(values) if values else None


@dataclass
class Comparison:
    """All runs and the statistics computed from them."""

    schedulers: list  # in the order of the user
    workers: list  # names of worker sets
    runs: list = field(default_factory=list)
    about: dict = field(default_factory=dict)  # program, machine, command, ...

    def group(self, scheduler: str, workers: str):
        runs = [
            run
            for run in self.runs
            if run.ok and run.purpose == "measure" and (run.scheduler, run.workers) == (scheduler, workers)
        ]
        return Group(scheduler, workers, runs) if runs else None

    def groups(self, workers: str) -> list:
        groups = (self.group(scheduler, workers) for scheduler in self.schedulers)
        return [group for group in groups if group]

    @property
    def failed(self) -> list:
        return [run for run in self.runs if not run.ok]

    def worker_rates(self, workers: str) -> dict:
        """Maps each worker to its pairs per busy second, the median over all runs in which it counted. Workers that
        never counted get the median of their kind."""
        rates, kinds = {}, {}
        for group in self.groups(workers):
            for run in group.runs:
                for worker in run.worker_list:
                    kinds[worker.name] = worker.kind
                    rates.setdefault(worker.name, [])
                    if worker.rate > 0:
                        rates[worker.name].append(worker.rate)
        medians = {name: statistics.median(values) for name, values in rates.items() if values}
        for name in rates.keys() - medians.keys():
            same = [rate for other, rate in medians.items() if kinds[other] == kinds[name]]
            medians[name] = statistics.median(same) if same else 0.0
        return medians

    def area_bound(self, workers: str) -> float:
        """Pairs/s of the set if every worker were always busy: no distribution of
        divisible, independent work can exceed. Workers of one GPU share it: what they make
        while both are busy is what counts, so the bound is a little high where one was alone."""
        return sum(self.worker_rates(workers).values())

    def composition(self, workers: str) -> str:
        """Such as "15 CPU + 1 CUDA"."""
        groups = self.groups(workers)
        kinds = [worker.kind.upper() for worker in groups[0].runs[0].worker_list] if groups else []
        return " + ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))

    def devices(self, workers: str) -> str:
        devices = {
            worker.device for group in self.groups(workers) for worker in group.runs[0].worker_list if worker.device
        }
        return f" GPUs: {', '.join(sorted(devices))}." if devices else ""


PREDICTION_ERRORS = ["mean_relative_error", "mean_absolute_relative_error", "absolute_error_of_time"]
# Columns of runs.csv; empty if starhist does not report the value.
RUN_COLUMNS = {
    "order": None,
    "purpose": lambda run: run.purpose,
    "scheduler": lambda run: run.scheduler,
    "workers": lambda run: run.workers,
    "repetition": lambda run: run.repetition,
    "exit_code": lambda run: run.exit_code,
    "error": lambda run: run.error,
    "seconds": lambda run: run.summary.get("seconds"),
    "count_seconds": lambda run: run.summary.get("count_seconds"),
    "wall_seconds": lambda run: run.wall_seconds,
    "frames": lambda run: run.summary.get("frames"),
    "pairs": lambda run: run.summary.get("pairs"),
    "pairs_per_second": lambda run: run.throughput or None,
    "busy_share": lambda run: statistics.mean(map(run.busy_share, run.worker_list)) if run.worker_list else None,
    "predicted_tasks": lambda run: run.summary.get("prediction", {}).get("tasks"),
    **{name: lambda run, name=name: run.prediction_error(name) for name in PREDICTION_ERRORS},
    "bytes_moved": lambda run: run.summary.get("bytes_moved"),
    "repeated_tasks": lambda run: run.summary.get("repeated_tasks"),
    "load_average": lambda run: run.load_average,
    "version": lambda run: run.summary.get("version"),
    "cpu_variant": lambda run: run.summary.get("cpu_variant"),
    "cuda_variant": lambda run: run.summary.get("cuda_variant"),
    "host": None,
    "cpu_model": None,
    "environment": lambda run: " ".join(f"{k}={v}" for k, v in run.environment.items()),
}
# Columns of workers.csv after "order".
WORKER_COLUMNS = {
    "scheduler": lambda run, worker: run.scheduler,
    "workers": lambda run, worker: run.workers,
    "repetition": lambda run, worker: run.repetition,
    "worker": lambda run, worker: worker.name,
    "kind": lambda run, worker: worker.kind,
    "device": lambda run, worker: worker.device,
    "tasks": lambda run, worker: worker.tasks,
    "pairs": lambda run, worker: worker.pairs,
    "busy_seconds": lambda run, worker: worker.busy_seconds,
    "busy_share": lambda run, worker: run.busy_share(worker),
    "idle_share": lambda run, worker: 1 - run.busy_share(worker),
    "pairs_per_busy_second": lambda run, worker: worker.rate or None,
}


def write_tables(comparison: Comparison, folder: pathlib.Path) -> None:
    """Writes runs.csv (measured and failed runs), workers.csv and runs.json (all runs)."""
    listed = [(order, run) for order, run in enumerate(comparison.runs, 1) if run.purpose == "measure" or not run.ok]
    machine = {key: comparison.about.get(key) for key in ("host", "cpu_model")}
    with open(folder / "runs.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, RUN_COLUMNS)
        table.writeheader()
        for order, run in listed:
            row = {name: value(run) for name, value in RUN_COLUMNS.items() if value}
            table.writerow({"order": order, **row, **machine})
    with open(folder / "workers.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["order", *WORKER_COLUMNS])
        for order, run in listed:
            for worker in run.worker_list:
                table.writerow([order, *(value(run, worker) for value in WORKER_COLUMNS.values())])
    everything = {
        **comparison.about,
        "area_bounds_pairs_per_second": {workers: comparison.area_bound(workers) for workers in comparison.workers},
        "runs": [{"order": order, **vars(run)} for order, run in enumerate(comparison.runs, 1)],
    }
    (folder / "runs.json").write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


def percent(share) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def giga(rate: float) -> str:
    return f"{1e-9 * rate:.4g}"


def table_rows(comparison: Comparison, workers: str):
    bound = comparison.area_bound(workers)
    for group in comparison.groups(workers):
        low, high = group.throughput_interval
        busy = list(group.busy_shares().values())
        moved = group.median_of(lambda run: run.summary.get("bytes_moved"))
        yield [
            group.scheduler,
            str(len(group.runs)),
            f"{group.seconds:.4g}",
            giga(group.throughput),
            f"{giga(low)} .. {giga(high)}",
            percent(group.throughput / bound if bound else None),
            percent(statistics.mean(busy) if busy else None),
            percent(min(busy, default=None)),
            percent(group.median_of(lambda run: run.prediction_error(PREDICTION_ERRORS[1]))),
            "" if moved is None else f"{moved / 2**20:.4g}",
        ]


def cell(value) -> str:
    """Returns text as a cell of a Markdown table: one line, without |."""
    return " ".join(str(value).split()).replace("|", "\\|")


def summary(comparison: Comparison, differences: list) -> str:
    """Writes summary.md: a table per worker set, then notes, failed runs and differences of counts."""
    about, measured = comparison.about, [run for run in comparison.runs if run.ok and run.purpose == "measure"]
    lines = ["# Comparison of schedulers", "", "| | |", "|---|---|"]
    lines += [
        f"| {key.replace('_', ' ')} | {cell(value)} |"
        for key, value in about.items()
        if key != "differences" and value not in ("", None)
    ]
    succeeded = sum(run.ok for run in comparison.runs)
    counts = f"the same in all {succeeded} runs" if succeeded > 1 else "nothing to compare"
    lines += [f"| counts | {'**differ**, see below' if differences else counts} |", ""]
    for workers in comparison.workers:
        groups = comparison.groups(workers)
        if not groups:
            continue
        runs = min(len(group.runs) for group in groups)
        head = [
            "scheduler",
            "runs",
            "time (s)",
            "10^9 pairs/s",
            interval_name(runs),
            "of area bound",
            "mean busy",
            "least busy",
            "prediction error",
            "moved (MiB)",
        ]
        lines += [
            f"## {workers}: {comparison.composition(workers)}",
            "",
            f"Area bound {giga(comparison.area_bound(workers))} 10^9 pairs/s.{comparison.devices(workers)}",
            "",
            "| " + " | ".join(head) + " |",
            "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|",
        ]
        lines += ["| " + " | ".join(row) + " |" for row in table_rows(comparison, workers)]
        lines.append("")
    if measured:
        lines += [
            "Medians over the runs. *95 %*: interval of the median by order statistics, for six or "
            "more runs. *Area bound*: sum of the workers' pairs per busy second (median over all "
            "runs of the set), the throughput if all workers were always busy. These speeds refer to "
            "the tasks that each worker received: a scheduler that assigns tasks to the kind of "
            "worker that suits them may exceed 100 %. *Prediction error*: mean of "
            "|measured/predicted - 1| over the tasks; empty if the scheduler requests no "
            "predictions.",
            "",
        ]
    if comparison.failed:
        lines += ["## Failed", ""] + [f"* {run}: {run.failure}" for run in comparison.failed]
        lines.append("")
    if differences:
        lines += ["## Counts differ", ""] + [f"* {difference}" for difference in differences] + [""]
    return "\n".join(lines)
