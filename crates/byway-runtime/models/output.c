// What leaves the program: nothing of it comes back. These models are here so that symbolic data given to them is not
// taken for lost, and so that a run that is asked for it says which bytes go where.
#include "format.h"
#include <err.h>
#include <error.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <syslog.h>
#include <unistd.h>

int __overflow(FILE *, int);
int _IO_putc(int, FILE *);
int __vprintf_chk(int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vdprintf_chk(int, int, const char *, va_list);
void __vsyslog_chk(int, int, const char *, va_list);

// A number of bytes that goes out is any number: all of it did, and all of another would.
static ssize_t went_out(ssize_t real, size_t n) {
  return real >= 0 && (size_t)real == byway_concrete(n) ? (ssize_t)byway_is(real, n) : real;
}

ssize_t byway_model_write(int fd, const void *p, size_t n) {
  byway_may_read(p, n);
  byway_written(FIX(fd));
  ssize_t real = write(fd, p, n);
  if (real > 0)
    byway_wrote(fd, p, real, 0);
  return went_out(real, n);
}

#define WRITE_AT(name)                                                                                                 \
  ssize_t byway_model_##name(int fd, const void *p, size_t n, off_t offset) {                                          \
    byway_may_read(p, n);                                                                                              \
    byway_written(FIX(fd));                                                                                            \
    ssize_t real = name(fd, p, n, offset);                                                                             \
    if (real > 0)                                                                                                      \
      byway_wrote_at(fd, p, real, offset);                                                                             \
    return went_out(real, n);                                                                                          \
  }
WRITE_AT(pwrite)
WRITE_AT(pwrite64)

ssize_t byway_model_writev(int fd, const struct iovec *parts, int n) {
  byway_written(FIX(fd));
  ssize_t real = writev(fd, parts, n);
  if (byway_outputs()) {
    size_t left = real > 0 ? real : 0;
    for (int i = 0; i < n && left; i++) {
      size_t size = smaller(parts[i].iov_len, left);
      left -= size;
      byway_wrote(fd, parts[i].iov_base, size, left);
    }
  }
  return real;
}

ssize_t byway_model_send(int fd, const void *p, size_t n, int flags) {
  byway_may_read(p, n);
  return went_out(send(fd, p, n, flags), n);
}

// Before a library function writes to a stream: whether somebody wants to know what. Then it is to be said behind it.
static inline int begin_output(FILE *stream) {
  int wanted = byway_outputs();
  if (wanted)
    byway_stream_writes(stream);
  return wanted;
}

#define WRITE(name)                                                                                                    \
  size_t byway_model_##name(const void *p, size_t size, size_t n, FILE *stream) {                                      \
    byway_may_read(p, size * n);                                                                                       \
    int wanted = begin_output(stream);                                                                                 \
    size_t real = name(p, size, n, stream);                                                                            \
    if (wanted)                                                                                                        \
      byway_stream_wrote(stream, p, byway_concrete(size) * real, 0);                                                   \
    return went_out(real, n);                                                                                          \
  }
WRITE(fwrite)
WRITE(fwrite_unlocked)

// A string that is written up to its end, wherever it is.
static const char *text(const char *s) {
  const char *there = (const char *)byway_concrete((uintptr_t)s);
  if (byway_anything() && byway_nuls())
    terminated(there, strlen(there), SIZE_MAX);
  return s;
}

// A string went to a stream, and then some other bytes.
static int text_went(int wanted, int real, const char *s, FILE *stream, size_t behind) {
  const char *there = (const char *)byway_concrete((uintptr_t)s);
  if (wanted)
    byway_stream_wrote(stream, there, real == EOF ? 0 : strlen(there), behind);
  return real;
}

int byway_model_puts(const char *s) {
  int wanted = begin_output(stdout);
  return text_went(wanted, puts(text(s)), s, stdout, 1);
}
int byway_model_fputs(const char *s, FILE *stream) {
  int wanted = begin_output(stream);
  return text_went(wanted, fputs(text(s), stream), s, stream, 0);
}
int byway_model_fputs_unlocked(const char *s, FILE *stream) {
  int wanted = begin_output(stream);
  return text_went(wanted, fputs_unlocked(text(s), stream), s, stream, 0);
}
void byway_model_perror(const char *s) { perror(s); }

// These return the byte that they were given.
static int was_put(int wanted, int real, int c, FILE *stream) {
  if (wanted) {
    byte put = c;
    byway_stream_wrote(stream, &put, real != EOF, 0);
  }
  return real == EOF ? real : (int)byway_is(real, (byte)c);
}

#define PUT(name)                                                                                                      \
  int byway_model_##name(int c, FILE *stream) {                                                                        \
    int wanted = begin_output(stream);                                                                                 \
    return was_put(wanted, name(c, stream), c, stream);                                                                \
  }
PUT(putc)
PUT(putc_unlocked)
PUT(fputc)
PUT(fputc_unlocked)
PUT(_IO_putc)
int byway_model_putchar(int c) {
  int wanted = begin_output(stdout);
  return was_put(wanted, putchar(c), c, stdout);
}
int byway_model_putchar_unlocked(int c) {
  int wanted = begin_output(stdout);
  return was_put(wanted, putchar_unlocked(c), c, stdout);
}
int byway_model_putw(int w, FILE *stream) { return putw(w, stream); }
// Given EOF, it only flushes.
int byway_model___overflow(FILE *stream, int c) {
  int wanted = begin_output(stream), real = __overflow(stream, c);
  return real == EOF || byway_concrete((unsigned)c) == (unsigned)EOF ? real : was_put(wanted, real, c, stream);
}

// The longest text of printf that is looked at.
#define MOST_PRINTED 65536

// What printf wrote, if somebody wants to know: the same text once more, with what its bytes mean. NULL if it is too
// long.
static char *printed(int n, const char *format, va_list list) {
  static char text[MOST_PRINTED];
  if (n < 0 || n >= MOST_PRINTED)
    return NULL;
  int error = errno;
  va_list copy;
  va_copy(copy, list);
  vsnprintf(text, sizeof text, format, copy);
  va_end(copy);
  errno = error;
  formatted(text, sizeof text, n, format, list);
  return text;
}

static int print_went(int wanted, FILE *stream, int n, const char *format, va_list list) {
  if (wanted) {
    const char *text = printed(n, format, list);
    byway_stream_wrote(stream, text, text ? n : 0, 0);
  }
  return n;
}

static int print_went_to(int wanted, int fd, int n, const char *format, va_list list) {
  const char *text = wanted ? printed(n, format, list) : NULL;
  if (text)
    byway_wrote(fd, text, n, 0);
  return n;
}

// A function with a list of arguments, and one with the arguments themselves. Programs print much; while nobody wants to
// know what, and nothing of it is symbolic, not even the list is copied.
#define PRINT(name, list_name, parameters, list_parameters, begin, arguments, list_arguments, end)                     \
  int byway_model_##list_name list_parameters {                                                                        \
    if (byway_anything())                                                                                              \
      strings_end(format, list);                                                                                       \
    if (!byway_outputs())                                                                                              \
      return list_name arguments;                                                                                      \
    int wanted = begin;                                                                                                \
    va_list copy;                                                                                                      \
    va_copy(copy, list);                                                                                               \
    int n = list_name list_arguments;                                                                                  \
    va_end(copy);                                                                                                      \
    return end;                                                                                                        \
  }                                                                                                                    \
  int byway_model_##name parameters {                                                                                  \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    int n = byway_model_##list_name arguments;                                                                         \
    va_end(list);                                                                                                      \
    return n;                                                                                                          \
  }
PRINT(printf, vprintf, (const char *format, ...), (const char *format, va_list list), begin_output(stdout),
      (format, list), (format, copy), print_went(wanted, stdout, n, format, list))
PRINT(fprintf, vfprintf, (FILE *stream, const char *format, ...), (FILE *stream, const char *format, va_list list),
      begin_output(stream), (stream, format, list), (stream, format, copy), print_went(wanted, stream, n, format, list))
PRINT(dprintf, vdprintf, (int fd, const char *format, ...), (int fd, const char *format, va_list list), byway_outputs(),
      (fd, format, list), (fd, format, copy), print_went_to(wanted, fd, n, format, list))
PRINT(__printf_chk, __vprintf_chk, (int flag, const char *format, ...), (int flag, const char *format, va_list list),
      begin_output(stdout), (flag, format, list), (flag, format, copy), print_went(wanted, stdout, n, format, list))
PRINT(__fprintf_chk, __vfprintf_chk, (FILE *stream, int flag, const char *format, ...),
      (FILE *stream, int flag, const char *format, va_list list), begin_output(stream), (stream, flag, format, list),
      (stream, flag, format, copy), print_went(wanted, stream, n, format, list))
PRINT(__dprintf_chk, __vdprintf_chk, (int fd, int flag, const char *format, ...),
      (int fd, int flag, const char *format, va_list list), byway_outputs(), (fd, flag, format, list),
      (fd, flag, format, copy), print_went_to(wanted, fd, n, format, list))

#define REPORT(name, list_name, parameters, arguments)                                                                 \
  void byway_model_##name parameters {                                                                                 \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    list_name arguments;                                                                                               \
    va_end(list);                                                                                                      \
  }
REPORT(warn, vwarn, (const char *format, ...), (format, list))
REPORT(warnx, vwarnx, (const char *format, ...), (format, list))
REPORT(err, verr, (int status, const char *format, ...), (status, format, list))
REPORT(errx, verrx, (int status, const char *format, ...), (status, format, list))
REPORT(syslog, vsyslog, (int priority, const char *format, ...), (priority, format, list))
REPORT(__syslog_chk, __vsyslog_chk, (int priority, int flag, const char *format, ...), (priority, flag, format, list))
void byway_model_vwarn(const char *format, va_list list) { vwarn(format, list); }
void byway_model_vwarnx(const char *format, va_list list) { vwarnx(format, list); }
void byway_model_verr(int status, const char *format, va_list list) { verr(status, format, list); }
void byway_model_verrx(int status, const char *format, va_list list) { verrx(status, format, list); }

// error has no form with a list, so its text is made before. Without memory for it, the format must do.
static char *text_of(const char *format, va_list list) {
  char *text;
  int error = errno, n = vasprintf(&text, format, list);
  errno = error;
  return n < 0 ? NULL : text;
}

void byway_model_error(int status, int number, const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *text = text_of(format, list);
  va_end(list);
  error(status, number, "%s", text ? text : format);
  free(text);
}

void byway_model_error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *text = text_of(format, list);
  va_end(list);
  error_at_line(status, number, file, line, "%s", text ? text : format);
  free(text);
}

__attribute__((noreturn)) void byway_model_exit(int status) {
  byway_exits(status);
  exit(status);
}
__attribute__((noreturn)) void byway_model__exit(int status) {
  byway_leaves(status);
  _exit(status);
}
__attribute__((noreturn)) void byway_model__Exit(int status) {
  byway_leaves(status);
  _Exit(status);
}
