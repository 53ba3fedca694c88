// What leaves the program: nothing of it comes back, so nothing is to be said. These models are here so that symbolic
// data given to them is not taken for lost.
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
  return went_out(write(fd, p, n), n);
}

ssize_t byway_model_pwrite(int fd, const void *p, size_t n, off_t offset) {
  byway_may_read(p, n);
  byway_written(FIX(fd));
  return went_out(pwrite(fd, p, n, offset), n);
}

ssize_t byway_model_pwrite64(int fd, const void *p, size_t n, off_t offset) {
  byway_may_read(p, n);
  byway_written(FIX(fd));
  return went_out(pwrite64(fd, p, n, offset), n);
}

ssize_t byway_model_writev(int fd, const struct iovec *parts, int n) {
  byway_written(FIX(fd));
  return writev(fd, parts, n);
}

ssize_t byway_model_send(int fd, const void *p, size_t n, int flags) {
  byway_may_read(p, n);
  return went_out(send(fd, p, n, flags), n);
}

size_t byway_model_fwrite(const void *p, size_t size, size_t n, FILE *stream) {
  byway_may_read(p, size * n);
  return went_out(fwrite(p, size, n, stream), n);
}

size_t byway_model_fwrite_unlocked(const void *p, size_t size, size_t n, FILE *stream) {
  byway_may_read(p, size * n);
  return went_out(fwrite_unlocked(p, size, n, stream), n);
}

// A string that is written up to its end, wherever it is.
static const char *text(const char *s) {
  const char *there = (const char *)byway_concrete((uintptr_t)s);
  if (byway_nuls())
    terminated(there, strlen(there), SIZE_MAX);
  return s;
}

int byway_model_puts(const char *s) { return puts(text(s)); }
int byway_model_fputs(const char *s, FILE *stream) { return fputs(text(s), stream); }
int byway_model_fputs_unlocked(const char *s, FILE *stream) { return fputs_unlocked(text(s), stream); }
void byway_model_perror(const char *s) { perror(s); }

// These return the byte that they were given.
static int was_put(int real, int c) { return real == EOF ? real : (int)byway_is(real, (byte)c); }
int byway_model_putchar(int c) { return was_put(putchar(c), c); }
int byway_model_putchar_unlocked(int c) { return was_put(putchar_unlocked(c), c); }
int byway_model_putc(int c, FILE *stream) { return was_put(putc(c, stream), c); }
int byway_model_putc_unlocked(int c, FILE *stream) { return was_put(putc_unlocked(c, stream), c); }
int byway_model_fputc(int c, FILE *stream) { return was_put(fputc(c, stream), c); }
int byway_model_fputc_unlocked(int c, FILE *stream) { return was_put(fputc_unlocked(c, stream), c); }
int byway_model__IO_putc(int c, FILE *stream) { return was_put(_IO_putc(c, stream), c); }
int byway_model_putw(int w, FILE *stream) { return putw(w, stream); }
// Given EOF, it only flushes.
int byway_model___overflow(FILE *stream, int c) {
  int real = __overflow(stream, c);
  return real == EOF || byway_concrete((unsigned)c) == (unsigned)EOF ? real : was_put(real, c);
}

// A function with a list of arguments, and one with the arguments themselves, which calls it.
#define PRINT(type, name, list_name, parameters, arguments)                                                            \
  type byway_model_##name parameters {                                                                                 \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    strings_end(format, list);                                                                                         \
    type n = list_name arguments;                                                                                      \
    va_end(list);                                                                                                      \
    return n;                                                                                                          \
  }
PRINT(int, printf, vprintf, (const char *format, ...), (format, list))
PRINT(int, fprintf, vfprintf, (FILE *stream, const char *format, ...), (stream, format, list))
PRINT(int, dprintf, vdprintf, (int fd, const char *format, ...), (fd, format, list))
PRINT(int, __printf_chk, __vprintf_chk, (int flag, const char *format, ...), (flag, format, list))
PRINT(int, __fprintf_chk, __vfprintf_chk, (FILE *stream, int flag, const char *format, ...),
      (stream, flag, format, list))
PRINT(int, __dprintf_chk, __vdprintf_chk, (int fd, int flag, const char *format, ...), (fd, flag, format, list))

int byway_model_vprintf(const char *format, va_list list) {
  strings_end(format, list);
  return vprintf(format, list);
}
int byway_model_vfprintf(FILE *stream, const char *format, va_list list) {
  strings_end(format, list);
  return vfprintf(stream, format, list);
}
int byway_model_vdprintf(int fd, const char *format, va_list list) {
  strings_end(format, list);
  return vdprintf(fd, format, list);
}
int byway_model___vprintf_chk(int flag, const char *format, va_list list) {
  strings_end(format, list);
  return __vprintf_chk(flag, format, list);
}
int byway_model___vfprintf_chk(FILE *stream, int flag, const char *format, va_list list) {
  strings_end(format, list);
  return __vfprintf_chk(stream, flag, format, list);
}
int byway_model___vdprintf_chk(int fd, int flag, const char *format, va_list list) {
  strings_end(format, list);
  return __vdprintf_chk(fd, flag, format, list);
}

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

__attribute__((noreturn)) void byway_model_exit(int status) { exit(status); }
__attribute__((noreturn)) void byway_model__exit(int status) { _exit(status); }
__attribute__((noreturn)) void byway_model__Exit(int status) { _Exit(status); }
