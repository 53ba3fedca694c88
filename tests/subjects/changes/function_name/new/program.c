// __func__ of a function that was renamed says where it stands.
#include <stdio.h>
#include <stdlib.h>
static void called(int x) {
    printf("%d ", x);
    puts(__func__); //~ position
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    called(x);
    printf("%d\n", x);
    return argc > 2;
}
