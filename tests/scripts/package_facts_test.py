#!/usr/bin/env python3
"""Recipes of packages, citation and registry files state the version, the dependencies, the licence and the
references of CMakeLists.txt, scripts/setup and CITATION.cff."""

import json
import re
import unittest

from packaging_test import CMAKE, PACKAGING, PROJECT, ROOT, VERSION

INSTALL = (ROOT / "scripts/setup/install_packages.sh").read_text("utf-8")
STARPU = (ROOT / "scripts/setup/build_starpu.sh").read_text("utf-8")
CITATION = (ROOT / "CITATION.cff").read_text("utf-8")
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
CODEMETA = json.loads((ROOT / "codemeta.json").read_text("utf-8"))
ZENODO = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
MDAKIT = (PACKAGING / "mdakit/metadata.yaml").read_text("utf-8")
CONTAINER = (PACKAGING / "apptainer/starhist.def").read_text("utf-8")
RECIPES = {
    "conda": (PACKAGING / "conda/starhist/recipe.yaml").read_text("utf-8"),
    "easybuild": (PACKAGING / f"easybuild/starhist-{VERSION}-gfbf-2025b.eb").read_text("utf-8"),
    "guix": (PACKAGING / "guix/starhist.scm").read_text("utf-8"),
    "spack": (PACKAGING / "spack/spack_repo/starhist/packages/starhist/package.py").read_text("utf-8"),
}
# Debian's package: its names in conda, EasyBuild, Guix, Spack and codemeta.json. None: that recipe leaves it out.
LIBRARIES = {
    "libstarpu-dev": ("starpu", "StarPU", "starpu", "starpu", "StarPU"),
    "libhdf5-dev": ("hdf5", "HDF5", "hdf5", "hdf5", "HDF5"),
    "libboost-program-options-dev": ("libboost-devel", "Boost", "boost", "boost", "Boost.Program_options"),
    "nlohmann-json3-dev": ("nlohmann_json", "nlohmann_json", "nlohmann-json", "nlohmann-json", "nlohmann_json"),
    "liblzf-dev": ("liblzf", "LibLZF", "liblzf", "liblzf", "liblzf"),
    "zlib1g-dev": ("zlib", "zlib", "zlib", "zlib-api", "zlib"),
    "libbz2-dev": ("bzip2", "bzip2", "bzip2", "bzip2", "bzip2"),
    "liblzma-dev": ("liblzma-devel", "XZ", "xz", "xz", "xz"),
    "libzstd-dev": ("zstd", "zstd", "zstd", "zstd", "zstd"),
    "libdeflate-dev": ("libdeflate", "libdeflate", "libdeflate", "libdeflate", "libdeflate"),
    "libyaml-cpp-dev": ("yaml-cpp", "yaml-cpp", "yaml-cpp", "yaml-cpp", "yaml-cpp"),
    "libgromacs-dev": (None, None, None, "gromacs", "GROMACS"),
    "gemmi-dev": (None, None, None, None, "gemmi"),
    "tao-pegtl-dev": (None, None, None, None, None),  # for gemmi's headers
    "python3-h5py": ("h5py", "h5py", "python-h5py", "py-h5py", None),
    "python3-matplotlib": ("matplotlib-base", "matplotlib", "python-matplotlib", "py-matplotlib", None),
    "python3-numpy": ("numpy", None, "python-numpy", "py-numpy", None),  # EasyBuild: matplotlib brings it
}
# Build tools and test libraries.
TOOLS = {"g++", "cmake", "ninja-build", "pkg-config", "catch2", "patchelf"}
NOT_LIBRARIES = {
    "cmake",
    "CMake",
    "ninja",
    "Ninja",
    "pkg-config",
    "pkgconf",
    "pkgconfig",
    "help2man",
    "python",
    "Python",
    "c",
    "cxx",
    "cuda",
    "catch2",
}
# Libraries with an oldest version, by the words of install_packages.sh.
WORDS_OF_SETUP = {
    "starpu": "StarPU",
    "hdf5": "HDF5",
    "boost": r"Boost\.Program_options",
    "nlohmann_json": "nlohmann/json",
    "libdeflate": "libdeflate",
    "yaml-cpp": "yaml-cpp",
    "gromacs": "libgromacs",
    "gemmi": "gemmi",
}


def packages_of_debian():
    listed = re.search(r"^packages=\((.*?)^\)", INSTALL, re.S | re.M)[1]
    return set(listed.replace('"$@"', "").split())


def oldest(library):
    """Oldest version of a library that install_packages.sh states in words."""
    words = re.sub(r"\s+", " ", INSTALL[INSTALL.index("in words:") :])
    return re.search(rf"{library}[^;,]*? >= ([\d.]+\d)", words.replace("StarPU 1.4 or 1.3", "StarPU"))[1]


def dependencies(recipe):
    text = RECIPES[recipe]
    if recipe == "conda":
        found = re.findall(r"^    - ([\w-]+)", text[text.index("  host:") : text.index("tests:")], re.M)
    elif recipe == "easybuild":
        found = re.findall(r"^    \('([\w-]+)',", text, re.M)
    elif recipe == "guix":
        listed = re.search(r"\(inputs\s+\(list (.*?)\)\)\n", text, re.S)[1]
        found = re.findall(r"[\w-]{2,}", re.sub(r'"\w+"', "", listed))
    else:
        found = re.findall(r"depends_on\([\"']([\w-]+)", text)
    return set(found) - NOT_LIBRARIES


class Versions(unittest.TestCase):
    def test_every_file_has_that_of_the_project(self):
        self.assertEqual({CODEMETA["version"], ZENODO["version"]}, {VERSION})
        for text, pattern in (
            (RECIPES["conda"], r'^  version: "(.*)"$'),
            (RECIPES["easybuild"], r"^version = '(.*)'$"),
            (RECIPES["guix"], r'\(name "starhist"\)\s+\(version "(.*)"\)'),
            (CONTAINER, r"^    Version (.*)$"),
        ):
            self.assertEqual(re.findall(pattern, text, re.M), [VERSION])

    def test_starpu_is_the_one_that_the_scripts_build(self):
        version = re.search(r"^version=(.*)$", STARPU, re.M)[1]
        checksum = re.search(r"^source_sha256=(.*)$", STARPU, re.M)[1]
        [easyconfig] = (PACKAGING / "easybuild").glob("StarPU-*.eb")
        self.assertEqual(easyconfig.name.split("-")[1], version)
        options = re.sub(
            r"\{doc,doc-pdf,examples,tests\}",
            "doc --disable-build-doc-pdf --disable-build-examples --disable-build-tests",
            STARPU,
        ).split()
        for recipe in (easyconfig, PACKAGING / "conda/starpu/recipe.yaml"):
            text = recipe.read_text("utf-8")
            self.assertIn(checksum, text)
            self.assertIn(version, text)
            code = re.sub(r"^ *#.*$", "", text, flags=re.M)
            given = set(re.findall(r"--(?:en|dis)able-[\w=-]+", code))
            self.assertEqual(
                given,
                {option for option in options if re.fullmatch(r"--(en|dis)able-[\w=-]+", option)}
                - {"--enable-simgrid", "--enable-maxcudadev=16", "--disable-dependency-tracking"}
                | {"--disable-cuda"},
            )

    def test_liblzf_is_the_one_that_the_scripts_build(self):
        script = (ROOT / "scripts/setup/build_hdf5.sh").read_text("utf-8")
        checksum = re.search(r"^liblzf_sha256=(.*)$", script, re.M)[1]
        base32 = re.search(r'\(base32 "(\w+)"\)', RECIPES["guix"])[1]
        value = 0
        for letter in base32:  # Guix writes the last byte first
            value = value * 32 + "0123456789abcdfghijklmnpqrsvwxyz".index(letter)
        self.assertEqual(value.to_bytes(32, "little").hex(), checksum)
        [easyconfig] = (PACKAGING / "easybuild").glob("LibLZF-*.eb")
        self.assertIn(checksum, easyconfig.read_text("utf-8"))


class Dependencies(unittest.TestCase):
    def test_the_table_has_all_packages_of_the_setup(self):
        self.assertEqual(set(LIBRARIES) | TOOLS, packages_of_debian())

    def test_every_recipe_has_the_libraries_of_the_setup(self):
        for column, recipe in enumerate(RECIPES):
            names = {names[column] for names in LIBRARIES.values()} - {None}
            self.assertEqual(dependencies(recipe), names, recipe)
        named = {entry["name"] for key in ("softwareRequirements", "softwareSuggestions") for entry in CODEMETA[key]}
        self.assertEqual(named, {names[4] for names in LIBRARIES.values()} - {None} | {"CUDA", "MPI"})

    def test_debian_builds_with_the_libraries_of_the_setup(self):
        control = (PACKAGING / "debian/control").read_text("utf-8")
        fields = re.search(r"^Build-Depends: (.*?)^$", control, re.S | re.M)[1]
        for package in LIBRARIES:
            if package.endswith("-dev"):
                self.assertIn(package, re.split(r"[,\s]+", fields))

    def test_the_oldest_versions_are_those_of_the_setup(self):
        for name, pattern in (
            (r"Boost\.Program_options", r"\(Boost ([\d.]+)"),
            ("HDF5", r"\(HDF5 ([\d.]+)"),
            ("nlohmann/json", r"\(nlohmann_json ([\d.]+)"),
            ("StarPU", r"starpu-1\.3>=([\d.]+)"),
        ):
            self.assertEqual(oldest(name), re.search(pattern, PROJECT)[1], name)
        self.assertEqual(oldest("libgromacs"), re.search(r"libgromacs>=(\d+)", CMAKE["io/CMakeLists.txt"])[1])
        conda = dict(re.findall(r"^    - ([\w-]+) >=([\d.]+)$", RECIPES["conda"], re.M))
        self.assertEqual(conda.pop("starpu"), "1.4")  # the recipe beside it
        self.assertEqual(conda.pop("cmake"), re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", PROJECT)[1])
        self.assertEqual(conda.pop("python"), re.search(r'requires-python = ">=(.*)"', PYPROJECT)[1])
        conda["boost"] = conda.pop("libboost-devel")
        for name, version in conda.items():
            self.assertEqual(version, oldest(WORDS_OF_SETUP[name]), name)
        for entry in CODEMETA["softwareRequirements"] + CODEMETA["softwareSuggestions"]:
            name = entry["name"].lower().replace(".program_options", "")
            if name == "cuda":
                wanted = f"CUDA {entry['softwareVersion'].replace('>=', '>= ')}"
                self.assertIn(wanted, CMAKE["scripts/cmake/cuda.cmake"])
            elif "softwareVersion" in entry or name in WORDS_OF_SETUP:
                self.assertEqual(entry["softwareVersion"], ">=" + oldest(WORDS_OF_SETUP[name]), name)

    def test_options_of_cmake_are_there(self):
        text = "\n".join(CMAKE.values())
        for recipe in RECIPES.values():
            for option in re.findall(r"-D(STARHIST_\w+)", recipe):
                self.assertRegex(text, rf"(option|set)\({option}\b")


class Facts(unittest.TestCase):
    def test_licence_words_and_references_are_those_of_the_citation(self):
        licence = re.search(r"^license: (.*)$", CITATION, re.M)[1]
        keywords = re.findall(
            r"^  - (.*)$", CITATION[CITATION.index("keywords:") : CITATION.index("references:")], re.M
        )
        abstract = " ".join(re.search(r"^abstract: >-\n((?:  .*\n)+)", CITATION, re.M)[1].split())
        self.assertEqual((CODEMETA["license"], ZENODO["license"]), (f"https://spdx.org/licenses/{licence}", licence))
        for text in (MDAKIT, RECIPES["conda"]):
            self.assertRegex(text, rf"(?m)^ *license: {licence}$")
        self.assertEqual([CODEMETA["keywords"], ZENODO["keywords"]], [keywords] * 2)
        listed = MDAKIT[MDAKIT.index("keywords:") : MDAKIT.index("license:")]
        self.assertEqual(re.findall(r"^  - (.*)$", listed, re.M), keywords)
        self.assertEqual((CODEMETA["description"], ZENODO["description"]), (abstract, abstract))
        dois = re.findall(r"^    doi: (.*)$", CITATION, re.M)
        self.assertEqual(CODEMETA["referencePublication"], [f"https://doi.org/{doi}" for doi in dois])
        self.assertEqual([entry["identifier"] for entry in ZENODO["related_identifiers"]], dois)
        author = re.search(r"^authors:\n  - name: (.*)$", CITATION, re.M)[1]
        self.assertEqual((CODEMETA["author"][0]["name"], ZENODO["creators"][0]["name"]), (author, author))
        self.assertIn(f"  - {author}\n", MDAKIT)

    def test_python_is_the_one_of_pyproject(self):
        self.assertIn(re.search(r'requires-python = (".*")', PYPROJECT)[1], MDAKIT)

    def test_the_site_is_built_with_the_packages_of_its_script(self):
        script = (ROOT / "scripts/checks/build_docs.sh").read_text("utf-8")
        packages = re.search(r"install_packages.sh (.*)$", script, re.M)[1].replace("python3-", "").split()
        needed = (ROOT / "docs/requirements.txt").read_text("utf-8").splitlines()[1:]
        site = (ROOT / ".readthedocs.yaml").read_text("utf-8")
        self.assertEqual(sorted(needed + re.findall(r"^    - ([\w-]+) ", site, re.M)), sorted(packages))


if __name__ == "__main__":
    unittest.main()
