static int *kept;

static void keep(void) {
    int local = 3;
    kept = &local;
}

int main(void) {
    keep();
    return *kept;
}
