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

// How many characters of an option's name are needed at least.
static size_t shortest(const struct option *options, const struct option *option) {
  size_t n = 1;
  while (n < strlen(option->name) && !is_unique(options, option, n))
    n++;
  return n;
}

// Whether the name has n characters, those of the option, and what follows: a NUL, or the = of a value.
static _Bool is_name(const char *name, const struct option *option, size_t n, byte end) {
  _Bool same = name[n] == end;
  for (size_t i = 0; i < n; i++)
    same &= name[i] == option->name[i];
  return same;
}

// Which option a name means, for what it is and for what it could be.
struct meaning {
  uint64_t result;
  uint64_t index;
  _Bool has_value; // behind a =
};

static void could_be(struct meaning *meaning, const char *name, const struct option *options,
                     const struct option *option, size_t n, _Bool last) {
  _Bool with = option->has_arg != no_argument && is_name(name, option, n, '=');
  // A value that is not here is the next argument, if there is one.
  _Bool without = (option->has_arg != required_argument || !last) && is_name(name, option, n, 0);
  meaning->result = byway_ite(with | without, option->flag ? 0 : option->val, meaning->result);
  meaning->index = byway_ite(with | without, option - options, meaning->index);
  meaning->has_value |= with;
}

static int long_option(const char *name, const struct option *options, int *index, _Bool last, int real) {
  size_t n = strcspn(name, "="), room = longest(name, n + strlen(name + n)), work = 0;
  struct meaning meaning = {'?', -1, 0};
  cluster = NULL;
  if (index) {
    byway_clear(index, sizeof *index);
    meaning.index = *index;
  }
  if (!byway_symbolic(name, n + 1))
    return real;
  for (const struct option *option = options; option->name; option++) {
    size_t whole = strlen(option->name), least = shortest(options, option);
    if ((work += n + whole + least) > PRODUCT)
      return byway_too_long(), real;
    // As few characters as do, since the whole name may be longer than the argument can be; all of them; as many as there are. What
    // is looked at must not depend on what is there, or the same question would be another one in each run.
    if (least <= room)
      could_be(&meaning, name, options, option, least, last);
    if (whole != least && whole <= room)
      could_be(&meaning, name, options, option, whole, last);
    if (n > least && n < whole && !strncmp(name, option->name, n))
      could_be(&meaning, name, options, option, n, last);
  }
  if (index && (int)byway_concrete(meaning.index) == *index)
    for (size_t i = 0; i < sizeof *index; i++)
      byway_put((byte *)index + i, meaning.index >> 8 * i);
  // Where the value is, is a matter of pointers: a branch.
  if (meaning.has_value)
    return means(real, meaning.result);
  return means(real, meaning.result);
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
