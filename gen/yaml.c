/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.c: the reader of configuration files, over the events of libfyaml. */
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "sweep/sweep.h"
#include "yaml_reader.h"

enum { SIZE_LIMIT = 1 << 20, ITEM_LIMIT = 1 << 16, QUOTES_LIMIT = 4 };

bool yaml_fail_at(struct yaml_reader *r, unsigned line, unsigned col, const char *name,
                    const char *got, const char *expected, const char *hint) {
  struct simt_diag *d = r->diag;
  if (d->failed) return false;
  simt_fail(d, name, got, "%s", expected);
  snprintf(d->file, sizeof d->file, "%s", r->file);
  snprintf(d->hint, sizeof d->hint, "%s", hint);
  d->line = line;
  d->col = col;
  return false;
}

/* ---- before the parser ----------------------------------------------------------------------- */

/* What the character of `length` bytes at s may not be, or NULL. libfyaml 0.7.12 loops for ever on
 * some bytes that are no text, and on directives. */
static const char *refused(const char *s, size_t length, bool line_start) {
  unsigned char c = (unsigned char)s[0], d = length > 1 ? (unsigned char)s[1] : 0;
  if (!length) return "a byte that is not UTF-8";
  if (c == '%' && line_start) return "a directive (%)";
  if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f || (c == 0xc2 && d < 0xa0))
    return "a control character";
  if (length == 3 && !memcmp(s, "\xef\xbb\xbf", 3)) return "a byte order mark";
  if (length == 3 && !memcmp(s, "\xef\xbf", 2) && (unsigned char)s[2] >= 0xbe)
    return "a character that is no text";
  return NULL;
}

static bool check_text(struct yaml_reader *r, const char *text, size_t size) {
  static const char expected[] = "YAML or JSON text, UTF-8";
  if (size > SIZE_LIMIT)
    return yaml_fail_at(r, 0, 0, "", "more than 1 MiB",
                   "a configuration file: block:, name:, params:", "check the file name");
  unsigned line = 1, col = 1;
  for (size_t i = 0; i < size;) {
    size_t length = utf8_length(text + i, size - i);
    const char *what = refused(text + i, length, col == 1);
    if (what) return yaml_fail_at(r, line, col, "", what, expected, "remove it");
    if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < size && text[i + 1] == '\n')))
      line++, col = 1;
    else col++;
    i += length;
  }
  return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

bool yaml_fail_here(struct yaml_reader *r, const char *name, const char *got, const char *expected,
                      const char *hint) {
  return yaml_fail_at(r, r->line, r->col, name, got, expected, hint);
}

/* The text of a line, from 1. */
static const char *line_at(const struct yaml_reader *r, unsigned line) {
  const char *s = r->text;
  while (s && --line) s = (s = strchr(s, '\n')) ? s + 1 : NULL;
  return s ? s : "";
}

static bool is_empty(const char *s) {
  s += strspn(s, " \t\r");
  return !*s || *s == '\n' || *s == '#';
}

/* The line before `line` that holds something, or 0. */
static unsigned line_above(const struct yaml_reader *r, unsigned line) {
  while (--line && is_empty(line_at(r, line))) {}
  return line;
}

static bool bad_indentation(struct yaml_reader *r, unsigned line, unsigned above) {
  char key[80], got[60], expected[120];
  const char *s = line_at(r, line);
  const unsigned has = (unsigned)strspn(s, " "), wanted = (unsigned)strspn(line_at(r, above), " ");
  snprintf(key, sizeof key, "%.*s", (int)strcspn(s + has, ": \t\r\n"), s + has);
  snprintf(got, sizeof got, "%u space%s in front of it", has, has == 1 ? "" : "s");
  snprintf(expected, sizeof expected, "as many as the line it belongs to: line %u has %u", above, wanted);
  return yaml_fail_at(r, line, has + 1, key, got, expected, "keys of one mapping stand below each other");
}

/* A line that stands deeper than the one above it, which has a value already, or at a depth that no line above has. The parser
 * names the value, or what follows. */
static bool is_indentation(struct yaml_reader *r, const struct fy_diag_error *e) {
  unsigned line = (unsigned)e->line, next = line + 1;
  if (strstr(e->msg, "multiline plain key")) {
    while (*line_at(r, next) && is_empty(line_at(r, next))) next++;
    if (strspn(line_at(r, next), " ") <= strspn(line_at(r, line), " ")) return false;
    return !bad_indentation(r, next, line);
  }
  const unsigned above = line_above(r, line);
  return (strstr(e->msg, "invalid indentation") || strstr(e->msg, "mapping in plain multiline")) && above &&
         !bad_indentation(r, line, above);
}

/* A tab where YAML takes none: before the first word of a line. */
static bool is_tab(struct yaml_reader *r, const struct fy_diag_error *e) {
  const char *s = line_at(r, (unsigned)e->line);
  const size_t blank = strspn(s, " \t"), tab = strcspn(s, "\t");
  if (tab >= blank) return false;
  return !yaml_fail_at(r, (unsigned)e->line, (unsigned)tab + 1, "", "a tab", "spaces in front of a key (YAML takes no tabs there)",
                       "replace each by spaces, as many as the other lines have");
}

static bool syntax_error(struct yaml_reader *r) {
  void *iterator = NULL;
  const struct fy_diag_error *e = fy_diag_errors_iterate(r->log, &iterator);
  if (!e || !e->msg) return yaml_fail_at(r, 1, 1, "", "broken YAML", "key: value lines, or JSON", "");
  if (e->line > 0 && (is_tab(r, e) || is_indentation(r, e))) return false;
  return yaml_fail_at(r, e->line > 0 ? (unsigned)e->line : 1, e->column > 0 ? (unsigned)e->column : 1,
                 "", e->msg, "correct YAML or JSON",
                 "check indentation, quotes and brackets up to here");
}

/* What no configuration file needs. */
static bool check_event(struct yaml_reader *r) {
  static const char plain[] = "plain keys and values", hint[] = "write the value itself";
  const struct fy_event *e = r->event;
  struct fy_token *anchor = NULL, *tag = NULL;
  switch (e->type) {
    case FYET_ALIAS: return yaml_fail_here(r, "", "an alias (*)", plain, hint);
    case FYET_SCALAR: anchor = e->scalar.anchor, tag = e->scalar.tag; break;
    case FYET_MAPPING_START: anchor = e->mapping_start.anchor, tag = e->mapping_start.tag; break;
    case FYET_SEQUENCE_START: anchor = e->sequence_start.anchor, tag = e->sequence_start.tag; break;
    case FYET_DOCUMENT_START:
      if (r->documents++)
        return yaml_fail_here(r, "", "a second document", "one document (---) per file",
                         "split the file");
      break;
    default: break;
  }
  if (anchor) return yaml_fail_here(r, "", "an anchor (&)", plain, hint);
  if (tag) return yaml_fail_here(r, "", "a tag (!)", plain, hint);
  return true;
}

/* The next event of a kind that matters, into r->event. */
bool yaml_next(struct yaml_reader *r) {
  do {
    fy_parser_event_free(r->parser, r->event);
    r->event = fy_parser_parse(r->parser);
    if (!r->event) return syntax_error(r);
    const struct fy_mark *mark = fy_event_start_mark(r->event);
    if (mark) r->line = (unsigned)mark->line + 1, r->col = (unsigned)mark->column + 1;
    if (!check_event(r)) return false;
  } while (r->event->type == FYET_STREAM_START || r->event->type == FYET_DOCUMENT_START ||
           r->event->type == FYET_DOCUMENT_END);
  return true;
}

const char *yaml_kind(const struct fy_event *e) {
  switch (e->type) {
    case FYET_MAPPING_START: return "a mapping";
    case FYET_SEQUENCE_START: return "a list";
    case FYET_SCALAR: return "a single value";
    case FYET_STREAM_END: return "an empty file";
    default: return "something else";
  }
}

/* libfyaml 0.7.12 loses the memory of a text in single quotes that has five quotes or more ('' each). */
static bool few_quotes(const struct yaml_reader *r, struct fy_token *token) {
  unsigned n = 0;
  const struct fy_mark *from = fy_event_start_mark(r->event), *to = fy_event_end_mark(r->event);
  if (!token || fy_token_scalar_style(token) != FYSS_SINGLE_QUOTED || !from || !to) return true;
  for (size_t i = from->input_pos; i < to->input_pos; i++) n += r->text[i] == '\'';
  return n <= 2 * QUOTES_LIMIT;
}

/* The scalar that is the current event. */
bool yaml_take_word(struct yaml_reader *r, struct yaml_word *w) {
  size_t n = 0;
  struct fy_token *token = r->event->scalar.value;
  if (!few_quotes(r, token))
    return yaml_fail_here(r, "", "a text full of quotes", "a name or a value", "remove the quotes inside it");
  const char *text = token ? fy_token_get_text(token, &n) : "";
  if (!text) return syntax_error(r);
  w->line = r->line;
  w->col = r->col;
  if (memchr(text, 0, n))
    return yaml_fail_here(r, "", "a NUL character", "text without \\0", "remove it");
  snprintf(w->text, sizeof w->text, "%.*s", (int)(n < sizeof w->text ? n : sizeof w->text), text);
  w->quoted = token && fy_token_scalar_style(token) != FYSS_PLAIN;
  return true;
}

/* ---- entries --------------------------------------------------------------------------------- */

enum { TOP_KEYS = 16 };

/* The keys at the top: three, then those of the lists of some block; returns how many. */
static size_t top_keys(const char *names[TOP_KEYS + 1]) {
  size_t n = 0;
  names[n++] = "block";
  names[n++] = "name";
  names[n++] = "params";
  for (size_t i = 0; simt_blocks[i]; i++) {
    const struct simt_lists *ls = simt_blocks[i]->lists;
    size_t k = 0;
    while (ls && k < n && strcmp(names[k], ls->key)) k++;
    if (ls && k == n && n < TOP_KEYS) names[n++] = ls->key;
  }
  names[n] = NULL;
  return n;
}

/* Where a key belongs that is a parameter or a list of some block, or NULL. */
static const char *key_above(const char *key) {
  for (size_t i = 0; simt_blocks[i]; i++) {
    struct simt_config any;
    const struct simt_lists *ls = simt_blocks[i]->lists;
    simt_config_init(&any, simt_blocks[i]);
    if (simt_param_index(&any, key) >= 0) return "params";
    for (size_t k = 0; ls && k < ls->n; k++)
      if (!strcmp(ls->list[k].name, key)) return ls->key;
  }
  return NULL;
}

/* A key at the top that is not known. */
static bool unknown_key(struct yaml_reader *r, const char *key) {
  const char *names[TOP_KEYS + 1];
  size_t n = top_keys(names);
  char hint[160] = "see: simtgen describe BLOCK", expected[240] = "";
  const char *near = simt_nearest(key, names), *above = key_above(key);
  if (sweep_has_key(key))
    return yaml_fail_here(r, key, "a key of the file of a sweep", "a configuration: block, name, params",
                          "run it as it is: simtgen sweep FILE, or simtgen tune FILE");
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  if (above) snprintf(hint, sizeof hint, "write it below %s:", above);
  for (size_t i = 0; i < n; i++) {
    size_t used = strlen(expected);
    snprintf(expected + used, sizeof expected - used, "%s%s", i + 1 == n ? " or " : i ? ", " : "", names[i]);
  }
  return yaml_fail_here(r, key, "an unknown key", expected, hint);
}

static bool first_time(struct yaml_reader *r, const struct yaml_entry *e) {
  for (size_t i = 0; i < r->to->n; i++) {
    const struct yaml_entry *other = &r->to->entry[i];
    if (other->in_params != e->in_params || strcmp(other->key.text, e->key.text)) continue;
    char expected[80];
    snprintf(expected, sizeof expected, "each key once (first at line %u)", other->key.line);
    return yaml_fail_here(r, e->key.text, "a second value", expected, "remove one of them");
  }
  if (r->to->n < sizeof r->to->entry / sizeof *r->to->entry) return true;
  return yaml_fail_here(r, e->key.text, "too many keys", "the parameters of one block",
                   "see: simtgen describe BLOCK");
}

/* ---- lists of records ------------------------------------------------------------------------ */

static bool is_lists_key(const char *key) {
  for (size_t i = 0; simt_blocks[i]; i++)
    if (simt_blocks[i]->lists && !strcmp(simt_blocks[i]->lists->key, key)) return true;
  return false;
}

static struct yaml_item *add_item(struct yaml_reader *r, int kind) {
  struct yaml_entries *e = r->to;
  if (!(e->n_items & (e->n_items - 1))) {
    e->item = realloc(e->item, (e->n_items ? 2 * e->n_items : 1) * sizeof *e->item);
    if (!e->item) abort();
  }
  struct yaml_item *i = &e->item[e->n_items++];
  *i = (struct yaml_item){.kind = kind, .key = {.line = r->line, .col = r->col}};
  return i;
}

/* The cells of the record whose start is the current event. */
static bool read_record(struct yaml_reader *r) {
  static const char expected[] = "a record, {KEY: VALUE, ...}";
  if (r->event->type != FYET_MAPPING_START) return yaml_fail_here(r, "", yaml_kind(r->event), expected, "");
  if (r->to->n_items >= ITEM_LIMIT) return yaml_fail_here(r, "", "too many records", "the lists of one block", "");
  add_item(r, YAML_RECORD);
  while (yaml_next(r)) {
    if (r->event->type == FYET_MAPPING_END) return true;
    if (r->event->type != FYET_SCALAR) return yaml_fail_here(r, "", yaml_kind(r->event), "a key of the record", "");
    struct yaml_item *cell = add_item(r, YAML_CELL);
    if (!yaml_take_word(r, &cell->key) || !yaml_next(r)) return false;
    if (r->event->type != FYET_SCALAR) return yaml_fail_here(r, cell->key.text, yaml_kind(r->event), "a single value", "");
    if (!yaml_take_word(r, &cell->value)) return false;
  }
  return false;
}

/* The lists below the key, which has been read. */
static bool read_lists(struct yaml_reader *r, const char *key) {
  static const char expected[] = "a mapping of LIST: [{KEY: VALUE, ...}, ...]";
  if (!yaml_next(r)) return false;
  if (r->event->type != FYET_MAPPING_START) return yaml_fail_here(r, key, yaml_kind(r->event), expected, "see: simtgen describe BLOCK");
  while (yaml_next(r)) {
    if (r->event->type == FYET_MAPPING_END) return true;
    if (r->event->type != FYET_SCALAR) return yaml_fail_here(r, "", yaml_kind(r->event), "the name of a list", "");
    struct yaml_item *list = add_item(r, YAML_LIST);
    if (!yaml_take_word(r, &list->key) || !yaml_next(r)) return false;
    if (r->event->type != FYET_SEQUENCE_START)
      return yaml_fail_here(r, list->key.text, yaml_kind(r->event), "a list of records", "for example, - {name: a}; [] for none");
    while (yaml_next(r) && r->event->type != FYET_SEQUENCE_END)
      if (!read_record(r)) return false;
    if (r->diag->failed) return false;
  }
  return false;
}

static bool read_mapping(struct yaml_reader *r, bool in_params);

/* The value of params: (its key is an entry too, so that a second one is noticed). */
static bool read_params(struct yaml_reader *r) {
  static const char expected[] = "a mapping of NAME: VALUE";
  if (r->event->type == FYET_MAPPING_START) return read_mapping(r, true);
  struct yaml_word w = {0};
  if (r->event->type == FYET_SCALAR && !yaml_take_word(r, &w)) return false;
  if (r->event->type == FYET_SCALAR && !w.quoted && (!w.text[0] || !strcmp(w.text, "null")))
    return true;
  return yaml_fail_here(r, "params", yaml_kind(r->event), expected, "see: simtgen describe BLOCK");
}

/* One key, which is the current event, and its value. */
static bool read_entry(struct yaml_reader *r, bool in_params) {
  struct yaml_entry e = {.in_params = in_params};
  if (r->event->type != FYET_SCALAR)
    return yaml_fail_here(r, "", yaml_kind(r->event),
                     in_params ? "the name of a parameter" : "block, name or params", "");
  if (!yaml_take_word(r, &e.key)) return false;
  bool params = !in_params && !strcmp(e.key.text, "params");
  bool lists = !in_params && is_lists_key(e.key.text);
  if (!in_params && !params && !lists && strcmp(e.key.text, "block") && strcmp(e.key.text, "name"))
    return unknown_key(r, e.key.text);
  if (!first_time(r, &e)) return false;
  struct yaml_entry *kept = &r->to->entry[r->to->n++];
  *kept = e;
  kept->is_lists = lists;
  if (lists) return read_lists(r, e.key.text);
  if (!yaml_next(r)) return false;
  if (params) return read_params(r);
  if (r->event->type == FYET_SEQUENCE_START && in_params)
    return yaml_fail_here(r, e.key.text, yaml_kind(r->event), "a single value",
                          "several values: simtgen sweep, with the list below grid: (docs/sweeps.md)");
  if (r->event->type != FYET_SCALAR)
    return yaml_fail_here(r, e.key.text, yaml_kind(r->event), "a single value", "");
  return yaml_take_word(r, &kept->value);
}

/* The mapping whose start is the current event, up to its end. */
static bool read_mapping(struct yaml_reader *r, bool in_params) {
  while (yaml_next(r)) {
    if (r->event->type == FYET_MAPPING_END) return true;
    if (!read_entry(r, in_params)) return false;
  }
  return false;
}

static bool read_document(struct yaml_reader *r) {
  if (!yaml_next(r)) return false;
  if (r->event->type != FYET_MAPPING_START)
    return yaml_fail_here(r, "", yaml_kind(r->event), "a mapping with the keys block, name, params",
                     "for example, block: NAME on the first line");
  return read_mapping(r, false) && yaml_next(r) &&
         (r->event->type == FYET_STREAM_END ||
          yaml_fail_here(r, "", yaml_kind(r->event), "the end of the file", "remove it"));
}

bool yaml_open(struct yaml_reader *r, const char *text, size_t size, const char *file, struct simt_diag *diag) {
  static const char mark[] = "\xef\xbb\xbf";
  *r = (struct yaml_reader){.file = file, .text = text, .diag = diag, .line = 1, .col = 1};
  if (size >= 3 && !memcmp(text, mark, 3)) r->text = text += 3, size -= 3;
  if (!check_text(r, text, size)) return false;
  r->text = r->copy = strndup(text, size); /* messages look at lines of it */
  if (!r->copy) abort();
  struct fy_diag_cfg log;
  fy_diag_cfg_default(&log);
  log.fp = NULL;
  log.level = FYET_ERROR;
  r->log = fy_diag_create(&log);
  if (r->log) fy_diag_set_collect_errors(r->log, true);
  r->parser = fy_parser_create(
      &(struct fy_parse_cfg){.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = r->log});
  if (!r->log || !r->parser) abort();
  return !fy_parser_set_string(r->parser, r->text, size) || syntax_error(r);
}

void yaml_close(struct yaml_reader *r) {
  if (!r->parser) return;
  fy_parser_event_free(r->parser, r->event);
  fy_parser_destroy(r->parser);
  fy_diag_destroy(r->log);
  free(r->copy);
}

struct yaml_entries *yaml_read(const char *text, size_t size, const char *file,
                               struct simt_diag *diag) {
  struct yaml_reader r;
  struct yaml_entries *to = calloc(1, sizeof *to);
  if (!to) abort();
  bool ok = yaml_open(&r, text, size, file, diag);
  r.to = to;
  ok = ok && read_document(&r);
  yaml_close(&r);
  if (ok) return to;
  yaml_free(to);
  return NULL;
}

void yaml_free(struct yaml_entries *e) {
  if (e) free(e->item);
  free(e);
}
