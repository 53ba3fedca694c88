//! The content of a file.

use crate::error::KTestError;
use crate::reader::Reader;

/// The version that is written.
pub const VERSION: u32 = 3;

/// What a file begins with; older ones begin with the second.
const MAGIC: [&[u8; 5]; 2] = [b"KTEST", b"BOUT\n"];

/// The inputs of one run.
///
/// Names and arguments are text for KLEE, but nobody keeps them from being other bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KTest {
    /// The arguments that the program was started with under KLEE, its name first.
    pub arguments: Vec<Vec<u8>>,
    /// How many arguments are symbolic. Nobody uses this any more.
    pub symbolic_arguments: u32,
    /// How long those are. Nobody uses this any more.
    pub symbolic_argument_length: u32,
    /// The objects, in the order in which the program asked for them.
    pub objects: Vec<Object>,
}

/// A named object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Object {
    /// As `klee_make_symbolic` was given it.
    pub name: Vec<u8>,
    /// What it held.
    pub bytes: Vec<u8>,
}

impl Object {
    /// An object of a name.
    pub fn new(name: impl Into<Vec<u8>>, bytes: impl Into<Vec<u8>>) -> Object {
        Object { name: name.into(), bytes: bytes.into() }
    }
}

impl KTest {
    /// Reads what a file holds, of any version.
    pub fn read(bytes: &[u8]) -> Result<KTest, KTestError> {
        if !MAGIC.iter().any(|magic| bytes.starts_with(*magic)) {
            return Err(KTestError::NoKTest);
        }
        let mut reader = Reader::new(bytes, MAGIC[0].len());
        let version = reader.number("the version")?;
        if version > VERSION {
            return Err(KTestError::Version(version));
        }
        let mut ktest = KTest { arguments: reader.list("the arguments", Reader::text)?, ..KTest::default() };
        if version >= 2 {
            ktest.symbolic_arguments = reader.number("the number of symbolic arguments")?;
            ktest.symbolic_argument_length = reader.number("the length of symbolic arguments")?;
        }
        ktest.objects = reader
            .list("the objects", |reader, what| Ok(Object { name: reader.text(what)?, bytes: reader.text(what)? }))?;
        match reader.left() {
            0 => Ok(ktest),
            left => Err(KTestError::Rest(left)),
        }
    }

    /// The file, in version [`VERSION`].
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC[0].to_vec();
        number(&mut bytes, VERSION as usize);
        number(&mut bytes, self.arguments.len());
        self.arguments.iter().for_each(|argument| text(&mut bytes, argument));
        number(&mut bytes, self.symbolic_arguments as usize);
        number(&mut bytes, self.symbolic_argument_length as usize);
        number(&mut bytes, self.objects.len());
        for object in &self.objects {
            text(&mut bytes, &object.name);
            text(&mut bytes, &object.bytes);
        }
        bytes
    }

    /// The first object of a name.
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|object| object.name == name.as_bytes())
    }
}

/// Four bytes, the highest first.
fn number(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend((number as u32).to_be_bytes());
}

fn text(bytes: &mut Vec<u8>, text: &[u8]) {
    number(bytes, text.len());
    bytes.extend_from_slice(text);
}
