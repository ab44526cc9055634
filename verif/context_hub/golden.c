/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what the hub means, without timing: whole contexts. What was saved is what is restored; a spoiled image is
 * refused for the right reason; no request leaves the unit's image, or is under way when a command ends. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "context_hub/env.h"

const char *hub_wrong(struct hub_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

static struct content *home(struct hub_env *e) { return &e->saved[e->c.tracked * N_HOMES + e->c.home]; }

void hub_golden_restart(struct hub_env *e) {
  for (unsigned i = 0; i < TRACKED * N_HOMES; i++) e->saved[i].valid = false;
  memset(e->refused, 0, sizeof e->refused);
  memset(e->why, 0, sizeof e->why);
  e->offered = e->running = e->stalled = e->reset_wanted = false;
  e->n_backup = 0;
}

/* As rst_i: images stay, local slots are empty, a save under way has spoiled its image. */
void hub_golden_reset(struct hub_env *e) {
  e->cover[HUB_COVER_RESET] += e->running;
  hub_mend_image(e);
  for (unsigned t = 0; t < TRACKED; t++)
    for (unsigned s = 0; s < N_SLOTS; s++) {
      struct content *c = &e->saved[t * N_HOMES + N_BASES + s];
      if (c->valid) e->why[t][s] = RESET;
      c->valid = false;
    }
  e->offered = e->running = e->stalled = e->reset_wanted = false;
  e->active = e->before = 0; /* whom the hub hears then */
  hub_units_restart(e);
}

/* ---- how a command must end ------------------------------------------------------------------------------ */

/* Of a restore from memory, from the format alone; *payload: the error is found behind the header. */
static enum simt_context_error judge(struct hub_env *e, bool *payload) {
  const uint32_t want[3] = {MAGIC, UNIT_TYPE << 16 | e->c.unit, CFG_HASH_OF_UNITS}, len = hub_image_word(e, 3);
  const uint32_t fails = e->failed_first < 0 ? UINT32_MAX : (uint32_t)e->failed_first;
  uint32_t crc = ~UINT32_C(0);
  *payload = false;
  for (uint32_t i = 0; i < HEAD; i++) {
    const uint32_t w = hub_image_word(e, i);
    if (i == fails) return SIMT_CONTEXT_BAD_MEMORY;
    if (i == 0 && w != want[0]) return SIMT_CONTEXT_BAD_MAGIC;
    if (i == 1 && w >> 16 != want[1] >> 16) return SIMT_CONTEXT_BAD_TYPE;
    if (i == 1 && w != want[1]) return SIMT_CONTEXT_BAD_UNIT;
    if (i == 2 && w != want[2]) return SIMT_CONTEXT_BAD_TYPE;
    crc = hub_checksum(&w, 1, crc);
  }
  if (len > e->region - FRAME || len > MOST_WORDS) return SIMT_CONTEXT_BAD_LENGTH;
  *payload = len > 0; /* the last word of the stream, of the header when there is no payload, comes with what memory said */
  if (fails < len + FRAME) return SIMT_CONTEXT_BAD_MEMORY;
  for (uint32_t i = HEAD; i < len + HEAD; i++) {
    const uint32_t w = hub_image_word(e, i);
    crc = hub_checksum(&w, 1, crc);
  }
  return hub_image_word(e, len + HEAD) == ~crc ? SIMT_CONTEXT_GOOD : SIMT_CONTEXT_BAD_SUM;
}

static bool exists(const struct hub_env *e) { return e->c.unit < e->l.units; }

static enum simt_context_error wanted(struct hub_env *e, bool *payload) {
  const uint32_t room = e->c.slot ? e->l.local_words : e->region;
  *payload = false;
  if (!exists(e)) return SIMT_CONTEXT_BAD_UNIT;
  if (e->c.slot > e->l.slots || (e->c.load && e->c.slot && !home(e)->valid)) return SIMT_CONTEXT_BAD_SLOT;
  if (e->unit_error && e->was_released) return (enum simt_context_error)e->unit_error;
  if (e->c.load) return e->c.slot || e->was_released ? SIMT_CONTEXT_GOOD : judge(e, payload);
  if (e->unit[e->c.tracked].now.len + (e->c.slot ? SLOT_FRAME : FRAME) > room) return SIMT_CONTEXT_BAD_LENGTH;
  return e->failed_first >= 0 ? SIMT_CONTEXT_BAD_MEMORY : SIMT_CONTEXT_GOOD;
}

/* ---- what a good command has done ------------------------------------------------------------------------ */

static const char *check_saved(struct hub_env *e) {
  const struct content *now = &e->unit[e->c.tracked].now;
  const uint32_t head[HEAD] = {MAGIC, UNIT_TYPE << 16 | e->c.unit, CFG_HASH_OF_UNITS, now->len};
  struct content *kept = home(e);
  if (!e->c.slot) {
    uint32_t crc = hub_checksum(now->word, now->len, hub_checksum(head, HEAD, ~UINT32_C(0)));
    for (uint32_t i = 0; i < now->len + FRAME; i++) {
      const uint32_t want = i < HEAD ? head[i] : i < now->len + HEAD ? now->word[i - HEAD] : ~crc;
      if (hub_image_word(e, i) != want) return hub_wrong(e, "word %u of the image is 0x%08x, saved was 0x%08x", i, hub_image_word(e, i), want);
    }
    if (e->asked != now->len + FRAME) return hub_wrong(e, "%u words written, the context has %u", e->asked, now->len + FRAME);
  }
  kept->valid = true;
  kept->len = now->len;
  memcpy(kept->word, now->word, now->len * sizeof *now->word);
  e->cover[e->c.slot ? HUB_COVER_LOCAL_SAVED : HUB_COVER_SAVED]++;
  e->cover[HUB_COVER_LONGEST] += !e->c.slot && now->len + FRAME == e->region;
  return NULL;
}

static const char *check_restored(struct hub_env *e) {
  const struct content *now = &e->unit[e->c.tracked].now, *kept = home(e);
  if (kept->valid && e->c.spoil == SPOIL_NONE) {
    if (now->len != kept->len || memcmp(now->word, kept->word, now->len * sizeof *now->word))
      return "what is restored is not what was saved";
  } else {
    for (uint32_t i = 0; i < now->len; i++)
      if (now->word[i] != hub_image_word(e, i + HEAD)) return "what is restored is not what is in memory";
  }
  if (e->c.slot) {
    e->cover[HUB_COVER_LOCAL_RESTORED]++;
    return NULL;
  }
  e->cover[HUB_COVER_RESTORED]++;
  e->cover[HUB_COVER_OLD_IMAGE] += e->refused[e->c.tracked][e->c.home];
  e->refused[e->c.tracked][e->c.home] = false;
  return NULL;
}

static void count_refusal(struct hub_env *e, enum simt_context_error error, bool payload) {
  uint64_t *cover = e->cover;
  const bool memory = error == SIMT_CONTEXT_BAD_MEMORY, length = error == SIMT_CONTEXT_BAD_LENGTH;
  cover[HUB_COVER_ERROR + error - 1]++;
  if (e->c.load) {
    cover[HUB_COVER_NO_UNIT] += e->c.spoil == SPOIL_UNIT && error == SIMT_CONTEXT_BAD_UNIT;
    cover[HUB_COVER_HEADER_ERROR] += memory && !payload;
    cover[HUB_COVER_PAYLOAD_ERROR] += memory && payload;
    cover[HUB_COVER_CUT_MAGIC] += error == SIMT_CONTEXT_BAD_MAGIC && e->asked == HEAD;
    cover[HUB_COVER_CUT_LENGTH] += length && e->asked == HEAD;
    cover[HUB_COVER_RELEASED_LOAD] += e->was_released;
    if (exists(e) && !e->c.slot) e->refused[e->c.tracked][e->c.home] = true;
  } else {
    cover[HUB_COVER_STORE_ERROR] += memory;
    cover[e->c.slot ? HUB_COVER_LOCAL_TOO_LONG : HUB_COVER_TOO_LONG] += length;
    cover[HUB_COVER_RELEASED_SAVE] += e->was_released;
  }
  if (error != SIMT_CONTEXT_BAD_SLOT || !e->c.load || e->c.slot > e->l.slots) return;
  const enum why why = e->why[e->c.tracked][e->c.slot - 1];
  cover[HUB_COVER_EMPTY_SLOT]++;
  cover[HUB_COVER_FAILED_SLOT] += why == FAILED;
  cover[HUB_COVER_RESET_SLOT] += why == RESET;
}

/* Of a unit that answers anything: what it said, or what the hub has seen of the memory and of the words. */
static bool may_end(struct hub_env *e, uint32_t error) {
  if (!exists(e)) return error == SIMT_CONTEXT_BAD_UNIT;
  if (e->c.slot > e->l.slots) return error == SIMT_CONTEXT_BAD_SLOT;
  if (error == SIMT_CONTEXT_BAD_SLOT && e->c.load && e->c.slot) return true;
  const bool first = e->c.load && !e->c.slot && e->asked; /* the magic word was read, before any command to the unit */
  if (first && error == SIMT_CONTEXT_BAD_MAGIC && hub_image_word(e, 0) != MAGIC) return true;
  if (first && error == SIMT_CONTEXT_BAD_MEMORY && e->failed_first == 0) return true;
  if (!e->unit_done) return false;
  if (error == SIMT_CONTEXT_BAD_MEMORY && e->failed_first >= 0) return true;
  if (error == SIMT_CONTEXT_BAD_LENGTH && !e->c.load) return true;
  return e->said >> error & 1 && (error || e->failed_first < 0);
}

static const char *ended(struct hub_env *e, uint32_t error) {
  bool payload;
  if (!e->running) return "a command ends that was not given";
  e->running = false;
  e->last_cycles = e->cycle - e->taken_at;
  if (simt_memory_counts(e->memory).under_way || e->asked != e->answered) return "a command ends with requests under way";
  if (e->wild) {
    e->done++;
    return may_end(e, error) ? NULL : hub_wrong(e, "a command ends with error %u, which nobody gave", error);
  }
  const enum simt_context_error want = wanted(e, &payload);
  if (error != want) return hub_wrong(e, "a command ends with error %u, not %u", error, want);
  if (e->c.expect >= 0 && error != (uint32_t)e->c.expect) return hub_wrong(e, "error %u, this test expects %d", error, e->c.expect);
  if (e->c.expect == ANY_ERROR && !error) return "this test expects an error";
  const char *said = NULL;
  if (error) {
    bool unused;
    count_refusal(e, want, payload);
    if (error == SIMT_CONTEXT_BAD_SUM && !e->c.load && !e->c.slot && e->failed_first < 0 && judge(e, &unused) == SIMT_CONTEXT_GOOD)
      said = "the image of a save that failed would be restored";
  } else {
    said = e->c.load ? check_restored(e) : check_saved(e);
  }
  if (e->c.load && e->c.tracked < TRACKED && payload && error) {
    const struct content *now = &e->unit[e->c.tracked].now;
    if (now->len != 1 || now->word[0]) said = "a context refused behind its header leaves the unit as it was";
  }
  hub_mend_image(e);
  e->done++;
  const char *more = e->directed ? hub_directed_ended(e) : NULL;
  return said ? said : more;
}

/* ---- the ports --------------------------------------------------------------------------------------------- */

static const char *check_request(struct hub_env *e, const struct simt_memory_event *what) {
  const uint64_t index = ((what->addr - e->image) & e->addr_mask) / 4;
  if (!e->running || e->c.slot || !exists(e)) return "a memory request without a command that needs it";
  if (what->write == e->c.load) return "a request in the wrong direction";
  if (index != e->asked) return hub_wrong(e, "word %u of the image is asked for, not %u", (unsigned)index, e->asked);
  if (index >= e->region) return "a request beyond the unit's image";
  e->asked++;
  if (!e->c.load || index < HEAD) return NULL;
  const uint32_t len = hub_image_word(e, 3);
  const bool no_header = (e->failed_first >= 0 && e->failed_first < HEAD) || hub_image_word(e, 0) != MAGIC;
  if (no_header || len > e->region - FRAME || index >= len + FRAME)
    return "a read beyond what the header says";
  return NULL;
}

static const char *check_memory(struct hub_env *e, const uint32_t *in, const uint32_t *out) {
  const char *said = simt_memory_observe(e->memory, in, out);
  const struct simt_memory_event *taken = simt_memory_taken(e->memory), *answered = simt_memory_answered(e->memory);
  if (!said && taken) said = check_request(e, taken);
  if (answered) {
    const int index = (int)(((answered->addr - e->image) & e->addr_mask) / 4);
    e->cover[HUB_COVER_OUT_OF_ORDER] += !answered->write && (uint32_t)index != e->answered;
    e->answered++;
    if (answered->error && (e->failed_first < 0 || index < e->failed_first)) e->failed_first = index;
  }
  e->cover[HUB_COVER_ALL_INFLIGHT] += simt_memory_counts(e->memory).under_way == e->l.inflight;
  e->cover[HUB_COVER_MEMORY_STALLS] += out[e->at.req_valid] && !in[e->at.req_ready];
  return said;
}

/* Only the unit of the command may be spoken to. */
static bool only_unit(const struct hub_env *e, const uint32_t *out, unsigned port, bool *said) {
  const uint32_t unit = e->running && exists(e) ? e->c.unit : UINT32_MAX;
  *said = false;
  for (unsigned w = 0; w < (e->l.units + 31) / 32; w++) {
    const uint32_t may = unit / 32 == w ? UINT32_C(1) << unit % 32 : 0;
    if (out[port + w] & ~may) return false;
    *said |= out[port + w] != 0;
  }
  return true;
}

static const char *check_unit(struct hub_env *e, const uint32_t *in, const uint32_t *out) {
  bool cmd, offered, taken;
  if (!only_unit(e, out, e->at.cmd_valid, &cmd) || !only_unit(e, out, e->at.in_valid, &offered)) return "a unit without a command is spoken to";
  if (cmd && out[e->at.cmd_load] != e->c.load) return "the unit is given another command";
  if (cmd && e->c.load && !e->c.slot && (hub_image_word(e, 0) != MAGIC || !e->answered)) return "a unit is commanded before the magic word was right";
  const unsigned n = e->running && exists(e) ? e->c.unit : 0;
  const bool ready = in[e->at.in_ready + n / 32] >> n % 32 & 1, offers = in[e->at.out_valid + n / 32] >> n % 32 & 1;
  const uint32_t now[3] = {out[e->at.in_data], out[e->at.in_last], out[e->at.in_error]};
  const bool dropped = e->wild && e->unit_done && !offered; /* the unit has ended the restore before its last word */
  if (e->stalled && !dropped && (!offered || memcmp(now, e->held, sizeof now))) return "a word changed while it waited for the unit";
  e->stalled = offered && !ready && !in[e->at.rst];
  memcpy(e->held, now, sizeof now);
  e->cover[HUB_COVER_UNIT_STALLS] += e->stalled;
  if (!e->running || e->c.load) return NULL;
  if (!only_unit(e, out, e->at.out_ready, &taken)) return "a word is taken from another unit";
  e->cover[HUB_COVER_FILLED] += e->moved && offers && !taken;
  return NULL;
}

static void take(struct hub_env *e) {
  e->offered = false;
  e->running = true;
  e->c = e->offer;
  e->image = (e->c.base & ~UINT64_C(3)) + ((uint64_t)e->c.unit << e->l.stride_lg);
  e->moved = e->asked = e->answered = 0;
  e->failed_first = -1;
  e->unit_done = e->was_released = false;
  e->unit_error = e->said = 0;
  e->taken_at = e->cycle;
  if (!exists(e)) return;
  e->before = e->active;
  e->active = e->c.tracked;
  if (e->wild) home(e)->valid = false;
  if (e->c.load) {
    if (e->wild && !e->c.slot) hub_wild_header(e);
    else hub_spoil_image(e);
    return;
  }
  if (e->c.len) hub_unit_new_content(e, &e->unit[e->c.tracked], e->c.len);
  if (e->c.slot > e->l.slots) return;
  if (e->c.slot && home(e)->valid) e->why[e->c.tracked][e->c.slot - 1] = FAILED; /* until it is good */
  home(e)->valid = false;
}

static void follow_unit(struct hub_env *e, const uint32_t *in) {
  struct played *u = &e->unit[e->active];
  const unsigned n = u->number;
  if (!e->running || !exists(e)) return;
  if (in[e->at.ctx_done + n / 32] >> n % 32 & 1) {
    e->unit_done = true;
    e->unit_error = (uint8_t)u->port.r.error;
    unsigned code = 0;
    for (unsigned i = 3; i-- > 0;) code = code << 1 | (in[e->at.ctx_error + (3 * n + i) / 32] >> (3 * n + i) % 32 & 1);
    e->said = (uint8_t)(e->said | 1u << code);
    u->released = false;
  } else if (!e->unit_done && e->c.release >= 0 && e->moved > (uint32_t)e->c.release) {
    u->released = e->was_released = true;
  }
}

const char *hub_golden_observe(struct hub_env *e, const uint32_t *in, const uint32_t *out) {
  const char *said = out[e->at.done] ? ended(e, out[e->at.error]) : NULL, *more = check_unit(e, in, out);
  if (!said) said = more;
  hub_unit_step(e, in, out); /* with the halt that its ports of this cycle were driven by */
  follow_unit(e, in);
  more = check_memory(e, in, out);
  if (!said) said = more;
  if (e->offered && out[e->at.ready]) {
    e->cover[HUB_COVER_BACK_TO_BACK] += out[e->at.done] != 0;
    if (e->running) return "a command is taken while one runs";
    take(e);
  }
  if (in[e->at.rst]) hub_golden_reset(e);
  return said;
}
