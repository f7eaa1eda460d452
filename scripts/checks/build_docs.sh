#!/usr/bin/env bash
# Builds the documentation site in build/docs, without a network once the packages are there.
# Warnings are errors: a link that leads nowhere ends with exit status 1.
#
#   scripts/checks/build_docs.sh [FOLDER]      default folder: build/docs
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

output=${1:-build/docs}
scripts/setup/install_packages.sh python3-sphinx python3-myst-parser python3-numpy furo libjs-mathjax
rm -rf "$output"
/usr/bin/python3 -m sphinx -W --keep-going -q -b html -d "$output/.doctrees" docs "$output"
rm -rf "$output/.doctrees"

# Pages must not load anything from the network: they would be broken offline.
if grep -rlE '(src|rel="stylesheet" href|@import (url\()?)="?'"'"'?https?://' --include='*.html' --include='*.css' "$output"; then
  echo "these pages load something from the network" >&2
  exit 1
fi
echo "$output/index.html: $(find "$output" -name '*.html' | wc -l) pages"
