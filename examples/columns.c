// Prints a column of each line of a table, the first unless another is asked for. docs/explore.md explores it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int column = argc > 1 ? atoi(argv[1]) : 1;
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        char *columns[4] = {0};
        int count = 0;
        for (char *word = strtok(line, " \n"); word && count < 4; word = strtok(NULL, " \n"))
            columns[count++] = word;
        if (column <= count)
            puts(columns[column - 1]);
    }
    return 0;
}
