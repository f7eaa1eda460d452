#!/usr/bin/env python3
"""Packages say of starhist what its CMakeLists.txt says. Of Spack there is a stub, which takes what a
recipe declares: it does not tell whether Spack itself finds the recipe good."""

import importlib.util
import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
SPACK = PACKAGING / "spack/spack_repo/starhist"
CMAKE = {
    path.name if path.parent == ROOT else str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in [ROOT / "CMakeLists.txt", ROOT / "io/CMakeLists.txt", *(ROOT / "scripts/cmake").glob("*.cmake")]
}
PROJECT = CMAKE["CMakeLists.txt"]
VERSION = re.search(r"project\(starhist VERSION ([\d.]+)", PROJECT)[1]


class Condition:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def load_recipe(name):
    """A recipe's class and what it declares: [(directive, arguments, keywords)]."""
    declared = []
    stub = types.ModuleType("spack.package")

    def directive(word):
        def call(*arguments, **keywords):
            declared.append((word, arguments, keywords))
            return Condition()

        return call

    class CMakePackage:
        @staticmethod
        def define(option, value):
            return option, value

        @staticmethod
        def define_from_variant(option, variant):
            return option, variant

    names = {
        word: directive(word)
        for word in ("version", "variant", "depends_on", "conflicts", "license", "generator", "when")
    }
    generator = names.pop("generator")
    vars(stub).update(names, which=None)
    # Spack's build systems have been in its repository of packages since version 1.
    systems = types.ModuleType("spack_repo.builtin.build_systems")
    cmake, cuda = types.ModuleType(f"{systems.__name__}.cmake"), types.ModuleType(f"{systems.__name__}.cuda")
    vars(cmake).update(CMakePackage=CMakePackage, generator=generator)
    vars(cuda).update(CudaPackage=type("CudaPackage", (), {}))
    modules = [
        types.ModuleType("spack"),
        stub,
        types.ModuleType("spack_repo"),
        types.ModuleType("spack_repo.builtin"),
        systems,
        cmake,
        cuda,
    ]
    sys.modules.update({module.__name__: module for module in modules})
    specification = importlib.util.spec_from_file_location(name, SPACK / f"packages/{name}/package.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return getattr(module, name.capitalize()), declared


class Spec:
    """+cuda cuda_arch=80,90 ~cadishi, or a plain one."""

    def __init__(self, cuda):
        self.cuda = cuda
        self.prefix = types.SimpleNamespace(include="/include")
        self.variants = {"cuda_arch": types.SimpleNamespace(value=("80", "90") if cuda else ("none",))}

    def satisfies(self, condition):
        return {"+cuda": self.cuda, "~cadishi": self.cuda}[condition]

    def __getitem__(self, _):
        return self


class Spack(unittest.TestCase):
    def setUp(self):
        self.recipe, self.declared = load_recipe("starhist")

    def of(self, word):
        return [(arguments, keywords) for directive, arguments, keywords in self.declared if directive == word]

    def arguments(self, cuda=False):
        package = self.recipe()
        package.spec, package.run_tests = Spec(cuda), False
        return dict(package.cmake_args())

    def test_the_version_is_that_of_the_project(self):
        self.assertEqual(self.of("version"), [((VERSION,), {})])

    def test_options_of_cmake_are_there(self):
        text = "\n".join(CMAKE.values())
        for option in self.arguments(cuda=True):
            if option.startswith("STARHIST_") or option == "LZF_INCLUDE_DIR":
                self.assertRegex(text, rf"(option|set|find_path)\({option}\b", option)

    def test_options_of_cmake_have_variants(self):
        variants = {arguments[0] for arguments, _ in self.of("variant")} | {"cuda"}  # CudaPackage's
        given = self.arguments()
        for option in ("STARHIST_CUDA", "STARHIST_GROMACS"):
            self.assertIn(given[option], variants)
        conditions = [keywords["when"] for _, keywords in self.declared_with("when")]
        conditions += [arguments[0] for arguments, _ in self.of("when")]
        self.assertGreater(len(conditions), 3)
        for condition in conditions:
            self.assertIn(condition.lstrip("+~"), variants)

    def declared_with(self, keyword):
        return [(arguments, keywords) for _, arguments, keywords in self.declared if keyword in keywords]

    def test_architectures_of_gpus_are_handed_on(self):
        self.assertEqual(self.arguments(cuda=True)["CMAKE_CUDA_ARCHITECTURES"], "80;90")
        self.assertNotIn("CMAKE_CUDA_ARCHITECTURES", self.arguments())

    def test_versions_of_what_it_needs_are_those_of_the_project(self):
        needed = {
            re.match(r"[\w-]+", arguments[0])[0]: re.search(r"@([\d.]+):", arguments[0])
            for arguments, _ in self.of("depends_on")
            if "@" in arguments[0]
        }
        for name, pattern in (
            ("cmake", r"cmake_minimum_required\(VERSION ([\d.]+)"),
            ("boost", r"\(Boost ([\d.]+)"),
            ("hdf5", r"\(HDF5 ([\d.]+)"),
            ("nlohmann-json", r"\(nlohmann_json ([\d.]+)"),
        ):
            self.assertEqual(needed[name][1], re.search(pattern, PROJECT)[1], name)


class Debian(unittest.TestCase):
    def test_the_version_is_that_of_the_project(self):
        first = (PACKAGING / "debian/changelog").read_text("utf-8").splitlines()[0]
        self.assertRegex(first, rf"^starhist \({re.escape(VERSION)}-\d+\) ")

    def test_the_library_packages_have_the_number_of_the_library(self):
        number = re.search(r"set\(c_library_version (\d+)\)", CMAKE["scripts/cmake/c_library.cmake"])[1]
        packages = re.findall(r"^Package: (.*)$", (PACKAGING / "debian/control").read_text("utf-8"), re.M)
        self.assertEqual(
            [name for name in packages if name.startswith("lib")],
            [f"libstarhist{number}", f"libstarhist-file{number}", "libstarhist-dev"],
        )


if __name__ == "__main__":
    unittest.main()
