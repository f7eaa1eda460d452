"""How a result was made, from its provenance and from the summary of its run."""
import datetime
import json
import pathlib
import re

from report_curves import ReportError
from units import settled, symbol

PARAMETERS = "parameters/pair_histogram"
PROVENANCE = "parameters/provenance"
HISTOGRAM = "observables/pair_distance_histogram"
NO_RUN = ("The shares of the workers are in the summary that starhist rdf --json FILE writes; "
          "starhist report --run FILE shows them here.")
# Entries of the provenance with names of files, also of results that were merged, and the folders in these names.
FILES = re.compile(r"(result \d+ )*((result|input) \d+|option --(output|structure|json|trace|index|aliases))")
SENTENCES = re.compile(r"(result \d+ )*(external|remark) \d+")
FOLDERS = re.compile(r"[^\s,;]*/(?=[^/\s])")


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def grouped(number):
    return f"{number:,}".replace(",", "\u202f")  # narrow spaces


def provenance_of(file):
    if PROVENANCE not in file:
        return {}
    return {name: text(value) for name, value in file[PROVENANCE].attrs.items()}


def folders_of(provenance):
    """The folders of the files, the longest first. Their names may have blanks."""
    found = {value.rpartition("/")[0] + "/" for name, value in provenance.items()
             if FILES.fullmatch(name) and "/" in value}
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


def provenance_rows(file, paths):
    """What was read first, then the options, then what ran. The folders of files can hold the name of an account,
    and are left out unless `paths`."""
    def place(item):
        name = item[0]
        return (0 if name.startswith("input") else 1 if name.startswith("option") else 2, name)
    provenance = provenance_of(file)
    folders = folders_of(provenance)
    return [shown_value(*item, paths, folders) for item in sorted(provenance.items(), key=place)]


def facts_of(file, path, paths, given_unit="", out_unit=""):
    histogram = file[HISTOGRAM]
    frames, pairs = int(histogram["frames"][()].sum()), int(histogram["pairs"][()].sum())
    blocks, edges = histogram["frames"].shape[0], histogram["bin_edges"]
    unit, conversion = settled(path, text(file[PARAMETERS].attrs["length_unit"]), given_unit, out_unit)
    bins = f"{edges.shape[0] - 1} bins up to {conversion(edges[-1]):.6g} {symbol(unit)}".rstrip()
    facts = [f"{grouped(frames)} frame{'s' * (frames != 1)} in {grouped(blocks)} block{'s' * (blocks != 1)}",
             f"{grouped(pairs)} pairs", bins]
    version = provenance_of(file).get("version", "")
    whole = "complete" in histogram.attrs
    return {"facts": " · ".join(facts + ([] if whole else ["of a run that did not finish"])),
            "provenance": provenance_rows(file, paths),
            "footer": f"Made from {pathlib.Path(path).name}, counted by starhist {version}".rstrip() + "."}


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
        raise ReportError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ReportError(f"{path}: is not what starhist rdf --json writes ({error})") from error


def run_of(file, result, named):
    """The summary's workers. One of another run is refused, or left out if nobody named it."""
    path = named or provenance_of(file).get("option --json", "")
    if not path or not (named or pathlib.Path(path).is_file()):
        return {"run": None, "runNote": NO_RUN}
    try:
        summary = summary_in(path)
        pairs = int(file[HISTOGRAM]["pairs"][()].sum())
        if summary["pairs"] != pairs:
            raise ReportError(f"{path}: is of another run ({summary['pairs']} pairs, {result} has {pairs})")
    except ReportError:
        if named:
            raise
        return {"run": None, "runNote": NO_RUN}
    sentence = (f"{summary['seconds']:.3g} s, {1e-9 * summary['pairs_per_second']:.3g} · 10⁹ pairs/s in all; "
                f"scheduler {summary['scheduler']}, kernel {summary['cpu_variant']}.")
    return {"run": {"workers": summary["workers"], "seconds": summary["seconds"], "sentence": sentence},
            "runNote": ""}
