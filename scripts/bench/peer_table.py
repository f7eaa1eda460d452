"""Formats the results of compare_peers.py as text and as Markdown."""

import platform


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def grouped(number):
    return f"{number:,}".removesuffix(".0").replace(",", " ")


def seconds(value):
    return f"{value:.3g}"


def differences(row):
    if "bins" not in row or "moved" not in row:
        return row["verdict"]
    text = f"{row['bins_that_differ']} of {row['bins']}"
    if row["bound"] or row["moved"]:
        text += f"; {grouped(row['moved'])} of at most {grouped(row['bound'])}"
    return text if row["ok"] else f"**{text}**"


def g_difference(row):
    value = row.get("g_difference")
    return "" if value is None else f"{value:.0e}"


def line(row):
    start = f"{row['system']} {row['pair']} < {row['r_max']:g} {row['unit']}: {row['peer']} {row['version']}"
    if "skipped" in row:
        return f"{start}: left out, {row['skipped']}"
    if "moved" not in row:
        return f"{start}: {row['verdict']}"
    g = g_difference(row)
    return (
        f"{start}: {grouped(row['pairs'])} pairs, bins that differ {differences(row).strip('*')}, {row['verdict']}"
        f"{', g to ' + g if g else ''}; {seconds(row['peer_seconds'])} s, starhist "
        f"{seconds(row['starhist_seconds'])} s, ratio {row['ratio']:.3g}"
    )


def markdown(rows, threads):
    lines = [
        f"{processor()}, {threads} thread{'s' * (threads != 1)} each.",
        "",
        "| system | pair | frames | r_max | peer | pairs below r_max | bins that differ; pairs moved of at most "
        "| g, relative | peer, s | starhist, s | ratio |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        start = (
            f"| {row['system']} | {row['pair']} | {row['frames']} | {row['r_max']:g} {row['unit']} "
            f"| {row['peer']} {row['version']} |"
        )
        if "skipped" in row or "moved" not in row:
            lines.append(f"{start} | {row.get('skipped') or row['verdict']} | | | | |")
        else:
            times = [seconds(row["peer_seconds"]), seconds(row["starhist_seconds"]), f"{row['ratio']:.3g}"]
            lines.append(
                f"{start} {grouped(row['pairs'])} | {differences(row)} | {g_difference(row)} | {' | '.join(times)} |"
            )
    return "\n".join(lines) + "\n"
