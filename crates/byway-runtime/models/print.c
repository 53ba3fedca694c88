// printf to memory. To streams, it is in output.c.
#include "format.h"

int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __asprintf_chk(char **, int, const char *, ...);
int __vasprintf_chk(char **, int, const char *, va_list);

// The text is longer than what can be written for no other reason than that it has no bound.
#define NO_BOUND ((size_t)INT_MAX + 1)

// The number of bytes that the program says there are.
static size_t bounded(char *text, size_t *room) {
  byway_may_write(text, *room);
  byway_taken(*room);
  return FIX(*room);
}

// Two functions: one with its arguments in a list, and one without.
#define PRINT(name, list_name, parameters, list_parameters, arguments, list_arguments, bound)                          \
  int byway_model_##list_name list_parameters {                                                                        \
    va_list copy;                                                                                                      \
    FIX(text), FIX(format);                                                                                            \
    va_copy(copy, list);                                                                                               \
    int n = list_name list_arguments;                                                                                  \
    va_end(copy);                                                                                                      \
    formatted(text, bound, n, format, list);                                                                           \
    return n;                                                                                                          \
  }                                                                                                                    \
  int byway_model_##name parameters {                                                                                  \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    int n = byway_model_##list_name arguments;                                                                         \
    va_end(list);                                                                                                      \
    return n;                                                                                                          \
  }

PRINT(sprintf, vsprintf, (char *text, const char *format, ...), (char *text, const char *format, va_list list),
      (text, format, list), (text, format, copy), NO_BOUND)
PRINT(__sprintf_chk, __vsprintf_chk, (char *text, int flag, size_t size, const char *format, ...),
      (char *text, int flag, size_t size, const char *format, va_list list), (text, flag, size, format, list),
      (text, flag, size, format, copy), NO_BOUND)
PRINT(snprintf, vsnprintf, (char *text, size_t room, const char *format, ...),
      (char *text, size_t room, const char *format, va_list list), (text, room, format, list),
      (text, bounded(text, &room), format, copy), room)
PRINT(__snprintf_chk, __vsnprintf_chk, (char *text, size_t room, int flag, size_t size, const char *format, ...),
      (char *text, size_t room, int flag, size_t size, const char *format, va_list list),
      (text, room, flag, size, format, list), (text, bounded(text, &room), flag, size, format, copy), room)

// The text is in a new block.
#define PRINT_NEW(name, list_name, parameters, list_parameters, arguments, list_arguments)                             \
  int byway_model_##list_name list_parameters {                                                                        \
    va_list copy;                                                                                                      \
    FIX(to), FIX(format);                                                                                              \
    va_copy(copy, list);                                                                                               \
    int n = list_name list_arguments;                                                                                  \
    va_end(copy);                                                                                                      \
    byway_clear(to, sizeof *to);                                                                                       \
    if (n >= 0) {                                                                                                      \
      byway_allocated(*to, (size_t)n + 1);                                                                             \
      formatted(*to, NO_BOUND, n, format, list);                                                                       \
    }                                                                                                                  \
    return n;                                                                                                          \
  }                                                                                                                    \
  int byway_model_##name parameters {                                                                                  \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    int n = byway_model_##list_name arguments;                                                                         \
    va_end(list);                                                                                                      \
    return n;                                                                                                          \
  }

PRINT_NEW(asprintf, vasprintf, (char **to, const char *format, ...), (char **to, const char *format, va_list list),
          (to, format, list), (to, format, copy))
PRINT_NEW(__asprintf_chk, __vasprintf_chk, (char **to, int flag, const char *format, ...),
          (char **to, int flag, const char *format, va_list list), (to, flag, format, list), (to, flag, format, copy))
