"""extxyz, the parser of the format's own authors."""

import extxyz

from readers.reading import FrameData, Reading

SYMBOLS = {1: "H", 6: "C", 7: "N", 8: "O", 11: "Na", 15: "P", 16: "S", 17: "Cl", 20: "Ca", 26: "Fe", 30: "Zn"}


def text(values):
    return [str(x) for x in values]


def read(case):
    frames = []
    found = list(extxyz.iread_dicts(case.path))
    for each in found:
        open_box = not each.cell.any()
        frames.append(
            FrameData(
                each.arrays["pos"].reshape(-1, 3),
                ids=each.arrays["id"].reshape(-1).tolist() if "id" in each.arrays else None,
                # Its cell has the vectors as columns.
                matrix=None if open_box else each.cell.T,
                periodic=tuple(bool(p) for p in each.pbc),
                time=each.info.get("Time") if isinstance(each.info.get("Time"), float) else None,
            )
        )
    arrays = {key: values.reshape(-1) for key, values in found[0].arrays.items() if values.size == found[0].natoms}
    columns = {}
    if "species" in arrays:
        columns["name"] = text(arrays["species"])
    elif "Z" in arrays:
        columns["element"] = [SYMBOLS.get(int(z), str(z)) for z in arrays["Z"]]
    if "element" in arrays:
        columns["element"] = text(arrays["element"])
    for field, key in (("resid", "resid"), ("molecule", "mol"), ("id", "id")):
        if key in arrays:
            columns[field] = arrays[key].tolist()
    if "resname" in arrays:
        columns["resname"] = text(arrays["resname"])
    if "mass" in arrays:
        columns["mass"] = arrays["mass"].tolist()
    return Reading(frames, columns)


READERS = {"extxyz": read}
