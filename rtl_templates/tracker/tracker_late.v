// SPDX-License-Identifier: Apache-2.0
// tracker_late: whether an entry is not older than a snapshot: the distance from it to the entry below the
// snapshot is negative. Of what was looked up, and of what a run has next: its next entry, or while it moves
// on the one behind the entry that is issued. No registers.
`default_nettype none

module tracker_late #(
  parameter AGE_W = 10
) (
  input  wire [AGE_W-1:0] below_i,
  input  wire [AGE_W-1:0] c_age_i,
  input  wire [AGE_W-1:0] next_age_i,
  input  wire runs_i,                            // the next entry is issued, not what was looked up
  input  wire moves_on_i,
  output wire c_late_o,
  output wire run_late_o
);
  localparam SIGN = AGE_W - 1;
  wire [AGE_W-1:0] to_c = below_i - c_age_i;
  wire [AGE_W-1:0] to_next = below_i - next_age_i;
  wire [AGE_W-1:0] behind_c = below_i + ~c_age_i;
  wire [AGE_W-1:0] behind_next = below_i + ~next_age_i;
  assign c_late_o = to_c[SIGN];
  assign run_late_o = !moves_on_i ? to_next[SIGN] : runs_i ? behind_next[SIGN] : behind_c[SIGN];
  wire unused_distances = &{1'b0, to_c, to_next, behind_c, behind_next};
endmodule

`default_nettype wire
