/* SPDX-License-Identifier: Apache-2.0 */
/* tracker.h: the tracker for simulators of a streaming L1: wavefronts go in when their data slots are known and come out in
 * the order in which they may read their data, with the cycles that it takes.
 *
 * Underneath runs the cycle-exact model. You have the tags: you give a data slot to a line (tracker_allocate), name it in
 * wavefronts (tracker_track), and say how long each sector takes to come (a callback). Every call lets time
 * go on by the cycles that it says; between calls no time passes. An object belongs to one thread of the program at a
 * time; different objects are independent.
 *
 *   tracker_allocate(t, 0, 17);                                     // bank 0, data slot 17 gets a new tag
 *   struct tracker_wavefront w = {.warp = 3, .end = true, .n_lines = 1, .line = {{.bank = 0, .dslot = 17, .sectors = 3}}};
 *   tracker_track(t, &w);                                           // its two sectors are asked for, if nobody did
 *   while (!tracker_next(t, &done)) tracker_advance(t, 1);          // done.warp == 3
 */
#ifndef TRACKER_H
#define TRACKER_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tracker_class { TRACKER_LOCAL_GLOBAL, TRACKER_TEXTURE, TRACKER_RAY };
enum tracker_status {
  TRACKER_OK,
  TRACKER_REFUSED, /* nothing was done and no time has passed: see tracker_refusal */
  TRACKER_BUSY,    /* nothing was done: the one before still waits in front of the block */
  TRACKER_WAITS    /* it waits in front of the block and is taken later: something must leave first */
};
enum tracker_refusal {
  TRACKER_NONE,
  TRACKER_RANGE,      /* a class, warp, bank or data slot out of range, a bank named twice, a bank without a sector, a payload with
                         bits above PAYLOAD_W */
  TRACKER_TORN,       /* another class or warp while an instruction is open (TR-1) */
  TRACKER_NOT_GIVEN,  /* a data slot that was never allocated, or one with a flush token waiting */
  TRACKER_REFERENCES, /* an allocation of a data slot with references, sectors on their way, or a flush token waiting */
  TRACKER_FILLED      /* a fill of a sector that is not on its way */
};
struct tracker_result {
  enum tracker_status status;
  uint64_t cycles; /* by which time has gone on */
};

enum { TRACKER_MAX_BANKS = 8 };
struct tracker_line { unsigned bank, dslot, sectors; }; /* sectors: a bit for each that is needed, at least one */
struct tracker_wavefront {
  enum tracker_class cls;
  unsigned warp;
  bool end;                /* the last one of its instruction; ray traversal: each one is, whatever stands here */
  uint64_t payload;        /* carried along; at most PAYLOAD_W bits */
  unsigned n_lines;        /* 0: nothing to wait for */
  struct tracker_line line[TRACKER_MAX_BANKS]; /* at most one of each bank */
};

enum tracker_path { TRACKER_PATH_FAST, TRACKER_PATH_MAIN, TRACKER_PATH_TEXTURE };
struct tracker_done {
  enum tracker_path path;
  bool state;              /* a state packet: payload alone means something */
  uint64_t payload, cycle; /* cycle: in which it left */
  enum tracker_class cls;  /* of a wavefront */
  unsigned warp;
  bool end;
};

/* Cycles from the present one until the sector is there, at least 4 behind its allocation (less counts as that); 0: you say
 * so with tracker_fill. One sector comes per cycle, in the order in which they are due. Called once for each sector that a
 * wavefront needs and that is neither there nor on its way. */
struct tracker_memory {
  unsigned (*latency)(void *ctx, uint64_t cycle, struct tracker_line sector);
  void *ctx;
};

struct tracker;

/* Parameters as "NAME=VALUE", each at most once, ended by NULL (NULL: all defaults); see `simtgen describe tracker`. The
 * memory's struct is copied. Returns when the block takes packets, at cycle 0. NULL and diag when something is wrong. */
struct tracker *tracker_create(const char *const *params, const struct tracker_memory *memory, struct simt_diag *diag);
void tracker_destroy(struct tracker *t);

/* How long a call waits until its packet is taken, in cycles; at first 100,000. Behind it BUSY or WAITS. */
void tracker_set_patience(struct tracker *t, uint64_t cycles);
enum tracker_refusal tracker_refusal(const struct tracker *t); /* why the last call was refused */

/* ---- what goes in: each until it is taken ---------------------------------------------------------------- */

struct tracker_result tracker_track(struct tracker *t, const struct tracker_wavefront *w);
struct tracker_result tracker_fast(struct tracker *t, uint64_t payload);  /* a hit or a store that needs no order */
struct tracker_result tracker_state(struct tracker *t, uint64_t payload); /* in order with texture */
struct tracker_result tracker_close(struct tracker *t);                   /* ends the open group */
/* The data slot's tag was invalidated. When everything older has left, a count that is saturated is reset, and the data slot is
 * free; until then it can be neither named nor allocated. */
struct tracker_result tracker_flush_token(struct tracker *t, unsigned bank, unsigned dslot);
/* The data slot gets another tag; its sectors become invalid. */
struct tracker_result tracker_allocate(struct tracker *t, unsigned bank, unsigned dslot);
/* A sector for which the callback said 0 comes in this cycle, or in the next one that no other sector takes. */
struct tracker_result tracker_fill(struct tracker *t, unsigned bank, unsigned dslot, unsigned sector);

/* ---- what comes out --------------------------------------------------------------------------------------- */

/* The next packet that has left, in order of cycles (in one cycle: fast, main, texture); false: none. They are kept until they
 * are fetched; while 4,096 or more are kept, nothing leaves. */
bool tracker_next(struct tracker *t, struct tracker_done *done);
/* The next data slot that may be allocated again: nobody refers to it any more, or a flush token has reset it, and it was
 * neither named nor allocated since. False: none. */
bool tracker_free(struct tracker *t, unsigned *bank, unsigned *dslot);
unsigned tracker_references(const struct tracker *t, unsigned bank, unsigned dslot); /* wavefronts taken that have not left */

void tracker_advance(struct tracker *t, uint64_t cycles);
uint64_t tracker_cycle(const struct tracker *t); /* since creation */

/* The register map (`simtgen describe tracker`): an access takes a few cycles. False: refused. */
bool tracker_read_register(struct tracker *t, uint32_t addr, uint32_t *data);
bool tracker_write_register(struct tracker *t, uint32_t addr, uint32_t data);

/* Counts since creation by name, in a fixed order. */
void tracker_stats(const struct tracker *t, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
