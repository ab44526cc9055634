#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# The cells unit_status_fsm and context_port: 10,000 switches in each configuration, and planted faults.
EXTRA=verif/tests/unit_status
. verif/tests/lib.sh
with_extra || { echo "not ok unit status: the program with the example unit does not build"; exit 1; }
mkdir "$tmp/run" && cd "$tmp/run" || exit 1

fsm=rtl_templates/lib/unit_status_fsm.v
port=rtl_templates/lib/context_port.v
unit=$EXTRA/rtl_templates/gather_sum/gather_sum_core.v
model=$EXTRA/cmodel/gather_sum/model.c

switches() { # in profile `switches` alone, which switches in and out all the time
  local said
  said=$(timeout 300 "$SIMTGEN" check gather_sum "$@" --stimulus random:switches --seed 1 --coverage) || { echo "$said"; return 1; }
  [ "$(sed -n 's/^  hit *\([0-9]*\)  switched:.*/\1/p' <<<"$said")" -ge 10000 ] || { echo "$said"; return 1; }
}
try "10,000 switches give the same sums [US-4 US-9 US-14]" -- switches --cycles 2000000
try "10,000 switches, one channel [US-9]" -- switches --cycles 2000000 -p CHANNELS=1 -p GROUP=1 -p ENCODING=binary
try "10,000 switches, five channels [US-9]" -- switches --cycles 2000000 -p CHANNELS=5 -p GROUP=2 -p ENCODING=two_of_four
try "10,000 switches, 64 channels [US-9]" -- switches --cycles 8000000 -p CHANNELS=64 -p GROUP=255

# one FILE SED: a fault in the Verilog alone. both FILE SED FILE SED: in RTL and model alike, for the golden model.
one() { found '^(MISMATCH|GOLDEN MODEL|STUCK)' "$@" -- gather_sum --seed 1 --cycles 400000; }
both() { found '^(GOLDEN MODEL|STUCK)' "$@" -- gather_sum --seed 1 --cycles 400000; }
state() { found '^(MISMATCH|GOLDEN MODEL)' "$@" -- status_fsm --seed 1 --cycles 20000; }

try "RTL: resume does not leave quiescent [US-3]" -- state $fsm 's/ || resume_o || / || /'
try "RTL: empty halts in spite of a word [US-3]" -- state $fsm 's/ && !(is_empty && st_in_i)//'
try "RTL: a refusal is not noticed [US-3]" -- state $fsm 's/st_nack_i || (!to_stalled/(!to_stalled/'
try "RTL: halt beats reset [US-7]" -- state $fsm 's/{halts, to_quiescent/{halt_req_o \&\& is_halted, to_quiescent/'
table() { # the C cell and the Verilog alike: only the golden table knows better
  found '^GOLDEN MODEL' $fsm 's/to_stalled = st_blocked_i && st_cannot_i;/to_stalled = st_blocked_i;/' \
    cmodel/core/unit_status.c 's/return !u->blocked || !u->cannot ?/return !u->blocked ?/' -- status_fsm --seed 1 --cycles 20000
}
try "both: stalled although it can process [US-3]" -- table
code() {
  found '^GOLDEN MODEL' $fsm 's/next\[3\] || next\[4\], next\[1\] || next\[2\], /next[3], next[1] || next[2] || next[4], /' \
    cmodel/core/unit_status.c 's/0x9, 0xa}/0x9, 0x6}/' -- status_fsm -p ENCODING=two_of_four --seed 1 --cycles 20000
}
try "both: a wrong code word [US-1]" -- code

try "RTL: a word of the header is not compared [US-9]" -- one $port "s/hash_differs ? BAD_TYPE : 3'd0/3'd0/"
try "RTL: a unit that is halted again forgets that it was released [US-9]" -- one $port "s/ spoiled_q <= .*/ spoiled_q <= 1'b0;/"
try "RTL: a wrong checksum is accepted [US-9]" -- one $port "s/word_error_q\[0\] ? BAD_SUM : 3'd0/3'd0/; s/word_error_q == 2'd0 \&\& /!word_error_q[1] \&\& /"
try "RTL: a word too many is not noticed [US-9]" -- one $port 's/word_last_q != ends_stream/word_last_q \&\& !ends_stream/'
try "RTL: an unreadable word is taken [US-9]" -- one $port 's/if (word_error_q\[1\]) wrong/if (1'"'"'b0) wrong/'
try "RTL: the payload ends a word early [US-9]" -- one $port 's/next_q == len_q/next_q + 1 == len_q/'
forgets() { both $unit 's/turn_q <= ld_data\[24+:CHANNEL_W\]/turn_q <= 0/' $model 's/s->turn = w >> 24 & 63/s->turn = 0/'; }
try "both: a register is left out of the load [US-9]" -- forgets
eager() { both $unit 's/assign in_ready_o = ready && !closed && /assign in_ready_o = ready \&\& !halted \&\& /' \
            $model 's/!s->flush && !s->shell.closed && /!s->flush \&\& !halted(s) \&\& /'; }
try "both: a word is taken under a halt request [US-5]" -- eager
hasty() { both $unit "s/phase_q != CLEAR && phase_q != ANSWER;/phase_q != CLEAR;/" $model 's/s->phase != CLEAR && s->phase != ANSWER;/s->phase != CLEAR;/'; }
try "both: halted while an access is pending [US-4]" -- hasty
begins() { both $unit 's/phase_q == ISSUE && !still/phase_q == ISSUE/; s/phase_q != CLEAR && phase_q != ANSWER;/phase_q != CLEAR \&\& phase_q != ANSWER \&\& phase_q != ISSUE;/' \
             $model 's/s->phase == ISSUE && !frozen/s->phase == ISSUE/; s/return s->phase != CLEAR && s->phase != ANSWER;/return s->phase != CLEAR \&\& s->phase != ANSWER \&\& s->phase != ISSUE;/'; }
try "both: an access is begun under a halt request [US-5]" -- begins
try "RTL: an answer to a cleared context is used [US-7]" -- one $unit 's/if (phase_q == ANSWER) begin/if (phase_q == ANSWER || phase_q == CLEAR) begin/'
exit $failed
