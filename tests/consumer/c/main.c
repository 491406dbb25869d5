// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
/* The C interface as a C program uses it: made, asked, added to, saved, opened, mapped, damaged; every error a
 * sentence. usage: main FOLDER SEALED_FILE */
#include <sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "c: %s (last error: %s)\n", what, sluice_error());
  exit(1);
}

static void texts(const char* path) {
  struct sluice_plan plan = {.size = sizeof plan};
  plan.keys = 10000;
  plan.fpr = 0.001;
  sluice_filter* f = sluice_build(&plan);
  require(f != NULL, "a filter is made");
  char key[32];
  for (int i = 0; i < 10000; ++i) {
    const int size = snprintf(key, sizeof key, "key %d", i);
    require(sluice_add(f, key, (size_t)size) >= 0, "a key is added");
    require(sluice_query(f, key, (size_t)size) == 1, "and is there");
  }
  require(sluice_query(f, "", 0) >= 0, "an empty key can be asked for");
  require(sluice_query_u64(f, 7) == -1 && strstr(sluice_error(), "kind bytes") != NULL, "an integer is refused");
  require(sluice_save(f, path) == 0, "it is saved");
  struct sluice_info info = {.size = sizeof info};
  require(sluice_describe(f, &info) == 0 && info.keys > 9900 && info.planned_keys == 10000 && info.writable == 1 &&
              info.kind == SLUICE_BYTES && info.grows == 0,
          "it is described");
  require(info.seed == 0, "seed 0 is the usual one");
  require(info.fpr > 0.0005 && info.fpr < 0.002, "its rate is what was planned");
  sluice_close(f);

  f = sluice_map(path);
  require(f != NULL && sluice_verify(path) == 0, "it is mapped");
  const void* keys[3] = {"key 1", "key 9999", "no such key"};
  const size_t sizes[3] = {5, 8, 11};
  uint8_t answers[3] = {2, 2, 2};
  require(sluice_query_bulk(f, keys, sizes, 3, answers) == 0 && answers[0] == 1 && answers[1] == 1 && answers[2] <= 1,
          "it answers in bulk");
  require(sluice_query_bulk(f, NULL, NULL, 0, NULL) == 0, "also for nothing");
  require(sluice_add(f, "x", 1) == -1 && sluice_last_error() == SLUICE_READ_ONLY, "it cannot be added to");
  sluice_close(f);

  f = sluice_open(path);
  require(f != NULL && sluice_add(f, "later", 5) >= 0 && sluice_save(f, path) == 0, "it is opened, added to and saved");
  sluice_close(f);
  f = sluice_map(path);
  require(sluice_query(f, "later", 5) == 1 && sluice_query(f, "key 77", 6) == 1, "nothing is lost");
  sluice_close(f);
}

static void values(const char* path) {
  const uint64_t keys[3] = {4, 8, 15};
  const uint32_t numbers[3] = {16, 23, 42};
  struct sluice_values_plan plan = {.size = sizeof plan, .check_bits = 24};
  sluice_values* v = sluice_values_build_u64(&plan, keys, numbers, 3);
  require(v != NULL && sluice_values_save(v, path) == 0, "values are built and saved");
  sluice_values_close(v);
  v = sluice_values_map(path);
  uint32_t found = 0;
  require(v != NULL && sluice_values_get_u64(v, 15, &found) == 1 && found == 42, "a key has its value");
  require(sluice_values_get_u64(v, 16, &found) == 0 && found == 0, "another has none");
  require(sluice_verify(path) == 0, "the file is verified");
  sluice_values_close(v);
}

static void integers(const char* path) {
  struct sluice_plan plan = {.size = sizeof plan};
  plan.kind = SLUICE_U64;
  sluice_filter* f = sluice_build(&plan); /* grows */
  require(f != NULL, "a filter that grows is made");
  uint64_t* keys = malloc(100000 * sizeof *keys);
  uint8_t* answers = malloc(100000);
  require(keys != NULL && answers != NULL, "memory");
  for (uint64_t i = 0; i < 100000; ++i) keys[i] = i * i;
  require(sluice_add_bulk_u64(f, keys, 100000) > 99000, "integers are added in bulk");
  require(sluice_add_u64(f, 5) >= 0 && sluice_query_u64(f, 5) == 1, "and one by one");
  require(sluice_save(f, path) == 0, "it is saved");
  sluice_close(f);
  f = sluice_open(path);
  struct sluice_info info = {.size = sizeof info};
  require(f != NULL && sluice_describe(f, &info) == 0 && info.grows == 1 && info.kind == SLUICE_U64, "it still grows");
  require(sluice_query_bulk_u64(f, keys, 100000, answers) == 0, "it answers in bulk");
  for (int i = 0; i < 100000; ++i) require(answers[i] == 1, "every key is there");
  sluice_close(f);
  free(keys);
  free(answers);
}

static void seeds(const char* path) {
  struct sluice_plan plan = {.size = sizeof plan};
  plan.keys = 1000;
  plan.kind = SLUICE_U64;
  plan.seed = sluice_random_seed();
  require(plan.seed != 0 && plan.seed != sluice_random_seed(), "a random seed is drawn, and another one each time");
  sluice_filter* f = sluice_build(&plan);
  struct sluice_info info = {.size = sizeof info};
  require(f != NULL && sluice_add_u64(f, 7) == 1 && sluice_save(f, path) == 0, "a filter has it");
  require(sluice_describe(f, &info) == 0 && info.seed == plan.seed, "and says so");
  sluice_close(f);
  f = sluice_map(path);
  require(f != NULL && sluice_describe(f, &info) == 0 && info.seed == plan.seed && sluice_query_u64(f, 7) == 1,
          "and so does its file");
  sluice_close(f);
}

static void unions(void) {
  struct sluice_plan plan = {.size = sizeof plan, .keys = 1000};
  sluice_filter* one = sluice_build(&plan);
  sluice_filter* two = sluice_build(&plan);
  const void* keys[2] = {"weir", "lock"};
  const size_t sizes[2] = {4, 4};
  require(sluice_add_bulk(one, keys, sizes, 2) == 2 && sluice_add_bulk(one, keys, sizes, 2) == 0, "texts in bulk");
  const void* more[4] = {"weir", "dam", "dam", "lock"};
  const size_t more_sizes[4] = {4, 3, 3, 4};
  uint8_t fresh[4] = {7, 7, 7, 7};
  require(sluice_add_new_bulk(one, more, more_sizes, 4, fresh) == 1, "one of four is new");
  require(fresh[0] == 0 && fresh[1] == 1 && fresh[2] == 0 && fresh[3] == 0, "and the answers say which, once");
  require(sluice_add(two, "sluice", 6) == 1 && sluice_merge(one, two) == 0, "two filters are merged");
  require(sluice_query(one, "sluice", 6) == 1 && sluice_query(one, "lock", 4) == 1, "and nothing is lost");
  plan.keys = 5000;
  sluice_filter* other = sluice_build(&plan);
  require(sluice_merge(one, other) == -1 && sluice_last_error() == SLUICE_CANNOT_MERGE, "other parameters are refused");
  require(sluice_merge(one, NULL) == -1 && sluice_last_error() == SLUICE_BAD_PARAMETER, "and nothing at all");
  sluice_close(one);
  sluice_close(two);
  sluice_close(other);
}

static void errors(const char* path, const char* folder) {
  struct sluice_plan absurd = {.size = sizeof absurd};
  absurd.keys = 1;
  absurd.fpr = 7;
  require(sluice_build(&absurd) == NULL && strstr(sluice_error(), "between 0 and 1") != NULL,
          "an absurd plan is refused");
  require(sluice_build(NULL) == NULL && sluice_map(NULL) == NULL && sluice_open(NULL) == NULL,
          "null pointers are refused");
  require(sluice_query(NULL, "x", 1) == -1 && sluice_save(NULL, path) == -1 && sluice_describe(NULL, NULL) == -1,
          "everywhere");
  sluice_close(NULL);
  struct sluice_plan parts = {.size = sizeof parts, .shards = 8};
  require(sluice_build(&parts) == NULL && strstr(sluice_error(), "shards need keys") != NULL,
          "a growing filter has no shards");
  struct sluice_plan old = {.keys = 1000};
  require(sluice_build(&old) == NULL && strstr(sluice_error(), "size") != NULL, "a struct without a size is refused");
  require(sluice_map("no such file") == NULL && strstr(sluice_error(), "no such file cannot be read") != NULL,
          "a missing file has its name in the sentence");
  require(sluice_last_error() == SLUICE_NOT_FOUND, "and a code");
  require(sluice_open(folder) == NULL, "a folder is no filter");
  FILE* file = fopen(path, "r+b");
  require(file != NULL && fseek(file, 5000, SEEK_SET) == 0 && fputc(255, file) != EOF && fputc(0, file) != EOF &&
              fclose(file) == 0,
          "the file is damaged");
  require(sluice_verify(path) == -1 && strstr(sluice_error(), "checksum") != NULL, "which is noticed");
  require(sluice_last_error() == SLUICE_DAMAGED, "by its code");
  require(sluice_open(path) == NULL, "and it is not opened");
}

/* A sealed filter, made elsewhere: it is asked as any other, and takes no keys. */
static void sealed(const char* file, const char* copy) {
  for (int mapped = 0; mapped < 2; ++mapped) {
    sluice_filter* f = mapped != 0 ? sluice_map(file) : sluice_open(file);
    require(f != NULL && sluice_verify(file) == 0, "a sealed filter is opened");
    struct sluice_info info = {.size = sizeof info};
    require(sluice_describe(f, &info) == 0 && info.keys == 150 && info.kind == SLUICE_BYTES && info.fpr < 1e-8,
            "it is described");
    char key[32];
    for (int i = 0; i < 150; ++i) {
      const int size = snprintf(key, sizeof key, "key %d", i * 7919);
      const void* const keys[1] = {key};
      const size_t sizes[1] = {(size_t)size};
      uint8_t answer = 0;
      require(sluice_query(f, key, (size_t)size) == 1, "its keys are there");
      require(sluice_query_bulk(f, keys, sizes, 1, &answer) == 0 && answer == 1, "in bulk, too");
    }
    require(sluice_query(f, "no such key", 11) == 0, "others are not");
    require(sluice_add(f, "x", 1) == -1, "it takes no more keys");
    if (mapped == 0) {
      require(sluice_last_error() == SLUICE_BAD_PARAMETER && strstr(sluice_error(), "resealable_filter") != NULL,
              "and says what does");
      require(sluice_merge(f, f) == -1 && sluice_last_error() == SLUICE_CANNOT_MERGE, "it is not merged");
      require(sluice_save(f, copy) == 0 && sluice_verify(copy) == 0, "it is saved");
    }
    sluice_close(f);
  }
}

int main(int count, char** arguments) {
  require(count == 3, "a folder and a sealed filter are given");
  char path[4096];
  snprintf(path, sizeof path, "%s/filter", arguments[1]);
  texts(path);
  seeds(path);
  integers(path);
  unions();
  char of_values[4096];
  snprintf(of_values, sizeof of_values, "%s/values", arguments[1]);
  values(of_values);
  char copy[4096];
  snprintf(copy, sizeof copy, "%s/sealed", arguments[1]);
  sealed(arguments[2], copy);
  errors(path, arguments[1]);
  printf("sluice %s: good\n", sluice_version());
  return 0;
}
