// Lines and branches are counted, also those that optimisation would merge.
// args: abcab
#include <stdio.h>

static int is_a(int c) {
    return c == 'a'; //~ 5
}

int main(int argc, char **argv) {
    int found = 0; //~ 1
    for (char *p = argv[1]; *p; p++) {
        if (is_a(*p)) //~ branch 2 3
            found++;  //~ 2
        else if (*p == 'z') //~ branch 0 3
            found--; //~ 0
    }
    switch (found) { //~ 1
    case 0:
        puts("none"); //~ 0
        break;
    case 2:
        puts("two"); //~ 1
        break; //~ 1
    default:
        puts("other"); //~ 0
    }
    return argc > 2 ? 1 : 0;
}
