#!/bin/sh
# Each test: input, arguments, expected output.
failed=0
check() {
    actual=$(printf "$1" | ./tally $2 2>&1)
    if [ "$actual" = "$3" ]; then
        printf "ok: '%s' %s\n" "$1" "$2"
    else
        printf "FAILED: '%s' %s: %s\n" "$1" "$2" "$actual"
        failed=1
    fi
}
check '1,2\n3,4\n' '' '4,6'
check '# comment\n-5\n\n' '' '-5'
check '1\n2\n6\n' --average 3
check 'x\n' '' 'tally: line 1 is not a row of numbers'
exit $failed
