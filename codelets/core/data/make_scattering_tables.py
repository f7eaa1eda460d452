#!/usr/bin/env python3
"""Makes the tables of X-ray form factors and neutron scattering lengths in codelets/core/data/.

    codelets/core/data/make_scattering_tables.py [FOLDER]     default codelets/core/data of this tree

Both come from the data of periodictable (Debian: python3-periodictable; public domain):
its f0_WaasKirf.dat, which is the table that Waasmaier and Kirfel published, as DABAX has
it, and its nsf.py, the table of Rauch and Waschkowski as the Atomic Institute of the
Austrian Universities has it.
"""

import pathlib
import sys

try:
    import periodictable
except ImportError:
    print("SKIPPED: periodictable is not installed (apt-get install python3-periodictable)")
    sys.exit(77)

HEADER = """\
// Made by codelets/core/data/make_scattering_tables.py from periodictable {version} (public domain):
// do not edit.
// {source}
#include "codelets/core/analysis/scattering_factor.hh"

namespace starhist::analysis {{

const std::vector<{type}>& {function}() {{
  // clang-format off
  static const std::vector<{type}> table{{
"""
FOOTER = """\
  };
  // clang-format on
  return table;
}

}  // namespace starhist::analysis
"""


def x_ray_rows():
    """Label, a1..a5, c, b1..b5, as text, of each entry of the file."""
    path = pathlib.Path(periodictable.__file__).parent / "xsf" / "f0_WaasKirf.dat"
    label = None
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("#S"):
            label = line.split()[2]
        elif label and line.strip() and not line.startswith("#"):
            numbers = line.split()
            assert len(numbers) == 11, line
            yield (f'    {{"{label}", {{{", ".join(numbers[:5])}}}, {numbers[5]}, {{{", ".join(numbers[6:])}}}}},\n')
            label = None


def neutron_rows():
    """Elements, and the isotopes that have a value of their own."""
    for element in list(periodictable.elements)[1:]:
        natural = element.neutron.b_c
        if natural is not None:
            yield f'    {{"{element.symbol}", {natural!r}}},\n'
        if element.symbol == "H":
            for name in ("D", "T"):
                yield f'    {{"{name}", {getattr(periodictable, name).neutron.b_c!r}}},\n'
        for isotope in element.isotopes:
            value = element[isotope].neutron.b_c
            if value is not None and value != natural:
                yield f'    {{"{isotope}{element.symbol}", {value!r}}},\n'


def write(path, kind, function, source, rows):
    rows = list(rows)
    header = HEADER.format(type=kind, function=function, source=source, version=periodictable.__version__)
    path.write_text(header + "".join(rows) + FOOTER)
    print(f"{path}: {len(rows)} entries")


def main():
    here = pathlib.Path(__file__).resolve().parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    write(
        folder / "x_ray_table.cc",
        "XRayFormFactor",
        "x_ray_table",
        "D. Waasmaier and A. Kirfel, Acta Cryst. A 51, 416 (1995): label, a, c, b.",
        x_ray_rows(),
    )
    write(
        folder / "neutron_table.cc",
        "NeutronScatteringLength",
        "neutron_table",
        "H. Rauch and W. Waschkowski, Neutron Data Booklet (2003): label, b_c in fm.",
        neutron_rows(),
    )


if __name__ == "__main__":
    main()
