#!/usr/bin/env python3
"""Words that were retired from the tree, so that one thing keeps one name. The words in use are in
docs/developer/glossary.md.

    scripts/checks/check_words.py [ROOT]     prints the lines that hold one, exit status 1 if any

Code is searched for identifiers and comments alike, documents for the words of prose.
"""

import argparse
import pathlib
import re
import sys

# Retired word (a regular expression) -> the one to use, in code and comments.
CODE = {
    r"\w*[Dd]oubt\w*": "ambiguous pair, ambiguity",
    r"[Jj]udge\w*": "Binner, bin",
    r"\bTrust\b|\bmake_trust\b|\btrust\b": "FilterBound",
    r"\bsettle[ds]?\b|\bsettling\b": "exact re-evaluation",
    r"\w*[Bb]undle\w*": "batch",
    r"\b[Ss]uper ?[Tt]iles?\b|super_tiles?": "supercluster",
    r"\b[Ll]oosely\b|\bLoose\w+": "optimistic counters",
    r"\bcrowding\w*\b": "density contrast",
    r"\bmovers?\b": "translation operand",
    r"\bSquareSteps\b": "QuantisedSquares",
    r"\bFine(Metric|Simd)\b": "DoubleMetric, DoubleSimd",
    r"\bfarthest_distance\b": "covering_radius",
    r"\btell_members\b": "with_membership",
    r"\bone_by_one\b": "per_particle",
    r"\bTileEfforts?\b|\bWorkPlan\b": "ClusterCost, ClusterCostModel, BatchPlan",
    r"\bTransferMemory\b|\bThreadTeam\b|\bProgressSignal\b": "PinnedPool, ThreadPool, CompletionMonitor",
    r"\bgive_way\b|\bgives? way\b": "lower priority",
    r"\b(file_look|FileLook|file_states|FileStates)\b": "file signature, file fingerprint",
    r"\brule_words\b|\bgromacs_wire\b|\bhdf5_abandon\b": "selection lexer, GROMACS protocol, HDF5 detach",
    r"\bBlockInFlight\b": "PendingBlock",
    r"\bUnitPairs\b|\bWholeUnit\b|\bParticleUnits\b|\bUnitCentres\b": "compound",
    r"\bProportionalPlace\b|\bFramePlaces\b|\bhdf5_place\b": "candidate, frame offset, HDF5 location",
    r"\bTile(Boxes|Distance|Images|Census|Search|Records|View|Box|Axes|Reach)\b": "Cluster...",
}
# The same in documents. `--tiles` is an alias of `--clusters`, and *tile* a block in cache or shared memory.
PROSE = {
    r"\bsuper tiles?\b": "supercluster",
    r"\bin doubt\b|\bdoubtful\b": "ambiguous",
    r"\bbundles? of frames\b": "batch",
    r"\bcounted loosely\b|\bloose counts?\b": "optimistic counters",
    r"\bcalm machine\b": "(say which machine, and what ran beside)",
    r"\bsecond look\b|\blast look\b": "(name the change)",
}
FOLDERS = ["codelets", "docs", "driver", "io", "perfmodels", "scripts", "tasks", "tests"]
# Lists the retired words themselves.
EXEMPT = {"scripts/checks/check_words.py", "docs/developer/glossary.md"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    root = parser.parse_args().root
    files = sorted(
        path.relative_to(root).as_posix() for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()
    )
    files += sorted(path.name for path in root.glob("*.md"))
    found = 0
    for name in files:
        suffix = pathlib.PurePath(name).suffix
        words = CODE if suffix in {".hh", ".cc", ".cu", ".cuh"} else PROSE if suffix == ".md" else None
        if words is None or name in EXEMPT:
            continue
        for number, line in enumerate((root / name).read_text("utf-8").splitlines(), 1):
            for pattern, instead in words.items():
                for match in re.finditer(pattern, line):
                    found += 1
                    print(f"{name}:{number}: '{match[0]}' is retired (use: {instead})")
    print(f"{found} retired words")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
