// Classes of bytes: the tables that the macros of <ctype.h> look into, and the functions, which look into them too.
#include "common.h"
#include <ctype.h>
#include <locale.h>

size_t __ctype_get_mb_cur_max(void);

// Bytes and EOF: -128 to 255.
#define FIRST (-128)
#define ENTRIES 384

#define TABLE(type, name)                                                                                              \
  const type **byway_model_##name(void) {                                                                              \
    static _Thread_local const type *known;                                                                            \
    const type **table = name();                                                                                       \
    if (*table != known) {                                                                                             \
      known = *table;                                                                                                  \
      byway_table(known + FIRST, ENTRIES * sizeof(type));                                                              \
    }                                                                                                                  \
    return table;                                                                                                      \
  }
TABLE(unsigned short, __ctype_b_loc)
TABLE(int32_t, __ctype_tolower_loc)
TABLE(int32_t, __ctype_toupper_loc)

size_t byway_model___ctype_get_mb_cur_max(void) { return __ctype_get_mb_cur_max(); }

// The table of another locale than the current one is announced each time: nobody remembers which were.
#define CLASS(name, bit)                                                                                               \
  int byway_model_##name(int c) {                                                                                      \
    int real = (name)(c);                                                                                              \
    if (!byway_labelled(c))                                                                                            \
      return real;                                                                                                     \
    return byway_is(real, (*byway_model___ctype_b_loc())[c] & (unsigned short)bit);                                    \
  }                                                                                                                    \
  int byway_model_##name##_l(int c, locale_t locale) {                                                                 \
    int real = (name##_l)(c, locale);                                                                                  \
    if (!byway_labelled(c))                                                                                            \
      return real;                                                                                                     \
    byway_table(locale->__ctype_b + FIRST, ENTRIES * sizeof *locale->__ctype_b);                                       \
    return byway_is(real, locale->__ctype_b[c] & (unsigned short)bit);                                                 \
  }                                                                                                                    \
  int __##name##_l(int, locale_t);                                                                                     \
  int byway_model___##name##_l(int c, locale_t locale) { return byway_model_##name##_l(c, locale); }
CLASS(isalnum, _ISalnum)
CLASS(isalpha, _ISalpha)
CLASS(isblank, _ISblank)
CLASS(iscntrl, _IScntrl)
CLASS(isdigit, _ISdigit)
CLASS(isgraph, _ISgraph)
CLASS(islower, _ISlower)
CLASS(isprint, _ISprint)
CLASS(ispunct, _ISpunct)
CLASS(isspace, _ISspace)
CLASS(isupper, _ISupper)
CLASS(isxdigit, _ISxdigit)

static _Bool has_entry(int c) { return (unsigned)c - (unsigned)FIRST < ENTRIES; }

#define CASE(name)                                                                                                     \
  int byway_model_##name(int c) {                                                                                      \
    int real = (name)(c);                                                                                              \
    if (!byway_labelled(c))                                                                                            \
      return real;                                                                                                     \
    if (!has_entry(c))                                                                                                 \
      return byway_is(real, c);                                                                                        \
    return byway_is(real, (*byway_model___ctype_##name##_loc())[c]);                                                   \
  }                                                                                                                    \
  int byway_model_##name##_l(int c, locale_t locale) {                                                                 \
    int real = (name##_l)(c, locale);                                                                                  \
    if (!byway_labelled(c))                                                                                            \
      return real;                                                                                                     \
    if (!has_entry(c))                                                                                                 \
      return byway_is(real, c);                                                                                        \
    byway_table(locale->__ctype_##name + FIRST, ENTRIES * sizeof *locale->__ctype_##name);                             \
    return byway_is(real, locale->__ctype_##name[c]);                                                                  \
  }                                                                                                                    \
  int byway_model___##name##_l(int c, locale_t locale) { return byway_model_##name##_l(c, locale); }
CASE(tolower)
CASE(toupper)

int byway_model__tolower(int c) { return byway_model_tolower(c); }
int byway_model__toupper(int c) { return byway_model_toupper(c); }
int byway_model_isascii(int c) { return (c & ~0x7f) == 0; }
int byway_model_toascii(int c) { return c & 0x7f; }
