// UndefinedBehaviorSanitizer says it first, the SEGV is what follows.
#include <stddef.h>

struct pair {
    int first, second;
};

static int get(struct pair *pair) {
    return pair->second;
}

int main(int argc, char **argv) {
    return get(argc > 5 ? (void *)argv : NULL);
}
