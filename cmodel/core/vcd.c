/* SPDX-License-Identifier: Apache-2.0 */
/* vcd.c: waveforms (value change dump, IEEE 1364). */
#include "core/vcd.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum side { INPUTS, MODEL, RTL, SIDES };
enum { CYCLE_TIME = 10 };

struct signal {
  const struct simt_port *port;
  const struct simt_port *valid; /* the model's payload is x without it; NULL: always shown */
  enum side side;
  char id[8];
  uint32_t *last;   /* what was written last */
  bool unknown;
};

struct vcd {
  const struct simt_config *cfg;
  struct simt_sink to;
  struct signal *signal;
  size_t n;
  uint32_t *last;   /* of all signals */
  uint64_t end;     /* time after the last cycle */
};

/* A line of at most 255 characters. */
__attribute__((format(printf, 2, 3))) static void add(const struct vcd *v, const char *format, ...) {
  char line[256];
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(line, sizeof line, format, ap);
  va_end(ap);
  v->to.put(v->to.ctx, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

/* Short names of printable characters. */
static void make_id(char *id, size_t n) {
  do *id++ = (char)('!' + n % 94); while (n /= 94);
  *id = 0;
}

static void add_side(struct vcd *v, enum side side, uint32_t **last) {
  static const char *const scope[SIDES] = {"inputs", "model", "rtl"};
  const struct simt_config *cfg = v->cfg;
  add(v, "$scope module %s $end\n", scope[side]);
  if (side == INPUTS) add(v, "$var wire 1 clock clk_i $end\n"); /* no id of make_id is that long */
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if ((p->dir == SIMT_IN) != (side == INPUTS) || p->role == SIMT_CLOCK) continue;
    struct signal *s = &v->signal[v->n++];
    *s = (struct signal){.port = p, .side = side, .last = *last};
    if (side == MODEL && p->valid[0]) s->valid = simt_find_port(cfg, p->valid);
    *last += p->words;
    make_id(s->id, v->n - 1);
    char range[24] = "";
    if (p->width > 1) snprintf(range, sizeof range, " [%u:0]", p->width - 1);
    add(v, "$var wire %u %s %s%s $end\n", p->width, s->id, p->name, range);
  }
  add(v, "$upscope $end\n");
}

struct vcd *vcd_open(const struct simt_config *cfg, bool with_rtl, struct simt_sink to) {
  struct vcd *v = calloc(1, sizeof *v);
  size_t words = cfg->desc.in_words + 2 * (size_t)cfg->desc.out_words;
  if (!v) return NULL;
  v->cfg = cfg;
  v->to = to;
  v->signal = calloc(2 * cfg->desc.n_ports, sizeof *v->signal);
  v->last = calloc(words + 1, sizeof *v->last);
  if (!v->signal || !v->last) {
    free(v->signal);
    free(v->last);
    free(v);
    return NULL;
  }
  uint32_t *last = v->last;
  add(v, "$comment simtgen %s: ten time units a cycle $end\n$timescale 1ns $end\n", SIMT_VERSION);
  add(v, "$scope module %s $end\n", cfg->name);
  add_side(v, INPUTS, &last);
  add_side(v, MODEL, &last);
  if (with_rtl) add_side(v, RTL, &last);
  add(v, "$upscope $end\n$enddefinitions $end\n");
  return v;
}

static void put_value(struct vcd *v, const struct signal *s, const uint32_t *words) {
  const struct simt_port *p = s->port;
  char part[64];
  size_t n = 0;
  if (p->width > 1) part[n++] = 'b';
  for (unsigned bit = s->unknown ? 1 : p->width; bit--;) {
    const bool one = words[bit / 32] >> (bit % 32) & 1;
    part[n++] = s->unknown ? 'x' : one ? '1' : '0';
    if (n < sizeof part) continue;
    v->to.put(v->to.ctx, part, n);
    n = 0;
  }
  v->to.put(v->to.ctx, part, n);
  add(v, "%s%s\n", p->width > 1 ? " " : "", s->id);
}

/* The simulator does not know the port's value. */
static bool is_x(const struct vcd *v, const struct signal *s, const uint32_t *unknown) {
  const size_t place = (size_t)(s->port - v->cfg->desc.ports);
  return unknown && s->side != MODEL && unknown[place / 32] >> place % 32 & 1;
}

void vcd_cycle(struct vcd *v, uint64_t cycle, const uint32_t *in, const uint32_t *model, const uint32_t *rtl,
               const uint32_t *unknown) {
  const uint32_t *from[SIDES] = {in, model, rtl};
  add(v, "#%" PRIu64 "\n1clock\n", cycle * CYCLE_TIME);
  for (size_t i = 0; i < v->n; i++) {
    struct signal *s = &v->signal[i];
    const uint32_t *words = from[s->side] + s->port->word, *valid = NULL;
    if (s->valid) valid = &from[s->valid->dir == SIMT_IN ? INPUTS : MODEL][s->valid->word];
    bool x = (valid && !*valid) || is_x(v, s, unknown);
    bool same = x == s->unknown && (x || !memcmp(s->last, words, 4 * (size_t)s->port->words));
    if (same && v->end) continue;
    s->unknown = x;
    memcpy(s->last, words, 4 * (size_t)s->port->words);
    put_value(v, s, words);
  }
  add(v, "#%" PRIu64 "\n0clock\n", cycle * CYCLE_TIME + CYCLE_TIME / 2);
  v->end = (cycle + 1) * CYCLE_TIME;
}

void vcd_close(struct vcd *v) {
  add(v, "#%" PRIu64 "\n", v->end);
  free(v->signal);
  free(v->last);
  free(v);
}
