/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h: a recorded stream of constant writes and draws (docs/trace_formats.md, .cst). */
#ifndef CONST_CACHE_TRACE_H
#define CONST_CACHE_TRACE_H

#include "simt.h"

struct cc_record { /* a write of `value` to `low`, or a draw of `vertices` that reads low..high */
  uint32_t vertices, low, high; /* vertices 0: a write */
  uint64_t value;
};
struct cc_trace { struct cc_record *record; size_t n, draws; };

extern const struct simt_trace_kind cc_trace_kind;
/* NULL and diag with file, line and column: unreadable, not of this form, an address beyond `constants`, a value wider
 * than `word_w` bits, an empty draw. */
struct cc_trace *cc_trace_read(const char *path, unsigned constants, unsigned word_w, struct simt_diag *diag);
void cc_trace_free(struct cc_trace *t);

#endif
