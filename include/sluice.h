// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
/* sluice in C: filter files, opened, asked, made, added to and saved; and values of keys (sluice_values, at the end).
 * Any language that can call C can use it.
 *
 *   sluice_filter* f = sluice_map("words.sluice");
 *   if (f == NULL) { puts(sluice_error()); return 2; }
 *   int found = sluice_query(f, "word", 4);             1: perhaps, 0: certainly not, -1: an error
 *   sluice_close(f);
 *
 * Every function that can fail says so by what it returns; sluice_error() then has the reason, a sentence that belongs
 * to the thread and is valid until its next call fails. Nothing prints or aborts, and no exception leaves the library.
 * Pointers to filters must come from here, and not have been closed.
 * Threads: any number may query one filter at once; sluice_add, sluice_remove, sluice_fold, sluice_merge (of its first
 * one) and sluice_close exclude everything else on that filter.
 * A thread that is cancelled (pthread_cancel) in a call of the library completes the call first.
 */
#ifndef SLUICE_H
#define SLUICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct sluice_filter sluice_filter;

/* What keys are. A filter has keys of one kind, and refuses others. */
enum sluice_keys { SLUICE_BYTES = 1, SLUICE_U64 = 2, SLUICE_U32 = 3 };

/* Why a call failed. Numbers never change; later versions may have more. */
enum sluice_error_code {
  SLUICE_OK = 0,
  SLUICE_OTHER = 1,
  SLUICE_BAD_PARAMETER = 2,
  SLUICE_BAD_KEY = 3,      /* of another kind than the filter's */
  SLUICE_CANNOT_MERGE = 4, /* other parameters, another seed, another kind */
  SLUICE_BAD_LAYOUT = 5,   /* bytes that are not the filter that they should be */
  SLUICE_NO_MEMORY = 6,
  SLUICE_NOT_FOUND = 7, /* there is no such file */
  SLUICE_EXISTS = 8,    /* there is a file, which must not be replaced */
  SLUICE_DAMAGED = 9,   /* no filter file, or one that was changed or cut off */
  SLUICE_NEWER_VERSION = 10,
  SLUICE_READ_ONLY = 11, /* mapped filters cannot be added to */
  SLUICE_SYSTEM = 12,
  SLUICE_FULL = 13 /* a filter of bounded size has no room for the key */
};

/* What is wanted of a new filter. Zero the struct first, and set its size: a zero is "not said".
 *   struct sluice_plan plan = {.size = sizeof plan, .keys = 1000000, .fpr = 1e-4}; */
struct sluice_plan {
  size_t size;           /* sizeof(struct sluice_plan): later versions may have more members, which older ones refuse
                            unless they are zero */
  uint64_t keys;         /* how many will come; 0: not known, the filter grows */
  double fpr;            /* false positive rate; 0: 0.001, unless memory is given */
  uint64_t memory;       /* bytes; with keys, in place of fpr */
  uint64_t seed;         /* of the hash; see below */
  enum sluice_keys kind; /* 0: SLUICE_BYTES */
  uint64_t shards;       /* the keys come in this many filters, made with this plan and then merged; 0: one filter.
                            More than one needs keys: those of all filters together */
  uint64_t erasable;     /* 1: keys can be removed again, and a key is kept as often as it is added; 0: they cannot */
  uint64_t at_most;      /* 1: keys is the most that may come: sluice_fold makes the filter small when all are in */
};

/* The seed. Filters to be merged need the same. 0, the usual one, is known to everybody, so that who chooses keys can
 * choose them to be found, or to fill one block (docs/adversarial-keys.md). Where untrusted parties choose keys, take
 * this one, which comes from the operating system and which nobody can guess. A file has its seed in the clear.
 * It is never 0; 0: an error. */
uint64_t sluice_random_seed(void);

/* What a filter is, now. Set the size before the call:
 *   struct sluice_info info = {.size = sizeof info}; */
struct sluice_info {
  size_t size;           /* sizeof(struct sluice_info) */
  uint64_t keys;         /* that were inserted */
  uint64_t planned_keys; /* 0: not known */
  uint64_t bytes;        /* of the blocks and lists */
  double fpr;            /* from the bits as they are; reading them takes time */
  enum sluice_keys kind;
  int grows;    /* 1: a chain of filters */
  int writable; /* 1: sluice_add works; 0: mapped */
  uint64_t seed;
  int erasable; /* 1: sluice_remove works, unless it is mapped */
};

/* The version of the library. The reason of the last failure in this thread, as a sentence and as a number. */
const char* sluice_version(void);
const char* sluice_error(void);
enum sluice_error_code sluice_last_error(void);

/* A file where it lies: nothing is read but what is asked. NULL: an error. Replace a file that is mapped by a new one
 * (rename, as sluice_save does): if it is truncated or overwritten in place, a query ends the program by SIGBUS, or
 * answers wrongly. */
sluice_filter* sluice_map(const char* path);
/* A file in memory of its own, verified: it can be added to. NULL: an error. */
sluice_filter* sluice_open(const char* path);
/* A new, empty filter: what the planner recommends. NULL: an error. */
sluice_filter* sluice_build(const struct sluice_plan* plan);
/* As free(): once for every filter, which must not be used afterwards. Closing it again is undefined, and may end the
 * program. NULL is allowed, and nothing happens. */
void sluice_close(sluice_filter* filter);

/* 1: perhaps, 0: certainly not, -1: an error (keys of another kind). Of integers, sluice_query_u64 asks for both
 * kinds. */
int sluice_query(const sluice_filter* filter, const void* key, size_t size);
int sluice_query_u64(const sluice_filter* filter, uint64_t key);
/* Many at once: answers[i] becomes 1 or 0. Returns 0, or -1 for an error. */
int sluice_query_bulk(const sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
                      uint8_t* answers);
int sluice_query_bulk_u64(const sluice_filter* filter, const uint64_t* keys, size_t count, uint8_t* answers);

/* 1: the key was new, 0: it was there or seemed to be, -1: an error (another kind, mapped, no memory). */
int sluice_add(sluice_filter* filter, const void* key, size_t size);
int sluice_add_u64(sluice_filter* filter, uint64_t key);
/* Many at once. Returns how many were new, or -1 for an error; then some may have been added. */
int64_t sluice_add_bulk(sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count);
int64_t sluice_add_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count);
/* The same, and answers[i] becomes 1 if key i was new, or 0: what sluice_add would have returned for each, in their
 * order. Of equal keys that are not there, the first is new. After an error the answers mean nothing. */
int64_t sluice_add_new_bulk(sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
                            uint8_t* answers);
int64_t sluice_add_new_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count, uint8_t* answers);

/* Takes a key out of an erasable filter again, once. 1: it was in, 0: nothing was like it, -1: an error (not erasable,
 * another kind, mapped). The key must have been added, and not been removed as often: removing one that was not may
 * take another key, which looks like it (docs/ledger.md). */
int sluice_remove(sluice_filter* filter, const void* key, size_t size);
int sluice_remove_u64(sluice_filter* filter, uint64_t key);
/* Many at once. Returns how many were in, or -1 for an error. */
int64_t sluice_remove_bulk(sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count);
int64_t sluice_remove_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count);
/* How often a key seems to be in: never less than it was added and not removed. Filters that are not erasable keep a
 * key once. -1: an error. */
int64_t sluice_count(const sluice_filter* filter, const void* key, size_t size);
int64_t sluice_count_u64(const sluice_filter* filter, uint64_t key);

/* Halves the filter as often as its rate stays at most fpr (0: that of its plan), of a filter that grows the newest of
 * its chain, as often as it has room for its keys. It has every key that it had. Returns how often that was, or -1: an
 * error (a filter that cannot be folded, mapped, no memory). */
int sluice_fold(sluice_filter* filter, double fpr);

/* Afterwards every key of either filter is found in the first. They need the same parameters and seed: build both by
 * the same plan. Returns 0, or -1 for an error. */
int sluice_merge(sluice_filter* filter, const sluice_filter* other);

/* As a whole or not at all; a file that is there is replaced. A mapped filter is verified first. Of two programs that
 * open, add to and save one file, the last wins; the command `sluice add` waits for the other, and so does
 * sluice::filter_file::update in C++. Returns 0, or -1 for an error. */
int sluice_save(const sluice_filter* filter, const char* path);
/* Compares every checksum of a file of a filter, or of values. Returns 0, or -1 if it is damaged or cannot be read. */
int sluice_verify(const char* path);
/* Returns 0, or -1 for an error. */
int sluice_describe(const sluice_filter* filter, struct sluice_info* info);

/* Values of keys that are all known: a number from 0 to 2^32 - 1 for every key, in little more memory than the numbers
 * take. The keys are not kept: an absent key gets no value, but with probability 2^-check_bits some value. Values do
 * not change, and any number of threads may ask for them at once.
 *
 *   struct sluice_values_plan plan = {.size = sizeof plan, .check_bits = 10};
 *   sluice_values* shards = sluice_values_build_u64(&plan, keys, numbers, count);
 *   uint32_t shard;
 *   if (sluice_values_get_u64(shards, 42, &shard) == 1) ...
 */
typedef struct sluice_values sluice_values;

struct sluice_values_plan {
  size_t size;         /* sizeof(struct sluice_values_plan), as of struct sluice_plan */
  uint32_t value_bits; /* of each value; 0: as many as the largest needs */
  uint32_t check_bits; /* 32 with the value at most; 0: every absent key gets some value */
  uint64_t seed;
};

struct sluice_values_info {
  size_t size;    /* sizeof(struct sluice_values_info) */
  uint64_t keys;  /* different ones */
  uint64_t bytes; /* of blocks and list */
  uint32_t value_bits;
  uint32_t check_bits;
  enum sluice_keys kind;
  uint64_t seed;
};

/* values[i] belongs to keys[i]; the same pair may come again. A key with two values is an error (SLUICE_BAD_KEY). NULL
 * as plan: all as said above for zeros. NULL: an error. */
sluice_values* sluice_values_build(const struct sluice_values_plan* plan, const void* const* keys, const size_t* sizes,
                                   const uint32_t* values, size_t count);
sluice_values* sluice_values_build_u64(const struct sluice_values_plan* plan, const uint64_t* keys,
                                       const uint32_t* values, size_t count);
/* A file where it lies, and one in memory of its own, verified. NULL: an error. What sluice_map says of files holds. */
sluice_values* sluice_values_map(const char* path);
sluice_values* sluice_values_open(const char* path);
/* As sluice_close. */
void sluice_values_close(sluice_values* values);

/* 1: *value is the key's, 0: the key is unknown and *value is 0, -1: an error. */
int sluice_values_get(const sluice_values* values, const void* key, size_t size, uint32_t* value);
int sluice_values_get_u64(const sluice_values* values, uint64_t key, uint32_t* value);
/* Many at once: found[i] becomes the value of key i, or 0, and known[i] 1 or 0. Returns 0, or -1 for an error. */
int sluice_values_get_bulk(const sluice_values* values, const void* const* keys, const size_t* sizes, size_t count,
                           uint32_t* found, uint8_t* known);
int sluice_values_get_bulk_u64(const sluice_values* values, const uint64_t* keys, size_t count, uint32_t* found,
                               uint8_t* known);

/* As sluice_save and sluice_describe. */
int sluice_values_save(const sluice_values* values, const char* path);
int sluice_values_describe(const sluice_values* values, struct sluice_values_info* info);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
