//! Coverage as a tracefile of lcov, which `genhtml` and many services read.

use std::io::{self, Write};
use std::path::Path;

use crate::coverage::{Coverage, FileCoverage};

/// Writes a tracefile.
pub fn write(coverage: &Coverage, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "TN:")?;
    for (path, file) in &coverage.files {
        write_file(path, file, &mut output)?;
    }
    output.flush()
}

fn write_file(path: &Path, file: &FileCoverage, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "SF:{}", path.display())?;
    for function in &file.functions {
        writeln!(output, "FN:{},{}", function.line, function.name)?;
    }
    for function in &file.functions {
        writeln!(output, "FNDA:{},{}", function.calls, function.name)?;
    }
    writeln!(output, "FNF:{}", file.functions.len())?;
    writeln!(output, "FNH:{}", file.functions.iter().filter(|function| function.calls > 0).count())?;
    for (number, branch) in file.branches.iter().enumerate() {
        // A branch that was never reached is told from one that never went this way.
        let reached = branch.outcomes.iter().any(|&count| count > 0);
        for (outcome, count) in branch.outcomes.iter().enumerate() {
            let taken = if reached { count.to_string() } else { "-".to_owned() };
            writeln!(output, "BRDA:{},{number},{outcome},{taken}", branch.line)?;
        }
    }
    let branches = file.branch_ratio();
    writeln!(output, "BRF:{}\nBRH:{}", branches.total, branches.hit)?;
    for (line, count) in &file.lines {
        writeln!(output, "DA:{line},{count}")?;
    }
    let lines = file.line_ratio();
    writeln!(output, "LF:{}\nLH:{}\nend_of_record", lines.total, lines.hit)
}
