#!/usr/bin/env bash
# Downloads a file with a known checksum, with curl, wget or apt, whichever is available.
#
#   scripts/setup/download.sh SHA256 FILE URL...      the first URL that has the file
#
# Exit status 0: FILE exists and has this checksum; 1: the download failed, and FILE does not exist.
set -euo pipefail

sha256=${1:?usage: download.sh SHA256 FILE URL...}
file=${2:?usage: download.sh SHA256 FILE URL...}
shift 2

fetch() {
  if command -v curl >/dev/null; then
    curl --silent --show-error --fail --location --output "$2" "$1"
  elif command -v wget >/dev/null; then
    wget --quiet --output-document="$2" "$1"
  elif [[ -x /usr/lib/apt/apt-helper ]]; then
    /usr/lib/apt/apt-helper -oAPT::Sandbox::User="$(id -un)" download-file "$1" "$2" >/dev/null
  else
    echo "download.sh: there is neither curl nor wget" >&2
    return 1
  fi
}

part=$file.part
trap 'rm -f "$part"' EXIT
for url; do
  fetch "$url" "$part" || continue
  there=$(sha256sum < "$part" | cut -d ' ' -f 1)
  if [[ $there == "$sha256" ]]; then
    mv "$part" "$file"
    exit 0
  fi
  echo "download.sh: $url has another checksum: SHA-256 $there, not $sha256" >&2
done
echo "download.sh: $file cannot be downloaded" >&2
exit 1
