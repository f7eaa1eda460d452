"""What an Amber topology (prmtop) knows of the box: angles, which text of Amber leaves out."""

from frame_readers.lattices import TETRAHEDRAL
from frame_readers.text_lines import TextLines, fixed_fields

IFBOX = 27  # place in POINTERS: 0 no box, 1 rectangular, 2 truncated octahedron, 3 general


def section(path, flag, width):
    """The fields of `flag`; None if the file does not have it."""
    lines = TextLines(path)
    line = lines.next()
    while line is not None and line.split() != ["%FLAG", flag]:
        line = lines.next()
    fields = []
    line = lines.next() if line is not None else None
    if line is None:
        return None
    while (line := lines.next()) is not None and not line.startswith("%FLAG"):
        fields += fixed_fields(line, width)
    return fields


def is_amber_topology(path):
    line = TextLines(path).next() if path else None
    return line is not None and line.startswith("%VERSION")


def source_of(fields, path):
    """FileFrame.box_source of a box of this many numbers in the file."""
    return "lengths and angles of the file" if fields == 6 else f"lengths of the file, angles of {path}"


def angles_of(path):
    """alpha, beta, gamma [degrees] of the boxes of a run, or why they are not known."""
    remedy = "give the run's prmtop as --structure, or --box a,b,c,alpha,beta,gamma"
    if not is_amber_topology(path):
        return f"its box has lengths without angles: {remedy}"
    try:
        kind = int(section(path, "POINTERS", 8)[IFBOX])
        dimensions = [float(field) for field in section(path, "BOX_DIMENSIONS", 16) or []]
    except (TypeError, ValueError, IndexError):
        return f"its box has lengths without angles, and {path} does not list them: give --box a,b,c,alpha,beta,gamma"
    if kind == 1 and (not dimensions or dimensions[0] == 90):
        return [90.0, 90.0, 90.0]
    if kind == 2:
        return [TETRAHEDRAL] * 3
    return (
        f"its box has lengths without angles, and {path} has a box of kind {kind}, whose angles it does not list: "
        "give --box a,b,c,alpha,beta,gamma"
    )
