#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
# each: all
"""Configurations from file and command line, and how output folders are written: for every block."""
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "verif/tools"))
from testlib import Problem, block_names, describe, finish, program, report, run_program  # noqa: E402


def expect(name, good, what=""):
    report(name, "" if good else what or "it was not so")


def tree(folder):
    """{path: bytes} of the files below a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


def difference(a, b):
    return ", ".join(sorted(n for n in a.keys() | b.keys() if a.get(n) != b.get(n)))


def described(*args):
    run = run_program("describe", *args, "--json")
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr


def refused(block, name, value):
    """Whether a value is refused with a message that names the parameter."""
    run = run_program("describe", block, "-p", f"{name}={value}")
    return run.returncode == 2 and run.stderr.startswith(f"simtgen: {name}: got ")


def check_ranges(block):
    wrong = []
    for p in describe(block)["parameters"]:
        if "choices" in p:
            bad = [f"{p['choices'][0]}x", "0"]
        else:
            bad = [p["min"] - 1, p["max"] + 1, "", f"{p['min']} ", f"0{p['min']}"]
            bad += [3 * p["min"]] if p["power_of_two"] and 3 * p["min"] <= p["max"] else []
        wrong += [f"{p['name']}={v} is accepted" for v in bad if not refused(block, p["name"], v)]
        if described(block, "-p", f"{p['name']}={p['default']}") != described(block):
            wrong.append(f"{p['name']}={p['default']} is not the default")
        for suffix, times in (("k", 1 << 10), ("M", 1 << 20)):
            if "min" in p and p["min"] <= times <= p["max"]:
                run, same = (run_program("describe", block, "-p", f"{p['name']}={v}", "--json") for v in (f"1{suffix}", times))
                if (run.returncode, run.stdout, run.stderr.replace(f"1{suffix},", f"{times},")) != (
                        same.returncode, same.stdout, same.stderr):
                    wrong.append(f"{p['name']}=1{suffix} is not {times}: {run.stderr}")
    report(f"{block}: values just outside their range are refused, k and M are taken", "; ".join(wrong))


def check_files(block, folder):
    values = {p["name"]: p["default"] for p in describe(block)["parameters"]}
    number = next(p for p in describe(block)["parameters"] if "min" in p)
    as_yaml, as_json, marked = folder / "a.yaml", folder / "a.json", folder / "marked.yaml"
    lines = [f"  {name}: {value}\n" for name, value in values.items()]
    text = f"# comment\nname: x  # prefix\nparams:\n{''.join(lines)}block: {block}\n"
    as_yaml.write_text(text)
    as_json.write_text(json.dumps({"params": values, "name": "x", "block": block}))
    marked.write_bytes(b"\xef\xbb\xbf---\r\n" + text.replace("\n", "\r\n").encode())
    plain = described(block, "-n", "x")
    for what, path in (("YAML", as_yaml), ("JSON", as_json), ("YAML with byte order mark and CR LF", marked)):
        report(f"{block}: {what} says what the options say",
               "" if described("-c", path) == plain else described("-c", path))
    changed = f"{number['name']}={number['max']}"
    all_values = [w for n, v in (values | {number["name"]: number["max"]}).items() for w in ("-p", f"{n}={v}")]
    expect(f"{block}: an option comes after the file",  # which gives every value, so that none follows the option
           described("-c", as_yaml, "-p", changed) == described(block, "-n", "x", *all_values))
    hexadecimal = f"{number['name']}={number['default']:#x}"
    expect(f"{block}: hexadecimal is accepted", described(block, "-n", "x", "-p", hexadecimal) == plain)
    expect(f"{block}: the hash is of the parameters, not of the name",
           plain["config_hash"] == described(block)["config_hash"])


def generate(*args, **keys):
    return subprocess.run([program(), "gen", *map(str, args)], capture_output=True, text=True, timeout=60, **keys)


def check_output(block, folder):
    one, two, three = folder / "one", folder / "two", folder / "deep" / "three"
    number = next(p for p in describe(block)["parameters"] if "min" in p)
    other = f"{number['name']}={number['default'] // 2}"
    first = generate(block, "-n", "x", "-p", other, "-o", one)
    expect(f"{block}: gen says nothing on standard error", first.returncode == 0 and not first.stderr, first.stderr)
    manifest = json.loads((one / "manifest.json").read_text())["files"]
    files = {n: hashlib.sha256(b).hexdigest() for n, b in tree(one).items() if n != "manifest.json"}
    report(f"{block}: the manifest lists every file", difference(manifest, files))
    three.parent.mkdir()
    generate("-c", one / "config.yaml", "-o", "three", cwd=three.parent)
    report(f"{block}: config.yaml replays to the same bytes, in another folder", difference(tree(one), tree(three)))
    absolute = [n for n, b in tree(one).items() if str(folder).encode() in b]
    report(f"{block}: no output names the folder it was written to", ", ".join(absolute))

    two.mkdir()
    two.chmod(0o750)
    generate(block, "-n", "x", "-o", two)
    expect(f"{block}: an empty folder is filled and keeps its mode", two.stat().st_mode & 0o777 == 0o750)
    default = tree(two)
    generate(block, "-n", "x", "-p", other, "-o", f"{two}/")
    report(f"{block}: an earlier output is replaced as a whole", difference(tree(one), tree(two)))
    expect(f"{block}: the comparison sees another configuration", difference(default, tree(two)))
    link = folder / "link"
    link.symlink_to("two")
    again = generate(block, "-n", "x", "-o", link)
    expect(f"{block}: a link to an earlier output stays a link",
           again.returncode == 0 and link.is_symlink() and tree(two) == default, again.stderr)
    report(f"{block}: nothing else is left beside the output",
           ", ".join(p.name for p in folder.iterdir() if p.name not in ("one", "two", "deep", "link")))


def check_full_disk(block, folder):
    """A file system that is really full, where one may be mounted."""
    (folder / "small").mkdir()
    script = ('mount -t tmpfs -o size=16k none small || exit 99; "$0" gen "$1" -o small/out; status=$?; '
              'ls -A small; exit $status')
    run = subprocess.run(["unshare", "-rm", "sh", "-c", script, program(), block], cwd=folder, text=True,
                         capture_output=True, timeout=60)
    if run.returncode != 99 and "unshare:" not in run.stderr:
        expect("a full disk gives one message and leaves nothing behind",
               run.returncode == 2 and "No space left on device" in run.stderr and not run.stdout,
               f"{run.returncode} {run.stderr} {run.stdout}")


def check_help(block):
    commands = ("list", "describe", "gen", "check", "sim", "synth")
    top = run_program("--help")
    expect("--help names every command", top.returncode == 0 and all(c in top.stdout for c in commands))
    expect("--help goes to standard output alone", not top.stderr)
    for command in commands:
        run = run_program(command, "--help")
        expect(f"{command} --help", run.returncode == 0 and run.stdout.startswith(f"Usage: simtgen {command} "))
    for words in (["--version"], ["-V"], ["gen", "--version"], ["check", "-V"]):
        run = run_program(*words)
        expect(" ".join(words), run.returncode == 0 and run.stdout.startswith("simtgen "), run.stderr)
    with tempfile.TemporaryDirectory() as folder:
        run = run_program("-q", "gen", block, "--no-doc", "-o", f"{folder}/out")
        expect("-q in front of the command", run.returncode == 0 and not run.stdout + run.stderr, run.stdout + run.stderr)
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = subprocess.run([program(), "describe", block], stdout=full, stderr=subprocess.PIPE, text=True, timeout=20)
    expect("a result that cannot be written is an error",
           run.returncode == 3 and "standard output" in run.stderr, run.stderr)


def main():
    os.umask(0o022)
    blocks = block_names()
    check_help(blocks[0])
    for block in blocks:
        check_ranges(block)
        for check in (check_files, check_output):
            with tempfile.TemporaryDirectory() as top:
                check(block, Path(top).resolve())
    with tempfile.TemporaryDirectory() as top:
        check_full_disk(blocks[0], Path(top))


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("configurations", e)
    finish()
