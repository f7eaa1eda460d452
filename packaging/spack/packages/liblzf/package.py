from spack.package import *


class Liblzf(Package):
    """A small and fast compression library, whose format HDF5's filter LZF has."""

    homepage = "http://oldhome.schmorp.de/marc/liblzf.html"
    url = "https://deb.debian.org/debian/pool/main/libl/liblzf/liblzf_3.6.orig.tar.gz"

    license("BSD-2-Clause OR GPL-2.0-or-later")

    version("3.6", sha256="9c5de01f7b9ccae40c3f619d26a7abec9986c06c36d260c179cedd04b89fb46a")

    depends_on("c", type="build")
    depends_on("gmake", type="build")

    def install(self, spec, prefix):
        configure(f"--prefix={prefix}", f"CFLAGS=-O2 {self.compiler.cc_pic_flag}")
        make()
        make("install")
