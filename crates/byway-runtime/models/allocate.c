// The allocator: which blocks there are, and how large. Also C++'s operators new and delete.
#include "common.h"
#include <malloc.h>

void *byway_model_malloc(size_t size) {
  byway_asks(size);
  void *block = malloc(size);
  byway_allocated(block, size);
  return block;
}

void *byway_model_calloc(size_t count, size_t size) {
  byway_allocates(count, size);
  void *block = calloc(count, size);
  byway_allocated(block, count * size);
  return block;
}

void byway_model_free(void *block) {
  byway_released(block);
  free(block);
}

// After the library made block of old, which had usable bytes. It is the same one, another one, or there was no memory.
static void *resized(void *block, void *old, size_t usable, size_t size, _Bool failed) {
  if (failed) {
    if (old)
      byway_resized(old, usable);
  } else if (block == old) {
    byway_resized(block, size);
  } else {
    byway_allocated(block, size);
    byway_copy(block, old, smaller(usable, byway_concrete(size)));
  }
  return block;
}

void *byway_model_realloc(void *old, size_t size) {
  byway_asks(size);
  size_t usable = old ? malloc_usable_size(old) : 0;
  if (old)
    byway_released(old);
  void *block = realloc(old, size);
  if (!block && old && byway_concrete(size) == 0)
    return block;
  return resized(block, old, usable, size, !block);
}

void *byway_model_reallocarray(void *old, size_t count, size_t size) {
  byway_allocates(count, size);
  size_t usable = old ? malloc_usable_size(old) : 0, total;
  _Bool failed = __builtin_mul_overflow(byway_concrete(count), byway_concrete(size), &total);
  if (old)
    byway_released(old);
  void *block = reallocarray(old, count, size);
  if (!block && old && !failed && total == 0)
    return block;
  return resized(block, old, usable, count * size, !block);
}

void *byway_model_memalign(size_t alignment, size_t size) {
  byway_asks(size);
  void *block = memalign(alignment, size);
  byway_allocated(block, size);
  return block;
}

void *byway_model_aligned_alloc(size_t alignment, size_t size) {
  byway_asks(size);
  void *block = aligned_alloc(alignment, size);
  byway_allocated(block, size);
  return block;
}

void *byway_model_valloc(size_t size) {
  byway_asks(size);
  void *block = valloc(size);
  byway_allocated(block, size);
  return block;
}

void *byway_model_pvalloc(size_t size) {
  byway_asks(size);
  void *block = pvalloc(size);
  byway_allocated(block, size);
  return block;
}

int byway_model_posix_memalign(void **out, size_t alignment, size_t size) {
  FIX(out);
  byway_asks(size);
  int error = posix_memalign(out, alignment, size);
  if (error == 0) {
    byway_clear(out, sizeof *out);
    byway_allocated(*out, size);
  }
  return error;
}

// C++. Weak, since a program in C has no such functions.
#define NEW(name, parameters, arguments)                                                                               \
  __attribute__((weak)) void *name parameters;                                                                         \
  void *byway_model_##name parameters {                                                                                \
    byway_asks(size);                                                                                                  \
    void *block = name arguments;                                                                                      \
    byway_allocated(block, size);                                                                                      \
    return block;                                                                                                      \
  }
#define DELETE(name, parameters, arguments)                                                                            \
  __attribute__((weak)) void name parameters;                                                                          \
  void byway_model_##name parameters {                                                                                 \
    byway_released(block);                                                                                             \
    name arguments;                                                                                                    \
  }

NEW(_Znwm, (size_t size), (size))
NEW(_Znam, (size_t size), (size))
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *tag), (size, tag))
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *tag), (size, tag))
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment))
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag), (size, alignment, tag))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag), (size, alignment, tag))
DELETE(_ZdlPv, (void *block), (block))
DELETE(_ZdaPv, (void *block), (block))
DELETE(_ZdlPvm, (void *block, size_t size), (block, size))
DELETE(_ZdaPvm, (void *block, size_t size), (block, size))
DELETE(_ZdlPvRKSt9nothrow_t, (void *block, const void *tag), (block, tag))
DELETE(_ZdaPvRKSt9nothrow_t, (void *block, const void *tag), (block, tag))
DELETE(_ZdlPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))
DELETE(_ZdaPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))
DELETE(_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment))
DELETE(_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment))
