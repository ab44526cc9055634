/* SPDX-License-Identifier: Apache-2.0 */
/* option_values.c: what stands behind an option: numbers, names of a list, paths. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "option_values.h"

bool option_fail(struct simt_diag *diag, const char *name, const char *got, const char *expected,
                 const char *hint) {
  if (diag->failed) return false;
  simt_fail(diag, name, got, "%s", expected);
  snprintf(diag->hint, sizeof diag->hint, "%s", hint);
  return false;
}

bool option_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *to,
                   struct simt_diag *diag) {
  char *end;
  errno = 0;
  bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  uint64_t value = strtoull(text, &end, hex ? 16 : 10);
  const uint64_t times = hex || !*end || end[1] ? 1 : *end == 'k' ? 1000 : *end == 'M' ? 1000000 : 1;
  if (times > 1 && value <= max / times) value *= times, end++;
  if (text[0] < '0' || text[0] > '9' || *end || errno || value < min || value > max)
    return simt_fail(diag, option, text[0] ? text : "nothing",
                     "a whole number %" PRIu64 "..%" PRIu64, min, max);
  *to = value;
  return true;
}

/* A number with or without a fraction, kept as text. */
bool option_decimal(const char *option, const char *text, double max, const char **to, struct simt_diag *diag) {
  char expected[80], *end;
  *to = text;
  double value = strtod(text, &end);
  if (text[0] >= '0' && text[0] <= '9' && !*end && !strpbrk(text, "xXeE") && value <= max) return true;
  snprintf(expected, sizeof expected, "a number 0..%.0f", max);
  return option_fail(diag, option, text[0] ? text : "nothing", expected, "");
}

/* Minutes, or seconds with an s behind them. */
bool option_budget(const char *text, uint64_t *seconds, struct simt_diag *diag) {
  char digits[16];
  size_t n = strlen(text);
  bool short_time = n && n < sizeof digits && text[n - 1] == 's';
  snprintf(digits, sizeof digits, "%.*s", (int)(short_time ? n - 1 : n), text);
  struct simt_diag inner = {0};
  if (option_number("--budget", digits, 1, short_time ? 3600 : 1000000, seconds, &inner)) {
    *seconds *= short_time ? 1 : 60;
    return true;
  }
  return option_fail(diag, "--budget", n ? text : "nothing", "minutes, 1..1000000, or seconds such as 30s", "");
}

bool option_stimulus(const char *text, struct simt_diag *diag) {
  static const char *const kinds[] = {"random", "directed", "trace", NULL};
  char kind[16], hint[64] = "see: simtgen check --help";
  snprintf(kind, sizeof kind, "%.*s", (int)strcspn(text, ":"), text);
  for (size_t i = 0; kinds[i]; i++)
    if (!strcmp(kind, kinds[i]) && (i < 2 || (text[5] && text[6]))) return true;
  const char *near = simt_nearest(kind, kinds);
  if (near && strcmp(near, kind)) snprintf(hint, sizeof hint, "did you mean %s?", near);
  return option_fail(diag, "--stimulus", text[0] ? text : "nothing",
              "random[:PROFILE], directed[:NAME] or trace:FILE", hint);
}

/* One name of a list, which is ended by NULL; `expected` says them all. */
static bool one_of(const char *option, const char *text, const char *const *names, const char *expected,
                   const char *see, struct simt_diag *diag) {
  char hint[64];
  snprintf(hint, sizeof hint, "see: simtgen %s --help", see);
  for (size_t i = 0; names[i]; i++)
    if (!strcmp(text, names[i])) return true;
  const char *near = simt_nearest(text, names);
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  return option_fail(diag, option, text[0] ? text : "nothing", expected, hint);
}

bool option_target(const char *text, struct simt_diag *diag) {
  static const char *const names[] = {"ice40", "ecp5", "xilinx", "asic", NULL};
  return one_of("--target", text, names, "ice40, ecp5, xilinx or asic", "synth", diag);
}

bool option_board(const char *text, const char **to, struct simt_diag *diag) {
  static const char *const names[] = {"hx8k", "icebreaker", "ulx3s", "all", NULL};
  *to = text;
  return one_of("--board", text, names, "hx8k, icebreaker, ulx3s or all", "gen", diag);
}

bool option_netlist(const char *text, const char **to, struct simt_diag *diag) {
  static const char *const names[] = {"synth", "ice40", "ecp5", NULL};
  *to = text;
  return one_of("--netlist", text, names, "synth, ice40 or ecp5", "check", diag);
}

bool option_cost(const char *text, const char **to, struct simt_diag *diag) {
  static const char *const names[] = {"lut", "ram", NULL};
  *to = text;
  return one_of("--cost", text, names, "lut or ram", "tune", diag);
}

bool option_executor(const char *text, const char **to, const char *command, struct simt_diag *diag) {
  static const char *const names[] = {"local", "slurm", NULL};
  *to = text;
  return one_of("--executor", text, names, "local or slurm", command, diag);
}

/* The default engine is NULL. */
bool option_engine(const char *text, const char **to, struct simt_diag *diag) {
  static const char *const names[] = {"verilator", "verilator-O0", "icarus", NULL};
  *to = strcmp(text, names[0]) ? text : NULL;
  return one_of("--engine", text, names, "verilator, verilator-O0 or icarus", "check", diag);
}

/* A file or folder name: not empty. */
bool option_path(const char *option, const char *text, const char **to, struct simt_diag *diag) {
  *to = text;
  return text[0] || option_fail(diag, option, "nothing", "a name", "");
}
