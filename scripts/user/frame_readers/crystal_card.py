"""The cell of a crystal in one line: PDB's CRYST1, also of PQR, and MOL2's CRYSIN."""

from frame_readers.lattices import cell_box

PLACEHOLDER = [1.0, 1.0, 1.0, 90.0, 90.0, 90.0]  # of structures without a crystal
COLUMNS = ((6, 15), (15, 24), (24, 33), (33, 40), (40, 47), (47, 54))  # of CRYST1


def reals(fields):
    try:
        return [float(field) for field in fields]
    except ValueError:
        return []


def crystal_box(cell):
    """As cell_box(), but the placeholder is no box."""
    return cell_box([0] * 6 if cell == PLACEHOLDER else cell)


def card_box(line, what, columns=()):
    """(matrix, periodic axes, refusal) of the first six numbers of `line`, between blanks or in these columns."""
    fields = line.split()
    cell = reals(fields[1:7] if columns else fields[:6])
    if len(cell) != 6 and columns:
        cell = reals([line[begin:end] for begin, end in columns])
    if len(cell) != 6:
        return None, (True, True, True), f"its {what} '{line[:60]}' does not have three lengths and three angles"
    return crystal_box(cell)
