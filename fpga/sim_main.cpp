// SPDX-License-Identifier: Apache-2.0
// sim_main.cpp: a Verilated self-test, Vtop: clocks it and decodes the line of text on its serial port.
// Arguments: clocks per bit, most clocks. Prints the line; exit status 0 when it says PASS, 1 when it says FAIL, 2 when no
// line came or a stop bit is missing.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "Vtop.h"
#include "verilated.h"

double sc_time_stamp() { return 0; }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const long per_bit = atol(argv[1]), most = atol(argv[2]);
  static Vtop top;
  char line[256];
  size_t length = 0;
  long start = -1; // the clock at which the start bit began
  unsigned byte = 0;
  for (long clock = 0; clock < most && length + 1 < sizeof line; clock++) {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
    if (start < 0) {
      if (!top.tx_o) start = clock, byte = 0;
      continue;
    }
    const long at = clock - start - per_bit / 2, bit = at / per_bit;
    if (at < 0 || at % per_bit) continue; // the middle of a bit
    if (bit == 0 && top.tx_o) start = -1; // no start bit
    if (bit >= 1 && bit <= 8) byte |= (unsigned)top.tx_o << (bit - 1);
    if (bit < 9 || start < 0) continue;
    if (!top.tx_o) {
      fprintf(stderr, "no stop bit at clock %ld\n", clock);
      return 2;
    }
    start = -1;
    if (byte == '\n') {
      line[length] = 0;
      printf("%s\n", line);
      return strstr(line, " PASS ") ? 0 : strstr(line, " FAIL ") ? 1 : 2;
    }
    if (byte != '\r') line[length++] = (char)byte;
  }
  fprintf(stderr, "no line of text in %ld clocks\n", most);
  return 2;
}
