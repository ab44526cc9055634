/* SPDX-License-Identifier: Apache-2.0 */
/* ideal.c: tracking queues without limits of ports and pipeline. Ages are sequence numbers, which never wrap. */
#include "tracker/ideal.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT64_MAX
enum { RING_FACTOR = 4, PATHS = 2, TEXTURE_PATH = 1 };

struct tki_entry {
  struct tkf_wave wave;
  uint8_t needs[TKF_BANKS], waits; /* sectors not there yet; banks with any */
  bool group_end, left, checked;
  uint64_t next, ready;            /* the next of its queue; the cycle in which its data was whole */
};
struct tki_queue {
  uint64_t commit, check, tail;    /* the next to leave and the next to be checked, or NONE; the newest */
  uint32_t ends, groups;           /* ends of instructions checked; ends of groups since the last of them */
};
struct tki_path { uint32_t queue; bool held, out_valid, out_state; uint32_t out_id; };
struct tki_aged { uint64_t tail, since; uint32_t id; uint16_t dslot; };
struct tki_aged_queue { struct tki_aged *at; uint32_t head, n, room; };
struct tki_dslot { uint32_t count, waiting; uint8_t valid; bool reported; };

struct tki {
  struct tkf_sizes s;
  struct tki_options o;
  uint64_t cycle, head, tail, full;  /* head: the oldest entry that has not left */
  uint32_t ring, live;
  struct tki_entry *entry;
  uint32_t *link;                    /* per entry and bank: the next that waits for the same data slot */
  struct tki_queue *queue;
  struct tki_path path[PATHS];
  struct tki_aged_queue state, fast;
  uint32_t open_count, turn, open_queue; /* TR-10: wavefronts of the open group; round robin */
  uint64_t open;                         /* newest wavefront of the open instruction, or NONE */
  struct tki_dslot *dslot;
  struct tki_aged_queue report[TKF_BANKS];
};

#define NO_LINK UINT32_MAX

static struct tki_entry *at(struct tki *t, uint64_t seq) { return &t->entry[seq & (t->ring - 1)]; }

/* ---- queues of things with an age ------------------------------------------------------------------ */

static bool aged_create(struct tki_aged_queue *q, uint32_t room) {
  q->room = room;
  q->at = calloc(room, sizeof *q->at);
  return q->at;
}

static void push(struct tki_aged_queue *q, struct tki_aged a) {
  if (q->n == q->room) abort();
  q->at[(q->head + q->n++) % q->room] = a;
}

static const struct tki_aged *first(const struct tki_aged_queue *q) { return q->n ? &q->at[q->head] : NULL; }

static void drop(struct tki_aged_queue *q) {
  q->head = (q->head + 1) % q->room;
  q->n--;
}

/* ---- life ------------------------------------------------------------------------------------------- */

void tki_destroy(struct tki *t) {
  if (!t) return;
  free(t->entry);
  free(t->link);
  free(t->queue);
  free(t->dslot);
  free(t->state.at);
  free(t->fast.at);
  for (unsigned b = 0; b < TKF_BANKS; b++) free(t->report[b].at);
  free(t);
}

static bool allocate(struct tki *t) {
  size_t dslots = (size_t)t->s.banks * t->s.dslots;
  bool good = aged_create(&t->state, t->o.state_q) && aged_create(&t->fast, t->o.fast_q);
  t->ring = (uint32_t)1 << simt_clog2((uint64_t)RING_FACTOR * t->s.entries);
  t->entry = calloc(t->ring, sizeof *t->entry);
  t->link = calloc((size_t)t->ring * TKF_BANKS, sizeof *t->link);
  t->queue = calloc(t->o.queues, sizeof *t->queue);
  t->dslot = calloc(dslots, sizeof *t->dslot);
  for (unsigned b = 0; b < t->s.banks; b++) good = good && aged_create(&t->report[b], t->s.dslots);
  return good && t->entry && t->link && t->queue && t->dslot;
}

struct tki *tki_create(const struct tkf_sizes *s, const struct tki_options *o, struct simt_diag *diag) {
  struct tki *t = calloc(1, sizeof *t);
  if (t) {
    t->s = *s;
    t->o = *o;
    t->open = NONE;
  }
  if (!t || !allocate(t)) {
    tki_destroy(t);
    simt_fail(diag, "trace", "no memory", "memory for the ideal tracker");
    return NULL;
  }
  for (unsigned q = 0; q < o->queues; q++) t->queue[q] = (struct tki_queue){NONE, NONE, NONE, 0, 0};
  for (size_t d = 0; d < (size_t)s->banks * s->dslots; d++) t->dslot[d].waiting = NO_LINK;
  return t;
}

/* ---- data slots ------------------------------------------------------------------------------------- */

static struct tki_dslot *dslot(struct tki *t, unsigned bank, unsigned d) { return &t->dslot[bank * t->s.dslots + d]; }

static void report(struct tki *t, unsigned bank, unsigned d) {
  struct tki_dslot *s = dslot(t, bank, d);
  if (s->reported) return;
  s->reported = true;
  push(&t->report[bank], (struct tki_aged){.dslot = (uint16_t)d});
}

static void name(struct tki *t, const struct tkf_wave *w) {
  for (unsigned b = 0; b < t->s.banks; b++) {
    if (!(w->banks >> b & 1)) continue;
    struct tki_dslot *d = dslot(t, b, w->dslot[b]);
    d->count++;
  }
}

static void unname(struct tki *t, const struct tkf_wave *w) {
  for (unsigned b = 0; b < t->s.banks; b++) {
    if (!(w->banks >> b & 1)) continue;
    struct tki_dslot *d = dslot(t, b, w->dslot[b]);
    if (!--d->count) report(t, b, w->dslot[b]);
  }
}

static void fill(struct tki *t, unsigned bank, unsigned d, unsigned sector) {
  struct tki_dslot *s = dslot(t, bank, d);
  uint32_t *from = &s->waiting;
  s->valid |= (uint8_t)(1u << sector);
  while (*from != NO_LINK) {
    uint32_t node = *from;
    struct tki_entry *e = &t->entry[node / TKF_BANKS];
    e->needs[bank] &= (uint8_t)~(1u << sector);
    if (e->needs[bank]) {
      from = &t->link[node];
      continue;
    }
    *from = t->link[node];
    if (!--e->waits) e->ready = t->cycle;
  }
}

/* ---- input ------------------------------------------------------------------------------------------ */

static unsigned map(struct tki *t, const struct tkf_wave *w) {
  unsigned n = t->o.queues, low = 0, part = n;
  bool ray = w->cls == TKF_RAY;
  if (t->o.mode == 1) return 0;
  if (t->o.mode == 2) {
    low = ray;
    part = ray ? n - 1 : 1;
  } else if (t->o.mode == 3) {
    low = ray ? t->o.split : 0;
    part = ray ? n - t->o.split : t->o.split;
  }
  if (!ray) return w->warp % part;
  unsigned q = low + t->turn;
  t->turn = (t->turn + 1) % part;
  return q;
}

static void close_group(struct tki *t) {
  t->open_count = 0;
  if (t->open == NONE) return;
  struct tki_entry *e = at(t, t->open);
  if (e->group_end || e->left) return;
  e->group_end = true;
  if (e->checked) t->queue[t->open_queue].groups++;
}

static void insert(struct tki *t, const struct tkf_wave *w) {
  uint64_t seq = t->tail++;
  struct tki_entry *e = at(t, seq);
  bool alone = w->cls == TKF_RAY || t->o.by_wavefront || (t->o.lg_by_wavefront && w->cls == TKF_GLOBAL);
  unsigned q = map(t, w);
  struct tki_queue *to = &t->queue[q];
  *e = (struct tki_entry){.wave = *w, .next = NONE, .ready = t->cycle};
  e->wave.end = w->end || alone;
  for (unsigned b = 0; b < t->s.banks; b++) {
    if (!(w->banks >> b & 1)) continue;
    struct tki_dslot *d = dslot(t, b, w->dslot[b]);
    e->needs[b] = w->sectors[b] & (uint8_t)~d->valid;
    if (!e->needs[b]) continue;
    uint32_t node = (uint32_t)(seq & (t->ring - 1)) * TKF_BANKS + b;
    t->link[node] = d->waiting;
    d->waiting = node;
    e->waits++;
  }
  name(t, w);
  t->live++;
  if (to->commit == NONE) to->commit = seq;
  else at(t, to->tail)->next = seq;
  if (to->check == NONE) to->check = seq;
  to->tail = seq;
  t->open = e->wave.end ? NONE : seq;
  t->open_queue = q;
  if (e->wave.end) t->open_count = 0;
  else if (++t->open_count == t->o.group) close_group(t);
}

static void take(struct tki *t, const struct tkf_in *in, const struct tkf_out *out) {
  if (in->alloc_valid && out->alloc_ready) dslot(t, in->alloc_bank, in->alloc_dslot)->valid = 0;
  if (in->fast_valid && out->fast_ready) push(&t->fast, (struct tki_aged){.tail = t->tail, .since = t->cycle, .id = in->fast_id});
  if (!in->valid || !out->ready) return;
  if (in->kind == TKF_WAVE) {
    insert(t, &in->wave);
    return;
  }
  close_group(t);
  struct tki_aged a = {.tail = t->tail, .id = in->wave.id};
  if (in->kind == TKF_STATE) push(&t->state, a);
}

/* ---- check and commit ------------------------------------------------------------------------------- */

static void check(struct tki *t) {
  for (unsigned i = 0; i < t->o.queues; i++) {
    struct tki_queue *q = &t->queue[i];
    while (q->check != NONE) {
      struct tki_entry *e = at(t, q->check);
      if (e->waits || e->ready + t->o.fill_to_out > t->cycle + 1) break;
      e->checked = true;
      if (e->wave.end) {
        q->ends++;
        q->groups = 0;
      } else if (e->group_end) {
        q->groups++;
      }
      q->check = e->next;
    }
  }
}

static bool may_go(struct tki *t, uint64_t seq) {
  const struct tki_aged *state = first(&t->state), *fast = first(&t->fast);
  if (fast && seq >= fast->tail) return false;
  return !(state && at(t, seq)->wave.cls == TKF_TEXTURE && seq >= state->tail);
}

static uint64_t end_of_instruction(struct tki *t, uint64_t seq) {
  while (!at(t, seq)->wave.end) seq = at(t, seq)->next;
  return seq;
}

/* Whether the head of a queue may begin to leave on a path: TR-9. */
static bool may_begin(struct tki *t, const struct tki_queue *q, unsigned path) {
  if (q->commit == NONE || !at(t, q->commit)->checked) return false;
  const struct tki_entry *e = at(t, q->commit);
  bool texture = e->wave.cls == TKF_TEXTURE;
  if (texture != (path == TEXTURE_PATH) || !may_go(t, q->commit)) return false;
  bool whole = q->ends && (!texture || !t->state.n || end_of_instruction(t, q->commit) < first(&t->state)->tail);
  return whole || ((q->groups || q->ends) && q->commit == t->head);
}

static void leave(struct tki *t, unsigned path, unsigned queue) {
  struct tki_queue *q = &t->queue[queue];
  struct tki_path *p = &t->path[path];
  struct tki_entry *e = at(t, q->commit);
  p->out_valid = true;
  p->out_id = e->wave.id;
  p->held = !e->wave.end;
  p->queue = queue;
  if (e->wave.end) q->ends--;
  else if (e->group_end && q->groups && !q->ends) q->groups--;
  unname(t, &e->wave);
  e->left = true;
  t->live--;
  q->commit = e->next;
}

static void commit(struct tki *t, unsigned path) {
  struct tki_path *p = &t->path[path];
  const struct tki_aged *state = first(&t->state);
  p->out_valid = p->out_state = false;
  if (path == TEXTURE_PATH && state && t->head >= state->tail) {
    p->out_valid = p->out_state = true;
    p->out_id = state->id;
    drop(&t->state);
    return;
  }
  if (p->held) {
    const struct tki_queue *q = &t->queue[p->queue];
    bool ready = q->commit != NONE && at(t, q->commit)->checked && (q->ends || q->groups);
    if (ready && may_go(t, q->commit)) leave(t, path, p->queue);
    return;
  }
  uint32_t best = NO_LINK;
  for (unsigned i = 0; i < t->o.queues; i++)
    if (may_begin(t, &t->queue[i], path) && (best == NO_LINK || t->queue[i].commit < t->queue[best].commit)) best = i;
  if (best != NO_LINK) leave(t, path, best);
}

/* ---- ports ------------------------------------------------------------------------------------------- */

static bool pool_full(const struct tki *t) {
  uint64_t span = t->tail - t->head;
  return t->o.free_list ? t->live == t->s.entries || span == t->ring : span == t->s.entries;
}

static void outputs(void *state, struct tkf_out *out) {
  struct tki *t = state;
  memset(out, 0, sizeof *out);
  out->ready = !pool_full(t) && t->state.n < t->state.room;
  out->fast_ready = t->fast.n < t->fast.room;
  out->alloc_ready = true;
  out->fast_valid = t->fast.n && first(&t->fast)->since + t->o.fast_to_out <= t->cycle;
  if (out->fast_valid) out->fast_id = first(&t->fast)->id;
  out->lg_valid = t->path[0].out_valid;
  out->lg_id = t->path[0].out_id;
  out->tex_valid = t->path[1].out_valid;
  out->tex_is_state = t->path[1].out_state;
  out->tex_id = t->path[1].out_id;
  for (unsigned b = 0; b < t->s.banks; b++) {
    out->free_valid[b] = t->report[b].n;
    if (t->report[b].n) out->free_dslot[b] = first(&t->report[b])->dslot;
  }
}

/* Reports given, and those whose data slot was named again since. */
static void drop_reports(struct tki *t) {
  for (unsigned b = 0; b < t->s.banks; b++) {
    if (t->report[b].n) {
      dslot(t, b, first(&t->report[b])->dslot)->reported = false;
      drop(&t->report[b]);
    }
    for (const struct tki_aged *a; (a = first(&t->report[b])) && dslot(t, b, a->dslot)->count; drop(&t->report[b]))
      dslot(t, b, a->dslot)->reported = false;
  }
}

static void step(void *state, const struct tkf_in *in) {
  struct tki *t = state;
  struct tkf_out out;
  outputs(t, &out);
  t->full += pool_full(t);
  drop_reports(t);
  if (out.fast_valid) drop(&t->fast);
  take(t, in, &out);
  if (in->fill_valid) fill(t, in->fill_bank, in->fill_dslot, in->fill_sector);
  check(t);
  for (unsigned p = 0; p < PATHS; p++) commit(t, p);
  while (t->head < t->tail && at(t, t->head)->left) t->head++;
  t->cycle++;
}

struct tkf_unit tki_unit(struct tki *t) { return (struct tkf_unit){.state = t, .outputs = outputs, .step = step}; }
uint64_t tki_full_cycles(const struct tki *t) { return t->full; }
