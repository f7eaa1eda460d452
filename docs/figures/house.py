#!/usr/bin/env python3
"""The folders as layers. Includes point downwards only; arrows are those of scripts/checks/check_layers.py."""

from style import GREY, arrow, box, plt, save

figure, axes = plt.subplots(figsize=(11.5, 8.6))
DRIVER, TASKS, IO, CODELETS, CORE = "#e6f0fa", "#fef3e2", "#e9f7ef", "#f3ebfa", "#edf2f7"


def room(left, bottom, width, height, title, lines, face):
    box(axes, left, bottom, width, height, "", face)
    axes.text(left + 0.12, bottom + height - 0.1, title, va="top", weight="bold", size=11.5)
    axes.text(left + 0.12, bottom + height - 0.42, lines, va="top", size=9.5, linespacing=1.45)


room(
    0.0,
    7.1,
    10.0,
    0.95,
    "driver/commands, driver/options, driver/report, driver/mpi",
    "one file per sub-command; options as text; tables, progress, summaries; starhist-mpi        [Boost.Program_options, MPI]",
    DRIVER,
)
room(0.55, 5.75, 2.1, 0.95, "driver/capi", "the C library", DRIVER)
room(
    2.9,
    5.75,
    4.0,
    0.95,
    "driver/run, driver/simulation",
    "readers → counting → blocks → writer;\nmachines that are simulated",
    DRIVER,
)
room(7.15, 5.75, 2.3, 0.95, "driver/ranks", "work units of ranks", DRIVER)
room(
    0.0,
    3.9,
    4.7,
    1.5,
    "tasks",
    "positions, submission   batches become StarPU tasks\ncollection, runtime   pending blocks; workers    [StarPU]\nplanning, cutting   plans, without StarPU",
    TASKS,
)
room(
    5.3,
    2.45,
    4.7,
    2.95,
    "io",
    "trajectory   files of any format as one\nexport   text, analysis tables, CADISHI\nresult   result files\n"
    "formats/   one folder per format;\n               they do not know each other\n"
    "reader, selection, particles   what all formats share\nhdf5, text, files   HDF5, zlib, lines, descriptors\n"
    "[HDF5, zlib, lzf, libgromacs]",
    IO,
)
room(0.0, 2.75, 4.7, 0.8, "codelets", "StarPU codelets: unwrap, one call        [StarPU]", CODELETS)
room(
    0.0,
    1.25,
    3.4,
    1.2,
    "codelets/kernels",
    "cuda, cpu, reference   arithmetic\nclusters, fixed_point, error_bounds\n[CUDA, OpenMP, Boost.Sort]",
    CODELETS,
)
room(3.6, 1.25, 1.4, 1.2, "perfmodels", "times of tasks\n[StarPU]", CODELETS)
room(
    0.0,
    -0.25,
    10.0,
    1.15,
    "codelets/core",
    "analysis   g(r), S(q), Kirkwood-Buff, errors        counting   pair_bin, bins, histogram, frame        data   tables\n"
    "geometry   box, lattice, minimum image        base   errors, ids, text        [nothing but C++20]",
    CORE,
)
for start, end in (
    ((4.9, 7.1), (4.9, 6.7)),
    ((8.3, 7.1), (8.3, 6.7)),
    ((1.6, 5.75), (1.6, 5.4)),
    ((3.8, 5.75), (3.8, 5.4)),
    ((6.0, 5.75), (6.0, 5.4)),
    ((7.15, 6.22), (6.9, 6.22)),
    ((2.35, 3.9), (2.35, 3.55)),
    ((1.7, 2.75), (1.7, 2.45)),
    ((4.3, 2.75), (4.3, 2.45)),
    ((1.7, 1.25), (1.7, 0.9)),
    ((4.3, 1.25), (4.3, 0.9)),
    ((7.6, 2.45), (7.6, 0.9)),
    ((0.28, 7.1), (0.28, 5.4)),
    ((9.72, 7.1), (9.72, 5.4)),
):
    arrow(axes, start, end, GREY, width=1.6)
axes.set(xlim=(-0.05, 10.05), ylim=(-0.3, 8.1))
axes.axis("off")
save(figure)
