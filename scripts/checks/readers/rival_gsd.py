"""The package gsd, by the authors of the format."""

import gsd.hoomd
import numpy as np

from readers.reading import FrameData, Reading


def read(case):
    frames, columns = [], {}
    with gsd.hoomd.open(case.path, "r") as file:
        for k, snapshot in enumerate(file):
            lx, ly, lz, xy, xz, yz = (float(x) for x in snapshot.configuration.box)
            frames.append(
                FrameData(
                    np.array(snapshot.particles.position, float).reshape(-1, 3),
                    matrix=np.array([[lx, 0, 0], [xy * ly, ly, 0], [xz * lz, yz * lz, lz]]),
                    step=int(snapshot.configuration.step),
                )
            )
            if k == 0:
                names = snapshot.particles.types
                columns["name"] = [names[t] for t in snapshot.particles.typeid]
                columns["mass"] = snapshot.particles.mass.tolist()
                columns["charge"] = snapshot.particles.charge.tolist()
    return Reading(frames, columns, tolerance=1e-6, box_tolerance=1e-6)


READERS = {"gsd": read}
