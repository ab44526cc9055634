/* SPDX-License-Identifier: Apache-2.0 */
/* files.c: reading whole files, finding the program's data, and writing a set of files whole or not
 * at all. */
#define _GNU_SOURCE /* renameat2, nftw, vasprintf */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen.h"

enum { READ_LIMIT = 1 << 28 }; /* some files never end */
static const char manifest_name[] = "manifest.json";

void sha256_hex(const void *bytes, size_t n, char hex[65]) {
  struct sha256_ctx ctx;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&ctx);
  sha256_update(&ctx, n, bytes);
  sha256_digest(&ctx, sizeof digest, digest);
  for (size_t i = 0; i < sizeof digest; i++) snprintf(&hex[2 * i], 3, "%02x", digest[i]);
}

/* Records an error of a file or folder; of a long path, its end. */
static bool fail_hint(struct simt_diag *diag, const char *path, const char *got,
                      const char *expected, const char *hint) {
  if (diag->failed) return false;
  simt_fail(diag, "", got, "%s", expected);
  size_t n = strlen(path), room = sizeof diag->file - 1;
  if (n > room)
    memcpy(diag->file, "...", 4), memcpy(diag->file + 3, path + n - (room - 3), room - 2);
  else memcpy(diag->file, path, n + 1);
  snprintf(diag->hint, sizeof diag->hint, "%s", hint);
  return false;
}

/* a + b as a path; false and errno when it is too long. */
static bool join(char to[PATH_MAX], const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na + nb >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(to, a, na);
  memcpy(to + na, b, nb + 1);
  return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

char *file_read(const char *path, size_t *size, struct simt_diag *diag) {
  static const char expected[] = "a file that can be read",
                    hint[] = "check the path and its permissions";
  struct text t = {0};
  struct stat st;
  FILE *f = fopen(path, "rb");
  if (f && !fstat(fileno(f), &st) && S_ISDIR(st.st_mode)) {
    fclose(f);
    f = NULL;
    errno = EISDIR;
  }
  if (!f) {
    fail_hint(diag, path, strerror(errno), expected, hint);
    return NULL;
  }
  char buffer[16384];
  size_t n;
  while (t.len <= READ_LIMIT && (n = fread(buffer, 1, sizeof buffer, f)) > 0)
    text_add_bytes(&t, buffer, n);
  bool bad = ferror(f) || t.len > READ_LIMIT;
  int why = t.len > READ_LIMIT ? EFBIG : errno;
  fclose(f);
  if (bad) {
    fail_hint(diag, path, strerror(why), expected, hint);
    text_free(&t);
    return NULL;
  }
  text_add_bytes(&t, "", 0);
  if (size) *size = t.len;
  return t.s;
}

/* ---- the program's data ---------------------------------------------------------------------- */

bool program_folder(char *to, size_t room) {
  char share[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", to, room - 1);
  to[n > 0 ? n : 0] = 0;
  char *slash = strrchr(to, '/');
  if (slash) *slash = 0;
  else snprintf(to, room, ".");
  snprintf(share, sizeof share, "%s/../share/simtgen", to);
  return !access(share, F_OK);
}

static bool in_root(const char *root, int n, const char *relative, char to[PATH_MAX]) {
  snprintf(to, PATH_MAX, "%.*s/%s", n, root, relative);
  return n && !access(to, R_OK);
}

/* A folder that the user named: it must hold templates, or a typo would silently give the program's own. */
static bool has_templates(const char *variable, const char *folder, int n, struct simt_diag *diag) {
  char path[PATH_MAX], got[PATH_MAX];
  struct stat st;
  snprintf(path, sizeof path, "%.*s/rtl_templates/.", n, folder);
  if (n && !stat(path, &st) && !access(path, R_OK | X_OK)) return true;
  snprintf(got, sizeof got, "%.*s", n, folder);
  simt_fail(diag, variable, n ? got : "nothing", "a folder that holds rtl_templates");
  snprintf(diag->hint, sizeof diag->hint, "correct or unset %s", variable);
  return false;
}

bool data_check(struct simt_diag *diag) {
  const char *given = getenv("SIMTGEN_DATA"), *extra = getenv("SIMTGEN_EXTRA");
  if (given && !has_templates("SIMTGEN_DATA", given, (int)strlen(given), diag)) return false;
  while (extra && *extra) {
    int n = (int)strcspn(extra, ":");
    if (!has_templates("SIMTGEN_EXTRA", extra, n, diag)) return false;
    extra += n + (extra[n] == ':');
  }
  return true;
}

const char *data_path(const char *relative) {
  static char path[PATH_MAX];
  char folder[PATH_MAX - 32], root[PATH_MAX];
  const char *given = getenv("SIMTGEN_DATA"), *extra = getenv("SIMTGEN_EXTRA");
  if (given && in_root(given, (int)strlen(given), relative, path)) return path;
  bool installed = program_folder(folder, sizeof folder);
  snprintf(root, sizeof root, "%s/../rtl_templates", folder);
  if (!access(root, F_OK) && in_root(root, (int)(strrchr(root, '/') - root), relative, path))
    return path;
  snprintf(root, sizeof root, "%s/../share/simtgen", folder);
  if (installed && in_root(root, (int)strlen(root), relative, path)) return path;
  while (extra && *extra) {
    int n = (int)strcspn(extra, ":");
    if (in_root(extra, n, relative, path)) return path;
    extra += n + (extra[n] == ':');
  }
  return NULL;
}

static int not_dots(const struct dirent *e) {
  return strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
}

/* Adds the names and bytes of all files below a folder, in the order of their names. */
static bool add_tree(struct text *t, const char *path, struct simt_diag *diag) {
  struct dirent **list;
  struct stat st;
  bool ok = true;
  if (stat(path, &st) || !S_ISDIR(st.st_mode)) {
    size_t size;
    char *bytes = file_read(path, &size, diag);
    if (!bytes) return false;
    text_add(t, "%zu\n", size);
    text_add_bytes(t, bytes, size);
    free(bytes);
    return true;
  }
  int n = scandir(path, &list, not_dots, alphasort);
  if (n < 0) return fail_hint(diag, path, strerror(errno), "a folder that can be read", "");
  for (int i = 0; i < n; i++) {
    char below[PATH_MAX];
    text_add(t, "%s\n", list[i]->d_name);
    ok = ok && snprintf(below, sizeof below, "%s/%s", path, list[i]->d_name) < PATH_MAX && add_tree(t, below, diag);
    free(list[i]);
  }
  free(list);
  return ok;
}

bool data_hash(char hex[65], struct simt_diag *diag) {
  char folder[PATH_MAX - 32], path[PATH_MAX];
  const char *given = getenv("SIMTGEN_DATA"), *extra = getenv("SIMTGEN_EXTRA");
  struct text t = {0};
  bool ok = !given || (snprintf(path, sizeof path, "%s/rtl_templates", given) < PATH_MAX && add_tree(&t, path, diag));
  bool installed = program_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/../%srtl_templates", folder, installed ? "share/simtgen/" : "");
  if (ok && !access(path, F_OK)) ok = add_tree(&t, path, diag);
  while (ok && extra && *extra) {
    int n = (int)strcspn(extra, ":");
    snprintf(path, sizeof path, "%.*s/rtl_templates", n, extra);
    ok = add_tree(&t, path, diag);
    extra += n + (extra[n] == ':');
  }
  sha256_hex(t.s ? t.s : "", t.len, hex);
  text_free(&t);
  return ok;
}

/* ---- a set of files -------------------------------------------------------------------------- */

struct text *fileset_add(struct fileset *fs, const char *path, ...) {
  void *bigger = realloc(fs->file, (fs->n + 1) * sizeof *fs->file);
  if (!bigger) abort();
  fs->file = bigger;
  char *name;
  va_list ap;
  va_start(ap, path);
  if (vasprintf(&name, path, ap) < 0) abort();
  va_end(ap);
  fs->file[fs->n].path = name;
  fs->file[fs->n].text = (struct text){0};
  return &fs->file[fs->n++].text;
}

void fileset_free(struct fileset *fs) {
  for (size_t i = 0; i < fs->n; i++) {
    free(fs->file[i].path);
    text_free(&fs->file[i].text);
  }
  free(fs->file);
  *fs = (struct fileset){0};
}

/* The manifest's text; the set's own manifest.json gives further keys. */
static struct text manifest_text(const struct fileset *fs) {
  json_t *manifest = NULL, *files = json_object();
  for (size_t i = 0; i < fs->n; i++) {
    const struct text *t = &fs->file[i].text;
    if (!strcmp(fs->file[i].path, manifest_name)) {
      manifest = json_loadb(t->s ? t->s : "", t->len, 0, NULL);
      continue;
    }
    char hex[65];
    sha256_hex(t->s ? t->s : "", t->len, hex);
    json_object_set_new(files, fs->file[i].path, json_string(hex));
  }
  if (!json_is_object(manifest)) {
    json_decref(manifest);
    manifest = json_object();
  }
  json_object_set_new(manifest, "files", files);
  char *json = json_dumps(manifest, JSON_INDENT(2) | JSON_SORT_KEYS);
  json_decref(manifest);
  if (!json) abort();
  struct text t = {0};
  text_add(&t, "%s\n", json);
  free(json);
  return t;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
  (void)st, (void)type, (void)ftw;
  return remove(path);
}

static void remove_tree(const char *path) {
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static bool write_file(const char *root, const char *path, const void *bytes, size_t n) {
  char folder[PATH_MAX], full[PATH_MAX];
  if (!join(folder, root, "/") || !join(full, folder, path)) return false;
  for (char *c = full + strlen(root) + 1; (c = strchr(c, '/')); c++) {
    *c = 0;
    if (mkdir(full, 0777) && errno != EEXIST) return false;
    *c = '/';
  }
  FILE *f = fopen(full, "wbx");
  if (!f) return false;
  bool ok = fwrite(bytes, 1, n, f) == n;
  int why = errno;
  if (fclose(f)) return false;
  errno = why;
  return ok;
}

static bool write_all(const struct fileset *fs, const char *root, struct simt_diag *diag) {
  for (size_t i = 0; i < fs->n; i++) {
    const struct text *t = &fs->file[i].text;
    if (interrupted) return fail_hint(diag, "", NULL, "interrupted, nothing was written", "");
    if (!strcmp(fs->file[i].path, manifest_name)) continue;
    if (!write_file(root, fs->file[i].path, t->s ? t->s : "", t->len))
      return fail_hint(diag, fs->file[i].path, strerror(errno), "to write this file",
                       "free some space or choose another folder; nothing was written");
  }
  struct text manifest = manifest_text(fs);
  bool ok = write_file(root, manifest_name, manifest.s, manifest.len);
  text_free(&manifest);
  return ok || fail_hint(diag, manifest_name, strerror(errno), "to write this file",
                         "free some space or choose another folder; nothing was written");
}

/* ---- is it ours to replace? ------------------------------------------------------------------ */

static bool foreign(const char *path, const char *what, struct simt_diag *diag) {
  return fail_hint(diag, path, what,
                   "a new or empty folder, or an earlier output as it was written",
                   "choose another folder with -o");
}

/* Does a file of the manifest live in this folder? */
static bool has_listed_file(json_t *files, const char *folder) {
  const char *key;
  json_t *value;
  size_t n = strlen(folder);
  json_object_foreach(files, key, value)
    if (!strncmp(key, folder, n) && key[n] == '/') return true;
  return false;
}

/* Every entry of root/sub is listed and unchanged; the first that is not goes into diag, by name.
 */
static bool only_ours(const char *root, const char *sub, json_t *files, struct simt_diag *diag);

static bool is_ours(const char *root, const char *path, json_t *files, struct simt_diag *diag) {
  char folder[PATH_MAX], full[PATH_MAX];
  struct stat st;
  if (!join(folder, root, "/") || !join(full, folder, path) || lstat(full, &st))
    return foreign(path, strerror(errno), diag);
  if (S_ISDIR(st.st_mode))
    return has_listed_file(files, path)
               ? only_ours(root, path, files, diag)
               : foreign(full, "a folder that is not of this program", diag);
  if (!strcmp(path, manifest_name) && S_ISREG(st.st_mode)) return true;
  const char *listed = json_string_value(json_object_get(files, path));
  if (!listed || !S_ISREG(st.st_mode))
    return foreign(full, "a file that is not of this program", diag);
  size_t size;
  char hex[65], *bytes = file_read(full, &size, diag);
  if (!bytes) return false;
  sha256_hex(bytes, size, hex);
  free(bytes);
  return !strcmp(hex, listed) || foreign(full, "a file changed since it was written", diag);
}

static bool only_ours(const char *root, const char *sub, json_t *files, struct simt_diag *diag) {
  char folder[PATH_MAX], path[PATH_MAX];
  struct dirent **list;
  int n = join(path, root, "/") && join(folder, path, sub)
              ? scandir(folder, &list, not_dots, alphasort)
              : -1;
  if (n < 0) return foreign(folder, strerror(errno), diag);
  bool ok = true;
  for (int i = 0; i < n; i++) {
    ok = ok && join(folder, sub, *sub ? "/" : "") && join(path, folder, list[i]->d_name) &&
         is_ours(root, path, files, diag);
    free(list[i]);
  }
  free(list);
  return ok;
}

/* DIR exists: empty, or an earlier output whose files are as they were. */
static bool may_replace(const char *dir, struct simt_diag *diag) {
  struct stat st, here;
  char path[PATH_MAX];
  if (stat(dir, &st)) return foreign(dir, strerror(errno), diag);
  if (!S_ISDIR(st.st_mode)) return foreign(dir, "a file", diag);
  if (!stat(".", &here) && here.st_dev == st.st_dev && here.st_ino == st.st_ino)
    return fail_hint(diag, dir, "the current folder",
                     "another folder, which can be replaced as a whole",
                     "change to its parent, or choose another folder with -o");
  snprintf(path, sizeof path, "%s/%s", dir, manifest_name);
  json_t *manifest = json_load_file(path, 0, NULL);
  bool ok = only_ours(dir, "", json_object_get(manifest, "files"), diag);
  json_decref(manifest);
  return ok;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Puts `aside` in the place of `dir` in one step; what was there is then in `aside`. */
static bool put_in_place(const char *aside, const char *dir, bool replaces) {
  if (!replaces) return !renameat2(AT_FDCWD, aside, AT_FDCWD, dir, RENAME_NOREPLACE) ||
                        ((errno == EINVAL || errno == ENOSYS) && !rename(aside, dir));
  if (!renameat2(AT_FDCWD, aside, AT_FDCWD, dir, RENAME_EXCHANGE)) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  char old[PATH_MAX]; /* a file system that cannot exchange: at each moment one of both is whole */
  if (!join(old, aside, ".old") || rename(dir, old)) return false;
  if (!rename(aside, dir)) return !rename(old, aside);
  int why = errno;
  if (rename(old, dir)) return false;
  errno = why;
  return false;
}

/* The folders above `dir` that are not there yet; how many were made goes into *made. */
static bool make_parents(const char *dir, unsigned *made) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", dir);
  for (char *c = path; (c = strchr(c + 1, '/'));) {
    *c = 0;
    int why = mkdir(path, 0777) ? errno : 0;
    if (!why) ++*made;
    else if (access(path, F_OK)) {
      errno = why;
      return false;
    }
    *c = '/';
  }
  return true;
}

/* Removes them again, from the lowest. */
static void remove_parents(const char *dir, unsigned made) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", dir);
  for (char *c; made && (c = strrchr(path, '/')); made--) {
    while (c > path && c[-1] == '/') c--;
    *c = 0;
    rmdir(path);
  }
}

static bool write_aside(struct fileset *fs, const char *dir, bool replaces,
                        struct simt_diag *diag) {
  static const char hint[] =
      "choose another folder with -o, or get permission to write there";
  unsigned parents = 0;
  char aside[PATH_MAX];
  struct stat st;
  mode_t mask = umask(0);
  umask(mask);
  mode_t mode = replaces && !stat(dir, &st) ? st.st_mode & 07777 : 0777 & ~mask;
  snprintf(aside, sizeof aside, "%s.tmpXXXXXX", dir);
  if (!make_parents(dir, &parents) || !mkdtemp(aside)) {
    fail_hint(diag, dir, strerror(errno), "a place for a new folder", hint);
    remove_parents(dir, parents);
    return false;
  }
  bool ok = write_all(fs, aside, diag);
  if (ok && (chmod(aside, mode) || !put_in_place(aside, dir, replaces)))
    ok = fail_hint(diag, dir, strerror(errno), "a folder that can be put in place", hint);
  if (!ok || replaces) remove_tree(aside);
  if (!ok) remove_parents(dir, parents);
  return ok;
}

bool fileset_write(struct fileset *fs, const char *dir, struct simt_diag *diag) {
  char path[PATH_MAX - 32];
  struct stat st;
  size_t n = strlen(dir);
  while (n > 1 && dir[n - 1] == '/') n--;
  if (!n || n >= sizeof path - 1)
    return fail_hint(diag, "-o", n ? "a name that is too long" : "an empty name",
                     "the name of a folder", "");
  snprintf(path, sizeof path, "%.*s", (int)n, dir);
  bool exists = !lstat(path, &st);
  if (exists && S_ISLNK(st.st_mode)) {
    char *real = realpath(path, NULL);
    if (!real) return foreign(path, strerror(errno), diag);
    bool fits = strlen(real) < sizeof path;
    if (fits) strcpy(path, real);
    free(real);
    if (!fits) return foreign(dir, strerror(ENAMETOOLONG), diag);
  }
  if (exists && !may_replace(path, diag)) return false;
  return write_aside(fs, path, exists, diag);
}
