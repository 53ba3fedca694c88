//! What a check says of itself is what it did.

mod common;

use std::fs;

use common::Project;
use serde_json::Value;

/// A project with one program and a file that its test reads.
fn project(source: &str, data: &[u8]) -> Project {
    let project = Project::with(&[("main.c", source)]);
    fs::write(project.path("data"), data).unwrap();
    project.run("byway-cc -g -O1 main.c -o main").ok();
    project
}

fn json(project: &Project, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(project.path("byway.out").join(name)).unwrap()).unwrap()
}

#[test]
fn an_unsigned_shift_that_may_have_been_signed_is_none_that_can_fail() {
    let project = project(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        struct state { unsigned buffer; int live; };
        static struct state *s;
        int main(int argc, char **argv) {
            FILE *f = fopen(argv[1], "rb");
            s = calloc(1, sizeof *s);
            for (int c; f && (c = getc(f)) != EOF;) {
                s->buffer = (s->buffer << 8) | (unsigned char)c;
                if (((s->buffer >> 3) & 7) == 5)
                    puts("five");
            }
            return 0;
        }"#,
        b"abcdefgh",
    );
    project.run("byway check --time 20 --max-distance 0 -- ./main data").ok();
    let checks = &json(&project, "stats.json")["checks"];
    assert_eq!(checks["sat"], 0, "{checks}");
    assert!(checks["asked"].as_u64() > Some(0), "{checks}");
}

#[test]
fn a_program_that_only_computes_from_its_input_depends_on_it() {
    let project = project(
        r#"
        #include <stdio.h>
        static unsigned buffer;
        int main(int argc, char **argv) {
            FILE *f = fopen(argv[1], "rb");
            unsigned char bytes[8] = {0};
            if (!f || fread(bytes, 1, 8, f) != 8)
                return 1;
            for (int i = 0; i < 8; i++)
                buffer = buffer << 8 | bytes[i];
            printf("%08x\n", buffer);
            return 0;
        }"#,
        b"abcdefgh",
    );
    let said = project.run("byway check --time 20 --max-distance 0 -- ./main data").ok().stdout;
    assert!(!said.contains("none of these runs depends on input"), "{said}");
}

#[test]
fn the_script_of_a_finding_shows_it_where_malloc_fails() {
    let project = project(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            unsigned long n = 0;
            FILE *f = fopen(argv[1], "rb");
            if (!f || fread(&n, sizeof n, 1, f) != 1)
                return 1;
            char *p = malloc(n + 16);
            p[8] = 1;
            printf("%d\n", p[8]);
            return 0;
        }"#,
        &[1, 0, 0, 0, 0, 0, 0, 0],
    );
    project.run("byway check --time 30 --max-distance 0 -- ./main data").fails(2, "");
    let program = project.run("byway build main --variant asan").ok().stdout;
    let findings = json(&project, "findings.json");
    let null = findings.as_array().unwrap().iter().find(|finding| finding["line"] == 10).expect("where p is used");
    let script = project.path("byway.out/findings").join(null["id"].as_str().unwrap()).join("run.sh");
    let ran = project.run(&format!("{} {}", script.display(), program.trim_end()));
    assert!(ran.stderr.contains("main.c:10"), "{}", ran.stderr);
}
