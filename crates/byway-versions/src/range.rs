//! What a range of revisions means, as `git diff` has it.

/// Which two versions are to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// `A..B`, or `A B`: from one commit to another.
    Between(String, String),
    /// `A...B`: from the commit where both parted to the second.
    SinceMergeBase(String, String),
    /// `A`: from a commit to the files of the checkout as they are.
    ToWorkingTree(String),
}

impl Range {
    /// Reads what was typed: a range, a revision, or two revisions. A side of a range that is left out is `HEAD`.
    pub fn parse(first: &str, second: Option<&str>) -> Range {
        let or_head = |side: &str| if side.is_empty() { "HEAD".to_owned() } else { side.to_owned() };
        if let Some(second) = second {
            return Range::Between(first.to_owned(), second.to_owned());
        }
        if let Some((old, new)) = first.split_once("...") {
            return Range::SinceMergeBase(or_head(old), or_head(new));
        }
        match first.split_once("..") {
            Some((old, new)) => Range::Between(or_head(old), or_head(new)),
            None => Range::ToWorkingTree(first.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_mean_what_they_mean_to_git_diff() {
        let between = |old: &str, new: &str| Range::Between(old.into(), new.into());
        assert_eq!(Range::parse("main..HEAD", None), between("main", "HEAD"));
        assert_eq!(Range::parse("main..", None), between("main", "HEAD"));
        assert_eq!(Range::parse("..topic", None), between("HEAD", "topic"));
        assert_eq!(Range::parse("v1.0", Some("v1.1")), between("v1.0", "v1.1"));
        assert_eq!(Range::parse("main...topic", None), Range::SinceMergeBase("main".into(), "topic".into()));
        assert_eq!(Range::parse("main...", None), Range::SinceMergeBase("main".into(), "HEAD".into()));
        assert_eq!(Range::parse("HEAD~1", None), Range::ToWorkingTree("HEAD~1".into()));
    }
}
