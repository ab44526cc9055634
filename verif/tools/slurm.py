#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one's own on this machine, for tests: munged, slurmctld and two virtual nodes, as root and without systemd.
Usage: slurm.py COMMAND...   runs the command with such a cluster (SLURM_CONF) and ends it; its exit status is the command's."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from testlib import Problem

CONF = """ClusterName=simtgen
SlurmctldHost={host}
SlurmUser=root
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={top}/munge/socket
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SelectType=select/cons_tres
StateSaveLocation={top}/state
SlurmdSpoolDir={top}/spool.%n
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd.%n.pid
SlurmctldLogFile={top}/slurmctld.log
SlurmdLogFile={top}/slurmd.%n.log
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={port1} CPUs=2
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={port2} CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def free_ports(n):
    held = [socket.socket() for _ in range(n)]
    for s in held:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()
    return ports


def find(name):
    path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not path:
        raise Problem(f"no {name}: run `make setup`")
    return path


class Slurm:
    """munged, slurmctld and two slurmd of our own; they end with the block."""

    def __enter__(self):
        if os.geteuid() != 0:
            raise Problem("a Slurm of one's own needs the rights of root")
        self.top = Path(tempfile.mkdtemp(prefix="slurm"))
        self.top.chmod(0o755)
        self.processes = {}
        munge = self.top / "munge"
        munge.mkdir(mode=0o711)
        munge.chmod(0o711)
        key = munge / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        (self.top / "state").mkdir()
        port, port1, port2 = free_ports(3)
        host = socket.gethostname().split(".")[0]
        self.conf = self.top / "slurm.conf"
        self.conf.write_text(CONF.format(host=host, top=self.top, port=port, port1=port1, port2=port2))
        self.env = os.environ | {"SLURM_CONF": str(self.conf), "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        self.start("munged", find("munged"), "--foreground", "--force", f"--key-file={key}", f"--socket={munge}/socket",
                   f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self.wait(lambda: (munge / "socket").exists(), "munged's socket")
        self.start("slurmctld", find("slurmctld"), "-D", "-c")
        for node in ("n1", "n2"):
            self.start(node, find("slurmd"), "-D", "-N", node)
        self.wait(lambda: self.run("sinfo", "-h", "-o", "%D %t").split() == ["2", "idle"], "two idle nodes", 60)
        return self

    def start(self, name, *command):
        log = open(self.top / f"{name}.out", "w")
        self.processes[name] = subprocess.Popen(command, env=self.env, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def run(self, *command):
        return subprocess.run(command, env=self.env, capture_output=True, text=True).stdout

    def wait(self, condition, what, seconds=30):
        end = time.time() + seconds
        while not condition():
            if time.time() > end:
                logs = "".join(p.read_text()[-400:] for p in sorted(self.top.glob("*.log")) + sorted(self.top.glob("*.out")))
                raise Problem(f"Slurm: no {what} in {seconds} s: {logs}")
            time.sleep(0.1)

    def __exit__(self, *_):
        self.run("scancel", "--user=root")
        for process in reversed(self.processes.values()):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.top, ignore_errors=True)


if __name__ == "__main__":
    try:
        with Slurm() as cluster:
            sys.exit(subprocess.run(sys.argv[1:], env=cluster.env).returncode)
    except Problem as problem:
        print(f"not ok a cluster of one's own: {problem}")
        sys.exit(1)
