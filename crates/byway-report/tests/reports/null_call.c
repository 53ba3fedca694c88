// The report of the SEGV has no stack.
// flags: -O1
int main(int argc, char **argv) {
    void (*volatile function)(void) = (void (*)(void))(long)(argc - 1);
    function();
    return 0;
}
