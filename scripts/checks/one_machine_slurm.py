"""Starts a private Slurm on this machine, in a separate folder, for check_slurm.py.

    with OneMachineSlurm(folder) as slurm:
        job = slurm.submit("--ntasks=1", "job.sh", "argument")
        slurm.wait(job, seconds=60)

Needs Debian's packages slurm-wlm and munge, and root, but not systemd. Sockets, ports, keys and state
are private, so other Slurm installations are not disturbed. The daemons end with the `with` block, and
also when this process dies.
"""

import ctypes
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "srun")
PR_SET_PDEATHSIG = 1
# cred_expire: a requeued job waits so long, 120 s by default, 5 s at least.
CONFIGURATION = """ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin={task_plugin}
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
KillWait=30
MinJobAge=3600
SchedulerParameters=sched_interval=2,batch_sched_delay=1
NodeName=here NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=here Default=YES MaxTime=INFINITE State=UP
"""


class CannotStart(Exception):
    """Slurm cannot be started on this machine; the message is the reason."""


class SlurmError(Exception):
    """A command of Slurm failed or timed out."""


def free_ports(count):
    sockets = [socket.create_server(("", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def die_with_parent():
    """In a child: SIGTERM when the process that started it ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class OneMachineSlurm:
    def __init__(self, folder, task_plugin="task/affinity"):
        self.folder = pathlib.Path(folder)
        self.task_plugin = task_plugin
        self.daemons = []
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))

    def __enter__(self):
        os.environ["PATH"] += ":/usr/sbin"
        missing = [name for name in PROGRAMS if shutil.which(name) is None]
        if missing:
            raise CannotStart(f"{', '.join(missing)} cannot be found (apt-get install slurm-wlm munge)")
        if os.getuid() != 0:
            raise CannotStart("only root can start one whose jobs run as their user")
        try:
            self.start()
        except SlurmError as error:
            self.end()
            raise CannotStart(str(error)) from error
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def start(self):
        self.folder.chmod(0o755)
        (self.folder / "state").mkdir()
        (self.folder / "spool").mkdir()
        key = self.folder / "munge.key"
        key.touch(0o400)
        key.write_bytes(secrets.token_bytes(1024))
        controller_port, node_port = free_ports(2)
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                folder=self.folder,
                host=socket.gethostname().split(".", maxsplit=1)[0],
                cpus=os.cpu_count(),
                controller_port=controller_port,
                node_port=node_port,
                task_plugin=self.task_plugin,
            ),
            encoding="utf-8",
        )
        self.daemon(
            "munged",
            "--foreground",
            "--force",
            f"--key-file={key}",
            f"--socket={self.folder}/munge.socket",
            f"--pid-file={self.folder}/munged.pid",
            f"--log-file={self.folder}/munged.log",
            f"--seed-file={self.folder}/munged.seed",
        )
        self.daemon("slurmctld", "-D", "-c")
        self.daemon("slurmd", "-D", "-N", "here")
        self.until("the node is idle", 30, lambda: self.output("sinfo", "-h", "-o", "%T") == "idle")

    def daemon(self, *words):
        log = open(self.folder / f"{words[0]}.out", "wb")  # noqa: SIM115  (the daemon keeps it)
        self.daemons.append(
            subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self.environment,
                preexec_fn=die_with_parent,
            )
        )
        log.close()

    def until(self, what, seconds, condition):
        """Waits for a condition, at most so long."""
        end = time.monotonic() + seconds
        while not condition():
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise SlurmError(f"{daemon.args[0]} has ended:\n{self.logs()}")
            if time.monotonic() > end:
                raise SlurmError(f"timed out after {seconds} s waiting until {what}:\n{self.logs()}")
            time.sleep(0.2)

    def logs(self):
        """Last lines of the daemons' logs."""
        lines = []
        for path in sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")]):
            lines += [f"{path.name}: {line}" for line in path.read_text("utf-8", "replace").splitlines()[-15:]]
        return "\n".join(lines)

    def end(self):
        """Ends jobs and daemons, the last started first."""
        if len(self.daemons) == 3 and all(daemon.poll() is None for daemon in self.daemons):
            self.run("scancel", "--user=root", "--signal=KILL", "--full")
            self.run("scancel", "--user=root")
            end = time.monotonic() + 10
            while self.output("squeue", "--noheader") and time.monotonic() < end:
                time.sleep(0.2)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons = []

    def run(self, *words):
        """A command of Slurm, done."""
        return subprocess.run(
            [str(word) for word in words], env=self.environment, capture_output=True, text=True, check=False, timeout=60
        )

    def output(self, *words):
        """Returns the output of a Slurm command; "" if it fails."""
        done = self.run(*words)
        return done.stdout.strip() if done.returncode == 0 else ""

    def command(self, *words):
        """Returns the output of a Slurm command; raises SlurmError if it fails."""
        done = self.run(*words)
        if done.returncode != 0:
            raise SlurmError(f"{' '.join(done.args)}: {done.stderr}\n{self.logs()}")
        return done.stdout.strip()

    def submit(self, *words):
        """Number of the job of `sbatch WORDS...`."""
        return self.command("sbatch", "--parsable", *words)

    def facts(self, job):
        """Returns the fields of `scontrol show job` of a job, or of each task of an array."""
        text = self.output("scontrol", "show", "job", "--oneliner", job)
        return [dict(word.split("=", maxsplit=1) for word in line.split() if "=" in word) for line in text.splitlines()]

    def wait(self, job, seconds):
        """Facts of a job when it has ended, of each task of an array."""
        going_on = {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED", "SUSPENDED"}
        end = time.monotonic() + seconds
        while True:
            facts = self.facts(job)
            if facts and not any(fact["JobState"] in going_on for fact in facts):
                return facts
            if time.monotonic() > end:
                raise SlurmError(f"job {job} has not ended after {seconds} s: {facts}\n{self.logs()}")
            time.sleep(0.5)
