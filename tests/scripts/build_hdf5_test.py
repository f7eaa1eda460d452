#!/usr/bin/env python3
"""Tests of scripts/setup/build_hdf5.sh and download.sh: which archives they take. The archives are
fakes, so that a build takes no time and nothing comes from the network."""

import hashlib
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parents[2] / "scripts/setup"
CONFIGURE = r"""#!/bin/bash
for option; do [[ $option != --prefix=* ]] || prefix=${option#*=}; done
mkdir -p "$prefix/lib" && echo "$*" > "$prefix/LIBRARY.configured"
printf 'all:\ninstall:\n\ttouch %s/lib/LIBRARY\n' "$prefix" > Makefile
"""

JSON = {
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.22)\nproject(json NONE)\n"
    "install(FILES json.hpp DESTINATION include/nlohmann)\n",
    "json.hpp": "",
    "LICENSE.MIT": "MIT",
}
NOTICES = {"libhdf5.so": "COPYING", "liblzf.a": "LICENSE"}

for program in ("make", "cmake", "sha256sum", "curl"):
    if shutil.which(program) is None:
        print(f"SKIPPED: {program} is missing")
        sys.exit(77)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class BuildHdf5(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-hdf5-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.prefix = self.folder / "prefix"
        for script in ("build_hdf5.sh", "download.sh"):
            shutil.copy(SETUP / script, self.folder)
        self.archives = {
            "hdf5": self.archive("h/hdf5/hdf5_1.10.8+repack1.orig.tar.gz", "libhdf5.so"),
            "liblzf": self.archive("libl/liblzf/liblzf_3.6.orig.tar.gz", "liblzf.a"),
            "nlohmann-json3": self.archive_of("n/nlohmann-json3/nlohmann-json3_3.11.2.orig.tar.gz", JSON),
        }
        self.edit(r"^mirrors=.*$", f"mirrors=(file://{self.folder}/nowhere file://{self.folder}/mirror)")
        for name, path in self.archives.items():
            variable = name.split("-")[-1].rstrip("3") + "_sha256"
            self.edit(rf"^{variable}=.*$", f"{variable}={sha256(path)}")

    def edit(self, pattern, line):
        script = self.folder / "build_hdf5.sh"
        text, times = re.subn(pattern, line, script.read_text("utf-8"), flags=re.MULTILINE)
        self.assertEqual(times, 1)
        script.write_text(text, encoding="utf-8")

    def archive(self, name, library):
        return self.archive_of(
            name, {"configure": CONFIGURE.replace("LIBRARY", library), NOTICES[library]: "free to use"}
        )

    def archive_of(self, name, files):
        path = self.folder / "mirror/pool/main" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(path, "w:gz") as archive:
            for file, text in files.items():
                member = tarfile.TarInfo("source/" + file)
                member.size, member.mode = len(text.encode()), 0o755
                archive.addfile(member, io.BytesIO(text.encode()))
        return path

    def build(self, *options):
        done = subprocess.run(
            [self.folder / "build_hdf5.sh", "--prefix", self.prefix, *options],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def assert_built(self, outcome):
        status, text, messages = outcome
        self.assertEqual(status, 0, messages)
        self.assertEqual(text.splitlines()[-1], str(self.prefix))
        for library in ("libhdf5.so", "liblzf.a"):
            self.assertTrue((self.prefix / "lib" / library).exists())
        self.assertTrue((self.prefix / "include/nlohmann/json.hpp").exists())
        for notice in ("hdf5/COPYING", "liblzf/LICENSE", "nlohmann-json3/LICENSE.MIT"):
            self.assertTrue((self.prefix / "share/doc" / notice).exists())
        self.assertIn("--enable-threadsafe", (self.prefix / "libhdf5.so.configured").read_text("utf-8"))

    def test_archives_are_downloaded_once(self):
        first = self.build()
        self.assert_built(first)
        self.assertIn("HDF5, liblzf and JSON for Modern C++ are in", first[1])
        shutil.rmtree(self.folder / "mirror")
        again = self.build()
        self.assert_built(again)
        self.assertIn("are there already", again[1])

    def test_archives_can_be_given(self):
        given = []
        for name, path in self.archives.items():
            given += [f"--{name}", path.rename(self.folder / path.name)]
        self.assert_built(self.build(*given))

    def test_another_archive_is_refused(self):
        other = self.folder / "other.tar.gz"
        other.write_text("no archive", encoding="utf-8")
        status, _, messages = self.build("--hdf5", other)
        self.assertEqual(status, 1)
        self.assertIn("is not hdf5_1.10.8+repack1.orig.tar.gz", messages)
        self.archives["liblzf"].write_text("changed", encoding="utf-8")
        status, _, messages = self.build()
        self.assertEqual(status, 1)
        for text in ("has another checksum", "give it with --liblzf"):
            self.assertIn(text, messages)
        self.assertFalse((self.prefix / ".hdf5-complete").exists())

    def test_bad_arguments(self):
        for options, message in (
            (["--hdf5"], "needs a value"),
            (["--other", "1"], "unknown option"),
            (["--hdf5", self.folder / "none"], "there is no file"),
        ):
            status, _, messages = self.build(*options)
            self.assertEqual(status, 1)
            self.assertIn(message, messages)

    def test_download_leaves_nothing_of_another_file(self):
        wanted, file = self.archives["hdf5"], self.folder / "file"
        for url, checksum, status in (
            (wanted, "0" * 64, 1),
            (self.folder / "none", sha256(wanted), 1),
            (wanted, sha256(wanted), 0),
        ):
            done = subprocess.run(
                [self.folder / "download.sh", checksum, file, f"file://{url}"],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(file.exists(), status == 0)
            self.assertEqual(list(self.folder.glob("*.part")), [])


if __name__ == "__main__":
    unittest.main()
