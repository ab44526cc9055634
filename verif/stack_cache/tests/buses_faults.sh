#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# Faults in the bus wrappers, in the RTL alone and in RTL and model alike: found in lockstep, by the comparison, by
# the memory that plays the bus, by the master at the registers, or by the rules of the bus.
. verif/tests/lib.sh
V=rtl_templates/lib/axi4_master.v C=cmodel/core/axi4_master.c
LV=rtl_templates/lib/axi4_lite_regs.v LC=cmodel/core/axi4_lite_regs.c
bursts="stack_cache -q -p THREADS=3 -p ENTRIES=4 -p SET=2 -p INFLIGHT=4 -p bus=axi4 -p bus_width=32 --cycles 60000 --seed 1"
full="stack_cache -q -p THREADS=3 -p ENTRIES=4 -p SET=2 -p INFLIGHT=4 -p bus=axi4 --cycles 200000 --seed 1"
lite="stack_cache -q -p THREADS=3 -p ENTRIES=4 -p SET=2 -p regs=axi4-lite --cycles 60000 --seed 1"
cd "$root" || exit 1

# shellcheck disable=SC2086
{
try "bus fault: RTL: data of another beat" "[SC-10]" -- found 'm_axi_wdata: RTL' \
  $V 's/mem_req_data_i\[w_beat_q\*/mem_req_data_i[(LAST - w_beat_q)*/' -- $bursts
try "bus fault: RTL: an answer changes while it waits" "[SC-10]" -- found 'RTL .*, model' \
  $V 's/ \&\& (!b_turn || mem_rsp_ready_i); .*/;/' -- $full
try "bus fault: both: another burst length" "[SC-10]" -- found 'bus rule: M: a write burst of another length' \
  $V 's/= LAST_BEAT\[7:0\];/= LAST_BEAT[7:0] + 8'"'d1;/" $C 's/awlen\] = w->beats - 1/awlen] = w->beats/; s/arlen\] = w->beats - 1/arlen] = w->beats/' -- $bursts
try "bus fault: both: the last beat marked early" "[SC-10]" -- found 'bus' \
  $V 's/assign w_last = w_beat_q == LAST;/assign w_last = w_beat_q == LAST - 1;/' \
  $C 's/s->beat == w->beats - 1/s->beat == w->beats - 2/' -- $bursts
try "bus fault: both: a write error is lost" "[SC-12]" -- found 'another error than the bus has sent' \
  $V "s/b_error_q <= m_axi_bresp.*/b_error_q <= 2'd0;/" $C 's/s->b_error = error_of(in\[p->bresp\])/s->b_error = 0/' -- $full
try "bus fault: both: the last beat's error alone counts" "[SC-12]" -- found 'another error than the bus has sent' \
  $V 's/error_q\[id\] | beat_error/beat_error/' $C 's/b->error |= (uint8_t)error_of/b->error = (uint8_t)error_of/' -- $bursts
try "bus fault: both: a write of a part of a word is done" "[SC-2]" -- found 'a part of a word' \
  $LV 's/!(&s_axil_wstrb)/!(|s_axil_wstrb)/' $LC 's/== 15/!= 0/' -- $lite
try "bus fault: both: a refused access answers okay" "[SC-12]" -- found 'says something else than the block' \
  $LV "s/s_axil_rresp = {r_error_q, 1'b0}/s_axil_rresp = 2'b0/" $LC 's/w->s.r_error ? SLVERR : 0/0/' -- $lite
}
exit $failed
