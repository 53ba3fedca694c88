use crate::{Answer, Expr, Pool, Query, Unknown};
use std::time::Duration;
#[derive(Debug, Clone)]
pub struct Limits {
    pub conflicts: u64,
    pub time: Duration,
    pub variables: usize,
}
pub struct Sat;
impl Sat {
    pub fn new() -> Sat {
        Sat
    }
    pub fn solve(&mut self, _: &Pool, _: &Query<'_>, _: &Limits) -> Answer {
        Answer::Unknown(Unknown::Conflicts)
    }
    pub fn core(&self) -> &[Expr] {
        &[]
    }
}
