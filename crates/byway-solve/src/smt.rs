use crate::{Answer, Pool, Query, Unknown};
use std::time::Duration;
pub struct External;
impl External {
    pub fn solve(&mut self, _: &Pool, _: &Query<'_>, _: Duration) -> Answer {
        Answer::Unknown(Unknown::Time)
    }
}
