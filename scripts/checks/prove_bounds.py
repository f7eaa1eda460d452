#!/usr/bin/env python3
"""Proves the error bounds of the fast paths with Gappa, from the constants in the sources.

    prove_bounds.py [--only TEXT] [--list] [--scripts FOLDER] [--no-examples]

Proves each lemma for the constant of the source less its reserve, which no operation needs. Then
tries it with that number lowered by one step, which Gappa must not prove. `rejected` means that
Gappa finds no proof; `refuted` that a search with NumPy also found an input, printed below the
table, whose error exceeds the lowered bound. docs/explanation/certified-counts.md lists the bounds
that are proved here and those that are argued by hand.

Exit status 0: all proved and all lowered ones rejected; 1: not; 77: gappa is not installed.
"""

import argparse
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from bounds import edges, gappa, gpu, images, loops, sources


def all_lemmas(constants):
    return [lemma for path in (loops, edges, images, gpu) for lemma in path.lemmas(constants)]


def plain(value):
    return f"{float(value):.10g}"


def judge(lemma, examples=True, folder=None):
    """(words of the table's last two columns, whether the lemma passes, counter-example or None)."""

    def run(bound, kind):
        results, scripts = {}, lemma.scripts(bound)
        for variant, text in ({"": scripts} if isinstance(scripts, str) else scripts).items():
            if folder:
                name = "-".join(f"{lemma.name} {variant} {kind}".replace(",", " ").replace(":", " ").split())
                (folder / f"{name}.g").write_text(text, encoding="ascii")
            results[variant] = gappa.proved(text)
        return results

    held = run(lemma.needed, "claim")
    missing = [v or "it" for v, ok in held.items() if not ok]
    lowered = all(run(lemma.lowered, "lowered").values())
    example = lemma.example(lemma.lowered) if examples and not lowered else None
    words = (
        f"NOT: {', '.join(missing)}" if missing else "yes",
        "STILL PROVED" if lowered else "refuted" if example else "rejected",
    )
    return words, not missing and not lowered, example


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="lemmas whose name contains this")
    parser.add_argument("--list", action="store_true", help="print the lemmas and stop")
    parser.add_argument("--scripts", type=pathlib.Path, metavar="FOLDER", help="keep the scripts for Gappa here")
    parser.add_argument("--no-examples", action="store_true", help="do not look for counter-examples")
    options = parser.parse_args(arguments)
    try:
        chosen = [lemma for lemma in all_lemmas(sources.read()) if options.only in lemma.name]
    except sources.SourceError as error:
        print(f"prove_bounds.py: {error}", file=sys.stderr)
        return 1
    if not chosen:
        parser.error(f"no lemma's name contains '{options.only}': --list prints them")
    if options.list:
        for lemma in chosen:
            print(f"{lemma.name}: {lemma.claim.format(plain(lemma.bound))}")
        return 0
    if not shutil.which("gappa"):
        print("SKIPPED: gappa is missing (apt-get install gappa)")
        return 77
    if options.scripts:
        options.scripts.mkdir(parents=True, exist_ok=True)
    print("| lemma | claim | reserve | proved | lowered to | |\n|---|---|---|---|---|---|")
    passed, examples = 0, []
    for lemma in chosen:
        (proof, rejection), good, example = judge(lemma, not options.no_examples, options.scripts)
        passed += good
        if example:
            examples.append(f"{lemma.name}, {plain(lemma.lowered)}: {example}")
        print(
            f"| {lemma.name} | {lemma.claim.format(plain(lemma.bound))} | {plain(lemma.reserve)} | {proof} | "
            f"{plain(lemma.lowered)} | {rejection} |",
            flush=True,
        )
    if examples:
        print("\nInputs that exceed the lowered bounds:", *examples, sep="\n  ")
    print(f"\n{passed} passed, {len(chosen) - passed} failed")
    return 0 if passed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
