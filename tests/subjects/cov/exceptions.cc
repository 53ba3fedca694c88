// C++: exceptions, inline functions, templates, static initialisers.
// args: 4
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

template <typename T> static T checked(const std::vector<T> &values, size_t index) {
    if (index >= values.size()) //~ branch 2 3
        throw std::out_of_range("no such value"); //~ 2
    return values[index]; //~ 3
}

static const std::vector<int> table = {1, 2, 3}; //~ 1

int main(int argc, char **argv) {
    int sum = 0;
    for (int i = 0; i <= std::atoi(argv[argc - 1]); i++) {
        try {
            sum += checked(table, i); //~ 5
        } catch (const std::exception &error) {
            std::puts(error.what()); //~ 2
        }
    }
    std::printf("%d\n", sum); //~ 1
    return sum == 6 ? 0 : 1;
}
