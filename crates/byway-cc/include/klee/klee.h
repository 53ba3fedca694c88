// What programs written for KLEE ask of who runs them, for programs built with byway-cc.
//
// A run that byway follows gets its objects from byway. Everywhere else these functions replay a test: klee_make_symbolic
// takes its objects from the .ktest file that KTEST_FILE names. The definitions are weak, so there is nothing to link
// with, and those of a library of the same name (such as KLEE's own for replaying) take their place.
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Without debug information, they are not a part of what a coverage report tells of the program.
#define BYWAY_KLEE __attribute__((weak, nodebug, unused))
#define BYWAY_KLEE_ENDS __attribute__((weak, nodebug, unused, noreturn))

// The C library under names of our own: its headers are for the program to include, or not.
char *byway_klee_getenv(const char *) __asm__("getenv");
void *byway_klee_fopen(const char *, const char *) __asm__("fopen");
int byway_klee_getc(void *) __asm__("fgetc");
long byway_klee_tell(void *) __asm__("ftell");
int byway_klee_seek(void *, long, int) __asm__("fseek");
void *byway_klee_map(void *, size_t, int, int, int, long) __asm__("mmap");
size_t byway_klee_usable(void *) __asm__("malloc_usable_size");
int byway_klee_print(int, const char *, ...) __asm__("dprintf");
void byway_klee_exit(int) __asm__("exit") __attribute__((noreturn));
void byway_klee_abort(void) __asm__("abort") __attribute__((noreturn));
int *byway_klee_errno(void) __asm__("__errno_location");
void byway_klee_assert_fail(const char *, const char *, unsigned, const char *) __asm__("__assert_fail")
    __attribute__((noreturn));

// What a build with AddressSanitizer knows of its objects.
const char *byway_klee_locate(void *, char *, size_t, void **, size_t *) __asm__("__asan_locate_address")
    __attribute__((weak));
void byway_klee_print_stack(void) __asm__("__sanitizer_print_stack_trace") __attribute__((weak));

// Something is wrong with the test that is replayed (the words are those of KLEE's own library for replaying). Ends the
// program, unless the user wants it to go on.
#define byway_klee_error(...)                                                                                          \
  (byway_klee_print(2, "KLEE_RUN_TEST_ERROR: " __VA_ARGS__), byway_klee_print(2, "\n"), byway_klee_end())

BYWAY_KLEE void byway_klee_end(void) {
  if (!byway_klee_getenv("KLEE_RUN_TEST_ERRORS_NON_FATAL"))
    byway_klee_exit(1);
  byway_klee_print(2, "KLEE_RUN_TEST_ERROR: Forcing execution to continue\n");
}

// The value that it has in this run; that it has it is not a part of the path.
BYWAY_KLEE int32_t klee_get_value_i32(int32_t x) { return x; }

// A byte of the file that is no part of an object, or -1. The file may be the input of a run that somebody follows, but
// nobody wants to know what the program does with a damaged one.
BYWAY_KLEE int byway_klee_byte(void *file) { return klee_get_value_i32(byway_klee_getc(file)); }

// A number of the file: four bytes, the highest first.
BYWAY_KLEE uint32_t byway_klee_number(void *file) {
  uint32_t number = 0;
  for (int i = 0; i < 4; i++)
    number = number << 8 | (unsigned char)byway_klee_byte(file);
  return number;
}

// The file, behind its header and arguments.
BYWAY_KLEE void *byway_klee_open(uint32_t *objects) {
  const char *path = byway_klee_getenv("KTEST_FILE"), *magic = "KTEST";
  void *file = path ? byway_klee_fopen(path, "rb") : 0;
  for (int i = 0; i < 5 && file; i++)
    if (byway_klee_byte(file) != magic[i])
      file = 0;
  if (!file) {
    byway_klee_print(2, path ? "KTEST_FILE: %s is no .ktest file that can be read\n"
                             : "KTEST_FILE is not set: it names the .ktest file to replay\n", path);
    byway_klee_exit(1);
  }
  uint32_t version = byway_klee_number(file);
  for (uint32_t arguments = byway_klee_number(file); arguments > 0; arguments--)
    for (uint32_t n = byway_klee_number(file); n > 0 && byway_klee_byte(file) >= 0; n--)
      ;
  if (version >= 2) {
    byway_klee_number(file);
    byway_klee_number(file);
  }
  *objects = byway_klee_number(file);
  return file;
}

// Reads the name of the next object (its beginning, if it is long) and whether it is this one. Its size and bytes follow.
BYWAY_KLEE int byway_klee_is_next(void *file, const char *name, char text[64]) {
  int same = 1;
  const char *at = name;
  uint32_t length = 0;
  for (uint32_t n = byway_klee_number(file); n > 0; n--) {
    int c = byway_klee_byte(file);
    if (c < 0)
      break;
    same = same && *at != 0 && (unsigned char)*at == c;
    at += *at != 0;
    if (length < 63)
      text[length++] = (char)c;
  }
  text[length] = 0;
  return same && *at == 0;
}

// Reads the next object into the n bytes, which are zero; returns its size.
BYWAY_KLEE uint32_t byway_klee_read(void *file, unsigned char *bytes, size_t n) {
  uint32_t size = byway_klee_number(file);
  for (uint32_t i = 0; i < size; i++) {
    int c = byway_klee_getc(file);
    if (i < n)
      bytes[i] = c < 0 ? 0 : (unsigned char)c;
  }
  return size;
}

// The n bytes at p become the next object of the input that has this name. Arguments and files are objects of the test
// too, which nobody asks for. Without an object of this name it is the next one, as KLEE has it.
BYWAY_KLEE void klee_make_symbolic(void *p, size_t n, const char *name) {
  static void *file;
  static uint32_t left;
  unsigned char *bytes = (unsigned char *)p;
  char text[64];
  if (!name || !*name)
    name = "unnamed";
  if (!file)
    file = byway_klee_open(&left);
  for (size_t i = 0; i < n; i++)
    bytes[i] = 0;
  long here = byway_klee_tell(file);
  for (uint32_t ahead = left; ahead > 0; ahead--) {
    if (byway_klee_is_next(file, name, text)) {
      left = ahead - 1;
      uint32_t size = byway_klee_read(file, bytes, n);
      if (size != n)
        byway_klee_error("object sizes differ. Expected %zu but got %u", n, size);
      return;
    }
    byway_klee_read(file, bytes, 0);
  }
  if (left == 0) {
    byway_klee_error("out of inputs. Will use zero if continuing.");
    return;
  }
  byway_klee_seek(file, here, 0);
  left--;
  byway_klee_is_next(file, name, text);
  byway_klee_error("object name mismatch. Requesting \"%s\" but returning \"%s\"", name, text);
  byway_klee_read(file, bytes, n);
}

// What is not so is not to be looked at.
BYWAY_KLEE void klee_assume(uintptr_t condition) {
  if (!condition)
    byway_klee_error("invalid klee_assume");
}

// An int that is not less than begin, and less than end.
BYWAY_KLEE int klee_range(int begin, int end, const char *name) {
  int x = begin;
  if (begin >= end)
    byway_klee_error("invalid klee_range(%d,%d,%s)", begin, end, name ? name : "");
  if (begin + 1 == end)
    return begin;
  klee_make_symbolic(&x, sizeof x, name);
  if (x < begin || x >= end)
    byway_klee_error("invalid klee_range(%d,%d,%s) value, got: %d", begin, end, name ? name : "", x);
  return x;
}

BYWAY_KLEE int klee_int(const char *name) {
  int x;
  klee_make_symbolic(&x, sizeof x, name);
  return x;
}

// A number less than n.
BYWAY_KLEE uintptr_t klee_choose(uintptr_t n) {
  uintptr_t x;
  klee_make_symbolic(&x, sizeof x, "klee_choose");
  if (x >= n)
    byway_klee_error("klee_choose failure. max = %ld, got = %ld", (long)n, (long)x);
  return x;
}

// Ends the program, and nobody is to be told.
BYWAY_KLEE_ENDS void klee_silent_exit(int status) { byway_klee_exit(status); }
BYWAY_KLEE_ENDS void klee_abort(void) { byway_klee_abort(); }

// Ends the program with an error of its own making.
BYWAY_KLEE_ENDS void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  byway_klee_print(2, "%s:%d: %s (%s)\n", file, line, message, suffix);
  byway_klee_exit(1);
}

BYWAY_KLEE_ENDS void klee_assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
  byway_klee_assert_fail(condition, file, line, function);
}

#define klee_assert(condition)                                                                                         \
  ((condition) ? (void)0 : klee_assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))

// Whether n depends on the input, in a run that somebody follows.
BYWAY_KLEE unsigned klee_is_symbolic(uintptr_t n) { return (void)n, 0; }
// Whether this is a replay.
BYWAY_KLEE unsigned klee_is_replay(void) { return 1; }

BYWAY_KLEE float klee_get_valuef(float x) { return x; }
BYWAY_KLEE double klee_get_valued(double x) { return x; }
BYWAY_KLEE long klee_get_valuel(long x) { return x; }
BYWAY_KLEE long long klee_get_valuell(long long x) { return x; }
BYWAY_KLEE int64_t klee_get_value_i64(int64_t x) { return x; }

BYWAY_KLEE void klee_warning(const char *message) { byway_klee_print(2, "warning: %s\n", message); }
BYWAY_KLEE void klee_warning_once(const char *message) { byway_klee_print(2, "warning: %s\n", message); }
BYWAY_KLEE int klee_get_errno(void) { return *byway_klee_errno(); }

// The bytes are read: where they are not those of an object, the program ends as it does where it reads such bytes itself.
BYWAY_KLEE void klee_check_memory_access(const void *object, size_t n) {
  for (size_t i = 0; i < n; i++)
    (void)((const volatile char *)object)[i];
}

// The size of the object that p points into. Without a sanitizer only that of blocks of malloc is known, rounded up.
BYWAY_KLEE size_t klee_get_obj_size(void *p) {
  char name[1];
  void *begin = 0;
  size_t size = 0;
  if (!byway_klee_locate)
    return byway_klee_usable(p);
  byway_klee_locate(p, name, sizeof name, &begin, &size);
  return size;
}

// There is an object at this address from now on: pages that were not there before are.
BYWAY_KLEE void klee_define_fixed_object(void *object, size_t n) {
  const uintptr_t page = 4096, begin = (uintptr_t)object & ~(page - 1), end = ((uintptr_t)object + n + page - 1) & ~(page - 1);
  // PROT_READ | PROT_WRITE; MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE
  for (uintptr_t at = begin; at < end; at += page)
    if (byway_klee_map((void *)at, page, 3, 0x100022, -1, 0) == (void *)-1 && *byway_klee_errno() != 17 /* EEXIST */) {
      byway_klee_print(2, "klee_define_fixed_object: there can be no object at %p here\n", object);
      byway_klee_exit(1);
    }
}

BYWAY_KLEE void klee_stack_trace(void) {
  if (byway_klee_print_stack)
    byway_klee_print_stack();
}

// These tell KLEE how to go about its work; a replay has nothing to go about.
BYWAY_KLEE void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
BYWAY_KLEE void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
BYWAY_KLEE void klee_mark_global(void *object) { (void)object; }
BYWAY_KLEE void klee_set_forking(unsigned enable) { (void)enable; }
BYWAY_KLEE void klee_merge(void) {}
BYWAY_KLEE void klee_open_merge(void) {}
BYWAY_KLEE void klee_close_merge(void) {}
BYWAY_KLEE void klee_print_expr(const char *message, ...) { (void)message; }
BYWAY_KLEE void klee_print_range(const char *name, int x) { byway_klee_print(2, "%s:%d\n", name, x); }

#ifdef __cplusplus
}
#endif

#endif
