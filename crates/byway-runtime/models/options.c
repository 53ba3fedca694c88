// getopt: which option it found, as a meaning of the bytes of the argument.
//
// Whether an argument is an option at all is decided by branches, before the library looks; it moves only pointers.
#include "common.h"
#include <getopt.h>

// What is left of an argument with several short options in it.
static const char *cluster;

struct place {
  const char *element; // the argument that has the option; NULL if none
  const char *option;  // the letter of a short option
  int index;           // of the element
  _Bool inside;        // whether other options come before it in the same element
};

static struct place look_ahead(int argc, char *const *argv, const char *letters) {
  struct place place = {NULL, NULL, optind > 0 ? optind : 1, 0};
  _Bool in_order = letters[0] == '+' || letters[0] == '-' || getenv("POSIXLY_CORRECT");
  const char *element = place.index < argc ? argv[place.index] : NULL;
  if (optind == 0)
    cluster = NULL;
  if (cluster && element && cluster > element && cluster < element + strlen(element)) {
    place.element = element, place.option = cluster, place.inside = 1;
    return place;
  }
  for (; place.index < argc; place.index++) {
    element = argv[place.index];
    if (!element)
      break;
    if (element[0] != '-' || element[1] == 0) {
      if (in_order)
        break;
      continue;
    }
    if (element[1] == '-' && element[2] == 0)
      break;
    place.element = element, place.option = element + 1;
    break;
  }
  return place;
}

static int means(int real, uint64_t model) {
  return (int)byway_concrete(model) == real ? (int)byway_is(real, (int)model) : real;
}

static int short_option(const struct place *place, const char *letters, int argc, char *const *argv, int real) {
  cluster = optind < argc && argv[optind] == place->element ? place->option + 1 : NULL;
  // Where the argument ends, the library goes on to the next.
  if (place->option[1] == 0)
    cluster = NULL;
  if (!byway_symbolic(place->option, 1))
    return real;
  const char *letter = letters + (*letters == '+' || *letters == '-');
  int missing = *letter == ':' ? ':' : '?';
  // An option that wants a value and gets none is as good as unknown.
  _Bool alone = byway_concrete(place->option[1]) == 0 && place->index + 1 >= argc;
  uint64_t model = '?';
  for (; *letter; letter++)
    if (*letter != ':' && *letter != ';')
      model = byway_ite(*place->option == *letter,
                        alone && letter[1] == ':' && letter[2] != ':' ? missing : *letter, model);
  return means(real, model);
}

// Whether the first n characters of the name mean this option: they are all of it, or no other one begins so.
static _Bool is_unique(const struct option *options, const struct option *option, size_t n) {
  if (strlen(option->name) == n)
    return 1;
  for (const struct option *other = options; other->name; other++)
    if (other != option && !strncmp(other->name, option->name, n))
      return 0;
  return 1;
}

// Whether the first n characters of the name are those of the option, and the name ends there. What follows must be what
// the option allows: a NUL, or the = of a value.
static _Bool is_option(const char *name, const struct option *option, size_t n, _Bool last) {
  _Bool same = (option->has_arg != required_argument || !last) & (name[n] == 0);
  same |= (option->has_arg != no_argument) & (name[n] == '=');
  for (size_t i = 0; i < n; i++)
    same &= name[i] == option->name[i];
  return same;
}

static int long_option(const char *name, const struct option *options, int *index, _Bool last, int real) {
  size_t n = strcspn(name, "="), room = longest(name, n + strlen(name + n)), work = 0;
  uint64_t model = '?', model_index = -1;
  cluster = NULL;
  if (index) {
    byway_clear(index, sizeof *index);
    model_index = *index;
  }
  if (!byway_symbolic(name, n + 1))
    return real;
  for (const struct option *option = options; option->name; option++) {
    size_t whole = strlen(option->name);
    _Bool same = 0;
    if ((work += n + whole) > PRODUCT)
      return byway_too_long(), real;
    // As many characters as there are, or all of them.
    if (n <= whole && is_unique(options, option, n))
      same |= is_option(name, option, n, last);
    if (whole != n && whole <= room)
      same |= is_option(name, option, whole, last);
    model = byway_ite(same, option->flag ? 0 : option->val, model);
    model_index = byway_ite(same, option - options, model_index);
  }
  if (index && (int)byway_concrete(model_index) == *index)
    for (size_t i = 0; i < sizeof *index; i++)
      byway_put((byte *)index + i, model_index >> 8 * i);
  return means(real, model);
}

// With one - only, it is a long option if one begins so.
static _Bool begins_long(const char *name, const struct option *options) {
  size_t n = strcspn(name, "=");
  for (; options->name; options++)
    if (!strncmp(options->name, name, n))
      return n > 1 || !options[0].name[1];
  return 0;
}

static int option(const struct place *place, int argc, char *const *argv, const char *letters,
                  const struct option *options, int *index, _Bool only, int real) {
  byway_clear(&optarg, sizeof optarg);
  byway_clear(&optopt, sizeof optopt);
  if (!place->element) {
    cluster = NULL;
    return real;
  }
  const char *name = place->element + 1;
  if (options && !place->inside) {
    _Bool two = byway_concrete(*name) == '-';
    if (two || (only && begins_long(name, options)))
      return long_option(name + two, options, index, place->index + 1 >= argc, real);
  }
  return short_option(place, letters, argc, argv, real);
}

int byway_model_getopt(int argc, char *const *argv, const char *letters) {
  FIX(argc), FIX(argv), FIX(letters);
  struct place place = look_ahead(argc, argv, letters);
  return option(&place, argc, argv, letters, NULL, NULL, 0, getopt(argc, argv, letters));
}

int byway_model_getopt_long(int argc, char *const *argv, const char *letters, const struct option *options,
                            int *index) {
  FIX(argc), FIX(argv), FIX(letters);
  struct place place = look_ahead(argc, argv, letters);
  int real = getopt_long(argc, argv, letters, options, index);
  return option(&place, argc, argv, letters, options, index, 0, real);
}

int byway_model_getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *options,
                                 int *index) {
  FIX(argc), FIX(argv), FIX(letters);
  struct place place = look_ahead(argc, argv, letters);
  int real = getopt_long_only(argc, argv, letters, options, index);
  return option(&place, argc, argv, letters, options, index, 1, real);
}
