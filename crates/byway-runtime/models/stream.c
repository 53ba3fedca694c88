// Streams that are read: opened, read in all ways but scanf's, moved, closed.
#include "files.h"
#include <stdio_ext.h>

size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
size_t __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
char *__fgets_chk(char *, size_t, int, FILE *);
char *__fgets_unlocked_chk(char *, size_t, int, FILE *);
char *__gets_chk(char *, size_t);
char *gets(char *);
ssize_t __getdelim(char **, size_t *, int, FILE *);
ssize_t __getline(char **, size_t *, FILE *) __attribute__((weak));
int _IO_getc(FILE *);
int __uflow(FILE *);
int __underflow(FILE *);

static int descriptor(FILE *stream) {
  int error = errno, fd = fileno(stream);
  errno = error;
  return fd;
}

// What fopen makes of its mode.
static int mode_flags(const char *mode) {
  int access = mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  int flags = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
  for (const char *m = mode + 1; *m && *m != ','; m++)
    access = *m == '+' ? O_RDWR : access;
  return flags | access;
}

static FILE *opened(FILE *stream, int flags, _Bool created) {
  if (stream && descriptor(stream) >= 0)
    byway_opened(descriptor(stream), flags, created);
  return stream;
}

#define OPEN(name)                                                                                                     \
  FILE *byway_model_##name(const char *path, const char *mode) {                                                       \
    int flags = mode_flags(mode);                                                                                      \
    _Bool created = is_new(AT_FDCWD, named(path), flags);                                                              \
    return opened(name(path, mode), flags, created);                                                                   \
  }
OPEN(fopen)
OPEN(fopen64)

// Without a path, the same file is opened again.
#define REOPEN(name)                                                                                                   \
  FILE *byway_model_##name(const char *path, const char *mode, FILE *stream) {                                         \
    int flags = mode_flags(mode), fd = descriptor(stream);                                                             \
    _Bool created = is_new(AT_FDCWD, named(path), flags);                                                              \
    if (path && fd >= 0)                                                                                               \
      byway_closed(fd);                                                                                                \
    FILE *again = name(path, mode, stream);                                                                            \
    return path ? opened(again, flags, created) : again;                                                               \
  }
REOPEN(freopen)
REOPEN(freopen64)

FILE *byway_model_fdopen(int fd, const char *mode) { return fdopen(FIX(fd), mode); }
FILE *byway_model_tmpfile(void) { return opened(tmpfile(), O_CREAT | O_EXCL | O_RDWR, 1); }

int byway_model_fclose(FILE *stream) {
  int fd = descriptor(stream);
  byway_stream_closes(stream);
  if (fd >= 0)
    byway_closed(fd);
  return fclose(stream);
}

// How many bytes were taken since position: at least, and at most.
static size_t taken(FILE *stream, int64_t position, size_t least, size_t most) {
  int64_t n = byway_stream_progress(stream, position);
  return n < (int64_t)least ? least : n > (int64_t)most ? most : (size_t)n;
}

#define READ(name, parameters, arguments)                                                                              \
  size_t byway_model_##name parameters {                                                                               \
    byway_may_write(buffer, size * n);                                                                                 \
    byway_taken(size * n);                                                                                             \
    FIX(buffer), FIX(size), FIX(n);                                                                                    \
    int64_t position = byway_stream_position(stream);                                                                  \
    size_t items = name arguments, bytes = items * size;                                                               \
    if (items < n && size > 1)                                                                                         \
      bytes = taken(stream, position, bytes, bytes + size - 1);                                                        \
    byway_writes(buffer, bytes);                                                                                       \
    byway_stream_took(stream, position, buffer, bytes);                                                                \
    return items;                                                                                                      \
  }
READ(fread, (void *buffer, size_t size, size_t n, FILE *stream), (buffer, size, n, stream))
READ(fread_unlocked, (void *buffer, size_t size, size_t n, FILE *stream), (buffer, size, n, stream))
READ(__fread_chk, (void *buffer, size_t room, size_t size, size_t n, FILE *stream), (buffer, room, size, n, stream))
READ(__fread_unlocked_chk, (void *buffer, size_t room, size_t size, size_t n, FILE *stream),
     (buffer, room, size, n, stream))

// Reading a line looks at each byte: where it ends is a branch for each, as if the program had read them one by one.
static void look_for(const char *line, size_t n, int end) {
  if (!byway_symbolic(line, n))
    return;
  if (n > LIMIT)
    byway_too_long();
  for (size_t i = 0; i < smaller(n, LIMIT); i++)
    if (line[i] == (char)end)
      return;
}

// n bytes and a NUL are at line.
static char *got_line(char *line, size_t room, FILE *stream, int64_t position) {
  if (line) {
    size_t length = strlen(line), n = taken(stream, position, length, room ? room - 1 : length);
    byway_writes(line, n + 1);
    byway_stream_took(stream, position, line, n);
    byway_clear(line + n, 1);
    look_for(line, n, '\n');
  } else {
    byway_stream_took(stream, position, NULL, taken(stream, position, 0, room));
  }
  return line;
}

#define LINE(name, parameters, arguments)                                                                              \
  char *byway_model_##name parameters {                                                                                \
    byway_may_write(line, n);                                                                                          \
    byway_taken(n);                                                                                                    \
    FIX(line), FIX(n);                                                                                                 \
    int64_t position = byway_stream_position(stream);                                                                  \
    return got_line(name arguments, n > 0 ? n : 0, stream, position);                                                  \
  }
LINE(fgets, (char *line, int n, FILE *stream), (line, n, stream))
LINE(fgets_unlocked, (char *line, int n, FILE *stream), (line, n, stream))
LINE(__fgets_chk, (char *line, size_t room, int n, FILE *stream), (line, room, n, stream))
LINE(__fgets_unlocked_chk, (char *line, size_t room, int n, FILE *stream), (line, room, n, stream))

// The end of the line is taken, and is not at line.
static char *got_whole_line(char *line, int64_t position) {
  size_t length = line ? strlen(line) : 0, n = taken(stdin, position, length, length + 1);
  byway_stream_took(stdin, position, line, length);
  byway_stream_took(stdin, position, NULL, n);
  if (line) {
    byway_clear(line + length, 1);
    look_for(line, length, '\n');
  }
  return line;
}

char *byway_model_gets(char *line) {
  int64_t position = byway_stream_position(stdin);
  return got_whole_line(gets(line), position);
}

char *byway_model___gets_chk(char *line, size_t room) {
  int64_t position = byway_stream_position(stdin);
  return got_whole_line(__gets_chk(line, room), position);
}

// The library may have made the buffer, or another one of it.
#define DELIMITED(name, parameters, arguments, end)                                                                    \
  ssize_t byway_model_##name parameters {                                                                              \
    FIX(line), FIX(size);                                                                                              \
    char *old = line ? *line : NULL;                                                                                   \
    size_t room = size ? *size : 0;                                                                                    \
    int64_t position = byway_stream_position(stream);                                                                  \
    ssize_t n = name arguments;                                                                                        \
    if (line && size)                                                                                                  \
      got_delimited(line, size, old, room, n, end, stream, position);                                                  \
    return n;                                                                                                          \
  }

static void got_delimited(char **line, size_t *size, char *old, size_t room, ssize_t n, int end, FILE *stream,
                          int64_t position) {
  byway_clear(line, sizeof *line);
  byway_clear(size, sizeof *size);
  if (*line != old) {
    if (old)
      byway_released(old);
    byway_allocated(*line, *size);
  } else if (*line && *size != byway_concrete(room)) {
    byway_resized(*line, *size);
  }
  byway_stream_took(stream, position, n > 0 ? *line : NULL, n > 0 ? n : 0);
  if (n > 0) {
    byway_clear(*line + n, 1);
    look_for(*line, n, end);
  }
}
DELIMITED(getline, (char **line, size_t *size, FILE *stream), (line, size, stream), '\n')
DELIMITED(__getline, (char **line, size_t *size, FILE *stream), (line, size, stream), '\n')
DELIMITED(getdelim, (char **line, size_t *size, int end, FILE *stream), (line, size, FIX(end), stream), end)
DELIMITED(__getdelim, (char **line, size_t *size, int end, FILE *stream), (line, size, FIX(end), stream), end)

static int got(int c, FILE *stream, int64_t position, size_t n) {
  byway_stream_took(stream, position, NULL, c == EOF ? 0 : n);
  return c == EOF ? c : (int)byway_stream_byte(stream, position, 0, c);
}

#define CHARACTER(name, n)                                                                                             \
  int byway_model_##name(FILE *stream) {                                                                               \
    int64_t position = byway_stream_position(stream);                                                                  \
    return got(name(stream), stream, position, n);                                                                     \
  }
CHARACTER(getc, 1)
CHARACTER(fgetc, 1)
CHARACTER(getc_unlocked, 1)
CHARACTER(fgetc_unlocked, 1)
CHARACTER(_IO_getc, 1)
CHARACTER(__uflow, 1)
CHARACTER(__underflow, 0)

int byway_model_getchar(void) {
  int64_t position = byway_stream_position(stdin);
  return got(getchar(), stdin, position, 1);
}

int byway_model_getchar_unlocked(void) {
  int64_t position = byway_stream_position(stdin);
  return got(getchar_unlocked(), stdin, position, 1);
}

int byway_model_getw(FILE *stream) {
  int64_t position = byway_stream_position(stream);
  int word = getw(stream);
  size_t n = taken(stream, position, 0, sizeof word);
  byway_stream_took(stream, position, NULL, n);
  if (n < sizeof word)
    return word;
  unsigned model = 0;
  for (unsigned i = 0; i < sizeof word; i++)
    model |= (unsigned)byway_stream_byte(stream, position, i, (unsigned)word >> 8 * i) << 8 * i;
  return byway_is(word, (int)model);
}

int byway_model_ungetc(int c, FILE *stream) {
  int back = ungetc(c, stream);
  byway_stream_moved(stream);
  if (back == EOF)
    return back;
  byway_put(stream->_IO_read_ptr, c);
  return byway_is(back, (byte)c);
}

// A place in a file that depends on the input is taken as it is.
#define SEEK(name, type)                                                                                               \
  int byway_model_##name(FILE *stream, type offset, int whence) {                                                      \
    FIX(offset), FIX(whence);                                                                                          \
    if (whence == SEEK_END)                                                                                            \
      byway_reading(fileno(stream));                                                                                   \
    int failed = name(stream, offset, whence);                                                                         \
    byway_stream_moved(stream);                                                                                        \
    return failed;                                                                                                     \
  }
SEEK(fseek, long)
SEEK(fseeko, off_t)
SEEK(fseeko64, off64_t)

int byway_model_fsetpos(FILE *stream, const fpos_t *place) {
  int failed = fsetpos(stream, place);
  byway_stream_moved(stream);
  return failed;
}

int byway_model_fsetpos64(FILE *stream, const fpos64_t *place) {
  int failed = fsetpos64(stream, place);
  byway_stream_moved(stream);
  return failed;
}

void byway_model_rewind(FILE *stream) {
  rewind(stream);
  byway_stream_moved(stream);
}

// What an input stream has buffered is dropped.
#define FLUSH(name)                                                                                                    \
  int byway_model_##name(FILE *stream) {                                                                               \
    if (byway_outputs())                                                                                               \
      byway_stream_writes(stream);                                                                                     \
    int failed = name(stream);                                                                                         \
    if (stream && __freading(stream))                                                                                  \
      byway_stream_moved(stream);                                                                                      \
    return failed;                                                                                                     \
  }
FLUSH(fflush)
FLUSH(fflush_unlocked)
