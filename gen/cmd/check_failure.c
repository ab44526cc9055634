/* SPDX-License-Identifier: Apache-2.0 */
/* check_failure.c: a failure of `simtgen check` in one line, and the command that repeats it. */
#define _GNU_SOURCE /* program_invocation_name */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/check.h"

enum { MOST_ELEMENTS = 4 }; /* of a port of equal ones: so many that differ are shown */

/* ---- the parts of a port ------------------------------------------------------------------------------------- */

/* Bits low.. of a value, as a number. */
static void add_bits(struct text *t, const uint32_t *value, unsigned low, unsigned width) {
  bool begun = false;
  text_add(t, "0x");
  for (unsigned digit = (width + 3) / 4; digit--;) {
    unsigned v = 0;
    for (unsigned b = 4; b--;) {
      unsigned at = 4 * digit + b, bit = low + at;
      v = v << 1 | (at < width ? value[bit / 32] >> bit % 32 & 1 : 0);
    }
    begun |= v != 0 || !digit;
    if (begun) text_add(t, "%x", v);
  }
}

static bool same_bits(const uint32_t *a, const uint32_t *b, unsigned low, unsigned width) {
  for (unsigned i = low; i < low + width; i++)
    if ((a[i / 32] ^ b[i / 32]) >> i % 32 & 1) return false;
  return true;
}

/* " {kind 0x1, pc 0x40}": of parts such as "kind:2 pc:30", the highest bits first; nothing of a port without. */
static void add_fields(struct text *t, const struct simt_port *p, const uint32_t *value) {
  unsigned low = p->width;
  const char *before = " {";
  for (const char *at = p->parts; strchr(at, ':'); at += strcspn(at, " "), at += *at == ' ') {
    size_t name = strcspn(at, ":");
    unsigned width = (unsigned)strtoul(at + name + 1, NULL, 10);
    low -= width;
    text_add(t, "%s%.*s ", before, (int)name, at);
    add_bits(t, value, low, width);
    before = ", ";
  }
  if (low < p->width) text_add(t, "}");
}

/* "; bank 2: RTL 0x3, model 0x1": of equal elements, such as "bank*8", those that differ. */
static void add_elements(struct text *t, const struct simt_port *p, const uint32_t *rtl, const uint32_t *model) {
  size_t name = strcspn(p->parts, "*"), left = 0;
  unsigned width = p->parts[name] ? (unsigned)strtoul(p->parts + name + 1, NULL, 10) : 0, shown = 0;
  if (!width || width == p->width) return;
  for (unsigned low = 0; low + width <= p->width; low += width) {
    if (same_bits(rtl, model, low, width)) continue;
    if (shown == MOST_ELEMENTS) {
      left++;
      continue;
    }
    shown++;
    text_add(t, "; %.*s %u: RTL ", (int)name, p->parts, low / width);
    add_bits(t, rtl, low, width);
    text_add(t, ", model ");
    add_bits(t, model, low, width);
  }
  if (left) text_add(t, "; and %zu more", left);
}

/* ---- the line ------------------------------------------------------------------------------------------------ */

static void add_value(struct text *t, const struct simt_port *p, const uint32_t *value) {
  size_t room = 8 * (size_t)p->words + 3;
  char *hex = malloc(room);
  if (!hex) abort();
  lockstep_hex(p, value, hex, room);
  text_add(t, "%s", hex);
  free(hex);
  add_fields(t, p, value);
}

/* What is wrong: the port with both values, or a message. */
static void add_wrong(struct text *t, const struct lockstep_result *r) {
  if (!r->port) {
    text_add(t, "%s", r->message);
    return;
  }
  text_add(t, "%s: RTL ", r->port->name);
  add_value(t, r->port, r->rtl_value);
  text_add(t, ", model ");
  add_value(t, r->port, r->model_value);
  add_elements(t, r->port, r->rtl_value, r->model_value);
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
