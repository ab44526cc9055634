/* SPDX-License-Identifier: Apache-2.0 */
/* context_port.h: the save and load streams of a unit's context (cell context_port), for the model of any
 * block, and the format of the stream for whoever moves it. docs/unit_status_cells.md is the contract.
 *
 * A block's description calls simt_add_context_ports. At each clock edge its model
 *   1. fills a struct simt_context_unit: what the unit offers in this cycle,
 *   2. asks simt_context_to_unit what the port does with it, and acts on that,
 *   3. says whether the payload is inconsistent (`bad`, with the last word of a load), and
 *   4. calls simt_context_step. */
#ifndef SIMT_CONTEXT_PORT_H
#define SIMT_CONTEXT_PORT_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SIMT_CONTEXT_HEAD = 3,           /* words of a unit's stream before the payload: type and unit, hash, length */
  SIMT_CONTEXT_MAX = 0xffffff,     /* most words of payload that the format allows */
  SIMT_IMAGE_MAGIC = 0x55430200,   /* first word of an image in memory: 16'h5543, version 2, flags 0 */
  SIMT_IMAGE_FRAME = 2             /* words of an image around the stream: the magic word, the checksum */
};
/* ctx_in_error_i, with the last word of a load. */
enum { SIMT_STREAM_GOOD, SIMT_STREAM_BAD_SUM, SIMT_STREAM_BAD_MEMORY };

enum simt_context_error {
  SIMT_CONTEXT_GOOD, SIMT_CONTEXT_BAD_MAGIC, SIMT_CONTEXT_BAD_TYPE, SIMT_CONTEXT_BAD_UNIT,
  SIMT_CONTEXT_BAD_LENGTH, SIMT_CONTEXT_BAD_SUM, SIMT_CONTEXT_BAD_MEMORY, SIMT_CONTEXT_BAD_SLOT
};

/* CRC-32 (IEEE 802.3) of words, lowest byte first: begin with all ones, feed words, complement. */
uint32_t simt_crc32_word(uint32_t crc, uint32_t word);

/* A hash of the parameters that shape a context: two configurations that differ in one of them differ in it.
 * Word by word h = (h ^ value) * 0x01000193 from 0x811c9dc5, which a core's localparam can repeat. */
uint32_t simt_context_hash(const uint64_t *value, size_t n);

/* Appends ctx_unit_i, ctx_cmd_*, ctx_done_o, ctx_error_o, ctx_out_*, ctx_in_*. */
void simt_add_context_ports(struct simt_desc *d);

struct simt_context_ports {
  unsigned unit, cmd_valid, cmd_load, cmd_ready, done, error;
  unsigned out_valid, out_ready, out_data, out_last, in_valid, in_ready, in_data, in_last, in_error;
};
struct simt_context_ports simt_find_context_ports(const struct simt_config *cfg);

enum simt_context_phase {
  SIMT_CONTEXT_IDLE, SIMT_CONTEXT_IN_HEAD, SIMT_CONTEXT_IN_BODY, SIMT_CONTEXT_IN_SUM, SIMT_CONTEXT_DROP,
  SIMT_CONTEXT_END
};

/* The constants of a unit, set once, and the registers of the cell. The unit reads save, load, commit, abort
 * and len (of a load); all of them, as the ports, are of this cycle. */
struct simt_context_port {
  uint32_t unit_type, cfg_hash, ctx_max;
  bool may_be_empty; /* a context may have no words (CTX_MIN of the cell is 0) */
  struct simt_context_registers {
    enum simt_context_phase phase;
    bool loading, save, load, commit, abort, done, spoiled, bad;
    bool held, word_last, compared;
    uint8_t word_error, index, error, head_wrong;
    uint16_t unit;
    uint32_t word, len, left;
  } r;
};

/* What the unit offers in this cycle: functions of its registers. */
struct simt_context_unit {
  bool halted, can_halt;
  uint32_t len;                                   /* words of payload that a save would have */
  bool sav_valid, sav_last;
  uint32_t sav_data;
  bool ld_ready;
};

/* What happens between port and unit in this cycle. */
struct simt_context_to_unit {
  bool sav_taken;          /* the word offered is taken */
  bool ld_taken, ld_last;  /* the unit gets this word */
  uint32_t ld_data;
};

void simt_context_reset(struct simt_context_port *p); /* as rst_i */
bool simt_context_gives(const struct simt_context_port *p, bool halted); /* a word of a load is offered to the unit */
struct simt_context_to_unit simt_context_to_unit(const struct simt_context_port *p, const struct simt_context_unit *u,
                                                 const struct simt_context_ports *at, const uint32_t *in);
void simt_context_step(struct simt_context_port *p, const struct simt_context_unit *u, bool bad,
                       const struct simt_context_ports *at, const uint32_t *in);
void simt_context_outputs(const struct simt_context_port *p, const struct simt_context_unit *u,
                          const struct simt_context_ports *at, uint32_t *out);

#ifdef __cplusplus
}
#endif
#endif
