/* SPDX-License-Identifier: Apache-2.0 */
/* simt_front_end.h: a driver of the front end for software, in C99 without allocation. It stands alone: it needs neither
 * libsimt nor a generated file, as the offsets are those of every configuration (regs.h names the same ones).
 *
 * The caller gives two functions that access the registers over its bus. They return 0, or another value when the access was
 * answered with an error; the driver hands that on as SIMT_FE_REFUSED. No function waits for ever: those that wait ask
 * `tries` times at most. Some registers are selected by others (a domain, a connection), so callers that run at the same
 * time need a lock of their own around each function.
 *
 *   static int bus_read(void *bus, uint32_t offset, uint32_t *word) { *word = ((volatile uint32_t *)bus)[offset / 4]; return 0; }
 *   static int bus_write(void *bus, uint32_t offset, uint32_t word) { ((volatile uint32_t *)bus)[offset / 4] = word; return 0; }
 *   ...
 *   struct simt_fe fe;
 *   struct simt_fe_result result;
 *   if (simt_fe_open(&fe, bus_read, bus_write, base)) return;
 *   simt_fe_places(&fe, 0, (struct simt_fe_place){0, 0x80000000}, (struct simt_fe_place){0, 0x80100000});
 *   if (simt_fe_run(&fe, 0, SIMT_FE_SWITCH, 1000000, &result) == SIMT_FE_STOPPED) ...  (result.code, result.unit)
 *
 * US-8 to US-12 and US-15 of the front end; docs/front_end.md tells what a command does. */
#ifndef SIMT_FRONT_END_H
#define SIMT_FRONT_END_H

#include <stdint.h>

enum simt_fe_status {
  SIMT_FE_OK,
  SIMT_FE_REFUSED,  /* the front end answered an access with an error: the command is not possible now, or a value is out of range */
  SIMT_FE_ABSENT,   /* no front end there, or one of another version */
  SIMT_FE_RANGE,    /* the front end has no such domain, connection or slot, or no statistics; nothing was accessed */
  SIMT_FE_RUNNING,  /* the command has not ended within the tries */
  SIMT_FE_STOPPED   /* the command has stopped by an error, or was cut by one: see the result */
};

/* What a command does with all units of a switch domain. The last three also end a stop. */
enum simt_fe_command {
  SIMT_FE_SWITCH = 1,   /* halt, save, reset, restore, release */
  SIMT_FE_SAVE,         /* halt, save, release */
  SIMT_FE_RESTORE,      /* halt, reset, restore, release */
  SIMT_FE_EMPTY,        /* halt, reset, release */
  SIMT_FE_DRAIN,        /* wait until all are empty in one cycle */
  SIMT_FE_ABORT,        /* release; only before the first reset, or in a stop */
  SIMT_FE_RETRY         /* in a stop: go on with the unit that failed */
};

enum simt_fe_irq { SIMT_FE_IRQ_DONE = 1, SIMT_FE_IRQ_ERROR = 2, SIMT_FE_IRQ_TIMEOUT = 4, SIMT_FE_IRQ_DEAD = 8,
                   SIMT_FE_IRQ_UNRESOLVED = 16, SIMT_FE_IRQ_NACK = 32, SIMT_FE_IRQ_ILLEGAL = 64, SIMT_FE_IRQ_ALL = 127 };
enum simt_fe_late { SIMT_FE_LATE_WAIT, SIMT_FE_LATE_ABORT, SIMT_FE_LATE_RESET };
enum simt_fe_cure { SIMT_FE_CURE_REPORT, SIMT_FE_CURE_RESUME, SIMT_FE_CURE_RESET_MASK, SIMT_FE_CURE_RESET_ALL, SIMT_FE_CURE_NONE };
/* Places in the counts of simt_fe_counts. */
enum simt_fe_state { SIMT_FE_EMPTY_STATE, SIMT_FE_ACTIVE, SIMT_FE_STALLED, SIMT_FE_QUIESCENT, SIMT_FE_HALTED, SIMT_FE_MIXED, SIMT_FE_STATES };

struct simt_fe {
  int (*read)(void *bus, uint32_t offset, uint32_t *word);
  int (*write)(void *bus, uint32_t offset, uint32_t word);
  void *bus;
  uint32_t units, connections, domains, dead_domains, slots; /* by simt_fe_open; slots: LOCAL_CONTEXTS */
  uint32_t interval;          /* cycles that one count of a state stands for: 1, or SAMPLE_INTERVAL; 0 without statistics */
};

struct simt_fe_place { uint32_t slot; uint64_t base; };  /* slot 0: memory at base, in bytes; else a local slot */
struct simt_fe_result {
  uint32_t stage;             /* 0 idle, 7 stopped, else the phase: 1 halt, 2 store, 3 reset, 4 restore, 5 one by one, 6 drain */
  uint32_t code;              /* 0 good, 1 to 7 of the hub, 8 timeout, 9 aborted */
  uint32_t unit;              /* of the last error of the hub */
  int lost;                   /* units were reset by the timeout: simt_fe_connections with SIMT_FE_LOST tells which */
  int reset;                  /* units were reset: an abort is taken in a stop only */
};
struct simt_fe_deadlock { int valid, again; uint32_t domain; uint64_t cycle; };

/* Sets of connections, a bit each, 32 to a word. */
enum simt_fe_set { SIMT_FE_LATE = 0x100, SIMT_FE_DEAD = 0x180, SIMT_FE_LOST = 0x280 };

static inline enum simt_fe_status simt_fe_read(const struct simt_fe *fe, uint32_t offset, uint32_t *word) {
  return fe->read(fe->bus, offset, word) ? SIMT_FE_REFUSED : SIMT_FE_OK;
}
static inline enum simt_fe_status simt_fe_write(const struct simt_fe *fe, uint32_t offset, uint32_t word) {
  return fe->write(fe->bus, offset, word) ? SIMT_FE_REFUSED : SIMT_FE_OK;
}
/* A pair of registers, the lower one read first. */
static inline enum simt_fe_status simt_fe_read64(const struct simt_fe *fe, uint32_t low, uint32_t high, uint64_t *value) {
  uint32_t l, h;
  if (simt_fe_read(fe, low, &l) || simt_fe_read(fe, high, &h)) return SIMT_FE_REFUSED;
  *value = (uint64_t)h << 32 | l;
  return SIMT_FE_OK;
}

/* Looks for the front end and fills `fe`. SIMT_FE_ABSENT: what is there has another identification. */
static inline enum simt_fe_status simt_fe_open(struct simt_fe *fe, int (*read)(void *, uint32_t, uint32_t *),
                                               int (*write)(void *, uint32_t, uint32_t), void *bus) {
  uint32_t id, shape, options, latency;
  fe->read = read, fe->write = write, fe->bus = bus;
  if (simt_fe_read(fe, 0x000, &id)) return SIMT_FE_REFUSED;
  if (id != 0x464d0001u) return SIMT_FE_ABSENT;
  if (simt_fe_read(fe, 0x004, &shape) || simt_fe_read(fe, 0x008, &options) || simt_fe_read(fe, 0x00c, &latency)) return SIMT_FE_REFUSED;
  fe->units = shape & 0xffff, fe->connections = shape >> 16;
  fe->domains = options & 31, fe->dead_domains = options >> 8 & 31, fe->slots = options >> 22 & 3;
  fe->interval = (options >> 20 & 3) == 0 ? 0 : (options >> 20 & 3) == 2 ? 1 : latency >> 16;
  return SIMT_FE_OK;
}

/* ---- commands ---- */

/* Where the next commands of the domain save and load. The place of a load can also be changed in a stop; then the place of
 * the save must stay what it is, and a change is SIMT_FE_REFUSED. */
static inline enum simt_fe_status simt_fe_places(const struct simt_fe *fe, uint32_t domain, struct simt_fe_place save,
                                                 struct simt_fe_place load) {
  const uint32_t offset[] = {0x030, 0x038};
  const struct simt_fe_place *place[] = {&save, &load};
  uint32_t stage;
  if (domain >= fe->domains || save.slot > fe->slots || load.slot > fe->slots) return SIMT_FE_RANGE;
  if (simt_fe_write(fe, 0x020, domain) || simt_fe_read(fe, 0x028, &stage)) return SIMT_FE_REFUSED;
  if (simt_fe_write(fe, 0x040, save.slot | load.slot << 8)) return SIMT_FE_REFUSED;
  for (int i = (stage & 7) == 7 ? 1 : 0; i < 2; i++) {
    if (simt_fe_write(fe, offset[i], (uint32_t)place[i]->base)) return SIMT_FE_REFUSED;
    if (place[i]->base >> 32 && simt_fe_write(fe, offset[i] + 4, (uint32_t)(place[i]->base >> 32))) return SIMT_FE_REFUSED;
  }
  return SIMT_FE_OK;
}

/* Begins a command; SIMT_FE_REFUSED when it is not possible now. */
static inline enum simt_fe_status simt_fe_start(const struct simt_fe *fe, uint32_t domain, enum simt_fe_command command) {
  if (domain >= fe->domains) return SIMT_FE_RANGE;
  return simt_fe_write(fe, 0x020, domain) ? SIMT_FE_REFUSED : simt_fe_write(fe, 0x024, (uint32_t)command);
}

/* How far the domain's command is: SIMT_FE_OK when it has ended well, SIMT_FE_RUNNING, SIMT_FE_STOPPED. */
static inline enum simt_fe_status simt_fe_poll(const struct simt_fe *fe, uint32_t domain, struct simt_fe_result *result) {
  uint32_t word;
  if (domain >= fe->domains) return SIMT_FE_RANGE;
  if (simt_fe_write(fe, 0x020, domain) || simt_fe_read(fe, 0x028, &word) || simt_fe_read(fe, 0x02c, &result->unit)) return SIMT_FE_REFUSED;
  result->stage = word & 7, result->code = word >> 8 & 15, result->lost = (int)(word >> 12 & 1), result->reset = (int)(word >> 13 & 1);
  if (result->stage == 7) return SIMT_FE_STOPPED;
  if (result->stage) return SIMT_FE_RUNNING;
  return result->code ? SIMT_FE_STOPPED : SIMT_FE_OK;
}

/* Begins a command and waits for its end. In a stop the units stay halted until SIMT_FE_RETRY, SIMT_FE_RESTORE, SIMT_FE_EMPTY
 * or SIMT_FE_ABORT. */
static inline enum simt_fe_status simt_fe_run(const struct simt_fe *fe, uint32_t domain, enum simt_fe_command command, uint32_t tries,
                                              struct simt_fe_result *result) {
  enum simt_fe_status status = simt_fe_start(fe, domain, command);
  if (status) return status;
  do status = simt_fe_poll(fe, domain, result);
  while (status == SIMT_FE_RUNNING && tries--);
  return status;
}

/* Cycles of the last command by phase: halt, store, reset, restore (US-11). */
static inline enum simt_fe_status simt_fe_times(const struct simt_fe *fe, uint32_t domain, uint32_t cycles[4]) {
  if (domain >= fe->domains || !fe->interval) return SIMT_FE_RANGE;
  if (simt_fe_write(fe, 0x020, domain)) return SIMT_FE_REFUSED;
  for (uint32_t i = 0; i < 4; i++)
    if (simt_fe_read(fe, 0x070 + 4 * i, &cycles[i])) return SIMT_FE_REFUSED;
  return SIMT_FE_OK;
}

/* How long halts and resets may take, in cycles, 0 for ever, and what then (US-15). */
static inline enum simt_fe_status simt_fe_timeout(const struct simt_fe *fe, uint32_t cycles, enum simt_fe_late policy) {
  return simt_fe_write(fe, 0x048, (uint32_t)policy) ? SIMT_FE_REFUSED : simt_fe_write(fe, 0x044, cycles);
}

/* ---- interrupts and deadlocks ---- */

static inline enum simt_fe_status simt_fe_enable(const struct simt_fe *fe, uint32_t irqs) { return simt_fe_write(fe, 0x01c, irqs); }

/* The interrupts that stand, enabled or not, each of which is cleared: one that comes meanwhile stays for the next call. */
static inline enum simt_fe_status simt_fe_take(const struct simt_fe *fe, uint32_t *irqs) {
  if (simt_fe_read(fe, 0x018, irqs)) return SIMT_FE_REFUSED;
  return *irqs ? simt_fe_write(fe, 0x018, *irqs) : SIMT_FE_OK;
}

/* The window of a deadlock domain in cycles (0: off), what a dead one leads to, and what each further one (SIMT_FE_CURE_NONE:
 * the same again). The window begins anew (US-10). */
static inline enum simt_fe_status simt_fe_watch(const struct simt_fe *fe, uint32_t dead_domain, uint32_t window, enum simt_fe_cure first,
                                                enum simt_fe_cure next) {
  if (dead_domain >= fe->dead_domains || first == SIMT_FE_CURE_NONE) return SIMT_FE_RANGE;
  const uint32_t policy = (uint32_t)first | (next == SIMT_FE_CURE_NONE ? 0 : (uint32_t)next << 4 | 1u << 6);
  if (simt_fe_write(fe, 0x050, dead_domain) || simt_fe_write(fe, 0x058, policy)) return SIMT_FE_REFUSED;
  return simt_fe_write(fe, 0x054, window);
}

/* The last report of a deadlock, of any domain. */
static inline enum simt_fe_status simt_fe_deadlock(const struct simt_fe *fe, struct simt_fe_deadlock *report) {
  uint32_t word;
  if (simt_fe_read(fe, 0x064, &word) || simt_fe_read64(fe, 0x068, 0x06c, &report->cycle)) return SIMT_FE_REFUSED;
  report->domain = word & 31, report->again = (int)(word >> 30 & 1), report->valid = (int)(word >> 31 & 1);
  return SIMT_FE_OK;
}

/* Deadlocks of a domain that were seen, and those behind which progress came. */
static inline enum simt_fe_status simt_fe_deadlocks(const struct simt_fe *fe, uint32_t dead_domain, uint32_t *seen, uint32_t *resolved) {
  if (dead_domain >= fe->dead_domains) return SIMT_FE_RANGE;
  if (simt_fe_write(fe, 0x050, dead_domain) || simt_fe_read(fe, 0x05c, seen)) return SIMT_FE_REFUSED;
  return simt_fe_read(fe, 0x060, resolved);
}

/* A set of connections: (connections + 31) / 32 words. */
static inline enum simt_fe_status simt_fe_connections(const struct simt_fe *fe, enum simt_fe_set set, uint32_t *words) {
  for (uint32_t i = 0; i < (fe->connections + 31) / 32; i++)
    if (simt_fe_read(fe, (uint32_t)set + 4 * i, &words[i])) return SIMT_FE_REFUSED;
  return SIMT_FE_OK;
}

/* ---- statistics ---- */

/* Cycles of a connection in each state, of one moment: the counts are held while they are read (US-11). */
static inline enum simt_fe_status simt_fe_counts(const struct simt_fe *fe, uint32_t connection, uint64_t cycles[SIMT_FE_STATES]) {
  enum simt_fe_status status = SIMT_FE_OK;
  if (connection >= fe->connections || !fe->interval) return SIMT_FE_RANGE;
  if (simt_fe_write(fe, 0x080, connection) || simt_fe_write(fe, 0x098, 1)) return SIMT_FE_REFUSED;
  for (uint32_t i = 0; i < SIMT_FE_STATES && !status; i++) {
    status = simt_fe_read64(fe, 0x0a0 + 4 * i, 0x09c, &cycles[i]);
    cycles[i] *= fe->interval;
  }
  return simt_fe_write(fe, 0x098, 0) ? SIMT_FE_REFUSED : status;
}

#endif
