// scanf, of strings and of streams.
#include "scanner.h"
#include <unistd.h>

int __isoc99_vsscanf(const char *, const char *, va_list);
int __isoc99_vfscanf(FILE *, const char *, va_list);
__attribute__((weak)) int __isoc23_vsscanf(const char *, const char *, va_list);
__attribute__((weak)) int __isoc23_vfscanf(FILE *, const char *, va_list);

// Where the library came to the NUL it has looked at it: the text may be longer.
static void at_nul(const struct scanner *s) {
  if (s->at == s->end)
    ends((const char *)s->at, 0);
}

// text has length bytes, and then ends; with a NUL, if it is a string.
static void scanned(const char *name, const void *text, size_t length, _Bool string, int stored, const char *format,
                    va_list list) {
  va_list copy;
  va_copy(copy, list);
  forget(format, stored, copy);
  va_end(copy);
  if (!byway_symbolic(text, length + string) && !byway_symbolic(format, strlen(format)))
    return;
  if (length > LIMIT)
    byway_too_long();
  struct scanner s = {name, text, text, (const byte *)text + smaller(length, LIMIT), stored > 0 ? stored : 0};
  int error = errno;
  scan(&s, format, list);
  if (string && length <= LIMIT)
    at_nul(&s);
  errno = error;
}

// Copies what the stream took since position, and the byte behind it if there is one; 0 if it is not there any more.
static size_t took(FILE *stream, int64_t position, byte *text) {
  int64_t n = byway_stream_progress(stream, position);
  byway_stream_took(stream, position, NULL, n > 0 ? n : 0);
  if (n < 0 || n > LIMIT)
    return n > LIMIT ? byway_too_long(), 0 : 0;
  if (n <= stream->_IO_read_ptr - stream->_IO_read_base) {
    memcpy(text, stream->_IO_read_ptr - n, n);
  } else {
    int error = errno, fd = fileno(stream);
    ssize_t count = pread(fd, text, n, position);
    errno = error;
    if (count != n)
      return byway_lost("fscanf"), 0;
  }
  for (int64_t i = 0; i < n; i++)
    byway_put(text + i, byway_stream_byte(stream, position, i, text[i]));
  if (stream->_IO_read_ptr < stream->_IO_read_end) {
    text[n] = *stream->_IO_read_ptr;
    n++;
  }
  return n;
}

#define SCAN(prefix)                                                                                                   \
  int byway_model_##prefix##vsscanf(const char *text, const char *format, va_list list) {                              \
    va_list copy;                                                                                                      \
    FIX(text), FIX(format);                                                                                            \
    va_copy(copy, list);                                                                                               \
    int stored = prefix##vsscanf(text, format, copy);                                                                  \
    va_end(copy);                                                                                                      \
    va_copy(copy, list);                                                                                               \
    scanned("sscanf", text, strlen(text), 1, stored, format, copy);                                                    \
    va_end(copy);                                                                                                      \
    return stored;                                                                                                     \
  }                                                                                                                    \
  int byway_model_##prefix##vfscanf(FILE *stream, const char *format, va_list list) {                                  \
    byte text[LIMIT + 1];                                                                                              \
    va_list copy;                                                                                                      \
    FIX(format);                                                                                                       \
    int64_t position = byway_stream_position(stream);                                                                  \
    va_copy(copy, list);                                                                                               \
    int stored = prefix##vfscanf(stream, format, copy);                                                                \
    va_end(copy);                                                                                                      \
    va_copy(copy, list);                                                                                               \
    scanned("fscanf", text, took(stream, position, text), 0, stored, format, copy);                                    \
    va_end(copy);                                                                                                      \
    return stored;                                                                                                     \
  }                                                                                                                    \
  int byway_model_##prefix##vscanf(const char *format, va_list list) {                                                 \
    return byway_model_##prefix##vfscanf(stdin, format, list);                                                         \
  }                                                                                                                    \
  int byway_model_##prefix##sscanf(const char *text, const char *format, ...) {                                        \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    int stored = byway_model_##prefix##vsscanf(text, format, list);                                                    \
    va_end(list);                                                                                                      \
    return stored;                                                                                                     \
  }                                                                                                                    \
  int byway_model_##prefix##fscanf(FILE *stream, const char *format, ...) {                                            \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    int stored = byway_model_##prefix##vfscanf(stream, format, list);                                                  \
    va_end(list);                                                                                                      \
    return stored;                                                                                                     \
  }                                                                                                                    \
  int byway_model_##prefix##scanf(const char *format, ...) {                                                           \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    int stored = byway_model_##prefix##vfscanf(stdin, format, list);                                                   \
    va_end(list);                                                                                                      \
    return stored;                                                                                                     \
  }
SCAN()
SCAN(__isoc99_)
SCAN(__isoc23_)
