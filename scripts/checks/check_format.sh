#!/usr/bin/env bash
# Checks that the sources are formatted according to .clang-format. Versions of clang-format format
# differently, so only version 14 (Debian 12) is used.
#
#   scripts/checks/check_format.sh        exit status 0 formatted, 1 not, 77 skipped: other version
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

formatter=$(command -v clang-format-14 || command -v clang-format || true)
version=$([[ -z $formatter ]] || "$formatter" --version | grep -oE '[0-9]+\.[0-9.]+' | head -n 1)
if [[ $version != 14.* ]]; then
  echo "SKIPPED: the format check needs clang-format 14, found ${version:-none}"
  exit 77
fi

mapfile -t files < <(find codelets perfmodels tasks io driver python tests -name '*.hh' -o -name '*.cc' \
  -o -name '*.cu' -o -name '*.cuh' | sort)
# One process per file and core: xargs' own status does not matter, the names do.
mapfile -t unformatted < <(printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" \
  bash -c '"$0" --dry-run --Werror "$1" 2>/dev/null || printf "%s\n" "$1"' "$formatter" | sort)
if ((${#unformatted[@]})); then
  printf '%s is not formatted\n' "${unformatted[@]}"
  echo "to fix: clang-format -i ${unformatted[*]}"
  exit 1
fi
echo "${#files[@]} files are formatted"
