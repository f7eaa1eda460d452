"""DL_POLY's CONFIG and HISTORY, by its manual (section on input and output files)."""

import numpy as np

from readers.reading import FrameData, Reading
from readers.system import Case, decimal, general_matrix, generator, positions_of, write_lines

# imcon: periodic axes. 0 none, 1 cubic, 2 orthorhombic, 3 parallelepiped, 6 slab (x and y).
PERIODIC = {0: (False,) * 3, 1: (True,) * 3, 2: (True,) * 3, 3: (True,) * 3, 6: (True, True, False)}
NAMES = ("OW", "HW", "Na+", "C_33", "Ar")


def cell(rng, imcon):
    if imcon == 1:
        return np.diag([round(rng.uniform(6, 30), 4)] * 3)
    if imcon == 3:
        return general_matrix(rng)
    matrix = np.diag([round(rng.uniform(6, 30), 4) for _ in range(3)])
    if imcon == 6 and rng.random() < 0.5:
        matrix[1, 0] = round(rng.uniform(-2, 2), 4)
    return matrix


def cell_lines(matrix):
    return ["".join(f"{x:20.10f}" for x in row) for row in matrix]


def atom_lines(rng, texts, level):
    lines = ["".join(f"{x:>20s}" for x in texts)]
    for _ in range(level):
        lines.append("".join(f"{rng.uniform(-1, 1):20.10f}" for _ in range(3)))
    return lines


def make_config(seed, stem):
    rng, tags = generator("config", seed), set()
    imcon, level = rng.choice(tuple(PERIODIC)), rng.randint(0, 2)
    tags |= {f"imcon {imcon}", f"levcfg {level}"}
    names = [rng.choice(NAMES) for _ in range(rng.randint(1, 8))]
    texts = [[decimal(rng, -20, 20, 8) for _ in range(3)] for _ in names]
    lines = ["generated", f"{level:10d}{imcon:10d}{len(names):10d}"]
    matrix = None if imcon == 0 else cell(rng, imcon)
    if matrix is not None:
        lines += cell_lines(matrix)
    for k, (name, row) in enumerate(zip(names, texts)):
        lines += [f"{name:<8s}{k + 1:10d}"] + atom_lines(rng, row, level)
    path = stem + ".config"
    write_lines(path, lines)
    found = FrameData(positions_of(texts), matrix=matrix, periodic=PERIODIC[imcon])
    return Case(path, "config", seed, Reading([found], {"name": names}, length_unit="A", tolerance=2e-7), tags)


def make_history(seed, stem):
    rng, tags = generator("history", seed), set()
    imcon, level = rng.choice(tuple(PERIODIC)), rng.randint(0, 2)
    tags |= {f"imcon {imcon}", f"keytrj {level}"}
    names = [rng.choice(NAMES) for _ in range(rng.randint(1, 8))]
    n_frames, frames = rng.randint(1, 4), []
    lines = ["generated", f"{level:10d}{imcon:10d}{len(names):10d}{n_frames:21d}{9:21d}"]
    for k in range(n_frames):
        matrix = None if imcon == 0 else cell(rng, imcon)
        texts = [[decimal(rng, -20, 20, 8) for _ in range(3)] for _ in names]
        lines.append(
            f"timestep{100 * k + 100:10d}{len(names):10d}{level:10d}{imcon:10d}{0.001:20.6f}{0.1 * (k + 1):20.6f}"
        )
        if matrix is not None:
            lines += cell_lines(matrix)
        for a, (name, row) in enumerate(zip(names, texts)):
            lines += [f"{name:<8s}{a + 1:10d}{16.0:12.6f}{0.5:12.6f}{0.0:12.6f}"]
            lines += atom_lines(rng, row, level)
        frames.append(FrameData(positions_of(texts), matrix=matrix, periodic=PERIODIC[imcon], step=100 * k + 100))
    path = stem + ".history"
    write_lines(path, lines)
    return Case(path, "history", seed, Reading(frames, {"name": names}, length_unit="A", tolerance=2e-7), tags)
