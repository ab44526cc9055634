/* SPDX-License-Identifier: Apache-2.0 */
/* store.c: the folder of a sweep's results: results/KK/KEY.json, one file for each task, each with a checksum of what it
 * says. A file is written aside, synchronized and renamed: after a kill or on a full disk it is there whole or not at all. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep/sweep.h"

enum { STORE_PATH = PATH_MAX + 128 };

static bool fail_file(struct simt_diag *diag, const char *path, const char *got, const char *expected, const char *hint) {
  if (diag->failed) return false;
  simt_fail(diag, "", got, "%s", expected);
  size_t n = strlen(path), room = sizeof diag->file - 1;
  snprintf(diag->file, sizeof diag->file, "%s%s", n > room ? "..." : "", n > room ? path + n - (room - 3) : path);
  snprintf(diag->hint, sizeof diag->hint, "%s", hint);
  return false;
}

static void path_of(const char *folder, const char *key, char path[STORE_PATH]) {
  snprintf(path, STORE_PATH, "%s/results/%.2s/%s.json", folder, key, key);
}

/* ---- the folder --------------------------------------------------------------------------------------------- */

static bool make_folder(const char *path, struct simt_diag *diag) {
  if (!mkdir(path, 0777) || errno == EEXIST) return true;
  return fail_file(diag, path, strerror(errno), "a folder that can be made", "choose another with -o");
}

/* Who holds the lock, as its file says. */
static bool locked(const char *path, int lock, struct simt_diag *diag) {
  char who[100] = "";
  ssize_t n = pread(lock, who, sizeof who - 1, 0);
  who[n > 0 ? n : 0] = 0;
  who[strcspn(who, "\n")] = 0;
  char got[120];
  snprintf(got, sizeof got, "a sweep under way (%s)", who[0] ? who : "unknown");
  return fail_file(diag, path, got, "one sweep in a folder at a time", "wait for its end, or choose another folder with -o");
}

/* A folder is ours when it is empty but for what a sweep puts there. */
static bool is_ours(const char *folder, struct simt_diag *diag) {
  char path[STORE_PATH];
  struct stat st;
  if (stat(folder, &st)) return true;
  if (!S_ISDIR(st.st_mode)) return fail_file(diag, folder, "a file", "a folder for results", "choose another with -o");
  snprintf(path, sizeof path, "%s/results", folder);
  if (!access(path, F_OK) || !rmdir(folder)) return true;
  if (errno == ENOTEMPTY || errno == EEXIST)
    return fail_file(diag, folder, "a folder with other files", "a new or empty folder, or one of an earlier sweep", "choose another with -o");
  return true;
}

bool store_open(struct store *st, const char *folder, struct simt_diag *diag) {
  char path[STORE_PATH], who[120], host[64] = "";
  st->lock = -1;
  snprintf(st->folder, sizeof st->folder, "%s", folder);
  snprintf(path, sizeof path, "%s/results", folder);
  if (!is_ours(folder, diag) || !make_folder(folder, diag) || !make_folder(path, diag)) return false;
  snprintf(path, sizeof path, "%s/lock", folder);
  st->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (st->lock < 0) return fail_file(diag, path, strerror(errno), "a file that can be written", "choose another folder with -o");
  if (fcntl(st->lock, F_OFD_SETLK, &(struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET})) return locked(path, st->lock, diag);
  gethostname(host, sizeof host - 1);
  int n = snprintf(who, sizeof who, "process %ld on %s\n", (long)getpid(), host);
  if (ftruncate(st->lock, 0) || pwrite(st->lock, who, (size_t)n, 0) != n)
    return fail_file(diag, path, strerror(errno), "a file that can be written", "free some space, or choose another folder with -o");
  return true;
}

void store_close(struct store *st) {
  if (st->lock >= 0 && !ftruncate(st->lock, 0)) close(st->lock);
  st->lock = -1;
}

/* ---- files -------------------------------------------------------------------------------------------------- */

static bool write_aside(const char *path, const char *bytes, size_t n, struct simt_diag *diag) {
  static const char hint[] = "free some space, then run the same command with --resume: no result is lost";
  char aside[STORE_PATH + 40], host[64] = "";
  gethostname(host, sizeof host - 1);
  snprintf(aside, sizeof aside, "%s.%.16s.%ld", path, host, (long)getpid());
  int f = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = f >= 0;
  for (size_t done = 0; good && done < n;) {
    ssize_t some = write(f, bytes + done, n - done);
    if (some < 0 && errno == EINTR) continue;
    good = some > 0;
    done += good ? (size_t)some : 0;
  }
  good = good && !fsync(f);
  int why = errno;
  if (f >= 0 && close(f) && good) good = false, why = errno;
  if (good && !rename(aside, path)) return true;
  if (good) why = errno;
  unlink(aside);
  return fail_file(diag, path, strerror(why), "a file that can be written", hint);
}

bool store_write(const char *folder, const char *name, const struct text *t, struct simt_diag *diag) {
  char path[STORE_PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return write_aside(path, t->s ? t->s : "", t->len, diag);
}

/* A checksum over the rest of a record. */
static void check_of(json_t *record, char hex[65]) {
  char *s = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(6));
  if (!s) abort();
  sha256_hex(s, strlen(s), hex);
  free(s);
}

bool store_put(const char *folder, const char *key, json_t *record, struct simt_diag *diag) {
  char path[STORE_PATH], hex[65], *s;
  json_object_set_new(record, "key", json_string(key));
  json_object_del(record, "check");
  check_of(record, hex);
  json_object_set_new(record, "check", json_string(hex));
  snprintf(path, sizeof path, "%s/results/%.2s", folder, key);
  if (!make_folder(path, diag)) return false;
  path_of(folder, key, path);
  s = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(6));
  if (!s) abort();
  bool good = write_aside(path, s, strlen(s), diag);
  free(s);
  return good;
}

int store_get(const char *folder, const char *key, json_t **to, bool *failed, struct simt_diag *diag) {
  static const char whole[] = "a result as it was written";
  char path[STORE_PATH], hex[65];
  path_of(folder, key, path);
  if (access(path, F_OK)) return 0;
  json_t *record = json_load_file(path, 0, NULL);
  json_t *check = json_incref(json_object_get(record, "check"));
  const char *given = json_string_value(check), *own = json_string_value(json_object_get(record, "key"));
  bool good = given && own && !strcmp(own, key);
  if (good) {
    json_object_del(record, "check");
    check_of(record, hex);
    good = !strcmp(hex, given);
  }
  json_decref(check);
  *failed = json_object_get(record, "failed");
  if (good && to) *to = record;
  else json_decref(record);
  if (good) return 1;
  fail_file(diag, path, "a file that was cut or changed", whole, "remove it: its point is run again, all other results are kept");
  return -1;
}

void store_remove(const char *folder, const char *key) {
  char path[STORE_PATH];
  path_of(folder, key, path);
  unlink(path);
}
