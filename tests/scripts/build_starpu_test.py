#!/usr/bin/env python3
"""Tests of scripts/setup/build_starpu.sh: which source it takes. The source, apt-get and nvcc are
fakes, so that a build takes no time and nothing is downloaded."""

import hashlib
import io
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/setup/build_starpu.sh"
MAKE_INSTALL = r"""#!/bin/bash
for option; do [[ $option != --prefix=* ]] || prefix=${option#*=}; done
mkdir -p "$prefix" && echo "$*" > "$prefix/configured"
printf 'all:\ninstall:\n\tmkdir -p %s/lib && cp /bin/true %s/lib/libstarpu-1.4.so\n' \
  "$prefix" "$prefix" > Makefile
"""
PATCHED = (
    "src/drivers/cuda/driver_cuda.c",
    "src/drivers/cuda/driver_cuda1.c",
    "src/drivers/cuda/starpu_cublas.c",
    "src/drivers/cuda/starpu_cublas_v2.c",
    "src/core/perfmodel/perfmodel.c",
    "src/core/perfmodel/perfmodel_bus.c",
)
APT_GET = r"""#!/bin/bash
case "$*" in
  indextargets*) . /etc/os-release; echo "http://mirror http://mirror/$ID/" ;;
  *update*) ;;
  *--print-uris*) echo "'http://mirror/starpu.dsc' starpu_1-1.dsc 1 SHA256:0"
    echo "'http://mirror/orig' $FAKE_ORIG 1 SHA256:0" ;;
  *--download-only*) cp "$FAKE_SOURCE" "$FAKE_ORIG" ;;
esac
"""

for program in ("make", "sha256sum", "flock"):
    if shutil.which(program) is None:
        print(f"SKIPPED: {program} is missing")
        sys.exit(77)
origin = platform.freedesktop_os_release()["ID"]
if not pathlib.Path(f"/usr/share/keyrings/{origin}-archive-keyring.gpg").exists():
    print("SKIPPED: this is neither Debian nor Ubuntu")
    sys.exit(77)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class BuildStarpu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-starpu-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.prefix = self.folder / "prefix"
        self.executable("bin/nvcc", "#!/bin/sh\n")
        self.executable("bin/apt-get", APT_GET)
        self.executable("scripts/setup/install_packages.sh", "#!/bin/sh\n")
        self.script = self.executable("scripts/setup/build_starpu.sh", SCRIPT.read_text("utf-8"))
        self.wanted = self.source("wanted.tar.gz", "the wanted one")
        self.other = self.source("other.tar.gz", "another one")
        self.pin(sha256(self.wanted))

    def executable(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        path.chmod(0o755)
        return path

    def source(self, name, content, **other):
        """An archive that the script can patch, configure, make and install. `other`: the content of
        some files by their names without folder and ending."""
        path = self.folder / name
        with tarfile.open(path, "w:gz") as archive:
            patched = ((p, other.get(pathlib.Path(p).stem, content)) for p in PATCHED)
            for inside, text in (("configure", MAKE_INSTALL), *patched):
                member = tarfile.TarInfo(f"starpu/{inside}")
                member.size, member.mode = len(text), 0o755
                archive.addfile(member, io.BytesIO(text.encode()))
        return path

    def pin(self, checksum):
        lines = self.script.read_text("utf-8").splitlines(keepends=True)
        pins = [k for k, line in enumerate(lines) if line.startswith("source_sha256=")]
        self.assertEqual(len(pins), 1)
        lines[pins[0]] = f"source_sha256={checksum}\n"
        self.script.write_text("".join(lines), encoding="utf-8")

    def build(self, *options, orig="starpu_1.4.10+dfsg.orig.tar.gz", source=None):
        """Exit status, stdout and stderr."""
        environment = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "FAKE_ORIG": orig,
            "FAKE_SOURCE": str(source or self.wanted),
        }
        done = subprocess.run(
            [self.script, "--prefix", self.prefix, *options],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        return done.returncode, done.stdout, done.stderr

    def assert_built(self, outcome):
        status, text, messages = outcome
        self.assertEqual(status, 0, messages)
        self.assertEqual(text.splitlines()[-1], str(self.prefix))
        self.assertTrue((self.prefix / "lib/libstarpu-1.4.so").exists())

    def assert_refused(self, outcome, *what):
        status, _, messages = outcome
        self.assertEqual(status, 1)
        for text in what:
            self.assertIn(text, messages)
        self.assertFalse((self.prefix / "lib").exists())

    def test_the_pin_of_the_script(self):
        text = SCRIPT.read_text("utf-8")
        self.assertIn("\nversion=1.4.10\n", text)
        self.assertRegex(text, r"\nsource_sha256=[0-9a-f]{64}\n")

    def test_archive_has_the_wanted_version(self):
        self.assert_built(self.build())
        self.assertIn("StarPU 1.4.10 with CUDA is there already", self.build()[1])

    def test_gpus_are_not_reset(self):
        reset = "before();\n  cudaDeviceReset();\nafter();\n"
        self.pin(sha256(self.source("wanted.tar.gz", "", perfmodel_bus=reset)))
        self.assert_built(self.build())
        self.pin(sha256(self.source("wanted.tar.gz", "", driver_cuda=reset)))
        shutil.rmtree(self.prefix)
        self.assert_refused(self.build(), "resets GPUs in another place")

    def test_without_cuda(self):
        (self.folder / "bin/nvcc").unlink()
        first = self.build("--without-cuda")
        self.assert_built(first)
        self.assertIn("StarPU without CUDA is in", first[1])
        configured = (self.prefix / "configured").read_text("utf-8")
        self.assertIn("--disable-cuda", configured)
        self.assertNotIn("--with-cuda-dir", configured)
        self.assertIn("without CUDA is there already", self.build("--without-cuda")[1])
        self.executable("bin/nvcc", "#!/bin/sh\n")
        self.assertIn("StarPU with CUDA from", self.build()[1])  # not taken for the other
        self.assertIn("--with-cuda-dir", (self.prefix / "configured").read_text("utf-8"))

    def test_archive_has_another_version(self):
        self.assert_refused(
            self.build(orig="starpu_1.4.12+dfsg.orig.tar.xz"),
            "has starpu_1.4.12+dfsg.orig.tar.xz",
            "not starpu_1.4.10+dfsg.orig.tar.gz",
            "--source FILE",
        )

    def test_archive_has_the_version_with_another_checksum(self):
        self.assert_refused(self.build(source=self.other), sha256(self.other), f"not {sha256(self.wanted)}", "--source")

    def test_given_source(self):
        self.assert_refused(
            self.build("--source", self.other), sha256(self.other), f"not {sha256(self.wanted)}", "--any-version"
        )
        self.assert_refused(self.build("--source", self.folder / "none"), "there is no file")
        self.assert_built(self.build("--source", self.wanted))

    def test_any_version(self):
        self.assert_refused(self.build("--any-version"), "--any-version needs --source FILE")
        outcome = self.build("--source", self.other, "--any-version")
        self.assert_built(outcome)
        self.assertIn("is not starpu_1.4.10+dfsg.orig.tar.gz, its SHA-256 is " + sha256(self.other), outcome[1])
        later = self.build()
        self.assert_built(later)
        self.assertIn("that --any-version let in place of 1.4.10 is there already", later[1])
        self.assertNotIn("there already", self.build("--source", self.wanted)[1])
        self.assertIn("StarPU 1.4.10 with CUDA is there already", self.build()[1])

    def test_any_version_of_the_wanted_one(self):
        outcome = self.build("--source", self.wanted, "--any-version")
        self.assert_built(outcome)
        self.assertNotIn("--any-version", outcome[1])


if __name__ == "__main__":
    unittest.main()
