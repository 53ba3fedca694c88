//! The memory that a run and its observer share, and what they say to each other.
//!
//! This file is compiled twice: here, and into the runtime that is linked into `sym` variants. The memory is one sparse
//! file; each part begins at a fixed offset and is used from its beginning, as far as the header counts. Behind that may be
//! what an earlier run left there; only blocks are all zero when a run begins.
//!
//! One file although it is long: the runtime compiles it too, by its path.

#[cfg(not(byway_runtime))]
use bytemuck::{Pod, Zeroable};

/// Makes a variant a fork server. Its value is the number of the socket that it is to listen on.
pub const VARIABLE: &core::ffi::CStr = c"BYWAY_SERVER";

/// What the memory begins with; the last byte is the version of the layout.
pub const MAGIC: [u8; 8] = *b"bywaytr\x08";

/// The first part: limits and switches set by the observer, counts kept by the run.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(byway_runtime), derive(Pod, Zeroable))]
pub struct Header {
    /// [`MAGIC`]
    pub magic: [u8; 8],
    /// Set by the observer: what is symbolic, an or of [`ARGUMENTS`], [`STDIN`], [`FILES`], [`ENVIRONMENT`]; and whether
    /// [`VISITS`], [`ARITHMETIC`], [`NEAR`], [`OUTPUTS`] and [`REPEATS`] are wanted.
    pub symbolic: u32,
    /// Set by the observer: how many nodes there may be; at most [`MAX_NODES`].
    pub node_limit: u32,
    /// Set by the observer: how many events there may be.
    pub event_limit: u32,
    /// Set by the observer: how deep an expression may be.
    pub depth_limit: u32,
    /// Set by the observer: how large an object that can change may be to be read through a symbolic address.
    pub object_limit: u32,
    /// Set by the observer: how many bytes of all inputs may be symbolic.
    pub input_limit: u32,
    /// Set by the observer: the bytes that snapshots may take together.
    pub snapshot_limit: u64,
    /// The number after the last node's. The first node is number 1.
    pub nodes: u32,
    /// How many events there are.
    pub events: u32,
    /// The bytes taken by snapshots.
    pub snapshot_bytes: u64,
    /// How many sources there are.
    pub sources: u32,
    /// How many losses there are.
    pub losses: u32,
    /// The bytes taken by texts. Offset 0 is the empty text.
    pub text_bytes: u32,
    /// How many of the input's bytes are symbolic.
    pub input_bytes: u32,
    /// How often a label was found to be out of date, since code that byway did not compile had written to memory.
    pub stale: u64,
    /// How often an event was left out, since it would have said the same again.
    pub repeated: u64,
    /// Whether the program replaced itself with another (`exec`); the trace ends there.
    pub replaced: u32,
    /// How many children the program made; what they do is not in the trace.
    pub children: u32,
    /// How the program ended itself, where it said more than an exit code does: [`ending`].
    pub ending: u32,
    /// For [`ending::ERROR`] what the program says of it, a text.
    pub message: u32,
    /// For [`ending::ERROR`] the kind of error, a text.
    pub suffix: u32,
    /// For [`ending::ERROR`] the file that it is in, a text.
    pub file: u32,
    /// For [`ending::ERROR`] the line, for [`ending::ASSUMPTION`] the site.
    pub line: u32,
    /// Set by the observer: how many blocks the program has, as [`Reply::blocks`] said.
    pub blocks: u32,
}

/// [`Header::ending`]
pub mod ending {
    /// As programs do.
    pub const ORDINARY: u32 = 0;
    /// What the program assumes does not hold for this input (`klee_assume`). If it depends on the input, the last event
    /// is a branch on it, unless the path said before that it does not hold. [`Header::line`] is the site that assumes it.
    pub const ASSUMPTION: u32 = 1;
    /// Nobody is to be told (`klee_silent_exit`).
    pub const SILENT: u32 = 2;
    /// The program says that it has failed (`klee_report_error`).
    pub const ERROR: u32 = 3;
}

/// [`Header::symbolic`]: `argv[1..]`.
pub const ARGUMENTS: u32 = 1;
/// [`Header::symbolic`]: standard input.
pub const STDIN: u32 = 2;
/// [`Header::symbolic`]: files that are read.
pub const FILES: u32 = 4;
/// [`Header::symbolic`]: the values of environment variables.
pub const ENVIRONMENT: u32 = 8;

/// [`Header::symbolic`]: operations that can fail are noted although their operands are constant: blocks that have such, see
/// [`event::VISIT`], and accesses to objects whose size is symbolic, see [`event::ACCESS`].
pub const VISITS: u32 = 1 << 31;
/// [`Header::symbolic`]: arithmetic that C does not define for all operands is noted, see [`event::OVERFLOW`] and
/// [`event::SHIFT`].
pub const ARITHMETIC: u32 = 1 << 30;
/// [`Header::symbolic`]: where an object that is made of much input is read at a symbolic address, that address is taken as it is, see
/// [`cause::INPUT_OBJECT`].
pub const NEAR: u32 = 1 << 29;
/// [`Header::symbolic`]: what leaves the program is noted, see [`event::OUTPUT`] and [`event::EXIT`].
pub const OUTPUTS: u32 = 1 << 28;
/// [`Header::symbolic`]: branches whose condition the path has said already are noted, see [`event::REPEAT`].
pub const REPEATS: u32 = 1 << 27;

/// Where the sources are.
pub const SOURCES: usize = 1 << 12;
/// How many sources fit.
pub const MAX_SOURCES: usize = 1 << 10;
/// Where the losses are.
pub const LOSSES: usize = 1 << 16;
/// How many kinds of losses fit; a power of two, and less than 65536.
pub const MAX_LOSSES: usize = 1 << 13;
/// Where the texts are.
pub const TEXTS: usize = 1 << 19;
/// The bytes that texts may take.
pub const MAX_TEXTS: usize = 1 << 19;
/// Where the nodes are; number 0 is never used.
pub const NODES: usize = 1 << 20;
/// How many nodes there can be: a byte of memory has a label of 28 bits, and 4 bits to say which byte of the node it is.
pub const MAX_NODES: u32 = 1 << 28;

/// Where the events are.
pub const fn events_offset(node_limit: u32) -> usize {
    NODES + (node_limit as usize * size_of::<Node>()).next_multiple_of(1 << 16)
}

/// Where the snapshots are.
pub const fn snapshots_offset(node_limit: u32, event_limit: u32) -> usize {
    events_offset(node_limit) + (event_limit as usize * size_of::<Event>()).next_multiple_of(1 << 16)
}

/// Where the blocks are: a byte for each of the program's, in its order, not 0 if the block was executed. A run has them in
/// the place of a variable of the program, so that instrumented code writes them.
pub const fn blocks_offset(node_limit: u32, event_limit: u32, snapshot_limit: u64) -> usize {
    snapshots_offset(node_limit, event_limit) + (snapshot_limit as usize).next_multiple_of(1 << 16)
}

/// The size of the whole memory.
pub const fn total_size(node_limit: u32, event_limit: u32, snapshot_limit: u64, blocks: u32) -> usize {
    blocks_offset(node_limit, event_limit, snapshot_limit) + (blocks as usize).next_multiple_of(1 << 16)
}

/// Where input comes from.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(byway_runtime), derive(Pod, Zeroable))]
pub struct Source {
    /// [`source_kind`]
    pub kind: u32,
    /// The index in `argv`, for arguments. For objects, how many came before it. For sizes, the number of the source whose
    /// size it is.
    pub index: u32,
    /// The path of a file, the name of an environment variable or of an object: a text.
    pub name: u32,
    /// How many of its bytes are symbolic.
    pub bytes: u32,
}

/// [`Source::kind`]
pub mod source_kind {
    /// `argv[index]`
    pub const ARGUMENT: u32 = 1;
    /// Standard input.
    pub const STDIN: u32 = 2;
    /// A file.
    pub const FILE: u32 = 3;
    /// The value of an environment variable.
    pub const ENVIRONMENT: u32 = 4;
    /// How many arguments there are, `argv[0]` not counted: one byte.
    pub const ARGUMENT_COUNT: u32 = 5;
    /// An object that the program asked for (`klee_make_symbolic`).
    pub const OBJECT: u32 = 6;
    /// The size of standard input or of a file: four bytes, the lowest first.
    pub const SIZE: u32 = 7;
}

/// How often precision was lost, for one cause at one site.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(byway_runtime), derive(Pod, Zeroable))]
pub struct Loss {
    /// [`cause`]
    pub cause: u32,
    /// Where, or [`NO_SITE`].
    pub site: u32,
    /// For [`cause::UNMODELLED`] the name of the function, for [`cause::UNSEEN_INPUT`] the path of the file or `stdin`: a text;
    /// otherwise 0.
    pub name: u32,
    /// For [`cause::UNSEEN_INPUT`] the library that read it, a text; otherwise 0.
    pub reader: u32,
    /// How often.
    pub count: u64,
}

/// [`Loss::cause`]
pub mod cause {
    /// A symbolic value became a floating-point number.
    pub const FLOATING_POINT: u32 = 1;
    /// A function without a model was given symbolic data.
    pub const UNMODELLED: u32 = 2;
    /// A write through a symbolic address that has too many places, or not enough room for them: the address is taken as it is.
    pub const SYMBOLIC_STORE: u32 = 3;
    /// A read through a symbolic address from an object that is too large: the address is taken as it is.
    pub const LARGE_OBJECT: u32 = 4;
    /// A read through a symbolic address from an unknown object, or a block that is freed: the address is taken as it is.
    pub const UNKNOWN_OBJECT: u32 = 5;
    /// A read through a symbolic address from an object that changes too often: the address is taken as it is.
    pub const CHANGING_OBJECT: u32 = 6;
    /// An expression became too deep and is a constant from here on.
    pub const DEPTH: u32 = 7;
    /// There are no more nodes: everything new is constant from here on.
    pub const NODES: u32 = 8;
    /// There is no room for more events.
    pub const EVENTS: u32 = 9;
    /// There is no room for more snapshots: the address is taken as it is.
    pub const SNAPSHOTS: u32 = 10;
    /// More input than may be symbolic.
    pub const INPUT: u32 = 11;
    /// An operation that byway has no expression for: assembly, atomic updates, odd vectors, integers over 128 bits.
    pub const OPERATION: u32 = 12;
    /// A thread other than the first met symbolic data.
    pub const THREAD: u32 = 13;
    /// A model of a library function computed something else than the function did.
    pub const MODEL: u32 = 14;
    /// A string or a range that is longer than what a model of a library function looks at.
    pub const LONG_STRING: u32 = 15;
    /// A call through a symbolic function pointer: the pointer is taken as it is.
    pub const CALL: u32 = 16;
    /// A symbolic length, where the length is taken as it is.
    pub const LENGTH: u32 = 17;
    /// Memory that byway did not compile the writer of no longer held what its expression says.
    pub const STALE: u32 = 18;
    /// Not a loss: what the program assumes of its input (`klee_assume`). Only in [`event::PIN`].
    pub const ASSUMPTION: u32 = 19;
    /// Input was read by a library that byway did not compile: its bytes are not symbolic.
    pub const UNSEEN_INPUT: u32 = 20;
    /// A read through a symbolic address from an object that is made of much input: the address is taken as it is. Only with
    /// [`super::NEAR`].
    pub const INPUT_OBJECT: u32 = 21;
}

/// No site of the program.
pub const NO_SITE: u32 = u32::MAX;
/// Set in the sites of models: the rest is the number of a place in the models of library functions.
pub const MODEL_SITE: u32 = 1 << 31;

/// Sites of models that are the same in every program, since the runtime itself branches there.
pub mod place {
    use super::MODEL_SITE;

    /// The first of them.
    pub const FIRST: u32 = MODEL_SITE | 0x7fff_ff00;
    /// Whether there is another argument.
    pub const ARGUMENT_COUNT: u32 = FIRST;
    /// Whether what the program assumes holds; `extra` says where it does.
    pub const ASSUMPTION: u32 = FIRST + 1;
    /// Whether a source is larger.
    pub const SIZE: u32 = FIRST + 2;
    /// Whether a call or jump goes to one of the functions or labels of the program; `extra` says where it is.
    pub const TARGET: u32 = FIRST + 3;
}

/// An expression: an operator and its operands, with the value it had in this run.
///
/// Operands are numbers of other nodes, always smaller ones. Where an operand is 0 it is the constant, `Node::constant`. A
/// node has at most one constant operand, and none if the node or an operand is wider than 64 bits.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(byway_runtime), derive(Pod, Zeroable))]
pub struct Node {
    /// [`op`]
    pub op: u8,
    /// Bits of the result: 1 to 128.
    pub width: u8,
    /// The longest way to a leaf.
    pub depth: u16,
    /// First operand.
    pub a: u32,
    /// Second operand.
    pub b: u32,
    /// Third operand.
    pub c: u32,
    /// The lower 64 bits of the value; bits above the width are 0.
    pub value: u64,
    /// The constant operand, or a parameter of the operator; if wider than 64 bits, the upper bits of the value instead.
    pub constant: u64,
}

/// [`Node::op`]. Operands of binary operators have the width of the result, those of comparisons are equally wide.
pub mod op {
    /// Byte `constant` of source `a`; 8 bits.
    pub const INPUT: u8 = 1;
    /// The value, for constants that do not fit into another node.
    pub const CONST: u8 = 2;
    /// a + b
    pub const ADD: u8 = 3;
    /// a - b
    pub const SUB: u8 = 4;
    /// a * b
    pub const MUL: u8 = 5;
    /// a / b, unsigned. The divisor is not 0 in this run; SMT-LIB says what it is otherwise.
    pub const UDIV: u8 = 6;
    /// a / b, signed
    pub const SDIV: u8 = 7;
    /// a % b, unsigned
    pub const UREM: u8 = 8;
    /// a % b, signed
    pub const SREM: u8 = 9;
    /// a << b; 0 if b is not less than the width
    pub const SHL: u8 = 10;
    /// a >> b, unsigned; 0 if b is not less than the width
    pub const LSHR: u8 = 11;
    /// a >> b, signed; all sign bits if b is not less than the width
    pub const ASHR: u8 = 12;
    /// a & b
    pub const AND: u8 = 13;
    /// a | b
    pub const OR: u8 = 14;
    /// a ^ b
    pub const XOR: u8 = 15;
    /// a == b; 1 bit
    pub const EQ: u8 = 16;
    /// a != b; 1 bit
    pub const NE: u8 = 17;
    /// a < b, unsigned; 1 bit
    pub const ULT: u8 = 18;
    /// a <= b, unsigned; 1 bit
    pub const ULE: u8 = 19;
    /// a < b, signed; 1 bit
    pub const SLT: u8 = 20;
    /// a <= b, signed; 1 bit
    pub const SLE: u8 = 21;
    /// a, extended with zeros
    pub const ZEXT: u8 = 22;
    /// a, extended with its sign
    pub const SEXT: u8 = 23;
    /// The bits of a from bit c on. The constant is not used.
    pub const EXTRACT: u8 = 24;
    /// a in the upper bits, b in the lower. A constant operand has the bits that the other leaves.
    pub const CONCAT: u8 = 25;
    /// b if a (1 bit, never constant), else c
    pub const ITE: u8 = 26;
    /// What is at address a (64 bits) in snapshot b, little-endian; width is a multiple of 8.
    /// b is the snapshot's offset, divided by 8. The address is within the snapshot in this run.
    pub const LOAD: u8 = 27;
    /// How many bits of a are set
    pub const CTPOP: u8 = 28;
    /// How many of a's highest bits are 0
    pub const CTLZ: u8 = 29;
    /// How many of a's lowest bits are 0
    pub const CTTZ: u8 = 30;
}

/// A label in memory: the node, and in the upper 4 bits which byte of it (from the lowest) this byte is.
pub const BYTE_SHIFT: u32 = 28;

/// An object as it was when it was read through a symbolic address. Its `length` bytes follow, then, at the next
/// multiple of 8 if `labelled`, a label (see [`BYTE_SHIFT`]) of 4 bytes for each; 0 means the byte is constant.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(byway_runtime), derive(Pod, Zeroable))]
pub struct Snapshot {
    /// Where the object was.
    pub base: u64,
    /// Its size in bytes.
    pub length: u32,
    /// 1 if labels follow the bytes.
    pub labelled: u32,
}

/// Something that happened, in the order in which it did.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(byway_runtime), derive(Pod, Zeroable))]
pub struct Event {
    /// [`event`]
    pub kind: u8,
    /// See the kinds.
    pub flag: u8,
    /// See the kinds.
    pub detail: u16,
    /// Where; see [`MODEL_SITE`].
    pub site: u32,
    /// The expression.
    pub label: u32,
    /// For sites of models, where in the program the library function was called. Otherwise see the kinds.
    pub extra: u32,
    /// See the kinds.
    pub a: u64,
    /// See the kinds.
    pub b: u64,
}

/// [`Event::kind`]
pub mod event {
    /// A branch on `label` (1 bit), `flag` is its value. `detail` may be [`super::OPERATES`].
    pub const BRANCH: u8 = 1;
    /// A switch on `label`, whose value is `a`. `detail` may be [`super::OPERATES`].
    pub const SWITCH: u8 = 2;
    /// An object that later events speak of: `a` base, `b` size, `label` the size if it is symbolic, `flag` its
    /// [`super::object_kind`], `site` where it was made.
    pub const OBJECT: u8 = 3;
    /// An access through symbolic address `label`, value `b`, of `extra` bytes (at a model's site: of 1). `flag` 1: a write.
    /// `a` is 1 + the index of the object's event, 0 if the object is not known. With `label` 0 the address is constant, but
    /// the size of the object is not, and no access before reached as far into it; only with [`super::VISITS`]. `detail` is how
    /// many of the lowest bits of the address must be 0, as far as they might not be.
    pub const ACCESS: u8 = 4;
    /// A division or remainder. The divisor is `label` (0: it is constant, and -1), its value `a`; the dividend is `extra` (0: it
    /// is constant, or this is a model's site), its value `b`. `flag` 1: of signed numbers.
    pub const DIVISION: u8 = 5;
    /// A length given to a library function that reads or writes (`flag` 1) memory at `b`: `label`, whose value is `a`.
    /// `extra` is 1 + the index of the object's event, 0 if it is not known. `site` is the call. With
    /// [`super::SYMBOLIC_ADDRESS`] in `flag`, `b` is the label of the address. Expressions after this hold only if it stays within
    /// the object, provided that it did.
    pub const LENGTH: u8 = 6;
    /// A size asked of the allocator, or (`flag` 1) of the stack: `label`, the lower 64 bits of whose value are `a`. A product
    /// that the allocator computes has 128 bits.
    pub const ALLOCATION: u8 = 7;
    /// `label` is taken for what it is in this run, `a`. Expressions after this hold only if it stays so. `b` is the [`super::cause`].
    pub const PIN: u8 = 8;
    /// Block `label` of the program executes an operation that can fail, for the first time since the last branch or switch.
    /// A block that was noted many times is left out; [`super::OPERATES`] says that there was an operation. Only with
    /// [`super::VISITS`].
    pub const VISIT: u8 = 9;
    /// An addition, subtraction or multiplication of signed numbers that may not overflow: `label`, whose operands are the node's
    /// and whose value is `a` (the lower 64 bits). Only with [`super::ARITHMETIC`].
    pub const OVERFLOW: u8 = 10;
    /// A shift of something of `b` bits by `label`, whose value is `a`. Only with [`super::ARITHMETIC`].
    pub const SHIFT: u8 = 11;
    /// A library function reads a string up to its end: `label` (1 bit, its value is `a`) says whether there is one before the end
    /// of the object.
    pub const TERMINATOR: u8 = 12;
    /// A shift to the left of a signed number (`flag` 1: of what may be one): `label`, whose operands are the node's and whose value is
    /// `a`. Only with [`super::ARITHMETIC`].
    pub const SHIFT_BASE: u8 = 13;
    /// The program would like `label` (1 bit, its value is `a`) to be true (`klee_prefer_cex`). It says nothing of the path.
    pub const PREFERENCE: u8 = 14;
    /// Byte `label`, whose value is `a`, was written to descriptor `extra` at offset `b` of its file. Descriptors of the file that standard
    /// output or standard error was when the program began are 1 and 2; `flag` 1: descriptor 1 or 2 is another file by now. It says
    /// nothing of the path. Only with [`super::OUTPUTS`].
    pub const OUTPUT: u8 = 15;
    /// The program ends with status `label`, whose value is `a`. It says nothing of the path. Only with [`super::OUTPUTS`].
    pub const EXIT: u8 = 16;
    /// A branch on `label` (1 bit), `flag` is its value, after another branch on it: it says nothing new of the path. Mostly once for
    /// each site. Only with [`super::REPEATS`].
    pub const REPEAT: u8 = 17;
    /// The program came by a place that it was to note: block `label`, behind `extra` of its calls. At most [`super::MOST_POINTS`] times.
    /// It says nothing of the path.
    pub const POINT: u8 = 18;
}

/// A run notes so often that it came by a place, see [`event::POINT`].
pub const MOST_POINTS: u32 = 1 << 14;

/// An operation that can fail is executed before the next branch or switch; only said if no [`event::VISIT`] says so. In
/// [`Event::detail`] of [`event::BRANCH`] and [`event::SWITCH`].
pub const OPERATES: u16 = 1;

/// The program does not want other sides of this branch or switch to be looked for (`klee_set_forking`). In [`Event::detail`] of
/// [`event::BRANCH`] and [`event::SWITCH`].
pub const UNFORKED: u16 = 2;

/// That the address is symbolic. In [`Event::flag`] of [`event::LENGTH`].
pub const SYMBOLIC_ADDRESS: u8 = 2;

/// What an object is. [`Event::flag`] of [`event::OBJECT`].
pub mod object_kind {
    /// From the allocator.
    pub const HEAP: u8 = 1;
    /// A local variable.
    pub const STACK: u8 = 2;
    /// A variable of the program.
    pub const GLOBAL: u8 = 3;
    /// An argument or the value of an environment variable.
    pub const ARGUMENT: u8 = 4;
    /// A file in memory.
    pub const MAPPING: u8 = 5;
    /// A table of the C library.
    pub const LIBRARY: u8 = 6;
}

/// What the observer sends to the fork server for each run. `bytes` bytes follow: for each argument, `argv[0]` first, a number
/// of 4 bytes (its room, see [`FIXED`]), for each object its size and for each name of a file how large that may become
/// (as in `stdin_most`), also in 4 bytes; patterns for the names of symbolic files (none: all); the arguments, each in as
/// many bytes as it has room and one more, which is zero; the names of files; the variables of the environment; the
/// objects, each with its name before it. Patterns, variables and names end with a zero byte.
/// With it come five file descriptors: the memory, standard input, output, error, and the directory to run in.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(byway_runtime), derive(Pod, Zeroable))]
pub struct Request {
    /// [`MAGIC`]
    pub magic: [u8; 8],
    /// How many arguments.
    pub arguments: u32,
    /// How many bytes follow.
    pub bytes: u32,
    /// How many arguments there are at least in other runs, `argv[0]` not counted.
    pub least: u32,
    /// How many at most. If this is not more than `least`, their number does not depend on the input.
    pub most: u32,
    /// How many names of files: whether a path is one of them is a branch.
    pub names: u32,
    /// How many objects.
    pub objects: u32,
    /// How large standard input may become, and 1 more; 0 if its size does not depend on the input.
    pub stdin_most: u32,
    /// How many patterns.
    pub patterns: u32,
    /// How many variables the environment has, and 1 more; 0 if it is that of the fork server.
    pub variables: u32,
    /// Not used.
    pub padding: u32,
}

/// Set in the room of an argument that is never symbolic.
pub const FIXED: u32 = 1 << 31;

/// What the fork server sends: once when it is ready (only `blocks` set), and twice for each run: when it has begun (only
/// `process` set), and when it has ended.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(byway_runtime), derive(Pod, Zeroable))]
pub struct Reply {
    /// [`MAGIC`]
    pub magic: [u8; 8],
    /// The process of the run.
    pub process: i32,
    /// As `waitpid` gives it.
    pub status: i32,
    /// Time spent, user and system, in microseconds.
    pub cpu: u64,
    /// How many blocks the program has.
    pub blocks: u64,
}
