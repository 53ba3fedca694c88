//! The assembly at the top level of a module.

use std::collections::HashSet;

/// The assembly of a library that becomes part of a program: a program has no symbol versions. The default version of a
/// symbol becomes the symbol, others go.
pub fn unversioned(assembly: &str) -> String {
    let statements = assembly.split(['\n', ';']).map(|statement| match symbol_version(statement) {
        Some((symbol, name, true)) if symbol != name => format!(".globl {name}\n.set {name}, {symbol}"),
        Some(_) => String::new(),
        None => statement.to_owned(),
    });
    statements.collect::<Vec<_>>().join("\n")
}

/// The symbol, its public name and whether it is the default, if the statement is a `.symver`.
fn symbol_version(statement: &str) -> Option<(&str, &str, bool)> {
    let (symbol, versioned) = statement.trim().strip_prefix(".symver")?.split_once(',')?;
    let (name, version) = versioned.trim().split_once('@')?;
    Some((symbol.trim(), name, version.starts_with('@')))
}

/// Everything in the assembly that can be the name of a symbol.
pub fn words(assembly: &str) -> HashSet<String> {
    let separators = |character: char| !(character.is_ascii_alphanumeric() || "_.$".contains(character));
    assembly.split(separators).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_versions_become_the_symbol_and_others_go() {
        let assembly = ".symver old, f@V1\n.symver new , f@@V2; .symver g, g@@@V2\n jmp h@PLT";
        let expected = "\n.globl f\n.set f, new\n\n jmp h@PLT";
        assert_eq!(unversioned(assembly), expected);
        assert!(words(expected).contains("h"));
    }
}
