#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""The pages are true of the tree: README.md leads to every page, links and named files are there, no page says when
something ran, and one idea has one word."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import ROOT, finish, report  # noqa: E402

LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")
NAMED = re.compile(r"`((?:cmodel|rtl_templates|verif|gen|fpga|synth_reports|configs|docs)/[\w./-]*)`")
WHEN = re.compile(r"\b20\d\d-\d\d-\d\d\b|\bcommit [0-9a-f]{7}\b")
TUTORIAL = "arbiter/"  # files that a reader of docs/adding_a_block.md makes


def pages(root):
    return [root / "README.md", *sorted(root.glob("docs/*.md"))]


def unreachable(root):
    """Pages that no chain of links from README.md reaches, and links to nothing."""
    seen, left, broken = set(), [root / "README.md"], []
    while left:
        page = left.pop()
        if page in seen:
            continue
        seen.add(page)
        for link in LINK.findall(page.read_text()):
            target = (page.parent / link).resolve()
            if not target.exists():
                broken.append(f"{page.name}: {link}")
            elif target.suffix == ".md":
                left.append(target)
    return broken + [f"nothing leads to {p.name}" for p in pages(root) if p.resolve() not in {s.resolve() for s in seen}]


def absent(root):
    """Files that pages name and that are not there; names with a part in capitals stand for any."""
    return [f"{page.name}: {name}" for page in pages(root) for name in NAMED.findall(page.read_text())
            if not re.search(r"[A-Z]{3}", name) and TUTORIAL not in name and not (root / name).exists()]


def dated(root):
    return [f"{page.name}: {found}" for page in pages(root) for found in WHEN.findall(page.read_text())]


def mixed_words(root):
    """gen/mutate and verif/mutate speak of mutations, never of faults."""
    return [str(p.relative_to(root)) for folder in ("gen/mutate", "verif/mutate") for p in sorted((root / folder).glob("*.[chp]*"))
            if re.search("fault", re.sub("default", "", p.read_text()))]


for name, wrong in (("README.md leads to every page, and every link to a file", unreachable(ROOT)),
                    ("the files that pages name are there", absent(ROOT)),
                    ("what ran when is in records, not in pages", dated(ROOT)),
                    ("what is mutated is a mutant", mixed_words(ROOT))):
    report(name, "; ".join(wrong[:5]))
finish()
