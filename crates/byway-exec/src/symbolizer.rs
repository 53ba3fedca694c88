//! Source positions for reports that have none.
//!
//! A program that reports starts a symbolizer to find where it is, which takes a hundred times as long as most runs. Here one
//! symbolizer waits for all of them, and every address is looked up once.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A function that an address is in: the innermost first, if some are inlined.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    function: String,
    /// As `file:line:column`, as far as it is known.
    source: Option<String>,
}

/// Finds source positions.
#[derive(Debug)]
pub struct Symbolizer {
    program: Option<PathBuf>,
    /// Modules are looked at only here: what a report says need not be true.
    directories: Vec<PathBuf>,
    running: Option<Running>,
    known: HashMap<String, Vec<Place>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

/// Where the libraries of the machine are.
const LIBRARIES: [&str; 4] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];

/// How the names of functions of the sanitizers begin that are in the place of others.
const PREFIXES: [&str; 3] = ["__interceptor_trampoline_", "___interceptor_", "__interceptor_"];

impl Symbolizer {
    /// With a symbolizer such as that of [`Judge`](crate::Judge), for modules in a directory and the libraries of the machine.
    pub fn new(program: Option<PathBuf>, directory: &Path) -> Symbolizer {
        let directories = LIBRARIES.iter().map(PathBuf::from).chain([directory.to_owned()]).collect();
        Symbolizer { program, directories, running: None, known: HashMap::new() }
    }

    /// A report that was made without source positions, with them.
    pub fn complete(&mut self, report: &[u8]) -> Vec<u8> {
        let mut complete = Vec::with_capacity(report.len());
        let mut number = 0;
        for line in report.split_inclusive(|&byte| byte == b'\n') {
            let frame = std::str::from_utf8(line).ok().and_then(|line| Some((line, Bare::read(line)?)));
            let Some((line, bare)) = frame else {
                complete.extend_from_slice(line);
                continue;
            };
            let places = self.places(bare.module, bare.offset);
            match bare.number {
                None => complete.extend_from_slice(summary(line, &bare, &places).as_bytes()),
                Some(given) => {
                    number = if given == 0 { 0 } else { number };
                    let frames = frames(&bare, &places, &mut number);
                    complete.extend_from_slice(frames.as_bytes());
                }
            }
        }
        complete
    }

    fn places(&mut self, module: &str, offset: &str) -> Vec<Place> {
        let key = format!("{module}+{offset}");
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let path = Path::new(module);
        let is_plain = !module.contains(['"', '\\']) && !path.components().any(|part| part.as_os_str() == "..");
        let is_wanted = is_plain && self.directories.iter().any(|directory| path.starts_with(directory));
        let places = if is_wanted { self.ask(module, offset).unwrap_or_default() } else { Vec::new() };
        self.known.insert(key, places.clone());
        places
    }

    fn ask(&mut self, module: &str, offset: &str) -> Option<Vec<Place>> {
        if self.running.is_none() {
            self.running = start(self.program.as_deref()?).ok();
        }
        let places = self.running.as_mut()?.ask(module, offset);
        if places.is_err() {
            // It is gone, or speaks another language.
            self.running = None;
            self.program = None;
        }
        places.ok()
    }
}

fn start(program: &Path) -> io::Result<Running> {
    let mut command = Command::new(program);
    command.args(["--demangle", "--inlines"]).env_remove("DEBUGINFOD_URLS").current_dir("/");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (Some(stdin), Some(stdout)) = (stdin, stdout) else { return Err(io::ErrorKind::BrokenPipe.into()) };
    Ok(Running { child, stdin, stdout: BufReader::new(stdout) })
}

impl Running {
    fn ask(&mut self, module: &str, offset: &str) -> io::Result<Vec<Place>> {
        writeln!(self.stdin, "CODE \"{module}\" {offset}")?;
        self.stdin.flush()?;
        let mut places = Vec::new();
        loop {
            let function = self.line()?;
            if function.is_empty() {
                return Ok(places);
            }
            let source = self.line()?;
            if function != "??" {
                places.push(Place { function: plain_name(&function).to_owned(), source: known_source(&source) });
            }
        }
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stdout.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end_matches('\n').to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The sanitizers call what they put in the place of a function as the function.
fn plain_name(function: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| function.strip_prefix(prefix)).unwrap_or(function)
}

/// `file:line:column` without what is 0.
fn known_source(source: &str) -> Option<String> {
    let mut source = source;
    while let Some(rest) = source.strip_suffix(":0") {
        source = rest;
    }
    (source != "??").then(|| source.to_owned())
}

/// A line that names an address as `(module+0x12)`.
struct Bare<'a> {
    /// The number of a frame; `None` in a summary.
    number: Option<u32>,
    /// What is before the module: the address.
    before: &'a str,
    module: &'a str,
    offset: &'a str,
    /// What is behind it: `(BuildId: 12) <module>`.
    behind: &'a str,
}

impl Bare<'_> {
    fn read(line: &str) -> Option<Bare<'_>> {
        let line = line.trim_end_matches('\n');
        let number = match line.strip_prefix("SUMMARY: ") {
            Some(_) => None,
            None => Some(line.trim_start().strip_prefix('#')?.split_once(' ')?.0.parse().ok()?),
        };
        let (before, rest) = line.split_once(" (")?;
        if number.is_some() && before.contains(" in ") {
            return None;
        }
        let (module, rest) = rest.split_once("+0x")?;
        let digits = rest.find(|digit: char| !digit.is_ascii_hexdigit())?;
        let behind = rest[digits..].strip_prefix(')')?;
        let offset = &line[line.len() - rest.len() - 2..line.len() - rest.len() + digits];
        let before = match number {
            Some(_) => before.split_whitespace().last()?,
            None => before,
        };
        Some(Bare { number, before, module, offset, behind })
    }
}

/// The frames of one address, with numbers of their own.
fn frames(bare: &Bare<'_>, places: &[Place], number: &mut u32) -> String {
    let Bare { before, module, offset, behind, .. } = bare;
    let of_module = behind.rfind('<').map_or("", |at| &behind[at..]);
    let mut frames = String::new();
    let mut add = |text: String| {
        let _ = writeln!(frames, "    #{number} {before} {text}");
        *number += 1;
    };
    for Place { function, source } in places {
        add(match source {
            Some(source) => format!("in {function} {source} {of_module}"),
            None => format!("in {function} ({module}+{offset}){behind}"),
        });
    }
    if places.is_empty() {
        add(format!(" ({module}+{offset}){behind}"));
    }
    frames
}

fn summary(line: &str, bare: &Bare<'_>, places: &[Place]) -> String {
    match places.first() {
        Some(Place { function, source: Some(source) }) => format!("{} {source} in {function}\n", bare.before),
        Some(Place { function, source: None }) => {
            format!("{} ({}+{}){}in {function}\n", bare.before, bare.module, bare.offset, bare.behind)
        }
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_told_and_the_rest_stays() {
        let mut symbolizer = Symbolizer::new(None, Path::new("/built"));
        let place = |function: &str, source: Option<&str>| Place {
            function: function.to_owned(),
            source: source.map(str::to_owned),
        };
        let inlined = vec![place("get", Some("/src/g.c:5:69")), place("main", Some("/src/g.c:6:1"))];
        symbolizer.known.insert("/built/g+0x10".to_owned(), inlined);
        symbolizer.known.insert("/built/g+0x20".to_owned(), vec![place("_start", None)]);
        let report = "say #1 (/built/g+0x10)\n\
            \x20   #0 0x5510  (/built/g+0x10) (BuildId: 12) </built/g>\n\
            \x20   #1 0x5520  (/built/g+0x20) (BuildId: 12) </built/g>\n\
            \x20   #2 0x7f30  (/else/where+0x30) (BuildId: 34) </else/where>\n\
            \x20   #0 0x5510  (/built/g+0x10) (BuildId: 12) </built/g>\n\
            SUMMARY: AddressSanitizer: SEGV (/built/g+0x10) (BuildId: 12) \n";
        let complete = "say #1 (/built/g+0x10)\n\
            \x20   #0 0x5510 in get /src/g.c:5:69 </built/g>\n\
            \x20   #1 0x5510 in main /src/g.c:6:1 </built/g>\n\
            \x20   #2 0x5520 in _start (/built/g+0x20) (BuildId: 12) </built/g>\n\
            \x20   #3 0x7f30  (/else/where+0x30) (BuildId: 34) </else/where>\n\
            \x20   #0 0x5510 in get /src/g.c:5:69 </built/g>\n\
            \x20   #1 0x5510 in main /src/g.c:6:1 </built/g>\n\
            SUMMARY: AddressSanitizer: SEGV /src/g.c:5:69 in get\n";
        assert_eq!(String::from_utf8(symbolizer.complete(report.as_bytes())).unwrap(), complete);
    }

    #[test]
    fn what_is_no_report_is_left_alone() {
        let mut symbolizer = Symbolizer::new(None, Path::new("/built"));
        for text in
            ["", "text", "\u{e4}\n", "    #0\n", "    #x 0x1  (a+0x1)\n", "SUMMARY: ()\n", "    #0 0x1  (a+0x)\n"]
        {
            assert_eq!(symbolizer.complete(text.as_bytes()), text.as_bytes());
        }
        assert_eq!(symbolizer.complete(b"\xff\n#0 (\xff"), b"\xff\n#0 (\xff");
    }
}
