// Nobody reads: not the program's fault.
#include <signal.h>

int main(void) {
    raise(SIGPIPE);
    return 0;
}
