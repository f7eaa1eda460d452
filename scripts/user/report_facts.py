"""How a result was made, from its provenance and from the summary of its run."""

import datetime
import json
import pathlib
import re

from failures import problem_of
from shown_text import shown
from starhist_program import ResultError
from units import symbol

NO_RUN = (
    "Worker shares are stored in the summary of starhist rdf --json FILE; starhist report --run FILE shows them here."
)
# Entries of the provenance with names of files, also of results that were merged, and the folders in these names.
FILES = re.compile(r"(result \d+ )*((result|input) \d+|option --(output|structure|json|trace|index|aliases))")
SENTENCES = re.compile(r"(result \d+ )*(external|remark) \d+")
FOLDERS = re.compile(r"[^\s,;]*/(?=[^/\s])")


def grouped(number):
    return f"{number:,}".replace(",", "\u202f")  # narrow spaces


def folders_of(provenance):
    """Returns the folders of all files, longest first. Their names may contain blanks."""
    found = {
        value.rpartition("/")[0] + "/" for name, value in provenance.items() if FILES.fullmatch(name) and "/" in value
    }
    return sorted(found, key=len, reverse=True)


def shown_value(name, value, paths, folders=()):
    if not paths and FILES.fullmatch(name):
        return name, value.rpartition("/")[2]
    if not paths and SENTENCES.fullmatch(name):
        for folder in folders:
            value = value.replace(folder, "")
        return name, FOLDERS.sub("", value)
    if name.endswith("(unix time)"):
        moment = datetime.datetime.fromtimestamp(int(value), datetime.timezone.utc)
        return name.removesuffix(" (unix time)"), moment.strftime("%Y-%m-%d %H:%M:%S UTC")
    if name.endswith(" bytes") or name.startswith("pairs "):
        return name, grouped(int(value)) if value.isdigit() else value
    if name.startswith("option ") and value in ("", "\0"):
        return name, "given"
    return name, value


def provenance_rows(provenance, paths):
    """Returns the provenance: inputs, then options, then program and machine. Folders of files are omitted unless
    `paths` is true, because they may contain a user name."""

    def place(item):
        name = item[0]
        return (0 if name.startswith("input") else 1 if name.startswith("option") else 2, name)

    # "\0" is the value of an option without one. Escaped first: shown_value() adds narrow spaces to numbers.
    provenance = {shown(name): value if value == "\0" else shown(value) for name, value in provenance.items()}
    folders = folders_of(provenance)
    return [shown_value(*item, paths, folders) for item in sorted(provenance.items(), key=place)]


def shown_facts(path, frames, blocks, more, complete, provenance, paths):
    """Returns facts, provenance and footer of the page of the result file `path`. more: further facts, as text."""
    facts = [f"{grouped(frames)} frame{'s' * (frames != 1)} in {grouped(blocks)} block{'s' * (blocks != 1)}", *more]
    version = provenance.get("version", "")
    return {
        "facts": " · ".join(facts + ([] if complete else ["of a run that did not finish"])),
        "provenance": provenance_rows(provenance, paths),
        "footer": f"Made from {pathlib.Path(path).name}, counted by starhist {version}".rstrip() + ".",
    }


def facts_of(counts, path, paths):
    """Returns shown_facts() of ResultCounts."""
    pairs, edges = sum(int(pair.pairs.sum()) for pair in counts.pairs), counts.edges
    more = [f"{grouped(pairs)} pairs", f"{len(edges) - 1} bins up to {edges[-1]:.6g} {symbol(counts.unit)}".rstrip()]
    if "missing parts" in counts.provenance:
        more.append(f"merged without the parts {shown(counts.provenance['missing parts'])}")
    frames, blocks = int(counts.frames.sum()), len(counts.frames)
    return shown_facts(path, frames, blocks, more, counts.complete, counts.provenance, paths)


def summary_in(path):
    try:
        summary = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        if summary["program"] != "starhist":
            raise ValueError("of another program")
        for worker in summary["workers"]:
            for key in ("name", "device", "tasks", "pairs", "busy_seconds"):
                worker[key]  # all there
        return summary
    except OSError as error:
        raise ResultError(problem_of(error)) from error
    except json.JSONDecodeError as error:
        raise ResultError(
            f"{path}: not a summary of a run (line {error.lineno} is not JSON): pass the file of starhist rdf --json"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ResultError(f"{path}: not a summary of a run ({error}): pass the file of starhist rdf --json") from error


def run_of(counts, result, named):
    """Returns the workers of a summary. A summary of another run is an error, or ignored if it was found by default."""
    path = named or counts.provenance.get("option --json", "")
    if not path or not (named or pathlib.Path(path).is_file()):
        return {"run": None, "runNote": NO_RUN}
    try:
        summary = summary_in(path)
        pairs = sum(int(pair.pairs.sum()) for pair in counts.pairs)
        if summary["pairs"] != pairs:
            raise ResultError(f"{path}: from another run ({summary['pairs']} pairs, {result} has {pairs})")
    except ResultError:
        if named:
            raise
        return {"run": None, "runNote": NO_RUN}
    sentence = (
        f"{summary['seconds']:.3g} s, {1e-9 * summary['pairs_per_second']:.3g} · 10⁹ pairs/s in all; "
        f"scheduler {summary['scheduler']}, kernel {summary['cpu_variant']}."
    )
    return {"run": {"workers": summary["workers"], "seconds": summary["seconds"], "sentence": sentence}, "runNote": ""}
