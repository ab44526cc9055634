/* SPDX-License-Identifier: Apache-2.0 */
/* trace_reader.h: lines and fields of a recorded trace, for the readers of all blocks (docs/trace_formats.md).
 *
 * A trace is text, plain or gzip (told apart by content; several gzip streams in one file are one trace). Lines end
 * with LF or CRLF and have at most 4,096 characters; those that begin with '#' are skipped. Fields are separated by
 * blanks and tabs. Every function that returns false has put file, line, column and what was expected into the
 * diagnostic given to simt_trace_open.
 */
#ifndef SIMT_TRACE_READER_H
#define SIMT_TRACE_READER_H

#include "core/verif.h"

struct simt_trace_file;
struct simt_field_text { const char *s; unsigned n; }; /* not ended by zero; valid until the next line is read */

/* Whether the file can be read and its first line that is no comment matches kind->line. */
bool simt_trace_is(const char *path, const struct simt_trace_kind *kind);

/* `kind` is for messages: "stack operations (.stk, .stk.gz)". Path and kind must outlive the reader. NULL and diag
 * when it cannot be opened. */
struct simt_trace_file *simt_trace_open(const char *path, const char *kind, struct simt_diag *diag);
void simt_trace_close(struct simt_trace_file *f); /* NULL is allowed */

/* The next line that is no comment. *end: there is none. False: the file is unreadable, cut short, no whole gzip,
 * or the line is too long. */
bool simt_trace_line(struct simt_trace_file *f, bool *end);
unsigned simt_trace_line_number(const struct simt_trace_file *f); /* from 1; of the line last read */
/* The next field of the line; with n == 0 at its end, and again when asked again. */
struct simt_field_text simt_trace_field(struct simt_trace_file *f);
/* True when no field follows; `behind` is what came last, for the message: "the value". */
bool simt_trace_rest(struct simt_trace_file *f, const char *behind);

/* Whether a field is `digits` or fewer decimal (at most 19) or hexadecimal (at most 16) digits and nothing else. */
bool simt_field_decimal(struct simt_field_text t, unsigned digits, uint64_t *value);
bool simt_field_hex(struct simt_field_text t, unsigned digits, uint64_t *value);
bool simt_field_is(struct simt_field_text t, const char *word);

/* Records that a field, or the line as a whole, is wrong; returns false. The hint may be "". */
bool simt_trace_fail(struct simt_trace_file *f, struct simt_field_text t, const char *name, const char *expected,
                     const char *hint);
bool simt_trace_fail_line(struct simt_trace_file *f, const char *name, const char *got, const char *expected,
                          const char *hint);
/* After a failure: another hint. */
void simt_trace_hint(struct simt_trace_file *f, const char *hint);
/* After a failure: reads on, and says the largest number that is the first field of a line. The diagnostic stays. */
uint64_t simt_trace_largest(struct simt_trace_file *f, unsigned digits);
bool simt_trace_no_memory(struct simt_trace_file *f);

#endif
