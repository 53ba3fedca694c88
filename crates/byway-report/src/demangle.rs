//! Names of C++ as people write them.

use cpp_demangle::Symbol;

/// The name that a mangled name stands for; any other name as it is.
pub fn demangled(name: &str) -> String {
    if !name.starts_with("_Z") {
        return name.to_owned();
    }
    let symbol = Symbol::new(name).ok();
    symbol.and_then(|symbol| symbol.demangle().ok()).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mangled_names_change() {
        assert_eq!(demangled("_ZN4pugi8xml_node5valueEi"), "pugi::xml_node::value(int)");
        assert_eq!(["main", "_Zx", "_start"].map(demangled), ["main", "_Zx", "_start"]);
    }
}
