//! The shared libraries of the process: their symbols, and which functions they import.

use core::ffi::{c_char, c_int, c_void};

#[repr(C)]
struct Info {
    base: usize,
    name: *const c_char,
    headers: *const ProgramHeader,
    count: u16,
}

#[repr(C)]
struct ProgramHeader {
    kind: u32,
    flags: u32,
    offset: u64,
    address: usize,
    physical: usize,
    file_size: usize,
    size: usize,
    alignment: usize,
}

#[repr(C)]
struct Symbol {
    name: u32,
    info: u8,
    other: u8,
    section: u16,
    value: usize,
    size: usize,
}

#[repr(C)]
struct Relocation {
    offset: usize,
    info: u64,
    addend: i64,
}

unsafe extern "C" {
    fn dl_iterate_phdr(visit: unsafe extern "C" fn(*mut Info, usize, *mut c_void) -> c_int, with: *mut c_void)
    -> c_int;
}

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const DT_PLTRELSZ: usize = 2;
const DT_STRTAB: usize = 5;
const DT_SYMTAB: usize = 6;
const DT_RELA: usize = 7;
const DT_RELASZ: usize = 8;
const DT_JMPREL: usize = 23;
const DT_GNU_HASH: usize = 0x6fff_fef5;
/// Relocations that are filled with the address of a function.
#[cfg(target_arch = "x86_64")]
const OF_FUNCTIONS: [u64; 2] = [6, 7];
#[cfg(target_arch = "aarch64")]
const OF_FUNCTIONS: [u64; 2] = [1025, 1026];
const FUNCTION: u8 = 2;

/// A shared library that is loaded.
#[derive(Clone, Copy)]
pub struct Library {
    /// Its file name, without directories.
    pub name: *const u8,
    base: usize,
    /// Where its last byte is, and one more.
    end: usize,
    /// What its dynamic section says.
    strings: usize,
    symbols: usize,
    hashes: usize,
    /// Two tables of relocations, with their sizes.
    relocations: [(usize, usize); 2],
}

pub const NONE: Library =
    Library { name: core::ptr::null(), base: 0, end: 0, strings: 0, symbols: 0, hashes: 0, relocations: [(0, 0); 2] };

/// Goes through all libraries of the process; the program itself is none.
pub unsafe fn each(mut visit: impl FnMut(Library)) {
    let mut visit: &mut dyn FnMut(Library) = &mut visit;
    // SAFETY: the function below gets what it expects.
    unsafe { dl_iterate_phdr(visit_one, (&raw mut visit).cast()) };
}

unsafe extern "C" fn visit_one(info: *mut Info, _: usize, with: *mut c_void) -> c_int {
    // SAFETY: the dynamic linker describes what is loaded; `with` is what `each` gave to it.
    unsafe {
        let visit = &mut *with.cast::<&mut dyn FnMut(Library)>();
        if let Some(library) = Library::of(&*info) {
            visit(library);
        }
        0
    }
}

impl Library {
    unsafe fn of(info: &Info) -> Option<Library> {
        // SAFETY: there are as many headers as said.
        unsafe {
            if info.name.is_null() || *info.name == 0 {
                return None;
            }
            let mut library = Library { name: base_name(info.name.cast()), base: info.base, ..NONE };
            let mut dynamic = 0;
            let mut index = 0;
            while index < info.count as usize {
                let header = &*info.headers.add(index);
                let (start, end) = (info.base + header.address, info.base + header.address + header.size);
                match header.kind {
                    PT_LOAD if end > library.end => library.end = end,
                    PT_DYNAMIC => dynamic = start,
                    _ => {}
                }
                index += 1;
            }
            (dynamic != 0).then(|| library.with(dynamic as *const [usize; 2]))
        }
    }

    unsafe fn with(mut self, mut entry: *const [usize; 2]) -> Library {
        // SAFETY: the section ends with an entry of zeros. Where the linker did not make addresses of offsets, we do.
        unsafe {
            while (*entry)[0] != 0 {
                let [tag, value] = *entry;
                let address = if value < self.base { self.base + value } else { value };
                match tag {
                    DT_STRTAB => self.strings = address,
                    DT_SYMTAB => self.symbols = address,
                    DT_GNU_HASH => self.hashes = address,
                    DT_RELA => self.relocations[0].0 = address,
                    DT_RELASZ => self.relocations[0].1 = value,
                    DT_JMPREL => self.relocations[1].0 = address,
                    DT_PLTRELSZ => self.relocations[1].1 = value,
                    _ => {}
                }
                entry = entry.add(1);
            }
            self
        }
    }

    /// Whether code of it is at an address.
    pub fn has(&self, address: usize) -> bool {
        address >= self.base && address < self.end
    }

    /// Whether its name begins like this.
    pub unsafe fn is_called(&self, prefix: &[u8]) -> bool {
        // SAFETY: the name ends with a zero.
        unsafe { begins(self.name, prefix) }
    }

    /// Goes through the functions that it imports: the name, and where the address is that it calls.
    pub unsafe fn each_import(&self, mut visit: impl FnMut(*const u8, *mut usize)) {
        // SAFETY: the tables are as long as said; symbols and names are where they say.
        unsafe {
            let mut table = 0;
            while table < 2 && self.symbols != 0 && self.strings != 0 {
                let (start, size) = *self.relocations.as_ptr().add(table);
                let mut index = 0;
                while start != 0 && index < size / size_of::<Relocation>() {
                    let relocation = &*(start as *const Relocation).add(index);
                    let kind = relocation.info & 0xffff_ffff;
                    if kind == OF_FUNCTIONS[0] || kind == OF_FUNCTIONS[1] {
                        let symbol = &*(self.symbols as *const Symbol).add((relocation.info >> 32) as usize);
                        let name = (self.strings + symbol.name as usize) as *const u8;
                        visit(name, (self.base + relocation.offset) as *mut usize);
                    }
                    index += 1;
                }
                table += 1;
            }
        }
    }

    /// The address of a function that it exports; 0 if it has none of that name.
    pub unsafe fn function(&self, name: *const u8) -> usize {
        if self.hashes == 0 || self.symbols == 0 || self.strings == 0 {
            return 0;
        }
        // SAFETY: a table of hashes as the dynamic linker reads it.
        unsafe {
            let header = self.hashes as *const u32;
            let (buckets, first, blooms) = (*header, *header.add(1), *header.add(2));
            let bucket_table = header.add(4 + 2 * blooms as usize);
            let chains = bucket_table.add(buckets as usize);
            if buckets == 0 {
                return 0;
            }
            let hash = hash(name);
            let mut index = *bucket_table.add((hash % buckets) as usize);
            while index >= first {
                let chain = *chains.add((index - first) as usize);
                let symbol = &*(self.symbols as *const Symbol).add(index as usize);
                let is_function = symbol.info & 15 == FUNCTION && symbol.section != 0;
                if chain | 1 == hash | 1
                    && is_function
                    && is_same((self.strings + symbol.name as usize) as *const u8, name)
                {
                    return self.base + symbol.value;
                }
                if chain & 1 != 0 {
                    return 0;
                }
                index += 1;
            }
            0
        }
    }
}

unsafe fn hash(mut name: *const u8) -> u32 {
    let mut hash = 5381u32;
    // SAFETY: the name ends with a zero.
    unsafe {
        while *name != 0 {
            hash = hash.wrapping_mul(33).wrapping_add(*name as u32);
            name = name.add(1);
        }
    }
    hash
}

/// Whether two texts are the same.
pub unsafe fn is_same(a: *const u8, b: *const u8) -> bool {
    let mut index = 0;
    // SAFETY: both texts end with a zero.
    unsafe {
        while *a.add(index) == *b.add(index) {
            if *a.add(index) == 0 {
                return true;
            }
            index += 1;
        }
    }
    false
}

unsafe fn begins(text: *const u8, prefix: &[u8]) -> bool {
    let mut index = 0;
    // SAFETY: the text ends with a zero, which no prefix has.
    unsafe {
        while index < prefix.len() && *text.add(index) == *prefix.as_ptr().add(index) {
            index += 1;
        }
    }
    index == prefix.len()
}

unsafe fn base_name(path: *const u8) -> *const u8 {
    let (mut name, mut at) = (path, path);
    // SAFETY: the path ends with a zero.
    unsafe {
        while *at != 0 {
            at = at.add(1);
            if *at.sub(1) == b'/' {
                name = at;
            }
        }
    }
    name
}
