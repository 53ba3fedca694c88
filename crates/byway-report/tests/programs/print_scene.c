// Prints what surrounds it, in hexadecimal: all arguments, the variables of the environment that begin with TEST_, standard
// input, and the content of every file that an argument or a variable names.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void print(const char *text) {
    for (; *text; text++)
        printf("%02x", (unsigned char)*text);
}

static void print_file(FILE *file) {
    int byte;
    while ((byte = fgetc(file)) != EOF)
        printf("%02x", byte);
    fclose(file);
}

static void print_named(const char *name) {
    FILE *file = fopen(name, "rb");
    printf(" ");
    if (file)
        print_file(file);
    else
        printf("-");
    printf("\n");
}

int main(int argc, char **argv) {
    printf("name ");
    print(argv[0]);
    printf("\n");
    for (int i = 1; i < argc; i++) {
        printf("argument ");
        print(argv[i]);
        print_named(argv[i]);
    }
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "TEST_", 5) == 0) {
            print(*variable);
            print_named(strchr(*variable, '=') + 1);
        }
    printf("stdin ");
    print_file(stdin);
    printf("\n");
    return 42;
}
