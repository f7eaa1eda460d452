#!/usr/bin/env bash
# Runs commands in a clone of HEAD on a bare Debian or Ubuntu of another version: a chroot of
# debootstrap with the minimal set of packages, without GPUs.
#
#   scripts/checks/check_in_chroot.sh [--mirror URL] [--keyring FILE] [--share FOLDER] SUITE [COMMAND...]
#
# SUITE:    bookworm, trixie, forky, sid (Debian); jammy, noble (Ubuntu)
# COMMAND:  a line for bash, run in the clone; the first that fails ends the run.
#           Default: scripts/quickstart.sh scripts/test.sh
# --mirror  URL of the archive. Default: the mirror that apt uses here; for the other distribution,
#           debootstrap's default.
# --keyring keyring of the archive's signatures. Default: the archive's keyring package.
# --share   folder of this machine, mounted as /mnt inside, to pass packages in and out.
#
# Exit status: exit status of the commands; 77 if no chroot can be made (no root, no permission to
# mount, no archive). The chroot needs 4 GB in $TMPDIR (default /var/tmp) and is always removed.
# http_proxy, https_proxy, no_proxy and STARHIST_WERROR are passed on.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cd "$here/../.."

say() { echo "check_in_chroot.sh: $*"; }
fail() { say "$@" >&2; exit 1; }
skip() { echo "SKIPPED: check_in_chroot.sh: $*"; exit 77; }

mirror=
keyring=
share=
while [[ ${1-} == -* ]]; do
  [[ $# -gt 1 ]] || fail "$1 needs a value"
  case $1 in
    --mirror) mirror=$2 ;;
    --keyring) keyring=$2 ;;
    --share) mkdir -p "$2" && share=$(cd "$2" && pwd) ;;
    *) fail "unknown option '$1'" ;;
  esac
  shift 2
done
suite=${1:?usage: check_in_chroot.sh [--mirror URL] [--keyring FILE] [--share FOLDER] SUITE [COMMAND...]}
shift
(($#)) || set -- scripts/quickstart.sh scripts/test.sh

# recipe: debootstrap's script for suites that it is too old to know.
case $suite in
  bookworm | trixie | forky | sid) origin=debian components=main recipe=sid ;;
  jammy | noble) origin=ubuntu components=main,universe recipe=gutsy ;;
  *) fail "unknown suite '$suite' (give one of bookworm, trixie, forky, sid, jammy, noble)" ;;
esac
recipes=${DEBOOTSTRAP_DIR:-/usr/share/debootstrap}/scripts
[[ ! -e $recipes/$suite ]] || recipe=$suite

[[ $(id -u) == 0 ]] || skip "only root can change the root folder (sudo scripts/checks/check_in_chroot.sh $suite)"
command -v debootstrap >/dev/null || fail "debootstrap is missing (apt-get install debootstrap)"
unshare --mount --pid --fork --mount-proc true 2>/dev/null ||
  skip "mounting is not allowed here (a container may need CAP_SYS_ADMIN)"

work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" starhist-chroot.XXXXXX)
root=$work/root
inside=
clean_up() {
  trap '' INT TERM HUP
  [[ -z $inside ]] || { kill -KILL -- "-$inside" && wait "$inside"; } 2>/dev/null || true
  # Processes of a PID namespace end a moment after its first one.
  for _ in {1..20}; do
    rm -rf "$work" 2>/dev/null && return
    sleep 0.2
  done
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# isolated COMMAND...: with mounts and processes of its own, which end with it and which
# nothing outside sees. In the background, as only then a signal ends the wait; as a job
# (set -m), as otherwise programs would inherit that SIGINT is ignored.
isolated() {
  local status=0
  set -m
  unshare --mount --pid --fork --kill-child --mount-proc "$@" </dev/null &
  inside=$!
  set +m
  wait "$inside" || status=$?
  inside=
  return "$status"
}

# apt_from URL SUITE KEYRING APT_GET_ARGUMENTS...: runs apt-get with separate package lists.
apt_from() {
  local folder=$work/apt
  mkdir -p "$folder"/{lists/partial,cache/archives/partial}
  echo "deb [signed-by=$3] $1 $2 main" > "$folder/sources.list"
  apt-get -q -oDir::Etc::SourceList="$folder/sources.list" -oDir::Etc::SourceParts=- \
    -oDir::State::Lists="$folder/lists" -oDir::Cache="$folder/cache" -oAPT::Sandbox::User=root "${@:4}"
}

# mirror_of ORIGIN: prints the archive that apt uses here, if any.
mirror_of() {
  { apt-get indextargets --format '$(SITE) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null || true; } |
    awk -v origin="$1" '$2 ~ origin "/?$" && !found { print $2; found = 1 }'
}

# Debian has Ubuntu's keys in a package since Debian 13.
keyring_from_debian() {
  local debian_keys=/usr/share/keyrings/debian-archive-keyring.gpg from
  from=$(mirror_of debian)
  [[ -n $from && -e $debian_keys ]] || return 1
  { apt_from "$from" stable "$debian_keys" update &&
    (cd "$work" && apt_from "$from" stable "$debian_keys" download ubuntu-keyring) &&
    dpkg-deb -x "$work"/ubuntu-keyring_*.deb "$work/keyring"; } > "$work/log" 2>&1 || return 1
  keyring=$work/keyring/usr/share/keyrings/ubuntu-archive-keyring.gpg
}

[[ -n $mirror ]] || mirror=$(mirror_of "$origin")
if [[ -z $keyring ]]; then
  keyring=/usr/share/keyrings/$origin-archive-keyring.gpg
  [[ -e $keyring || $origin == debian ]] || keyring_from_debian || true
fi
[[ -e $keyring ]] || skip "$keyring is missing (install the package $origin-keyring or $origin-archive-keyring, or give --keyring FILE)"

# The chroot is temporary: dpkg need not wait for the disk.
mkdir -p "$root/etc/dpkg/dpkg.cfg.d"
echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/starhist"
include=()
[[ $mirror != https:* ]] || include=(--include=ca-certificates)
say "debootstrap of $suite from ${mirror:-its own mirror}"
if ! isolated debootstrap --variant=minbase --components="$components" --keyring="$keyring" \
  "${include[@]}" "$suite" "$root" "$mirror" "$recipes/$recipe" > "$work/log" 2>&1; then
  if unreachable=$(grep -m 1 'Failed getting release file' "$work/log"); then
    skip "the archive cannot be reached: ${unreachable#E: }"
  fi
  tail -n 20 "$work/log" "$root/debootstrap/debootstrap.log" 2>/dev/null || true
  fail "debootstrap of $suite failed, see above"
fi
made=$SECONDS

[[ -z $(git status --porcelain) ]] || say "changes that are not committed are not in the clone"
# Where apt takes archives of snapshots here, whose lists are out of date, it does so inside.
valid_until=$(apt-config dump Acquire::Check-Valid-Until 2>/dev/null || true)
if [[ -n $valid_until ]]; then
  mkdir -p "$root/etc/apt/apt.conf.d"
  echo "$valid_until" > "$root/etc/apt/apt.conf.d/10starhist"
fi
# Certificates that this machine's administrator has added are trusted inside too.
certificates=/usr/local/share/ca-certificates
if compgen -G "$certificates/*.crt" >/dev/null; then
  mkdir -p "$root$certificates"
  cp "$certificates"/*.crt "$root$certificates"
  [[ ! -x $root/usr/sbin/update-ca-certificates ]] || chroot "$root" update-ca-certificates >/dev/null ||
    say "certificates of this machine could not be added"
  pip_cert=/etc/ssl/certs/ca-certificates.crt
fi
mkdir -p "$root/mnt"
git clone --quiet --depth 1 "file://$PWD" "$root/root/starhist"

environment=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 STARPU_WORKERS_NOBIND=1)
for name in http_proxy https_proxy no_proxy STARHIST_WERROR; do
  [[ -z ${!name-} ]] || environment+=("$name=${!name}")
done
[[ -z ${pip_cert-} ]] || environment+=("PIP_CERT=$pip_cert")
# /dev has the nodes that debootstrap makes, hence no GPU.
mounts='cd "$0"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -sf pts/ptmx dev/ptmx
if [[ -n $1 ]]; then mount --bind "$1" mnt; fi
shift
exec chroot . "$@"'
run='cd ~/starhist; for command; do echo "+ $command"; bash -c "$command" || exit; done'
status=0
isolated bash -ec "$mounts" "$root" "$share" /usr/bin/env -i "${environment[@]}" bash -c "$run" bash "$@" || status=$?

say "$suite: exit status $status after $SECONDS s, $made s of them for the chroot"
exit "$status"
