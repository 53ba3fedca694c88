// What programs written for KLEE ask of who runs them (klee/klee.h). Where nobody follows the run, the program's own
// definitions replay a test. All else that KLEE has means nothing here, and those definitions do for it.
#include "common.h"

#define WEAK __attribute__((weak))
#define ENDS __attribute__((noreturn))
WEAK void klee_make_symbolic(void *, size_t, const char *);
WEAK void klee_assume(uintptr_t);
WEAK int klee_range(int, int, const char *);
WEAK ENDS void klee_silent_exit(int);
WEAK ENDS void klee_report_error(const char *, int, const char *, const char *);

// Whether the objects are byway's. Where KTEST_FILE names a test, the run replays it: the file is an input like any other,
// and the program's own definition reads the objects from it.
static int is_asked(void) { return byway_traced() && !(klee_make_symbolic && getenv("KTEST_FILE")); }

void byway_model_klee_make_symbolic(void *p, size_t n, const char *name) {
  FIX(p), FIX(n), FIX(name);
  if (is_asked())
    byway_object(p, n, name && *name ? name : "unnamed");
  else if (klee_make_symbolic)
    klee_make_symbolic(p, n, name);
  else
    memset(p, 0, n);
}

void byway_model_klee_assume(uintptr_t condition) {
  if (byway_traced())
    byway_assume(condition != 0);
  else if (klee_assume)
    klee_assume(condition);
}

void byway_model_klee_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  if (byway_traced())
    byway_prefer(condition != 0);
}

void byway_model_klee_posix_prefer_cex(void *object, uintptr_t condition) {
  byway_model_klee_prefer_cex(object, condition);
}

void byway_model_klee_set_forking(unsigned enable) {
  FIX(enable);
  if (byway_traced())
    byway_fork(enable != 0);
}

ENDS void byway_model_klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  FIX(file), FIX(line), FIX(message), FIX(suffix);
  if (byway_traced())
    byway_report_error(file, line, message, suffix);
  else if (klee_report_error)
    klee_report_error(file, line, message, suffix);
  exit(1);
}

ENDS void byway_model_klee_silent_exit(int status) {
  FIX(status);
  if (byway_traced())
    byway_silent_exit(status);
  exit(status);
}

int byway_model_klee_int(const char *name) {
  int x = 0;
  byway_model_klee_make_symbolic(&x, sizeof x, name);
  return x;
}

int byway_model_klee_range(int begin, int end, const char *name) {
  if (!is_asked() && klee_range)
    return klee_range(begin, end, name);
  FIX(begin), FIX(end);
  if (begin >= end)
    byway_model_klee_report_error("klee_range", 0, "invalid range", "user.err");
  if (begin + 1 == end)
    return begin;
  int x = byway_model_klee_int(name);
  byway_model_klee_assume((x >= begin) & (x < end));
  return x;
}

uintptr_t byway_model_klee_choose(uintptr_t n) {
  uintptr_t x = 0;
  byway_model_klee_make_symbolic(&x, sizeof x, "klee_choose");
  byway_model_klee_assume(x < n);
  return x;
}

unsigned byway_model_klee_is_symbolic(uintptr_t n) { return byway_labelled(n); }
unsigned byway_model_klee_is_replay(void) { return !is_asked(); }

#define VALUE(suffix, type)                                                                                            \
  type byway_model_klee_get_value##suffix(type x) { return (type)byway_concrete((uint64_t)x); }
VALUE(l, long)
VALUE(ll, long long)
VALUE(_i32, int32_t)
VALUE(_i64, int64_t)
