//! What a `.ktest` file says of a run.

use byway_ktest::{KTest, KTestError, Object};

/// The variable with the name of a file whose objects a program asks for.
pub const VARIABLE: &[u8] = b"KTEST_FILE";

/// The inputs of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The arguments behind the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// Standard input.
    pub stdin: Option<Vec<u8>>,
    /// Files in the working directory.
    pub files: Vec<(String, Vec<u8>)>,
    /// Whether there are objects that the program itself asks for.
    pub has_objects: bool,
}

impl Inputs {
    /// Reads the content of a file. KLEE's options stand among the arguments, in the place of those that they make.
    pub fn read(content: &[u8]) -> Result<Inputs, KTestError> {
        let ktest = KTest::read(content)?;
        let mut inputs = Inputs::default();
        let mut texts = ktest.objects.iter().filter(|object| is_argument(&object.name)).map(text);
        let mut counts = ktest.objects.iter().filter(|object| object.name.starts_with(b"n_args")).map(number);
        let mut words = ktest.arguments.iter().skip(1);
        while let Some(word) = words.next() {
            let mut next = || words.next().and_then(|word| std::str::from_utf8(word).ok()?.parse::<usize>().ok());
            match option(word) {
                Some(b"sym-arg") => {
                    next();
                    inputs.arguments.extend(texts.next());
                }
                Some(b"sym-args") => {
                    let (least, most) = (next().unwrap_or(0), next().unwrap_or(0));
                    next();
                    let count = if least < most { counts.next().unwrap_or(least) } else { most };
                    inputs.arguments.extend(texts.by_ref().take(count));
                }
                Some(b"sym-files") => {
                    let count = next().unwrap_or(0);
                    next();
                    for letter in ('A'..='Z').take(count) {
                        let data = file(&ktest, &letter.to_string());
                        inputs.files.extend(data.map(|data| (letter.to_string(), data)));
                    }
                }
                Some(b"sym-stdin") => {
                    next();
                    inputs.stdin =
                        ktest.object("stdin").map(|stdin| stdin.bytes.clone()).or_else(|| file(&ktest, "stdin"));
                }
                Some(b"max-fail" | b"fd-fail-count" | b"bout-file") => drop(next()),
                Some(b"sym-stdout" | b"save-all-writes" | b"fd-fail") => {}
                _ => inputs.arguments.push(word.clone()),
            }
        }
        inputs.has_objects = ktest.objects.iter().any(|object| is_own(&object.name));
        Ok(inputs)
    }
}

/// The name of an option, which begins with one dash or two.
fn option(word: &[u8]) -> Option<&[u8]> {
    word.strip_prefix(b"--").or_else(|| word.strip_prefix(b"-"))
}

fn file(ktest: &KTest, name: &str) -> Option<Vec<u8>> {
    let object = ktest.object(&format!("{name}_data")).or_else(|| ktest.object(&format!("{name}-data")));
    object.map(|object| object.bytes.clone())
}

/// Whether KLEE's model of the system asked for an object as an argument.
fn is_argument(name: &[u8]) -> bool {
    name.strip_prefix(b"arg").is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// Whether the program asked for an object, and not KLEE's model of the system.
fn is_own(name: &[u8]) -> bool {
    let is_file = |name: &[u8]| match name.strip_suffix(b"_stat").or_else(|| name.strip_suffix(b"-stat")) {
        Some(_) => true,
        None => name.ends_with(b"_data") || name.ends_with(b"-data") || name.starts_with(b"stdin"),
    };
    let is_model = name == b"model_version" || name.starts_with(b"n_args") || name.starts_with(b"stdout");
    !is_model && !is_argument(name) && !is_file(name)
}

fn text(object: &Object) -> Vec<u8> {
    object.bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec()
}

fn number(object: &Object) -> usize {
    let mut bytes = [0; 4];
    let length = object.bytes.len().min(bytes.len());
    bytes[..length].copy_from_slice(&object.bytes[..length]);
    u32::from_le_bytes(bytes) as usize
}

#[cfg(test)]
mod tests {
    use byway_ktest::{File, Posix, SymbolicArguments};

    use super::*;

    #[test]
    fn what_we_write_is_read_back() {
        let some = SymbolicArguments::Some { texts: vec![b"-n".to_vec(), b"".to_vec()], least: 0, most: 3, length: 4 };
        let posix = Posix {
            program: b"prog".to_vec(),
            arguments: vec![SymbolicArguments::Fixed(b"-v".to_vec()), some],
            stdin: Some(b"in".to_vec()),
            files: vec![File { bytes: b"one".to_vec() }],
            objects: Vec::new(),
        };
        let inputs = Inputs::read(&posix.ktest().unwrap().write()).unwrap();
        assert_eq!(inputs.arguments, [b"-v".to_vec(), b"-n".to_vec(), b"".to_vec()]);
        assert_eq!(inputs.stdin.as_deref(), Some(b"in".as_slice()));
        assert_eq!(inputs.files, [("A".to_owned(), b"one".to_vec())]);
        assert!(!inputs.has_objects);
    }

    #[test]
    fn objects_of_the_program_are_seen() {
        let posix = Posix { program: b"p".to_vec(), objects: vec![Object::new("x", [1, 2])], ..Posix::default() };
        assert!(Inputs::read(&posix.ktest().unwrap().write()).unwrap().has_objects);
    }
}
