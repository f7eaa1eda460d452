#!/usr/bin/env bash
# Builds the Python module in an existing build folder, for its tests: makes a virtual environment
# BUILD_DIR/venv with nanobind and the packages that the tests use, and the module in
# BUILD_DIR/python. (Users run `pip install .`, which needs no such folder.)
#
#   scripts/setup/build_python.sh [BUILD_DIR]      default: build
#
# Exit status 77 if pip cannot install packages, for example without a network.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
PATH=/usr/bin:/bin:$PATH # as scripts/setup/build.sh, the system's Python

build=${1:-build}
needed=(nanobind numpy pytest)
# Without one of these packages, the tests that use it are skipped.
wanted=(MDAnalysis ase freud-analysis h5py hypothesis imdclient matplotlib mypy pandas tqdm xarray)
# MDAnalysisTests, which is large, adds MDAnalysis' own tests of InterRDF; install it in the
# environment to run them (tests/python/test_mdanalysis_suite.py).
# Additional packages of the notebooks in docs/notebooks.
wanted+=(ipykernel ipywidgets nbclient)

venv=$PWD/$build/venv
[[ -f $build/CMakeCache.txt ]] || { echo "build_python.sh: there is no build in $build (scripts/setup/build.sh)" >&2; exit 1; }
scripts/setup/install_packages.sh python3-dev python3-venv
[[ -x $venv/bin/python ]] || python3 -m venv "$venv"
pip=("$venv/bin/pip" install --quiet --disable-pip-version-check)
"${pip[@]}" "${needed[@]}" || { echo "SKIPPED: pip cannot install ${needed[*]}"; exit 77; }
for package in "${wanted[@]}"; do
  "${pip[@]}" "$package" || echo "build_python.sh: without $package, whose tests are skipped"
done
cmake "$build" -DPython_EXECUTABLE="$venv/bin/python" >/dev/null
cmake --build "$build" --target python_package
echo "PYTHONPATH=$build/python $build/venv/bin/python -m pytest"
