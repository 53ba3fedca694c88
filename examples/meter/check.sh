#!/bin/sh
# The tests: arguments, and the output that is expected.
directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
failed=0

check() {
    expected=$(printf "$1")
    shift
    actual=$(./meter "$@" 2>&1)
    if [ "$actual" = "$expected" ]; then
        printf 'ok: meter %s\n' "$*"
    else
        printf 'FAILED: meter %s: %s\n' "$*" "$actual"
        failed=1
    fi
}

# Two readings a day of two meters, between 0 and 100.
log="$directory/log"
{
    printf 'MTR1\320\002\004\000\000\000\000\000\144\000\000\000'
    printf '\006e:hall\000\000\012\000\000\000'
    printf '\006g:heat\000\000\024\000\000\000'
    printf '\006e:hall\000\000\036\000\000\000'
    printf '\006g:heat\000\000\144\000\000\000'
} >"$log"
printf 'MTR1\320\002\001\000\000\000\000\000\144\000\000\000\003e:x\000\000' >"$directory/short"
printf 'MTR2' >"$directory/other"

check '1 hall 10\n1 heat 20\n2 hall 30\n2 heat 100' "$log"
check '2 hall 30\n2 heat 100' -d 2 "$log"
check '1 hall 10\n1 heat 20\n2 hall 30\n2 heat 100' -d 1,2- "$log"
check 'hall:10;heat:20;' -d 1 -f '%n:%v;' "$log"
check '10\t1\n20\t1\n30\t2\n100\t2' -f '%v\t%d\n' "$log"
check '4 readings, 2 a day\n0 1 1 1 0 0 0 0 0 1' -s -c "$log"
check 'meter: a range of days makes no sense' -d 3-2 "$log"
check 'meter: a format has %%n, %%d, %%v and %%%%' -f '%q' "$log"
check 'meter: the log is not complete' "$directory/short"
check 'meter: this is no log of a meter' "$directory/other"
check 'meter: the file cannot be opened' "$directory/nothing"
exit $failed
