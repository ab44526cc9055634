/* SPDX-License-Identifier: Apache-2.0 */
/* spool.c: gives the answers of requests that were parked or done at an arrival, one per cycle, list by list. */
#include <string.h>

#include "atomic_merge/state.h"

/* Of a list that holds operands each request is performed on the old line: it finds what those before it left. */
static uint64_t value_of(struct am_model *m, const struct am_job *job, const struct am_entry *e, unsigned slot) {
  if (job->failed) return 0;
  if (job->done) return e->value;
  return job->keep ? am_perform(&m->l, m->s.old[slot], &e->req) : am_rebuild(&m->l, e, m->s.old[slot]);
}

static void issue(struct am_model *m, struct am_spooled *to) {
  struct am_state *s = &m->s;
  const struct am_job *job = &s->job[s->spool_slot];
  const unsigned at = s->spool_at;
  const struct am_entry *e = &s->entry[at];
  *to = (struct am_spooled){true, at == job->list.tail, job->keep && e->req.mode == AM_RELAXED, s->spool_slot, at,
                            {e->req.tid, job->failed ? AM_MEMORY_ERROR : AM_OK, value_of(m, job, e, s->spool_slot)}};
  if (to->last) s->spooling = false;
  else s->spool_at = e->next;
  s->spooled.promised++;
  if (job->keep && job->slow) s->spool_hold = 2 + m->l.extra;
}

/* One more, or the next list. */
static void spool_on(struct am_model *m, const struct am_now *now, bool may_issue) {
  struct am_state *s = &m->s;
  bool arrives = now->engine == AM_AWAIT && now->drained && now->home.valid && !now->home.snoop;
  bool reads = !arrives && now->engine != AM_EVENT; /* the engine does not read the stall buffer */
  if (now->shut) return;
  if (now->spooling) {
    if (reads && may_issue) issue(m, &s->spool[0]);
  } else if (now->n_jobs) {
    s->spooling = true;
    s->spool_slot = s->job_queue[0];
    s->spool_at = s->job[s->spool_slot].list.head;
    s->n_jobs--;
    memmove(s->job_queue, &s->job_queue[1], s->n_jobs * sizeof *s->job_queue);
  }
}

void am_spool(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  const unsigned last = AM_SPOOLS - 1 + m->l.extra, room = m->l.extra ? AM_SPOOL_FIFO : AM_SPOOL_FIFO / 2;
  const bool may_issue = s->spooled.promised < room && !s->spool_hold;
  if (s->spool[last].valid && !s->spool[last].silent) {
    s->spooled.at[(s->spooled.first + s->spooled.n) % AM_SPOOL_FIFO] = s->spool[last].answer;
    s->spooled.n++;
  }
  if (s->spool[2].valid && s->spool[2].last) s->slot_used &= ~(1u << s->spool[2].slot);
  if (s->spool[0].valid && s->spool[0].silent) s->spooled.promised--;
  s->n_entries += s->given;
  s->given = s->spool[0].valid;
  if (s->given) s->free_entry[s->n_free++] = (uint16_t)s->spool[0].entry;
  s->spool_hold -= s->spool_hold != 0;
  memmove(&s->spool[1], &s->spool[0], last * sizeof s->spool[0]);
  s->spool[0].valid = false;
  spool_on(m, now, may_issue);
}
