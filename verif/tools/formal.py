#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves the properties of the blocks: `make formal` (docs/proofs.md).

verif/BLOCK/formal/runs.txt lists TASK DEPTH SECONDS (of processor time) NAME=VALUE..., faults.txt planted faults. Each run generates the
configuration, turns DIR/rtl and DIR/formal into an AIGER netlist (yosys) and gives it to yosys-abc:
bmc3 up to DEPTH cycles; without a bound pdr, one step of induction by bmc3, or bmc3 from any state. A result is kept in B/formal/cache by the content of the netlist's
sources, the script and the tools. Prints a table and writes B/formal.json.
"""
import argparse
import fcntl
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from testlib import ROOT, Problem, options, program, text_of  # noqa: E402

YOSYS = os.environ.get("SIMTGEN_YOSYS", "yosys")
ABC = os.environ.get("SIMTGEN_YOSYS_ABC", "yosys-abc")
MEMORY = 8 << 30
# No cell with enable or reset may be left: `opt` would make them again. Unknown start values are free.
TO_AIGER = """opt -nodffe -nosdff
memory_dff
memory_map
opt -nodffe -nosdff
dffunmap
techmap
opt -nodffe -nosdff
dffunmap
setundef -undriven -anyseq
aigmap
opt_clean
write_aiger -zinit -symbols {aig}
"""


def limited(command, seconds, cwd=None):
    """Output of a command of at most so many seconds of processor time, and whether it ended by itself. What is found
    does not depend on what else the machine does: yosys-abc's own limits (-T) are of processor time too."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        run = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=10 * seconds, preexec_fn=limit)
        return run.stdout + run.stderr, run.returncode == 0
    except subprocess.TimeoutExpired as e:
        return (e.stdout or b"").decode(errors="replace"), False
    except OSError as e:
        raise Problem(f"{command[0]}: {e.strerror}; run `make setup`") from e


def processor_time():
    """Seconds, of the commands that have ended."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def tool_versions():
    yosys, good = limited([YOSYS, "-V"], 60)
    if not good:
        raise Problem(f"{YOSYS} -V failed; run `make setup`")
    return yosys.split(" (")[0].strip()


class Task:
    """A line of tasks.txt: what is asked of a configuration."""

    def __init__(self, line):
        self.name, self.mode, self.depth, *words = line.split()
        self.asks = [word for word in words if "=" not in word and word[0] != "+"]  # none: all
        self.given = [word[1:] for word in words if word[0] == "+"]


def lines_of(path):
    if not path.exists():
        return []
    lines = (line.strip() for line in path.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("#")]


class Run:
    """One configuration under one task, perhaps with a planted fault."""

    def __init__(self, block, task, depth, seconds, values, fault=None):
        self.block, self.task, self.depth, self.seconds = block, task, depth, seconds
        self.values, self.fault = values, fault

    def title(self):
        return f"{self.block} {self.task.name} {text_of(self.values)}"

    def generate(self, folder):
        command = [program(), "gen", self.block, "-q", "--no-doc", *options(self.values), "-o", str(folder)]
        out, good = limited(command, 60)
        if not good:
            raise Problem(f"{' '.join(command)}: {out.strip()}")
        if self.fault:
            self.plant(folder)

    def plant(self, folder):
        path = folder / "rtl" / f"{self.block}_{self.fault['file']}.v"
        before = path.read_text()
        subprocess.run(["sed", "-i", "-E", self.fault["sed"], str(path)], check=True)
        if path.read_text() == before:
            raise Problem(f"planted fault: the edit of {path.name} changes nothing: {self.fault['sed']}")

    def sources(self, folder):
        return sorted((folder / "rtl").glob("*.v")) + sorted((folder / "formal").glob("*.v"))

    def script(self, folder, aig):
        read = "".join(f"read_verilog {path.relative_to(folder)}\n" for path in self.sources(folder))
        sby = (folder / "formal" / f"{self.block}.sby").read_text()
        top = re.search(rf"^{self.task.name}: (hierarchy .*)$", sby, re.M)[1]
        flat = re.search(r"^proc\n.*?(?=^prep$)", sby, re.M | re.S)[0]
        flat = re.sub(rf"^{self.task.name}: ", "", flat, flags=re.M)
        flat = re.sub(r"^\w+: .*\n", "", flat, flags=re.M)  # of other tasks
        if self.fault:  # nothing but what the broken property needs
            flat += f"delete -output o:* o:bad_{self.fault['property']}_o %d\nopt_clean\n"
        return f"{read}{top}\n{flat}{TO_AIGER.format(aig=aig)}"

    def engine(self):
        if self.task.mode == "step":  # two cycles from any state: what held in the first one holds in the second
            return ("cone -s -O {at} -R 1; " if self.fault else "") + f"bmc3 -a -F 2 -T {self.seconds}"
        if self.task.mode == "prove":  # one output at a time
            return f"cone -s -O {{at}} -R 1; scleanup; scorr; dc2; pdr -T {self.seconds}"
        if self.fault:  # only the broken property
            return f"cone -s -O {{at}} -R 1; scorr; dc2; bmc3 -a -F {self.depth + 1} -T {self.seconds}"
        return f"scorr; dc2; bmc3 -a -F {self.depth + 1} -T {self.seconds}"

    def run(self, cache, versions):
        """{property: {result, depth}}, seconds; from the cache when nothing has changed."""
        with tempfile.TemporaryDirectory() as tmp:
            folder = Path(tmp)
            self.generate(folder)
            script, engine = self.script(folder, "f.aig"), self.engine()
            content = hashlib.sha256()
            for part in [versions, script, engine, *(p.read_text() for p in self.sources(folder))]:
                content.update(part.encode() + b"\0")
            kept = cache / f"{content.hexdigest()}.json"
            if kept.exists():
                return json.loads(kept.read_text())
            start = processor_time()
            (folder / "f.ys").write_text(script)
            log, good = limited([YOSYS, "-q", "f.ys"], 600, folder)
            if not good:
                raise Problem(f"{self.title()}: yosys: {log.strip()[-600:]}")
            names, constant, latches = aiger_outputs(folder / "f.aig")
            if self.fault:
                if f"bad_{self.fault['property']}_o" not in names:
                    raise Problem(f"{self.title()}: faults.txt: got '{self.fault['property']}', expected a property of the block")
                at = names.index(f"bad_{self.fault['property']}_o")
                engine, names, constant = engine.format(at=at), [names[at]], {}
            if self.task.mode == "prove":
                properties = self.prove(names, constant, engine, folder)
            else:
                log, _ = limited([ABC, "-q", f"read_aiger f.aig; strash; {engine}"], self.seconds + 60, folder)
                properties = self.judge(names, constant, log, 1 if self.task.mode == "step" else self.depth)
            result = {"properties": properties, "latches": latches,
                      "seconds": round(processor_time() - start, 1)}
            if any(r["result"] == "open" for r in properties.values()):
                return result  # another day the machine may have more time
            cache.mkdir(parents=True, exist_ok=True)
            new = kept.with_suffix(f".{os.getpid()}")
            new.write_text(json.dumps(result))
            new.replace(kept)
            return result

    def prove(self, names, constant, engine, folder):
        result = {}
        for i, name in enumerate(names):
            if i in constant or name.startswith("cover_"):
                continue
            script = f"read_aiger f.aig; strash; {engine.format(at=i)}"
            log, _ = limited([ABC, "-q", script], self.seconds + 60, folder)
            broken = re.search(r"was asserted in frame (\d+)", log)
            result[name] = {"result": "BROKEN" if broken else "proved" if "Property proved" in log else "open",
                            "depth": int(broken[1]) if broken else 0}
        return result

    def judge(self, names, constant, log, depth):
        broken = {int(n): int(frame) for n, frame in re.findall(r"Output +(\d+) was asserted in frame +(\d+)", log)}
        reached = re.findall(r"(?:after|in) (\d+) frames", log)
        frames = int(reached[-1]) if reached else 0
        result = {}
        for i, name in enumerate(names):
            covers = name.startswith("cover_")
            if covers != (self.task.mode == "cover"):
                continue
            if i in constant:
                if constant[i] == 0:
                    continue  # not asked by this task
                result[name] = {"result": "reached" if covers else "BROKEN", "depth": 0}
            elif i in broken:
                result[name] = {"result": "reached" if covers else "BROKEN", "depth": broken[i]}
            else:
                held = "proved" if self.task.mode in ("step", "within") else "not reached" if covers else "holds"
                result[name] = {"result": held if frames > depth or covers else "open", "depth": frames - 1}
        return result


def aiger_outputs(path):
    """Names of the outputs in order, {index: value} of the constant ones, number of latches."""
    data = path.read_bytes()
    end = data.index(b"\n")
    _, _, latches, n_outputs, ands = map(int, data[:end].split()[1:6])
    lines = data[end + 1:].split(b"\n", latches + n_outputs)
    literals = [int(x) for x in lines[latches:latches + n_outputs]]
    rest = lines[latches + n_outputs]
    at = 0
    for _ in range(2 * ands):
        while rest[at] & 0x80:
            at += 1
        at += 1
    names = {}
    for line in rest[at:].split(b"\n"):
        found = re.match(rb"o(\d+) (\S+)", line)
        if found:
            names[int(found[1])] = found[2].decode()
    return [names[i] for i in range(n_outputs)], {i: v for i, v in enumerate(literals) if v < 2}, latches


class Plan:
    """What verif/BLOCK/formal/ asks for."""

    def __init__(self, folder, quick):
        self.folder, self.block, self.quick = folder, folder.parent.name, quick
        self.tasks = {t.name: t for t in map(Task, lines_of(folder / "tasks.txt"))}
        self.configs = dict(map(str.strip, line.split(" : ")) for line in lines_of(folder / "runs.txt")
                            if re.match(r"\w+ : ", line))

    def values(self, words):
        result = {}
        for word in words:
            if "=" not in word and word not in self.configs:
                raise Problem(f"{self.folder}: got '{word}', expected NAME=VALUE or one of {', '.join(self.configs)}")
            pairs = [word] if "=" in word else self.configs[word].split()
            result.update(p.split("=", 1) for p in pairs)
        return result

    def run(self, words, fault=None):
        name, depth, seconds, *config = words
        if name not in self.tasks:
            raise Problem(f"{self.folder}: got task '{name}', expected one of {', '.join(self.tasks)}")
        return Run(self.block, self.tasks[name], int(depth), int(seconds), self.values(config), fault)

    def chosen(self, file, every=False):
        for line in lines_of(self.folder / file):
            if (line.startswith("* ") or every or not self.quick) and not re.match(r"\w+ : ", line):
                yield line.removeprefix("* ")

    def runs(self):
        """Lines TASK DEPTH SECONDS NAME=VALUE..."""
        return [self.run(line.split()) for line in self.chosen("runs.txt")]

    def faults(self, every=False):
        """Lines PROPERTY FILE SED | TASK DEPTH SECONDS NAME=VALUE..."""
        result = []
        for line in self.chosen("faults.txt", every):
            what, where = line.rsplit(" | ", 1)
            prop, file, sed = what.split(None, 2)
            result.append(self.run(where.split(), {"property": prop, "file": file, "sed": sed}))
        return result


def unproved(run, others):
    """What a run takes as given that no other run of the same configuration has proved without a bound."""
    proved = set()
    for other, result in others:
        if (other.block, other.values) == (run.block, run.values) and other.task.mode in ("step", "prove"):
            names = {short(name): r["result"] for name, r in result["properties"].items()}
            proved |= {name for name, how in names.items() if how == "proved"}
            if not other.task.asks:  # one that is not there is never broken in this configuration
                proved |= set(run.task.given) - set(names)
    return [name for name in run.task.given if name not in proved]


def show(run, result):
    print(f"\n{run.title()}: {result['latches']} state bits, {result['seconds']} s", flush=True)
    for name, r in result["properties"].items():
        depth = "all" if r["result"] == "proved" else r["depth"]
        print(f"  {short(name):<28} {r['result']:<12} {depth:>5}", flush=True)


def short(output):
    return re.sub("^bad_|_o$", "", output)


def save(path, versions, record, block):
    """Writes the results; those of other blocks stay when only one was looked at, perhaps beside a run that looks at another."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if block and path.exists():
            record = sorted([r for r in json.loads(path.read_text())["runs"] if r["block"] != block] + record, key=lambda r: r["block"])
        new = path.with_suffix(".new")
        new.write_text(json.dumps({"schema": 1, "tools": versions, "runs": record}, indent=1) + "\n")
        new.replace(path)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--block", help="only this block")
    p.add_argument("--quick", action="store_true", help="only what is marked for `make test`")
    p.add_argument("--faults", action="store_true", help="planted faults alone")
    args = p.parse_args()
    build = Path(os.environ.get("B", "build"))
    build = build if build.is_absolute() else ROOT / build
    cache, versions = build / "formal" / "cache", tool_versions()
    roots = [ROOT, *map(Path, filter(None, os.environ.get("SIMTGEN_EXTRA", "").split(":")))]
    plans = [Plan(f, args.quick) for root in roots for f in sorted(root.glob("verif/*/formal"))
             if args.block in (None, f.parent.name)]
    for run in [r for plan in plans for r in plan.faults(every=True)]:  # each edit fits the RTL as it is
        with tempfile.TemporaryDirectory() as folder:
            run.generate(Path(folder) / "out")
    record, done, bad = [], [], 0
    for run in [r for plan in plans for r in plan.runs() if not args.faults]:
        result = run.run(cache, versions)
        show(run, result)
        bad += sum(r["result"] in ("BROKEN", "open", "not reached") for r in result["properties"].values())
        record.append({"block": run.block, "task": run.task.name, "config": run.values, "mode": run.task.mode, **result})
        done.append((run, result))
    for run, _ in done:
        missing = unproved(run, done)
        bad += len(missing)
        if missing:
            print(f"\n{run.title()}: takes as given what no run of this configuration proves: {', '.join(missing)}")
    print("\nplanted faults: property, where, found in cycle")
    for run in [r for plan in plans for r in plan.faults()]:
        result = run.run(cache, versions)
        name = f"bad_{run.fault['property']}_o"
        found = result["properties"].get(name, {"result": "missing", "depth": 0})
        good = found["result"] == "BROKEN"
        bad += not good
        print(f"  {run.fault['property']:<14} {run.fault['file']:<10} {run.fault['sed']:<70} "
              f"{found['depth'] if good else 'NOT FOUND'}", flush=True)
        record.append({"block": run.block, "fault": run.fault, "found": good, "config": run.values, **result})
    save(build / "formal.json", versions, record, args.block)
    print(f"\n{len(record)} runs, {bad} not as wanted")
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as e:
        print(f"simtgen: formal: {e}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(4)
