//! The input of a program as KLEE's model of the system asks for it: arguments, standard input, files.
//!
//! KLEE starts a program with options such as `--sym-args 0 2 5`, which stand in its list of arguments. `klee-replay` goes
//! through the same list again, and takes the objects of the file in the order in which they were made then: only their
//! order and sizes count. So the options must be written such that they make just these objects.

use crate::ktest::{KTest, Object};

/// The bytes of a `struct stat64`, and where its mode and its number of links are.
const STATUS: (usize, usize, usize) = if cfg!(target_arch = "aarch64") { (128, 16, 20) } else { (144, 24, 16) };
/// KLEE names them with two digits.
const MOST_ARGUMENTS: usize = 100;
/// They are called A, B, C and so on.
const MOST_FILES: usize = 26;

/// The input of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Posix {
    /// What the program is called.
    pub program: Vec<u8>,
    /// The arguments behind its name.
    pub arguments: Vec<SymbolicArguments>,
    /// Standard input; `None` if it is not symbolic, or empty, which KLEE does not know.
    pub stdin: Option<Vec<u8>>,
    /// The files A, B and so on. KLEE's are all of one size, so shorter ones end with zeros.
    pub files: Vec<File>,
    /// What the program itself asks for, in the order in which it does.
    pub objects: Vec<Object>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct File {
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Arguments of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymbolicArguments {
    /// One that is not symbolic.
    Fixed(Vec<u8>),
    /// One (`--sym-arg LENGTH`).
    One {
        /// Its text.
        text: Vec<u8>,
        /// How long it may be.
        length: usize,
    },
    /// Some, of which the number is symbolic too (`--sym-args LEAST MOST LENGTH`).
    Some {
        /// Their texts.
        texts: Vec<Vec<u8>>,
        /// How many there are at least.
        least: usize,
        /// How many there are at most.
        most: usize,
        /// How long each may be.
        length: usize,
    },
}

impl Posix {
    /// The file that `klee-replay` makes this input of. `None` if KLEE's options cannot say it: more than 100 symbolic
    /// arguments or 26 files, a text that is longer than its length, more or fewer arguments than there may be, a fixed
    /// argument that is empty or looks like one of KLEE's own options, an object without a name or bytes.
    pub fn ktest(&self) -> Option<KTest> {
        let mut made = Made { arguments: vec![self.program.clone()], objects: Vec::new(), symbolic: 0 };
        for arguments in &self.arguments {
            made.arguments(arguments)?;
        }
        made.files(&self.files)?;
        if let Some(stdin) = self.stdin.as_ref().filter(|stdin| !stdin.is_empty()) {
            made.option("--sym-stdin", &[stdin.len()]);
            made.file("stdin", stdin.clone());
        }
        let is_symbolic = !made.objects.is_empty();
        made.objects.extend(self.objects.iter().cloned());
        if is_symbolic {
            // Older versions of KLEE's model of the system ask for this last, newer ones no longer.
            made.objects.push(Object::new("model_version", 1u32.to_le_bytes()));
        }
        let ktest = KTest { arguments: made.arguments, objects: made.objects, ..KTest::default() };
        is_readable(&ktest).then_some(ktest)
    }
}

/// KLEE reads no empty text or object.
fn is_readable(ktest: &KTest) -> bool {
    let objects = ktest.objects.iter().flat_map(|object| [&object.name, &object.bytes]);
    !ktest.arguments.iter().chain(objects).any(Vec::is_empty)
}

/// A file in the making.
struct Made {
    arguments: Vec<Vec<u8>>,
    objects: Vec<Object>,
    /// How many arguments are symbolic.
    symbolic: usize,
}

impl Made {
    fn option(&mut self, name: &str, numbers: &[usize]) {
        self.arguments.push(name.into());
        self.arguments.extend(numbers.iter().map(|number| number.to_string().into_bytes()));
    }

    fn arguments(&mut self, arguments: &SymbolicArguments) -> Option<()> {
        match arguments {
            SymbolicArguments::Fixed(text) if is_option(text) => return None,
            SymbolicArguments::Fixed(text) => self.arguments.push(text.clone()),
            SymbolicArguments::One { text, length } => {
                self.option("--sym-arg", &[*length]);
                self.argument(text, *length)?;
            }
            SymbolicArguments::Some { texts, least, most, length } => {
                if !(*least..=*most).contains(&texts.len()) || *most == 0 {
                    return None;
                }
                self.option("--sym-args", &[*least, *most, *length]);
                // Where there is no choice, KLEE asks for no number.
                if least < most {
                    self.objects.push(Object::new("n_args", (texts.len() as u32).to_le_bytes()));
                }
                texts.iter().try_for_each(|text| self.argument(text, *length))?;
            }
        }
        Some(())
    }

    /// A symbolic argument: its text with a zero behind it, in as much room as it has.
    fn argument(&mut self, text: &[u8], length: usize) -> Option<()> {
        if text.len() > length || text.contains(&0) || self.symbolic >= MOST_ARGUMENTS {
            return None;
        }
        let name = format!("arg{:02}", self.symbolic);
        self.symbolic += 1;
        self.objects.push(Object::new(name, padded(text, length + 1)));
        Some(())
    }

    fn files(&mut self, files: &[File]) -> Option<()> {
        if files.is_empty() {
            return Some(());
        }
        if files.len() > MOST_FILES {
            return None;
        }
        // A file of nothing is not what KLEE knows either.
        let size = files.iter().map(|file| file.bytes.len()).max().unwrap_or(0).max(1);
        self.option("--sym-files", &[files.len(), size]);
        for (file, letter) in files.iter().zip('A'..='Z') {
            self.file(&format!("{letter}_data"), padded(&file.bytes, size));
        }
        Some(())
    }

    /// A file's content, and what the system would say of it.
    fn file(&mut self, name: &str, bytes: Vec<u8>) {
        let status = Object::new(format!("{name}_stat"), status(bytes.len()));
        self.objects.extend([Object::new(name, bytes), status]);
    }
}

fn padded(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(size, 0);
    bytes
}

/// Whether KLEE would take an argument for an option of its own.
fn is_option(text: &[u8]) -> bool {
    let Some(name) = text.strip_prefix(b"--").or_else(|| text.strip_prefix(b"-")) else { return false };
    let names = ["sym-arg", "sym-args", "sym-files", "sym-stdin", "sym-stdout", "save-all-writes", "fd-fail"];
    names.into_iter().chain(["max-fail", "bout-file"]).any(|option| name == option.as_bytes())
}

/// A `struct stat64` as the kernel lays it out: a regular file of this size that everybody may read.
fn status(size: usize) -> Vec<u8> {
    const REGULAR_FILE: u32 = 0o100_644;
    let (bytes, mode, links) = STATUS;
    let mut status = vec![0; bytes];
    let mut set = |offset: usize, bytes: &[u8]| status[offset..offset + bytes.len()].copy_from_slice(bytes);
    // The inode, and further on the size, the preferred size of a read, and units of 512 bytes.
    set(8, &1u64.to_le_bytes());
    set(mode, &REGULAR_FILE.to_le_bytes());
    set(links, &1u32.to_le_bytes());
    set(48, &(size as u64).to_le_bytes());
    set(56, &4096u32.to_le_bytes());
    set(64, &8u64.to_le_bytes());
    status
}
