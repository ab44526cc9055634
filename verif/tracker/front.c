/* SPDX-License-Identifier: Apache-2.0 */
/* front.c: resident warps, what they issue, and what they wait for. */
#include "tracker/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracker/front_impl.h"

enum { SPARE_IDS = 512 };

/* ---- life ------------------------------------------------------------------------------------------- */

static bool pool_create(struct tkf_pool *p, uint32_t n) {
  p->free = calloc(n, sizeof *p->free);
  for (p->n = 0; p->free && p->n < n; p->n++) p->free[p->n] = n - 1 - p->n;
  return p->free;
}

uint32_t tkf_take(struct tkf_pool *p) {
  if (!p->n) abort();
  return p->free[--p->n];
}

static bool check_sizes(struct tkf_front *f, struct simt_diag *diag) {
  uint64_t lines = (uint64_t)f->o.cache_kib * 1024 / TKF_SECTOR_BYTES / f->s.sectors / f->s.banks;
  char got[80];
  f->sets = (uint32_t)(lines / f->o.ways);
  if (f->sets && lines <= f->s.dslots) return true;
  snprintf(got, sizeof got, "%u KiB: %llu lines a bank", f->o.cache_kib, (unsigned long long)lines);
  simt_fail(diag, "cache_kib", got, "%u (ways) to %u (DSLOTS) lines of %u bytes a bank", f->o.ways, f->s.dslots,
            TKF_SECTOR_BYTES * f->s.sectors);
  return false;
}

static bool allocate(struct tkf_front *f) {
  uint32_t ids = f->s.entries + SPARE_IDS;
  uint32_t instructions = ids + f->s.warps * f->o.outstanding + f->o.lsu_queue + 1;
  bool good = pool_create(&f->ids, ids) && pool_create(&f->instructions, instructions);
  f->slot = calloc(f->s.warps, sizeof *f->slot);
  f->last = calloc(f->o.schedulers, sizeof *f->last);
  f->queue = calloc(f->o.lsu_queue, sizeof *f->queue);
  f->instruction = calloc(instructions, sizeof *f->instruction);
  f->flight = calloc(ids, sizeof *f->flight);
  for (unsigned c = 0; c < TKF_CLASSES; c++) {
    f->order_in[c] = calloc(f->s.warps, sizeof *f->order_in[c]);
    f->order_out[c] = calloc(f->s.warps, sizeof *f->order_out[c]);
    good = good && f->order_in[c] && f->order_out[c];
  }
  return good && f->slot && f->last && f->queue && f->instruction && f->flight && tkf_memory_create(f) &&
         tkf_tags_create(f);
}

struct tkf_front *tkf_create(const struct tkf_trace *t, const struct tkf_sizes *s, const struct tkf_options *o,
                             struct simt_diag *diag) {
  struct tkf_front *f = calloc(1, sizeof *f);
  if (f) {
    f->trace = t;
    f->s = *s;
    f->o = *o;
  }
  if (f && !check_sizes(f, diag)) {
    free(f);
    return NULL;
  }
  if (f && allocate(f)) return f;
  tkf_destroy(f);
  simt_fail(diag, "trace", "no memory", "memory for its replay");
  return NULL;
}

void tkf_destroy(struct tkf_front *f) {
  if (!f) return;
  tkf_tags_destroy(f);
  tkf_memory_destroy(f);
  for (unsigned c = 0; c < TKF_CLASSES; c++) {
    free(f->order_in[c]);
    free(f->order_out[c]);
  }
  free(f->ids.free);
  free(f->instructions.free);
  free(f->slot);
  free(f->last);
  free(f->queue);
  free(f->instruction);
  free(f->flight);
  free(f);
}

/* ---- answers ---------------------------------------------------------------------------------------- */

static void note(struct tkf_latency *l, uint64_t cycles) {
  l->n++;
  l->sum += cycles;
  if (cycles > l->max) l->max = cycles;
  l->bucket[cycles < TKF_BUCKETS ? cycles : TKF_BUCKETS - 1]++;
}

static void answered(struct tkf_front *f, uint32_t instruction) {
  struct tkf_instruction *i = &f->instruction[instruction];
  if (i->op != TKF_STORE) f->slot[i->slot].outstanding--;
  if (i->op == TKF_LOAD) note(&f->counts.instruction[i->cls], f->cycle - i->issued);
  f->instructions.free[f->instructions.n++] = instruction;
  f->active = f->cycle;
}

static void end_if_whole(struct tkf_front *f, uint32_t instruction) {
  struct tkf_instruction *i = &f->instruction[instruction];
  if (!i->sent || i->waves) return;
  if (i->op == TKF_ATOMIC) tkf_memory_ask_atomic(f, instruction);
  else answered(f, instruction);
}

void tkf_instruction_sent(struct tkf_front *f) {
  f->instruction[f->stage.instruction].sent = true;
  end_if_whole(f, f->stage.instruction);
}

void tkf_wave_taken(struct tkf_front *f, const struct tkf_packet *p, bool slow) {
  const struct tkf_wave *w = &p->wave;
  struct tkf_flight *at = &f->flight[w->id];
  at->wave = *w;
  at->instruction = p->instruction;
  at->taken = f->cycle;
  at->kind = slow ? TKF_SLOW : TKF_FAST;
  if (slow) at->order = f->order_in[w->cls][w->warp]++;
  f->waves_under_way++;
  f->slow_under_way += slow;
  f->counts.waves++;
  f->counts.slow += slow;
  f->counts.fast += !slow;
  f->active = f->cycle;
}

static bool data_is_there(struct tkf_front *f, const struct tkf_wave *w) {
  for (unsigned b = 0; b < f->s.banks; b++)
    if (w->banks >> b & 1 && w->sectors[b] & ~tkf_dslot(f, b, w->dslot[b])->valid) return false;
  return true;
}

/* A wavefront left on a path: 0 local/global and ray traversal, 1 texture, 2 fast. */
static void left(struct tkf_front *f, uint32_t id, unsigned path) {
  static const char *const unknown[] = {"a wavefront on lg_out that was not sent there",
                                        "a wavefront on tex_out that was not sent there",
                                        "a packet on fast_out that was not sent there"};
  struct tkf_flight *at = id < f->s.entries + SPARE_IDS ? &f->flight[id] : NULL;
  bool slow = path < 2;
  if (!at || at->kind != (slow ? TKF_SLOW : TKF_FAST) || (slow && path != (at->wave.cls == TKF_TEXTURE))) {
    f->wrong = unknown[path];
    return;
  }
  if (slow) {
    if (!data_is_there(f, &at->wave)) f->wrong = "a wavefront left before its data was there";
    if (at->wave.cls != TKF_RAY && at->order != f->order_out[at->wave.cls][at->wave.warp])
      f->wrong = "a wavefront left before an older one of its warp";
    f->order_out[at->wave.cls][at->wave.warp]++;
    note(&f->counts.wave[at->wave.cls], f->cycle - at->taken);
    f->slow_under_way--;
    tkf_tags_left(f, &at->wave, path == 1);
  }
  at->kind = TKF_UNUSED;
  f->ids.free[f->ids.n++] = id;
  f->waves_under_way--;
  f->instruction[at->instruction].waves--;
  f->active = f->cycle;
  end_if_whole(f, at->instruction);
}

/* ---- warps ------------------------------------------------------------------------------------------- */

static void begin_access(struct tkf_front *f, struct tkf_slot *s) {
  s->gap = s->next < s->end ? f->trace->access[s->next].gap : 0;
}

static void begin_warps(struct tkf_front *f) {
  const struct tkf_trace *t = f->trace;
  for (unsigned i = 0; i < f->s.warps; i++) {
    struct tkf_slot *s = &f->slot[i];
    if (s->live && s->next == s->end && !s->outstanding) {
      s->live = false;
      f->live--;
    }
    while (!s->live && f->next_warp < t->warps) {
      const struct tkf_warp *w = &t->warp[f->next_warp];
      if (w->n) {
        *s = (struct tkf_slot){.warp = f->next_warp, .next = w->first, .end = w->first + w->n, .live = true};
        begin_access(f, s);
        f->live++;
      }
      f->next_warp++;
    }
  }
}

/* Accesses of one instruction: texels of one image read have lines of their own. */
static uint32_t accesses_of(const struct tkf_front *f, const struct tkf_slot *s) {
  const struct tkf_access *a = &f->trace->access[s->next];
  uint32_t n = 1;
  if (a->cls != TKF_TEXTURE) return 1;
  while (n < TKF_MAX_TEXELS && s->next + n < s->end && a[n].cls == TKF_TEXTURE && a[n].op == a->op && !a[n].gap) n++;
  return n;
}

static bool can_issue(const struct tkf_front *f, const struct tkf_slot *s, bool memory_used) {
  if (!s->live || (s->gap == 0 && s->next == s->end)) return false;
  if (s->gap) return true;
  if (memory_used || f->queue_n == f->o.lsu_queue) return false;
  return f->trace->access[s->next].op == TKF_STORE || s->outstanding < f->o.outstanding;
}

static void issue_memory(struct tkf_front *f, uint32_t slot) {
  struct tkf_slot *s = &f->slot[slot];
  const struct tkf_access *a = &f->trace->access[s->next];
  uint32_t i = tkf_take(&f->instructions);
  f->instruction[i] = (struct tkf_instruction){.slot = slot, .first = s->next, .n = accesses_of(f, s), .next = TKF_NONE,
      .issued = f->cycle, .key = s->next, .cls = a->cls, .op = a->op};
  f->queue[(f->queue_head + f->queue_n++) % f->o.lsu_queue] = i;
  s->outstanding += a->op != TKF_STORE;
  f->counts.instructions++;
  f->counts.accesses += f->instruction[i].n;
  s->next += f->instruction[i].n;
  begin_access(f, s);
}

/* The warp issued from last, else the oldest that can go. */
static uint32_t greedy_oldest(const struct tkf_front *f, unsigned scheduler, bool memory_used) {
  uint32_t last = f->last[scheduler], best = TKF_NONE;
  if (last != TKF_NONE && can_issue(f, &f->slot[last], memory_used)) return last;
  for (uint32_t i = scheduler; i < f->s.warps; i += f->o.schedulers)
    if ((best == TKF_NONE || f->slot[i].warp < f->slot[best].warp) && can_issue(f, &f->slot[i], memory_used)) best = i;
  return best;
}

static uint32_t round_robin(const struct tkf_front *f, unsigned scheduler, bool memory_used) {
  uint32_t i = f->last[scheduler] == TKF_NONE ? scheduler : f->last[scheduler];
  for (uint32_t left = f->s.warps / f->o.schedulers + 1; left; left--) {
    i += f->o.schedulers;
    if (i >= f->s.warps) i = scheduler;
    if (can_issue(f, &f->slot[i], memory_used)) return i;
  }
  return TKF_NONE;
}

static uint32_t pick(const struct tkf_front *f, unsigned scheduler, bool memory_used) {
  if (scheduler >= f->s.warps) return TKF_NONE;
  return f->o.picker == TKF_ROUND_ROBIN ? round_robin(f, scheduler, memory_used) : greedy_oldest(f, scheduler, memory_used);
}

static void issue(struct tkf_front *f) {
  bool memory_used = false;
  for (unsigned k = 0; k < f->o.schedulers; k++) {
    unsigned scheduler = (unsigned)((f->cycle + k) % f->o.schedulers);
    uint32_t slot = pick(f, scheduler, memory_used);
    if (slot == TKF_NONE) continue;
    f->last[scheduler] = slot;
    f->active = f->cycle;
    if (f->slot[slot].gap) {
      f->slot[slot].gap--;
    } else {
      issue_memory(f, slot);
      memory_used = true;
    }
  }
}

/* ---- a cycle ------------------------------------------------------------------------------------------ */

static void count(struct tkf_front *f, uint64_t waves) {
  struct tkf_counts *c = &f->counts;
  c->cycles++;
  c->idle += c->waves == waves;
  c->under_way_sum += f->slow_under_way;
  c->misses_sum += f->misses;
  if (f->slow_under_way > c->under_way_max) c->under_way_max = f->slow_under_way;
  if (f->misses > c->misses_max) c->misses_max = f->misses;
}

bool tkf_cycle(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  uint64_t waves = f->counts.waves;
  memset(in, 0, sizeof *in);
  if (!f->cycle) memset(f->last, 0xff, f->o.schedulers * sizeof *f->last);
  tkf_tags_reports(f, out);
  if (out->lg_valid) left(f, out->lg_id, 0);
  if (out->tex_valid && !out->tex_is_state) left(f, out->tex_id, 1);
  if (out->fast_valid) left(f, out->fast_id, 2);
  for (uint32_t i; (i = tkf_memory_answer(f)) != TKF_NONE;) answered(f, i);
  begin_warps(f);
  if (!f->live && !f->queue_n && !f->waves_under_way && !f->slow.n && !f->fast.n && f->stage.instruction == TKF_NONE)
    return false;
  tkf_memory_fill(f, in);
  if (f->stage.instruction == TKF_NONE && f->queue_n) {
    uint32_t i = f->queue[f->queue_head];
    f->queue_head = (f->queue_head + 1) % f->o.lsu_queue;
    f->queue_n--;
    tkf_tags_begin(f, i);
  }
  tkf_ports_cycle(f, out, in);
  tkf_tags_cycle(f);
  tkf_memory_filled(f, in);
  issue(f);
  count(f, waves);
  f->cycle++;
  return true;
}

const char *tkf_wrong(const struct tkf_front *f) { return f->wrong; }
uint64_t tkf_quiet(const struct tkf_front *f) { return f->cycle - f->active; }
const struct tkf_counts *tkf_get_counts(const struct tkf_front *f) { return &f->counts; }

unsigned tkf_percentile(const struct tkf_latency *l, double part) {
  uint64_t wanted = (uint64_t)(part * (double)l->n + 0.5), seen = 0;
  for (unsigned i = 0; i < TKF_BUCKETS; i++)
    if ((seen += l->bucket[i]) >= wanted) return i;
  return TKF_BUCKETS;
}
