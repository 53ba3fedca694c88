//! A program that writes to the memory of its own trace, at its end and from a process that goes on, hurts nothing but its own
//! runs.

mod common;

use common::{Project, Ran};

/// The trace is at a fixed place. What is written there depends on the time, so every run does something else.
const SOURCE: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TRACE ((volatile unsigned char *)0x690000000000)

static uint64_t state;

static uint64_t any(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void put(volatile unsigned char *place) {
    uint64_t value = any() % 2 ? any() % 130 : any() >> any() % 64;
    switch (any() % 3) {
    case 0: *place = value; break;
    case 1: *(volatile uint32_t *)((uintptr_t)place & ~3ul) = value; break;
    default: *(volatile uint64_t *)((uintptr_t)place & ~7ul) = value;
    }
}

static void scribble(int times) {
    uint32_t limit = *(volatile uint32_t *)(TRACE + 12);
    uint64_t events = (1 << 20) + (((uint64_t)limit * 32 + 65535) & ~65535ul);
    for (int i = 0; i < times; i++)
        switch (any() % 8) {
        case 0: put(TRACE + 48 + any() % 80); break;
        case 1: put(TRACE + (1 << 12) + any() % 64); break;
        case 2: put(TRACE + (1 << 16) + any() % 96); break;
        case 3: put(TRACE + events + any() % 400); break;
        default: put(TRACE + (1 << 20) + 32 + any() % 1600);
        }
}

int main(void) {
    unsigned char text[8] = {0};
    int sum = 0, table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int length = fread(text, 1, 4, stdin);
    for (int i = 0; i < length; i++) {
        if (text[i] > 'm')
            sum += table[text[i] & 7];
        else if (text[i] == ' ')
            sum -= 2 + 100 / (text[i] + i);
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = (now.tv_nsec << 8 | getpid()) | 1;
    // The first run of an exploration, of zeros, is an honest one: without that there would be no exploration.
    if (text[0] && msync((void *)TRACE, 4096, MS_ASYNC) == 0) {
        if (any() % 4 == 0 && fork() == 0)
            for (alarm(2);;)
                scribble(1000);
        scribble(any() % 3);
    }
    return sum == 12345;
}
"#;

fn is_unhurt(ran: &Ran) {
    let all = format!("{:?}\n{}\n{}", ran.code, ran.stdout, ran.stderr);
    assert!(matches!(ran.code, Some(code) if code < 70), "{all}");
    assert!(!all.contains("panicked") && !all.contains("please report"), "{all}");
}

#[test]
fn a_program_that_writes_to_its_trace_costs_its_own_runs() {
    let project = Project::with(&[("main.c", SOURCE), ("one", "az 9"), ("two", "qq")]);
    project.run("byway-cc -g -O1 main.c -o program").ok();
    let explored = project.run("byway explore program --sym-stdin 4 --time 4 --jobs 2 -o explored");
    is_unhurt(&explored);
    let runs = |text: &str| text.split(" runs").next().and_then(|text| text.rsplit('\n').next()?.parse::<u32>().ok());
    assert!(runs(&explored.stdout).is_some_and(|runs| runs > 3), "{explored:?}");
    project.shell("byway record -o seeds -- sh -c './program < one; ./program < two'").ok();
    is_unhurt(&project.run("byway check --from seeds --time 4 -o checked"));
    for _ in 0..5 {
        // The values of a run that was overwritten are not what its expressions say, and that is told.
        let ran = project.shell("byway trace program --events < one || exit $?");
        assert!(ran.code.is_some_and(|code| code < 128) && !ran.stderr.contains("panicked"), "{ran:?}");
    }
}
