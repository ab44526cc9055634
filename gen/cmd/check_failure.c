/* SPDX-License-Identifier: Apache-2.0 */
/* check_failure.c: a failure of `simtgen check` in one line, and the command that repeats it. */
#define _GNU_SOURCE /* program_invocation_name */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/check.h"
#include "core/difference.h"

/* ---- the line ------------------------------------------------------------------------------------------------ */

/* What is wrong: the port with both values, or a message. */
static void add_wrong(struct text *t, const struct lockstep_result *r) {
  if (!r->port) {
    text_add(t, "%s", r->message);
    return;
  }
  simt_put_difference(text_sink(t), r->port, r->rtl_value, r->model_value);
  if (r->message[0]) text_add(t, "; golden model: %s", r->message);
}

/* Kind, block, parameters, seed, cycle, port, RTL value, model value. */
static void add_line(struct check *c, const struct lockstep_result *r, const char *of) {
  static const char *const kind[] = {"", "MISMATCH", "GOLDEN MODEL", "STUCK", ""};
  struct text *t = &c->failure;
  text_add(t, "%s: %s", kind[r->end], c->cfg->block->name);
  config_changes(t, " ", c->cfg);
  text_add(t, " seed %" PRIu64 " cycle %" PRIu64 "%s: ", c->stim.seed, r->cycles - 1, of);
  add_wrong(t, r);
}

void check_failure(struct check *c, const struct lockstep_result *r) {
  add_line(c, r, "");
  text_add(&c->whole, "cycle %" PRIu64 ": ", r->cycles - 1);
  add_wrong(&c->whole, r);
}

void check_failure_shrunk(struct check *c, const struct lockstep_result *r) {
  text_free(&c->failure);
  c->failure = (struct text){0};
  add_line(c, r, " of the shrunk run");
}

/* False: an X among the digits, or more than the port has. */
static bool read_hex(const char *hex, const struct simt_port *p, uint32_t *value) {
  size_t n = strlen(hex);
  if (strspn(hex, "0123456789abcdefABCDEF") != n || n > 8 * (size_t)p->words) return false;
  memset(value, 0, 4 * (size_t)p->words);
  for (size_t i = 0; i < n; i++) {
    const char digit[2] = {hex[n - 1 - i], 0};
    value[i / 8] |= (uint32_t)strtoul(digit, NULL, 16) << 4 * (i % 8);
  }
  return true;
}

void check_icarus_values(const struct icarus_result *found, const struct simt_config *cfg, struct lockstep_result *r,
                         uint32_t value[2][CHECK_ICARUS_WORDS]) {
  const struct simt_port *p = simt_find_port(cfg, found->port);
  if (p && p->words <= CHECK_ICARUS_WORDS && read_hex(found->rtl, p, value[0]) && read_hex(found->model, p, value[1])) {
    r->port = p;
    r->rtl_value = value[0];
    r->model_value = value[1];
  } else {
    snprintf(r->message, sizeof r->message, "%s: RTL 0x%.60s, model 0x%.60s", found->port, found->rtl, found->model);
  }
}

/* ---- the command --------------------------------------------------------------------------------------------- */

/* An argument for the shell. */
static void add_argument(struct text *t, const char *s) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (*s && strspn(s, plain) == strlen(s)) {
    text_add(t, "%s", s);
    return;
  }
  text_add(t, "'");
  for (; *s; s++) text_add(t, *s == '\'' ? "'\\''" : "%c", *s);
  text_add(t, "'");
}

/* Which templates were run is part of what failed. */
static void add_environment(struct text *t) {
  static const char *const names[] = {"SIMTGEN_DATA", "SIMTGEN_EXTRA"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (!value || !*value) continue;
    text_add(t, "%s=", names[i]);
    add_argument(t, value);
    text_add(t, " ");
  }
}

void check_reproduce(struct check *c, const struct gen_options *o) {
  struct text *t = &c->reproduce, parameters = {0};
  add_environment(t);
  add_argument(t, program_invocation_name);
  if (o->generated) {
    text_add(t, " check --generated -c ");
    add_argument(t, o->config_file);
  } else {
    text_add(t, " check %s", o->cfg.block->name);
    config_changes(&parameters, "\n", &o->cfg);
  }
  for (char *at = parameters.s; at && *at;) { /* a file of lists may have any name */
    size_t n = strcspn(++at, "\n");
    char after = at[n];
    at[n] = 0;
    text_add(t, " -p ");
    add_argument(t, at);
    at[n] = after;
    at += n;
  }
  text_free(&parameters);
  text_add(t, " --stimulus ");
  add_argument(t, o->stimulus ? o->stimulus : "random");
  if (o->engine) text_add(t, " --engine %s", o->engine);
  if (o->netlist) text_add(t, " --netlist %s", o->netlist);
  if (o->picker) text_add(t, " --picker %s", o->picker);
  if (o->latency) text_add(t, " --latency %u", o->latency);
  for (unsigned i = 0; i < o->n_replay; i++) text_add(t, " --replay %s", o->replay[i]);
  text_add(t, " --seed %" PRIu64 " --cycles %" PRIu64, o->seed, o->cycles);
}
