/* SPDX-License-Identifier: Apache-2.0 */
/* vcd.c: waveforms (value change dump, IEEE 1364). */
#include "core/vcd.h"

#include <errno.h>
#include <inttypes.h>
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
  FILE *file;
  struct signal *signal;
  size_t n;
  uint32_t *last;   /* of all signals */
  uint64_t end;     /* time after the last cycle */
};

/* Short names of printable characters. */
static void make_id(char *id, size_t n) {
  do *id++ = (char)('!' + n % 94); while (n /= 94);
  *id = 0;
}

static void add_side(struct vcd *v, const struct simt_config *cfg, enum side side,
                     uint32_t **last) {
  static const char *const scope[SIDES] = {"inputs", "model", "rtl"};
  fprintf(v->file, "$scope module %s $end\n", scope[side]);
  if (side == INPUTS) fprintf(v->file, "$var wire 1 clock clk_i $end\n"); /* no id of make_id is that long */
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
    fprintf(v->file, "$var wire %u %s %s%s $end\n", p->width, s->id, p->name, range);
  }
  fprintf(v->file, "$upscope $end\n");
}

struct vcd *vcd_open(const char *path, const struct simt_config *cfg, bool with_rtl,
                     struct simt_diag *diag) {
  struct vcd *v = calloc(1, sizeof *v);
  size_t words = cfg->desc.in_words + 2 * (size_t)cfg->desc.out_words;
  if (v) {
    v->signal = calloc(2 * cfg->desc.n_ports, sizeof *v->signal);
    v->last = calloc(words + 1, sizeof *v->last);
    v->file = fopen(path, "w");
  }
  if (!v || !v->signal || !v->last || !v->file) {
    simt_fail(diag, path, strerror(errno), "a waveform file that can be written");
    if (v) vcd_close(v);
    return NULL;
  }
  uint32_t *last = v->last;
  fprintf(v->file, "$comment simtgen %s: ten time units a cycle $end\n$timescale 1ns $end\n",
          SIMT_VERSION);
  fprintf(v->file, "$scope module %s $end\n", cfg->name);
  add_side(v, cfg, INPUTS, &last);
  add_side(v, cfg, MODEL, &last);
  if (with_rtl) add_side(v, cfg, RTL, &last);
  fprintf(v->file, "$upscope $end\n$enddefinitions $end\n");
  return v;
}

static void put_value(struct vcd *v, const struct signal *s, const uint32_t *words) {
  const struct simt_port *p = s->port;
  if (p->width > 1) fputc('b', v->file);
  for (unsigned bit = s->unknown ? 1 : p->width; bit--;)
    fputc(s->unknown ? 'x' : '0' + (int)(words[bit / 32] >> (bit % 32) & 1), v->file);
  fprintf(v->file, "%s%s\n", p->width > 1 ? " " : "", s->id);
}

void vcd_cycle(struct vcd *v, uint64_t cycle, const uint32_t *in, const uint32_t *model,
               const uint32_t *rtl) {
  const uint32_t *from[SIDES] = {in, model, rtl};
  fprintf(v->file, "#%" PRIu64 "\n1clock\n", cycle * CYCLE_TIME);
  for (size_t i = 0; i < v->n; i++) {
    struct signal *s = &v->signal[i];
    const uint32_t *words = from[s->side] + s->port->word, *valid = NULL;
    if (s->valid) valid = &from[s->valid->dir == SIMT_IN ? INPUTS : MODEL][s->valid->word];
    bool unknown = valid && !*valid;
    bool same =
        unknown == s->unknown && (unknown || !memcmp(s->last, words, 4 * (size_t)s->port->words));
    if (same && v->end) continue;
    s->unknown = unknown;
    memcpy(s->last, words, 4 * (size_t)s->port->words);
    put_value(v, s, words);
  }
  fprintf(v->file, "#%" PRIu64 "\n0clock\n", cycle * CYCLE_TIME + CYCLE_TIME / 2);
  v->end = (cycle + 1) * CYCLE_TIME;
}

bool vcd_close(struct vcd *v) {
  bool ok = v->file != NULL;
  if (v->file) {
    fprintf(v->file, "#%" PRIu64 "\n", v->end);
    ok = !ferror(v->file);
    if (fclose(v->file)) ok = false;
  }
  free(v->signal);
  free(v->last);
  free(v);
  return ok;
}
