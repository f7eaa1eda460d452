#!/usr/bin/env python3
"""Tests of scripts/checks/check_in_chroot.sh with a fake debootstrap, which makes a root folder of
bash and a few programs of this machine."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/checks/check_in_chroot.sh"
DEBOOTSTRAP = r"""#!/bin/bash
suite=${*: -4:1} root=${*: -3:1} mirror=${*: -2:1}
echo "$suite from $mirror" > "$FAKE_LOG"
case $mirror in
  http://nowhere*) echo "E: Failed getting release file $mirror/dists/$suite/Release"; exit 1 ;;
  http://broken*) echo "E: Something else"; exit 1 ;;
esac
mkdir -p "$root"/{proc,sys,dev/shm,dev/pts,root,bin,usr/bin}
mknod -m 666 "$root/dev/null" c 1 3
for program in bash cat env sleep; do
  cp "$(command -v $program)" "$root/bin/"
  ldd "$(command -v $program)" | grep -oE '/[^ ]+' | while read -r library; do
    mkdir -p "$root${library%/*}" && cp -L "$library" "$root$library"
  done
done
cp "$root/bin/env" "$root/usr/bin/env"
"""

if any(shutil.which(name) is None for name in ("git", "unshare", "chroot")):
    print("SKIPPED: git, unshare or chroot is missing")
    sys.exit(77)
if (
    os.getuid() != 0
    or subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "true"], check=False, capture_output=True
    ).returncode
):
    print("SKIPPED: only root may make namespaces and mount")
    sys.exit(77)


class CheckInChroot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-check-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("bin", "tree/scripts/checks", "temporary"):
            (self.folder / name).mkdir(parents=True)
        self.write("bin/debootstrap", DEBOOTSTRAP)
        self.keyring = self.write("keyring.gpg", "")
        self.script = self.write("tree/scripts/checks/check_in_chroot.sh", SCRIPT.read_text("utf-8"))
        self.write("tree/committed", "as committed")
        for command in (
            ["init", "-q"],
            ["add", "."],
            ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "All"],
        ):
            subprocess.run(["git", *command], cwd=self.folder / "tree", check=True)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content, encoding="utf-8")
        path.chmod(0o755)
        return path

    def command(self, *commands, mirror="http://mirror/debian", suite="trixie"):
        return ["/bin/bash", self.script, "--mirror", mirror, "--keyring", self.keyring, suite, *commands]

    def environment(self):
        return {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "TMPDIR": str(self.folder / "temporary"),
            "FAKE_LOG": str(self.folder / "log"),
        }

    def check(self, *commands, **options):
        """Exit status, stdout and stderr; nothing is left of the chroot."""
        done = subprocess.run(
            self.command(*commands, **options), capture_output=True, text=True, check=False, env=self.environment()
        )
        self.assert_clean()
        return done.returncode, done.stdout, done.stderr

    def assert_clean(self):
        self.assertEqual(list((self.folder / "temporary").iterdir()), [])
        mounts = pathlib.Path("/proc/self/mounts").read_text("utf-8")
        self.assertNotIn(str(self.folder), mounts)
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                self.assertNotIn(str(self.folder), os.readlink(process / "root"))
            except OSError:  # it has ended
                pass

    def test_commands_run_in_a_clone_of_head(self):
        self.write("tree/committed", "changed")
        status, text, _ = self.check(
            'echo "$PWD: $(cat committed), $STARPU_WORKERS_NOBIND"',
            "[[ -e /proc/self/fd && -e /dev/pts/ptmx && ! -e /dev/kvm ]] && echo mounted",
        )
        self.assertEqual(status, 0, text)
        self.assertIn("changes that are not committed are not in the clone", text)
        self.assertIn("\n/root/starhist: as committed, 1\n", text)
        self.assertIn("\nmounted\n", text)
        self.assertRegex(
            text.splitlines()[-1],
            r"^check_in_chroot.sh: trixie: exit status 0 "
            r"after \d+ s, \d+ s of them for the chroot$",
        )
        self.assertEqual((self.folder / "log").read_text("utf-8"), "trixie from http://mirror/debian\n")

    def test_a_shared_folder(self):
        (self.folder / "shared").mkdir()
        self.write("shared/in", "from outside")
        words = self.command("cat /mnt/in > /mnt/out")
        words[2:2] = ["--share", self.folder / "shared"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=self.environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_clean()
        self.assertEqual(
            {path.name: path.read_text("utf-8") for path in (self.folder / "shared").iterdir()},
            {"in": "from outside", "out": "from outside"},
        )

    def test_first_failure_ends_it(self):
        status, text, _ = self.check("echo first", "exit 5", "echo third")
        self.assertEqual(status, 5)
        self.assertIn("\nfirst\n", text)
        self.assertNotIn("\nthird\n", text)
        self.assertIn("exit status 5", text.splitlines()[-1])

    def test_a_process_that_is_left_ends_too(self):
        self.assertEqual(self.check("sleep 1000 & echo started")[0], 0)

    def test_signals(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with subprocess.Popen(
                self.command("echo started; sleep 1000"), text=True, stdout=subprocess.PIPE, env=self.environment()
            ) as process:
                for line in process.stdout:
                    if line == "started\n":
                        break
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=120), status)
            self.assert_clean()

    def test_programs_do_not_ignore_sigint(self):
        """Bit 2 of the ignored signals, 16 hexadecimal digits."""
        text = self.check("cat /proc/self/status")[1]
        ignored = next(line for line in text.splitlines() if line.startswith("SigIgn:"))
        self.assertEqual(int(ignored.split()[1], 16) & 2, 0, ignored)

    def test_skipped_without_an_archive(self):
        status, text, _ = self.check("true", mirror="http://nowhere/debian")
        self.assertEqual(status, 77)
        self.assertRegex(
            text.splitlines()[-1],
            "^SKIPPED: .*the archive cannot be reached: Failed getting release file http://nowhere/debian",
        )

    def test_debootstrap_that_fails_is_a_failure(self):
        status, text, messages = self.check("true", mirror="http://broken/debian")
        self.assertEqual(status, 1)
        self.assertIn("E: Something else", text)
        self.assertIn("debootstrap of trixie failed", messages)

    def test_skipped_without_a_keyring(self):
        self.keyring = self.folder / "none.gpg"
        status, text, _ = self.check("true", suite="noble")
        self.assertEqual(status, 77)
        self.assertIn("none.gpg is missing", text)

    def test_skipped_without_root(self):
        self.write("bin/id", "#!/bin/sh\necho 1000\n")
        status, text, _ = self.check("true")
        self.assertEqual(status, 77)
        self.assertIn("only root", text)

    def test_bad_usage(self):
        for options, message in (
            (("nosuch",), "unknown suite 'nosuch'"),
            ((), "usage"),
            (("--miror", "x"), "unknown option '--miror'"),
            (("--mirror",), "--mirror needs a value"),
        ):
            done = subprocess.run(
                ["/bin/bash", self.script, *options],
                capture_output=True,
                text=True,
                check=False,
                env=self.environment(),
            )
            self.assertEqual(done.returncode, 1, message)
            self.assertIn(message, done.stderr)
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
