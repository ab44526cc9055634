# SPDX-License-Identifier: Apache-2.0
"""The cells of rtl_templates/lib that have proofs and figures of their own: one table for both.

A cell: the cells in it; the range of each parameter; configurations of the table of figures; proofs and planted faults.
A proof: module of the properties (verif/tests/cells/), its parameters, None or cycles of a bounded one.
Lockstep: configurations that run beside the C counterpart (cmodel/core/cells.c), and planted faults, the index theirs.
A fault: file, edit (sed -E), index of the proof, property that it breaks.
"""
import re
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
        "lockstep": ["WIDTH=8 DEPTH=5"],
        "proofs": [("stream_proof", f"KIND=0 DEPTH={d}", None) for d in (1, 2, 3, 4)],
        "faults": [("fifo_regs", "s/full_q <= level_q == ALMOST/full_q <= 1'b0/", 1, "ready"),
                   ("fifo_regs", "s/read_q == LAST/1'b0/", 2, "data"),
                   ("fifo_regs", "s/if \\(take && !put\\)/if (take)/", 1, "level"),
                   ("fifo_regs", "s/some_q <= level_q != .*/some_q <= 1'b1;/", 1, "valid")]},
    "fifo_ram": {
        "inside": ["ram_1r1w"],
        "ranges": {"WIDTH": (1, 4096), "DEPTH": (2, 65536)},
        "figures": ["WIDTH=32 DEPTH=512", "WIDTH=64 DEPTH=64"],
        "lockstep": ["WIDTH=8 DEPTH=9"],
        "proofs": [("stream_proof", f"KIND=1 DEPTH={d}", None) for d in (2, 3, 4)],
        "faults": [("fifo_ram", "s/valid_q <= some_q &&/valid_q <= (some_q || put) \\&\\&/", 0, "data"),
                   ("fifo_ram", "s/!take \\? read_q/!valid_q ? read_q/", 0, "data"),
                   ("fifo_ram", "s/valid_q <= some_q && .*/valid_q <= some_q;/", 0, "valid"),
                   ("fifo_ram", "s/full_q <= level_q == ALMOST/full_q <= 1'b0/", 1, "ready")]},
    "skid_buffer": {
        "ranges": {"WIDTH": (1, 4096)},
        "figures": ["WIDTH=32"],
        "lockstep": ["WIDTH=8"],
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
        "lockstep": ["CLIENTS=13 STAGES=1", "CLIENTS=48 STAGES=2", "CLIENTS=64 STAGES=3"],
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
    "free_list": {
        "inside": ["fifo_ram", "ram_1r1w"],
        "ranges": {"ENTRIES": (2, 65536)},
        "figures": ["ENTRIES=64", "ENTRIES=512"],
        "lockstep": ["ENTRIES=5", "ENTRIES=64"],
        "proofs": [],
        "faults": [],
        "wrong": [("free_list", "s/out_ready_i && spent_q/out_ready_i/", 0, "out_"),
                  ("free_list", "s/spent_q <= fresh_q == LAST.*/spent_q <= 1'b1;/", 0, "out_"),
                  ("free_list", "s/if \\(!take && free_valid_i\\)/if (free_valid_i)/", 0, "level_o")]},
    "list_queues": {
        "inside": ["ram_1w_nr", "ram_1r1w"],
        "ranges": {"QUEUES": (1, 128), "ENTRIES": (2, 4096)},
        "figures": ["QUEUES=8 ENTRIES=64", "QUEUES=48 ENTRIES=512", "QUEUES=48 ENTRIES=4096"],
        "lockstep": ["QUEUES=3 ENTRIES=8", "QUEUES=48 ENTRIES=512"],
        "proofs": [],
        "faults": [],
        "wrong": [("list_queues", "s/ \\|\\| \\(both2 && now_in\\[2\\]\\)//", 0, "out_"),
                  ("list_queues", "s/\\(head2 && list4 == \\(l != 0\\)\\)/(1'b0)/", 0, "out_entry_o"),
                  ("list_queues", "s/\\(head1 && list4 == \\(l != 0\\)\\)/(1'b0)/", 0, "out_entry_o"),
                  ("list_queues", "s/\\(pop_in1 && began_last.l.\\)/(1'b0)/", 0, "out_entry_o"),
                  ("list_queues", "s/\\(pop_in2 && began_last.l.\\)/(1'b0)/", 0, "out_entry_o"),
                  ("list_queues", "s/less_in = in_pop2 && found_last/less_in = in_pop2/", 0, "out_|nonempty_o"),
                  ("list_queues", "s/in_list_last == \\(l != 0\\)\\)/1'b0)/", 0, "out_entry_o"),
                  ("list_queues", "s/leaves_none = found && now_pop.1./leaves_none = found/", 0, "nonempty_o")]},
    "mem_join": {
        "inside": ["rr_pick", "skid_buffer"],
        "ranges": {"CLIENTS": (2, 64), "TAG_W": (1, 32), "ADDR_W": (1, 64), "DATA_W": (8, 2048)},
        "figures": ["CLIENTS=5 TAG_W=6 ADDR_W=32 DATA_W=64"],
        "proofs": [("mem_join_proof", f"CLIENTS={n}", None) for n in (2, 3, 5)],
        "faults": [("mem_join", "s/room \\|\\| !offered/room \\&\\& offered/", 1, "idle"),
                   ("mem_join", "s/above_q <= above;/above_q <= above_q;/", 1, "fair"),
                   ("mem_join", "s/number_q <= number\\(pick\\)/number_q <= number(turn_q)/", 1, "request"),
                   ("mem_join", "s/in_valid_i\\(offered\\)/in_valid_i(offered || any)/", 1, "request"),
                   ("mem_join", "s/= turn_q & \\{CLIENTS/= (turn_q | above_q) \\& {CLIENTS/", 1, "take"),
                   ("mem_join", "s/rsp_to == \\{CLIENTS.1.b0.. \\|\\| //", 1, "drop"),
                   ("mem_join", "s/<< rsp_client;/<< (rsp_client ^ 1);/", 0, "answer")]},
    "mem_widen": {
        "ranges": {"TAG_W": (1, 32), "ADDR_W": (16, 64)},
        "figures": ["TAG_W=4 ADDR_W=32 NARROW_W=32 WIDE_W=256", "TAG_W=4 ADDR_W=32 NARROW_W=8 WIDE_W=1024"],
        "proofs": [("mem_widen_proof", f"NARROW_W={n} WIDE_W={w}", None) for n, w in ((8, 16), (8, 64), (32, 128))],
        "faults": [("mem_widen", "s/ << \\(place . .NARROW_W .+;/;/", 1, "write"),
                   ("mem_widen", "s/rsp_place\\*NARROW_W/0*NARROW_W/", 1, "read"),
                   ("mem_widen", "s/ & ~PLACE_BITS//", 1, "address"),
                   ("mem_widen", "s/\\{place, narrow_req_tag_i\\}/{narrow_req_tag_i, place}/", 1, "tag")]},
    "ref_counters": {
        "inside": ["ram_1w_nr", "ram_1r1w"],
        "ranges": {"COUNTERS": (2, 4096), "WIDTH": (2, 16)},
        "figures": ["COUNTERS=256 WIDTH=6", "COUNTERS=1024 WIDTH=8"],
        "lockstep": ["COUNTERS=5 WIDTH=3", "COUNTERS=64 WIDTH=2"],
        "proofs": [("ref_counters_proof", "COUNTERS=2 WIDTH=2", 15)],
        "faults": [("ref_counters", "s/down_up2 \\? ups_last : ups_of/0 ? ups_last : ups_of/", 0, "report"),
                   ("ref_counters", "s/up_down1 \\? downs_last/0 ? downs_last/", 0, "count"),
                   ("ref_counters", "s/ && !full_down//", 0, "count")],
        "wrong": [("ref_counters", "s/counts = !full_up && !cleared/counts = !full_up/", 0, "up_count_o"),
                  ("ref_counters", "s/\\(!both2 && ups_of_down/(ups_of_down/", 0, "down_zero_o")]},
    "context_walk": {
        "ranges": {"SECTIONS": (1, 7)},
        "figures": [],  # its size is that of the records it is given: docs/unit_shell.md has what a whole shell costs
        "proofs": [("context_walk_proof", f"KIND={k}", None) for k in (0, 1, 2)],
        "faults": [("context_walk", "s/record_o <= leaves \\? .*/record_o <= record_o + 1'b1;/", 1, "place"),
                   ("context_walk", "s/moves_i && has_place/moves_i/", 1, "place"),
                   ("context_walk", "s/= has_place && word_o/= word_o/", 2, "ends"),
                   ("context_walk", "s/= ends_o && leaves && section/= ends_o \\&\\& section/", 1, "last"),
                   ("context_walk", "s/settled_q <= !turns && /settled_q <= /", 0, "ready")]},
    "runtime_register": {
        "inside": ["register_range"],
        "ranges": {"WIDTH": (1, 32)},
        "figures": ["WIDTH=8", "WIDTH=32"],
        "proofs": [("runtime_register_proof", f"CLIPS={c} MOST={m}", None) for c in (0, 1) for m in (9, 15)],
        "faults": [("runtime_register", "s/if \\(load_i\\) coming_q/if (load_i) value_o/", 0, "value"),
                   ("runtime_register", "s/= commit_i \\? coming_q :/= load_i ? word_i[WIDTH-1:0] :/", 0, "value"),
                   ("runtime_register", "s/!\\(write_i && good_o\\)/!write_i/", 0, "value"),
                   ("runtime_register", "s/CLIPS != 0 \\|\\| in_range/in_range/", 2, "good"),
                   ("runtime_register", "s/= !word_good/= word_good/", 0, "wrong"),
                   ("runtime_register", "s/rst_i \\? (RESET.WIDTH-1:0.) : next_o/rst_i || !write_i ? \\1 : next_o/", 0, "next")]},
}


def sources(cell, folder=LIB):
    return [folder / f"{name}.v" for name in [cell, *CELLS[cell].get("inside", [])]]


def values_of(config):
    return dict(word.split("=") for word in config.split())


def with_defaults(text, values):
    """Verilog of a module whose defaults are these values: Yosys 0.23 fails where -chparam and derived modules meet."""
    for name, value in values.items():
        text, n = re.subn(rf"(parameter {name} = )\d+", rf"\g<1>{value}", text)
        assert n == 1, name
    return text


def put_sources(cell, values, folder):
    """Writes the cell, with these defaults, and what is in it to a folder; the names of the files."""
    for path in sources(cell):
        (folder / path.name).write_text(with_defaults(path.read_text(), values if path.stem == cell else {}))
    return " ".join(path.name for path in sources(cell))
