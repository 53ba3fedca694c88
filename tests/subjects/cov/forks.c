// What a child does counts too, and so does what happens before _exit.
// args:
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    puts("before");
    fflush(stdout);
    for (int i = 0; i < 3; i++) {
        pid_t child = fork(); //~ 3
        if (child == 0)
            _exit(i); //~ 3
        int status;
        waitpid(child, &status, 0); //~ 3
        printf("%d\n", WEXITSTATUS(status));
    }
    return 7;
}
