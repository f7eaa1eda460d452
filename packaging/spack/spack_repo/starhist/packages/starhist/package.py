from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Starhist(CMakePackage, CudaPackage):
    """Exact histograms of the distances of all pairs of particles in trajectories of molecular
    dynamics, and g(r), structure factors and Kirkwood-Buff integrals from them, on CPUs and
    NVIDIA GPUs with the StarPU runtime."""

    license("MIT")

    # From a source tree: spack develop --path . starhist@0.3.0
    version("0.3.0")

    variant("gromacs", default=False, description="Read XTC, TRR, TNG and TPR with GROMACS' library")
    variant("cadishi", default=True, description="Read parameter files of CADISHI")
    variant("scripts", default=True, description="Install packages for plots, reports and compare-schedulers")

    generator("ninja")
    conflicts("%gcc@:11", msg="starhist is written in C++20: GCC 12 and later")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("help2man", type="build")
    depends_on("python@3.9:", type=("build", "run"))

    # ~fast: without StarPU's assertions, a broken GPU would block a run forever.
    depends_on("starpu@1.4: ~fast")
    depends_on("starpu +cuda", when="+cuda")
    depends_on("cuda@12:", when="+cuda")
    # Several threads read.
    depends_on("hdf5@1.10.3: +threadsafe ~mpi")
    depends_on("boost@1.74: +program_options")
    depends_on("nlohmann-json@3.9:")
    # An archive, which goes into shared libraries too.
    depends_on('liblzf cflags="-fPIC"')
    depends_on("libdeflate")
    depends_on("zlib-api")
    depends_on("bzip2")
    depends_on("xz")
    depends_on("zstd")
    depends_on("gromacs@2022:", when="+gromacs")
    depends_on("yaml-cpp@0.6:", when="+cadishi")
    depends_on("catch2@2.13:", type="test")
    with when("+scripts"):
        depends_on("py-h5py ~mpi", type="run")
        depends_on("py-matplotlib", type="run")
        depends_on("py-numpy", type="run")

    def cmake_args(self):
        args = [
            self.define("STARHIST_BUILD_TESTS", self.run_tests),
            self.define_from_variant("STARHIST_CUDA", "cuda"),
            self.define_from_variant("STARHIST_GROMACS", "gromacs"),
            self.define("STARHIST_GEMMI", "OFF"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_yaml-cpp", self.spec.satisfies("~cadishi")),
            self.define("LZF_INCLUDE_DIR", self.spec["liblzf"].prefix.include),
            self.define("HDF5_ROOT", self.spec["hdf5"].prefix),
        ]
        architectures = self.spec.variants["cuda_arch"].value if self.spec.satisfies("+cuda") else ("none",)
        if "none" not in architectures:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", ";".join(architectures)))
        return args

    def setup_build_environment(self, env):
        # Tests of several builds share the cores of a machine.
        env.set("STARPU_WORKERS_NOBIND", "1")

    def test_selftest(self):
        """every kernel counts as the defining function does"""
        starhist = which(self.prefix.bin.starhist)
        starhist("selftest")

    def test_version(self):
        """the program tells its version"""
        starhist = which(self.prefix.bin.starhist)
        assert str(self.spec.version) in starhist("--version", output=str.split, error=str.split)
