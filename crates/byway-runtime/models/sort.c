// Sorting and searching with the program's own comparison, whose results are branches. The comparisons are those of the
// library: a merge sort from the top, as in glibc 2.36, with the same order of elements and of calls.
#include "common.h"
#include <search.h>
#include <unistd.h>

typedef int (*compare)(const void *, const void *);
typedef int (*compare_with)(const void *, const void *, void *);

struct sort {
  size_t size;         // of what is moved: an element, or a pointer to one
  _Bool indirect;
  _Bool symbolic;      // whether elements have a meaning that moves with them
  compare plain;       // one of both
  compare_with with;
  void *argument;
  char *buffer;
};

static void move(const struct sort *sort, void *to, const void *from, size_t n) {
  memcpy(to, from, n);
  if (sort->symbolic)
    byway_copy(to, from, n);
}

static int compare_elements(const struct sort *sort, const void *a, const void *b) {
  if (sort->indirect)
    a = *(void *const *)a, b = *(void *const *)b;
  return sort->plain ? sort->plain(a, b) : sort->with(a, b, sort->argument);
}

static void merge_sort(const struct sort *sort, char *base, size_t n) {
  if (n <= 1)
    return;
  size_t n1 = n / 2, n2 = n - n1, size = sort->size;
  char *one = base, *two = base + n1 * size, *to = sort->buffer;
  merge_sort(sort, one, n1);
  merge_sort(sort, two, n2);
  for (; n1 > 0 && n2 > 0; to += size) {
    if (compare_elements(sort, one, two) <= 0) {
      move(sort, to, one, size);
      one += size, n1--;
    } else {
      move(sort, to, two, size);
      two += size, n2--;
    }
  }
  if (n1 > 0)
    move(sort, to, one, n1 * size);
  move(sort, base, sort->buffer, (n - n2) * size);
}

// Moves the elements, of that size, to where the sorted pointers say.
static void permute(const struct sort *sort, char *base, size_t n, size_t size, char **sorted, char *spare) {
  for (size_t i = 0; i < n; i++) {
    char *to = base + i * size, *from = sorted[i], *first = to;
    size_t j = i;
    if (from == to)
      continue;
    move(sort, spare, to, size);
    do {
      size_t k = (from - base) / size;
      sorted[j] = to;
      move(sort, to, from, size);
      j = k, to = from, from = sorted[k];
    } while (from != first);
    sorted[j] = to;
    move(sort, to, spare, size);
  }
}

// Returns whether it sorted. The library sorts without a buffer if that were too large; then it shall do so itself.
static _Bool sorted(char *base, size_t n, size_t size, struct sort *sort) {
  _Bool indirect = size > 32;
  size_t bytes = indirect ? 2 * n * sizeof(char *) + size : n * size;
  if (bytes > (size_t)1 << 30)
    return 0;
  int error = errno;
  char *buffer = malloc(bytes ? bytes : 1);
  errno = error;
  if (!buffer)
    return 0;
  _Bool symbolic = byway_symbolic(base, n * size);
  sort->buffer = buffer;
  sort->indirect = indirect;
  sort->symbolic = symbolic && !indirect;
  sort->size = indirect ? sizeof(char *) : size;
  if (indirect) {
    char **pointers = (char **)buffer + n;
    byway_clear(buffer, bytes);
    for (size_t i = 0; i < n; i++)
      pointers[i] = base + i * size;
    merge_sort(sort, (char *)pointers, n);
    sort->symbolic = symbolic;
    permute(sort, base, n, size, pointers, (char *)(pointers + n));
  } else {
    merge_sort(sort, base, n);
  }
  if (symbolic)
    byway_clear(buffer, bytes);
  free(buffer);
  return 1;
}

void byway_model_qsort(void *base, size_t n, size_t size, compare compare) {
  struct sort sort = {0, 0, 0, compare, NULL, NULL, NULL};
  byway_may_write(base, n * size);
  FIX(base), FIX(n), FIX(size);
  if (!sorted(base, n, size, &sort))
    qsort(base, n, size, compare);
}

void byway_model_qsort_r(void *base, size_t n, size_t size, compare_with compare, void *argument) {
  struct sort sort = {0, 0, 0, NULL, compare, argument, NULL};
  byway_may_write(base, n * size);
  FIX(base), FIX(n), FIX(size);
  if (!sorted(base, n, size, &sort))
    qsort_r(base, n, size, compare, argument);
}

void *byway_model_bsearch(const void *key, const void *base, size_t n, size_t size, compare compare) {
  byway_may_read(base, n * size);
  FIX(base), FIX(n), FIX(size);
  for (size_t low = 0, high = n; low < high;) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compare(key, element);
    if (order < 0)
      high = middle;
    else if (order > 0)
      low = middle + 1;
    else
      return (void *)element;
  }
  return NULL;
}

void *byway_model_lfind(const void *key, const void *base, size_t *n, size_t size, compare compare) {
  FIX(base), FIX(size);
  size_t count = *n;
  FIX(count);
  for (size_t i = 0; i < count; i++) {
    const char *element = (const char *)base + i * size;
    if (compare(key, element) == 0)
      return (void *)element;
  }
  return NULL;
}
