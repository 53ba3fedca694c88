// Prints what it gets, in hexadecimal: arguments, standard input, KTEST_FILE, the files below the working directory.
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        printf("%02x", (unsigned char)text[i]);
}

static void print_file(FILE *file) {
    int byte;
    while ((byte = fgetc(file)) != EOF)
        printf("%02x", byte);
    fclose(file);
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)walk;
    if (type != FTW_F)
        return 0;
    printf("file ");
    print(path + 2, strlen(path + 2));
    printf(" ");
    print_file(fopen(path, "rb"));
    printf("\n");
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        printf("argument ");
        print(argv[i], strlen(argv[i]));
        printf("\n");
    }
    printf("stdin ");
    print_file(stdin);
    printf("\n");
    if (getenv("KTEST_FILE")) {
        printf("ktest ");
        print_file(fopen(getenv("KTEST_FILE"), "rb"));
        printf("\n");
    }
    nftw(".", visit, 16, FTW_PHYS);
    return 42;
}
