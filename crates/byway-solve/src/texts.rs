//! Arguments are texts: nothing stands behind the zero byte that ends one. An input in which something does cannot be given to
//! a program.

use byway_trace::SourceKind;

use crate::op::Op;
use crate::pool::{Expr, Pool, Var};
use crate::variables::{InputPosition, Variables};

/// The kernel passes on no longer argument.
const MAX_ARGUMENT: u64 = 128 << 10;

/// The bytes of each argument that an answer changes.
pub fn changed(variables: &mut Variables, model: &[(Var, u8)]) -> Vec<Vec<Var>> {
    let mut sources: Vec<u32> = model.iter().map(|&(var, _)| variables.place(var).source).collect();
    sources.sort_unstable();
    sources.dedup();
    sources.retain(|&source| variables.source(source).kind == SourceKind::Argument);
    let bytes = |source: u32, variables: &mut Variables| {
        // How far it goes is what the run says of itself.
        let extent = variables.extent(source).min(MAX_ARGUMENT);
        (0..extent).map(|offset| variables.var(InputPosition { source, offset })).collect()
    };
    sources.into_iter().map(|source| bytes(source, variables)).collect()
}

/// Whether something stands behind the end of a text.
pub fn is_broken(text: &[Var], value: impl Fn(Var) -> u8) -> bool {
    text.iter().skip_while(|&&var| value(var) != 0).any(|&var| value(var) != 0)
}

/// That nothing does.
pub fn is_whole(pool: &mut Pool, text: &[Var]) -> Expr {
    let mut whole = pool.truth(true);
    for pair in text.windows(2) {
        let ends = pair.iter().map(|&var| pool.make_byte(var)).collect::<Vec<Expr>>();
        let ends: Vec<Expr> = ends.into_iter().map(|byte| pool.equals(byte, 0)).collect();
        let goes_on = pool.not(ends[0]);
        let fits = pool.binary(Op::Or, goes_on, ends[1]);
        whole = pool.binary(Op::And, whole, fits);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variables::InputSource;

    #[test]
    fn a_text_is_broken_by_what_stands_behind_its_end() {
        let mut variables = Variables::default();
        let source = InputSource { kind: SourceKind::Argument, name: "argv[1]".to_owned(), index: 1 };
        let source = variables.source_number(source);
        let text: Vec<Var> = (0..3).map(|offset| variables.var(InputPosition { source, offset })).collect();
        let broken =
            |bytes: [u8; 3]| is_broken(&text, |var| bytes[text.iter().position(|&other| other == var).unwrap()]);
        assert!(broken([0, 0, 1]) && broken([1, 0, 1]));
        assert!(!broken([0, 0, 0]) && !broken([1, 0, 0]) && !broken([1, 2, 3]));
        assert_eq!(changed(&mut variables, &[(text[2], 7)]), [text]);
    }
}
