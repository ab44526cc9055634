# SPDX-License-Identifier: Apache-2.0
"""The cells of rtl_templates/lib that have proofs and figures of their own: one table for both.

A cell: the cells in it; the range of each parameter; configurations of the table of figures; proofs and planted faults.
A proof: module of the properties (verif/tests/cells/), its parameters, None or cycles of a bounded one.
A fault: file, edit (sed -E), index of the proof, property that it breaks.
"""
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LIB = ROOT / "rtl_templates" / "lib"


def fair(clients, stages):
    """Grants to others that a waiting client may see, as rr_arbiter.v states it."""
    if stages == 1:
        return clients
    groups = 2 if clients <= 4 else 4 if clients <= 16 else 8
    members = -(-clients // groups)
    return groups * members - 1 + stages


CELLS = {
    "fifo_regs": {
        "ranges": {"WIDTH": (1, 4096), "DEPTH": (1, 64)},
        "figures": ["WIDTH=32 DEPTH=4", "WIDTH=32 DEPTH=16"],
        "proofs": [("stream_proof", f"KIND=0 DEPTH={d}", None) for d in (1, 2, 3, 4)],
        "faults": [("fifo_regs", "s/full_q <= level_q == ALMOST/full_q <= 1'b0/", 1, "ready"),
                   ("fifo_regs", "s/read_q == LAST/1'b0/", 2, "data"),
                   ("fifo_regs", "s/if \\(take && !put\\)/if (take)/", 1, "level"),
                   ("fifo_regs", "s/some_q <= level_q != .*/some_q <= 1'b1;/", 1, "valid")]},
    "fifo_ram": {
        "inside": ["ram_1r1w"],
        "ranges": {"WIDTH": (1, 4096), "DEPTH": (2, 65536)},
        "figures": ["WIDTH=32 DEPTH=512", "WIDTH=64 DEPTH=64"],
        "proofs": [("stream_proof", f"KIND=1 DEPTH={d}", None) for d in (2, 3, 4)],
        "faults": [("fifo_ram", "s/valid_q <= some_q &&/valid_q <= (some_q || put) \\&\\&/", 0, "data"),
                   ("fifo_ram", "s/!take \\? read_q/!valid_q ? read_q/", 0, "data"),
                   ("fifo_ram", "s/valid_q <= some_q && .*/valid_q <= some_q;/", 0, "valid"),
                   ("fifo_ram", "s/full_q <= level_q == ALMOST/full_q <= 1'b0/", 1, "ready")]},
    "skid_buffer": {
        "ranges": {"WIDTH": (1, 4096)},
        "figures": ["WIDTH=32"],
        "proofs": [("stream_proof", "KIND=2 DEPTH=2", None)],
        "faults": [("skid_buffer", "s/if \\(in_ready_o\\) skid_q/skid_q/", 0, "data"),
                   ("skid_buffer", "s/in_ready_o <= moves \\|\\| .*/in_ready_o <= moves;/", 0, "ready"),
                   ("skid_buffer", "s/<= in_valid_i \\|\\| !in_ready_o/<= in_valid_i/", 0, "valid")]},
    "priority_encoder": {
        "ranges": {"WIDTH": (1, 256)},
        "figures": ["WIDTH=16", "WIDTH=64"],
        "proofs": [("priority_encoder_proof", f"WIDTH={w}", None) for w in (1, 2, 5, 16, 33)],
        "faults": [("priority_encoder", "s/= !some\\[2\\*n\\];/= some[2*n+1];/", 2, "lowest"),
                   ("priority_encoder", "s/some\\[2\\*n\\] \\|\\| some/some[2*n] \\&\\& some/", 2, "valid")]},
    "rr_arbiter": {
        "inside": ["rr_pick"],
        "ranges": {"CLIENTS": (2, 64), "STAGES": (1, 3)},
        "figures": [f"CLIENTS={n} STAGES={s}" for n in (8, 48, 64) for s in (1, 2, 3)],
        "proofs": [("rr_arbiter_proof", f"CLIENTS={n} STAGES={s} BOUND={fair(n, s)}", None)
                   for n in (2, 3, 5, 9) for s in (1, 2, 3)],
        "faults": [("rr_arbiter", "s/barred = grant_q \\| out_q/barred = grant_q/", 5, "request"),
                   ("rr_arbiter", "s/ & ~candidate_q.*;/;/", 4, "request"),
                   ("rr_arbiter", "s/turn_q <= above/turn_q <= turn_q/", 3, "fair"),
                   ("rr_arbiter", "s/turn_m_q <= above_m/turn_m_q <= turn_m_q/", 10, "fair"),
                   ("rr_arbiter", "s/moves = taken\\[g\\] \\|\\| !have_q\\[g\\]/moves = !have_q[g]/", 7, "request"),
                   ("rr_arbiter", "s/chosen = enable_i \\? pick : .*/chosen = pick;/", 3, "one_hot"),
                   ("rr_arbiter", "s/taken = enable_i \\? pick : .*/taken = pick;/", 5, "off"),
                   ("rr_pick", "s/from = \\|first \\? first : req_i/from = first/", 9, "one_hot"),
                   ("rr_pick", "s/pick_o = \\|first \\? (.*) : .*/pick_o = \\1;/", 3, "one_hot")]},
    "ram_1w_nr": {
        "inside": ["ram_1r1w"],
        "ranges": {"WIDTH": (1, 4096), "DEPTH": (1, 65536), "READS": (1, 16), "FORWARD": (0, 1)},
        "figures": ["WIDTH=18 DEPTH=512 READS=3 FORWARD=0", "WIDTH=18 DEPTH=512 READS=3 FORWARD=1"],
        "proofs": [("ram_1w_nr_proof", f"DEPTH=4 READS=3 FORWARD={f}", None) for f in (0, 1)],
        "faults": [("ram_1w_nr", "s/same_q <= we_i && .*/same_q <= 1'b0;/", 1, "read"),
                   ("ram_1w_nr", "s/raddr_i\\(raddr_i.k\\*AW/raddr_i(raddr_i[0*AW/", 0, "read")]},
}


def sources(cell, folder=LIB):
    return [folder / f"{name}.v" for name in [cell, *CELLS[cell].get("inside", [])]]


def values_of(config):
    return dict(word.split("=") for word in config.split())
