#!/usr/bin/env bash
# From a fresh clone to a plot: installs the packages, builds build/starhist and everything else that
# `cmake --install build` installs, computes the radial distribution functions of 51 frames of water
# and plots g(r) of the oxygens. Not interactive, can be repeated, can be called from any folder.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

scripts/setup/build.sh default --target installed

output=quickstart-output
mkdir -p "$output"

echo
echo "+ build/starhist rdf tests/data/water.h5 -o $output/water-rdf.h5 --r-max 1.4 --bins 280 --blocks 10"
build/starhist rdf tests/data/water.h5 -o "$output/water-rdf.h5" --r-max 1.4 --bins 280 --blocks 10 --force

# The system's Python, because h5py and Matplotlib were installed for it.
echo
/usr/bin/python3 scripts/user/plot_rdf.py "$output/water-rdf.h5" --pairs O-O --peaks \
  -o "$output/water-rdf.svg" -o "$output/water-rdf.png"

echo
echo "Everything is in $PWD/$output:"
for file in water-rdf.h5 water-rdf.svg water-rdf.png; do
  test -s "$output/$file"
  echo "  $file"
done
