/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what a home means: one owner per line, who gets what it last contained; turns; memory in the end. */
#include <stdio.h>
#include <string.h>

#include "line_home/env.h"

static const char *says(struct lh_env *e, unsigned cache, uint64_t line, const char *what) {
  snprintf(e->message, sizeof e->message, "cache %u, line 0x%llx: %s", cache, (unsigned long long)line, what);
  return e->message;
}

static unsigned distance(const struct lh_env *e, unsigned from, unsigned to) { return (to + e->l.caches - from - 1) % e->l.caches; }

/* Lines that are wanted or held, of one set: with more than 8 one of them may have been recalled, and fetches held up. */
static void count_set(struct lh_env *e, unsigned line) {
  unsigned n = 0;
  for (unsigned k = 0; k < e->pool_n; k++) {
    if (((lh_pool_line(e, k) ^ lh_pool_line(e, line)) & (e->l.sets - 1)) != 0) continue;
    bool there = e->line[k].owner != LH_NOBODY || (e->line[k].from_cache && e->cycle < e->line[k].released + 5000);
    for (unsigned i = 0; !there && i < e->l.caches; i++) there = e->agent[i].on[k].wanted;
    n += there;
  }
  if (n > LH_WAYS) e->crowded = true;
}

static const char *see_fetch(struct lh_env *e, unsigned i, const uint32_t *in, const uint32_t *out) {
  struct lh_agent *a = &e->agent[i];
  if (!lh_bit(&in[e->at.fetch_valid], i) || !lh_bit(&out[e->at.fetch_ready], i)) return NULL;
  a->offers = false;
  a->on[a->line].asked = e->cycle;
  e->cover[LH_COVER_OWN] += a->on[a->line].leaving;
  count_set(e, a->line);
  return NULL;
}

/* Nobody who has waited since long before the line came free was nearer to its last owner. */
static const char *see_turn(struct lh_env *e, unsigned i, unsigned at) {
  struct lh_line *l = &e->line[at];
  const uint64_t settled = 64 + 16 * (uint64_t)e->l.caches * e->l.beats;
  bool all = true;
  for (unsigned k = 0; k < e->l.caches; k++) {
    struct lh_tenure *t = &e->agent[k].on[at];
    if (k == i) continue;
    const bool waits = t->wanted && t->asked != UINT64_MAX;
    all &= waits;
    if (!waits) continue;
    if (++t->seen > (e->crowded ? 2 * e->l.caches + 8 : e->l.caches + 3)) return says(e, k, lh_pool_line(e, at), "waits while too many others get the line");
    if (!e->crowded && l->from_cache && t->asked + settled < l->released && distance(e, l->last, k) < distance(e, l->last, i))
      return says(e, i, lh_pool_line(e, at), "gets the line out of turn");
  }
  e->cover[LH_COVER_ALL_WAIT] += all && e->l.caches > 1;
  return NULL;
}

static const char *begin_fill(struct lh_env *e, unsigned i, unsigned at) {
  struct lh_line *l = &e->line[at];
  if (l->owner != LH_NOBODY) return says(e, i, lh_pool_line(e, at), "is filled while another cache owns the line");
  l->owner = (uint8_t)i;
  const bool handed = l->from_cache && l->last != i;
  e->cover[LH_COVER_SHARED] += handed;
  const unsigned grant = e->l.beats > 1 ? 5 : 7;
  if (handed && e->cycle < l->released + grant) return says(e, i, lh_pool_line(e, at), "is filled sooner than can be");
  e->cover[LH_COVER_AT_ONCE] += handed && e->cycle == l->released + grant;
  if (e->directed >= 0 && !strcmp(lh_directed[e->test].name, "hand_over") && l->from_cache && e->cycle != l->released + grant)
    return says(e, i, lh_pool_line(e, at), "is filled later than promised");
  if (handed && !l->unsure) {
    uint8_t memory[128];
    simt_memory_peek(e->memory, lh_pool_line(e, at) * e->l.line_bytes, memory, e->l.line_bytes);
    e->cover[LH_COVER_STALE] += l->write_failed == 0 && !l->answered && memcmp(memory, l->bytes, e->l.line_bytes) != 0;
  }
  if (l->unsure) { /* memory decides, or what the home kept of a write that failed */
    l->unsure = false;
    uint8_t memory[128];
    simt_memory_peek(e->memory, lh_pool_line(e, at) * e->l.line_bytes, memory, e->l.line_bytes);
    if (!l->from_cache) memcpy(l->bytes, memory, e->l.line_bytes);
  }
  return see_turn(e, i, at);
}

static int by_tag(const struct lh_env *e, unsigned i, unsigned tag) {
  for (unsigned k = 0; k < e->pool_n; k++)
    if (e->agent[i].on[k].wanted && e->agent[i].on[k].asked != UINT64_MAX && e->agent[i].on[k].tag == tag) return (int)k;
  return -1;
}

static void answered(struct lh_env *e, unsigned i, unsigned at) {
  struct lh_agent *a = &e->agent[i];
  a->on[at].wanted = false;
  a->tag_used[a->on[at].tag] = false;
  a->n_wanted--;
  e->events++;
}

static const char *see_snoop(struct lh_env *e, unsigned i, uint64_t line) {
  const int at = lh_pool_index(e, line);
  struct lh_tenure *t = at < 0 ? NULL : &e->agent[i].on[at];
  if (!t || !t->snoops_left) return says(e, i, line, "is snooped and had no fill since the last snoop");
  t->snoops_left = false;
  e->cover[LH_COVER_CROSSED] += !t->held;
  t->snooped = t->held;
  bool wanted = false;
  for (unsigned k = 0; k < e->l.caches; k++) wanted |= k != i && e->agent[k].on[at].wanted;
  if (!wanted && !e->crowded && t->held) return says(e, i, line, "is snooped and nobody wants the line");
  e->cover[LH_COVER_RECALL] += !wanted && t->held;
  return NULL;
}

/* Beats are looked at when they are first offered; what they lead to happens when they are taken. */
static const char *see_beat(struct lh_env *e, unsigned i, const uint32_t *out, bool first, bool taken) {
  struct lh_agent *a = &e->agent[i];
  const unsigned tag = (unsigned)simt_get_bits(&out[e->at.home_tag], i * e->l.miss_w, e->l.miss_w);
  const uint64_t line = simt_get_bits(&out[e->at.home_line], i * e->l.line_aw, e->l.line_aw);
  if (lh_bit(&out[e->at.home_snoop], i)) {
    if (a->fill_beat) return says(e, i, line, "is snooped within a fill");
    return taken ? see_snoop(e, i, line) : NULL;
  }
  const int at = by_tag(e, i, tag);
  if (at < 0) return says(e, i, tag, "gets what nobody asked for (the line is a tag)");
  struct lh_line *l = &e->line[at];
  if (lh_bit(&out[e->at.home_error], i)) {
    const uint64_t slack = 100 + 8 * (uint64_t)e->l.caches * e->l.beats; /* until the directory has taken note */
    if (first && (!l->failed || l->failed + slack < a->on[at].asked)) return says(e, i, line, "gets an error and memory gave none");
    if (!taken) return NULL;
    e->cover[LH_COVER_READ_ERROR]++;
    e->cover[LH_COVER_ERRORS] += ++l->errors == 2;
    answered(e, i, (unsigned)at);
    return NULL;
  }
  const char *bad = first && !a->fill_beat ? begin_fill(e, i, (unsigned)at) : NULL;
  if (bad) return bad;
  if (memcmp(&out[e->at.home_data + i * e->l.lanes], &l->bytes[a->fill_beat * 4 * e->l.lanes], 4 * e->l.lanes))
    return says(e, i, lh_pool_line(e, (unsigned)at), "is filled with other contents than the last owner gave");
  if (a->fill_beat && a->fill_line != (unsigned)at) return says(e, i, lh_pool_line(e, (unsigned)at), "beats of two fills are mixed");
  a->fill_line = (unsigned)at;
  if (!taken || ++a->fill_beat < e->l.beats) return NULL;
  a->fill_beat = 0;
  a->on[at].held = a->on[at].snoops_left = true;
  a->n_held++;
  answered(e, i, (unsigned)at);
  return NULL;
}

static const char *see_home(struct lh_env *e, unsigned i, const uint32_t *in, const uint32_t *out) {
  struct lh_agent *a = &e->agent[i];
  if (!lh_bit(&out[e->at.home_valid], i)) return a->home_waits ? says(e, i, 0, "a beat on the home channel is withdrawn") : NULL;
  const bool first = !a->home_waits, taken = lh_bit(&in[e->at.home_ready], i);
  uint32_t beat[18] = {lh_bit(&out[e->at.home_snoop], i) | 2u * lh_bit(&out[e->at.home_error], i), (uint32_t)simt_get_bits(&out[e->at.home_tag], i * e->l.miss_w, e->l.miss_w)};
  memcpy(&beat[2], &out[e->at.home_data + i * e->l.lanes], 4 * e->l.lanes);
  if (!first && memcmp(beat, a->home, sizeof beat)) return says(e, i, 0, "a beat on the home channel changes while it waits");
  memcpy(a->home, beat, sizeof beat);
  a->home_waits = taken ? 0 : a->home_waits + 1;
  e->cover[LH_COVER_BLOCKED] += a->home_waits == 8;
  return see_beat(e, i, out, first, taken);
}

static void released(struct lh_env *e, unsigned i) {
  struct lh_agent *a = &e->agent[i];
  struct lh_line *l = &e->line[a->rel_line];
  a->releases = false;
  e->events++;
  e->moved = e->cycle;
  if (a->bad) {
    if (!e->bad++) e->bad_first = lh_pool_line(e, a->rel_line);
    e->cover[LH_COVER_BAD]++;
    return;
  }
  if (a->dirty) memcpy(l->bytes, a->data, e->l.line_bytes);
  e->cover[LH_COVER_CLEAN] += !a->dirty;
  a->on[a->rel_line].leaving = false;
  l->owner = LH_NOBODY;
  l->last = (uint8_t)i;
  l->from_cache = true;
  l->released = e->cycle;
}

static const char *see_release(struct lh_env *e, unsigned i, const uint32_t *in, const uint32_t *out) {
  struct lh_agent *a = &e->agent[i];
  const bool valid = lh_bit(&in[e->at.rel_valid], i);
  a->stood = valid && !lh_bit(&out[e->at.rel_ready], i);
  if (!valid) return NULL;
  if (a->stood) {
    if (++a->rel_waits > 200 + e->l.sets + 24 * e->l.caches * (e->l.beats + 3)) return says(e, i, lh_pool_line(e, a->rel_line), "its release is not taken");
    return NULL;
  }
  a->rel_waits = 0;
  const bool last = lh_bit(&in[e->at.rel_last], i);
  a->rel_beat++;
  if (last) released(e, i);
  return NULL;
}

static const char *see_memory(struct lh_env *e) {
  const struct simt_memory_event *v = simt_memory_answered(e->memory);
  if (!v) return NULL;
  const uint64_t line = v->addr / e->l.line_bytes;
  const int at = lh_pool_index(e, line);
  if (at < 0) return says(e, 0, line, "memory is asked for a line that nobody wanted");
  struct lh_line *l = &e->line[at];
  e->events++;
  e->moved = e->cycle;
  const bool all = ++l->answered == e->l.beats;
  if (all) l->answered = 0;
  if (!v->write) {
    l->from_cache = false;
    e->cover[LH_COVER_FILL] += all;
    l->read_failed += v->error != 0;
    if (all && l->read_failed) {
      l->failed = e->cycle;
      l->errors = 0;
    }
    if (all) l->read_failed = 0;
    return NULL;
  }
  l->write_failed += v->error != 0;
  if (!v->error) {
    uint8_t memory[128];
    const unsigned from = (unsigned)(v->addr % e->l.line_bytes), n = 4 * e->l.lanes;
    simt_memory_peek(e->memory, v->addr, memory, n);
    if (memcmp(memory, &l->bytes[from], n)) return says(e, l->last, line, "is written to memory with other contents than the last owner gave");
  }
  e->cover[LH_COVER_DIRTY] += all;
  if (all && l->write_failed) {
    e->lost++;
    e->cover[LH_COVER_WRITE_ERROR]++;
    l->unsure = true;
  }
  if (all) l->write_failed = 0;
  return NULL;
}

static const char *see_errors(struct lh_env *e, const uint32_t *out) {
  const unsigned bad = out[e->at.bad_count], lost = out[e->at.lost_count];
  const bool quiet = e->cycle > e->moved + 400 + e->l.sets; /* sets: nothing is looked up while they are cleared */
  if (bad > e->bad || (quiet && bad < e->bad && bad < UINT16_MAX)) return says(e, 0, bad, "releases by others than the owner are miscounted (the line is the count)");
  if (bad && simt_get_bits(&out[e->at.bad_line], 0, e->l.line_aw) != e->bad_first) return says(e, 0, e->bad_first, "is the first that was released wrongly, another one is reported");
  if (lost > e->lost || (quiet && lost < e->lost && lost < UINT16_MAX)) return says(e, 0, lost, "lines that memory failed to write are miscounted (the line is the count)");
  return NULL;
}

/* Whether something is to be seen at the ports, at memory, or of a fetch whose line nobody owns. */
static bool something_moves(const struct lh_env *e, const uint32_t *out) {
  if (simt_memory_counts(e->memory).under_way || simt_memory_answered(e->memory)) return true;
  for (unsigned i = 0; i < e->l.caches; i++) {
    const struct lh_agent *a = &e->agent[i];
    if ((a->releases && a->rel_beat) || lh_bit(&out[e->at.home_valid], i)) return true;
    for (unsigned k = 0; a->n_wanted && k < e->pool_n; k++)
      if (a->on[k].wanted && a->on[k].asked != UINT64_MAX && e->line[k].owner == LH_NOBODY) return true;
  }
  return false;
}

/* idle_o is of the cycle before, and right in this one; when nothing moves it comes in the end. */
static const char *see_idle(struct lh_env *e, const uint32_t *in, const uint32_t *out) {
  const unsigned settled = 64 + e->l.sets;
  const bool idle = out[e->at.idle], moves = something_moves(e, out);
  bool offered = false;
  for (unsigned i = 0; i < e->l.caches; i++) offered |= lh_bit(&in[e->at.fetch_valid], i) || lh_bit(&in[e->at.rel_valid], i);
  e->still = moves || offered ? 0 : e->still + 1;
  if (idle && moves) return says(e, 0, e->l.caches, "idle_o with something under way (the line is the number of caches)");
  return !idle && e->still > settled ? says(e, 0, e->still, "no idle_o with nothing under way (the line is the number of cycles)") : NULL;
}

const char *lh_observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct lh_env *e = env;
  const char *bad = see_idle(e, in, out);
  if (!bad) bad = see_memory(e);
  for (unsigned i = 0; !bad && i < e->l.caches; i++) {
    bad = see_home(e, i, in, out);
    if (!bad) bad = see_release(e, i, in, out);
    if (!bad) bad = see_fetch(e, i, in, out);
  }
  return bad ? bad : see_errors(e, out);
}
