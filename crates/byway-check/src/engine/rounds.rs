//! Who does what next: all seeds at distance 0, then all at distance 1, and so on.

use std::collections::VecDeque;
use std::time::Duration;

/// Something to do with a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The number of its program.
    pub target: usize,
    /// The number of the seed among those of the program.
    pub seed: usize,
    /// The distance.
    pub distance: u32,
    /// How long it may take.
    pub share: Duration,
    /// Whether the seed was followed before.
    pub is_again: bool,
}

/// How far a job got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// There is nothing left to do.
    All,
    /// Some work waits until there is nothing cheaper.
    PutOff,
    /// Its time was over.
    Part,
}

/// All that is to be done.
#[derive(Debug)]
pub struct Rounds {
    /// For each target and seed, the distances that are not done.
    unfinished: Vec<Vec<Vec<bool>>>,
    /// For each target and seed, the distances at which some work waits for larger limits.
    put_off: Vec<Vec<Vec<bool>>>,
    /// For each target, the distance that was reached before its seeds were explored again.
    reached: Vec<Option<u32>>,
    /// For each target, its seeds in the order in which they have their turns.
    order: Vec<Vec<usize>>,
    /// For each target and seed, whether nothing but its path is looked at.
    stays: Vec<Vec<bool>>,
    max_distance: u32,
    distance: u32,
    /// For each target, the seeds that wait at this distance.
    waiting: Vec<VecDeque<usize>>,
    /// For each target, the seeds that were not followed to their end and have another turn at distance 0 when all had one.
    again: Vec<VecDeque<usize>>,
    /// For each target, whether it is not ready yet.
    absent: Vec<bool>,
    /// For each target, how many jobs are being done.
    working: Vec<usize>,
    total: usize,
    /// How much time is left when this distance has had its half.
    end: Option<Duration>,
    /// Whether it has.
    is_spent: bool,
    is_over: bool,
}

/// No seed has a shorter share.
const LEAST: Duration = Duration::from_millis(200);
/// Without a budget, each seed has this share at each distance, and more when all others had theirs.
const PLENTY: Duration = Duration::from_secs(10);

impl Rounds {
    /// `counts` are the numbers of seeds of each target. No target is ready; a distance is not over as long as one is not.
    pub fn new(counts: Vec<usize>, max_distance: u32) -> Rounds {
        let distances = vec![true; max_distance as usize + 1];
        let mut rounds = Rounds {
            put_off: counts.iter().map(|&count| vec![vec![false; distances.len()]; count]).collect(),
            unfinished: counts.iter().map(|&count| vec![distances.clone(); count]).collect(),
            reached: vec![None; counts.len()],
            order: counts.iter().map(|&count| (0..count).collect()).collect(),
            stays: counts.iter().map(|&count| vec![false; count]).collect(),
            max_distance,
            distance: 0,
            waiting: Vec::new(),
            again: vec![VecDeque::new(); counts.len()],
            absent: vec![true; counts.len()],
            working: vec![0; counts.len()],
            total: 0,
            end: None,
            is_spent: false,
            is_over: false,
        };
        rounds.begin(0);
        rounds
    }

    fn begin(&mut self, distance: u32) {
        self.distance = distance;
        (self.end, self.is_spent) = (None, false);
        let waits = |(seeds, order): (&Vec<Vec<bool>>, &Vec<usize>)| {
            order.iter().copied().filter(|&seed| seeds[seed][distance as usize]).collect::<VecDeque<usize>>()
        };
        self.waiting = self.unfinished.iter().zip(&self.order).map(waits).collect();
        self.total = total(&self.waiting);
    }

    /// The next job, of the program that a worker has at hand if it can be. `None` if others have to finish first, or if
    /// there is nothing left.
    pub fn next(&mut self, current: Option<usize>, left: Option<Duration>) -> Option<Job> {
        if total(&self.waiting) == 0 {
            std::mem::swap(&mut self.waiting, &mut self.again);
        }
        if total(&self.waiting) == 0 && self.is_idle() {
            self.advance();
        }
        let has_work = |target: &usize| !self.waiting[*target].is_empty() && !self.absent[*target];
        let target = current.filter(has_work).or_else(|| {
            let others = (0..self.waiting.len()).filter(has_work);
            others.min_by_key(|&target| (self.working[target], std::cmp::Reverse(self.waiting[target].len())))
        })?;
        let share = self.share(left);
        let seed = self.waiting[target].pop_front()?;
        self.working[target] += 1;
        Some(Job { target, seed, distance: self.distance, share, is_again: false })
    }

    /// A target has become ready, or will never be.
    pub fn arrive(&mut self, target: usize, is_ready: bool) {
        self.absent[target] = false;
        if !is_ready {
            self.unfinished[target].clear();
            self.put_off[target].clear();
            self.order[target].clear();
            self.waiting[target].clear();
        }
    }

    /// How many targets are not ready yet.
    pub fn awaited(&self) -> usize {
        self.absent.iter().filter(|&&absent| absent).count()
    }

    /// Whether there is nothing to do but to wait for targets that are not ready.
    pub fn is_waiting(&self) -> bool {
        self.awaited() > 0 && self.is_idle()
    }

    /// Whether all seeds had their turn at distance 0, and none at another.
    pub fn has_followed_all(&self) -> bool {
        self.distance == 0 && total(&self.waiting) + total(&self.again) == 0 && self.is_idle()
    }

    /// From the next distance on, the seeds of a target have their turns in this order.
    pub fn set_order(&mut self, target: usize, order: Vec<usize>) {
        self.order[target] = order;
    }

    /// Each distance has half of the time that was left when it began, and each seed an equal part of what remains of that.
    /// Distance 0 has no more, however many seeds there are: the next one is always begun.
    fn share(&mut self, left: Option<Duration>) -> Duration {
        let Some(left) = left else { return PLENTY };
        let rest = left.saturating_sub(*self.end.get_or_insert(left / 2));
        self.is_spent = rest.is_zero();
        let waiting = total(&self.waiting).max(1) as u32;
        let workers = 1 + self.working.iter().sum::<usize>() as u32;
        let least = if self.distance == 0 { Duration::ZERO } else { LEAST };
        (rest * workers / waiting).max(least)
    }

    fn is_idle(&self) -> bool {
        self.working.iter().all(|&count| count == 0)
    }

    /// The nearest distance from here on at which something is to be done.
    fn nearest(&self, from: u32) -> Option<u32> {
        (from..=self.max_distance)
            .find(|&distance| self.unfinished.iter().flatten().any(|distances| distances[distance as usize]))
    }

    /// All at this distance had their turn.
    fn advance(&mut self) {
        match self.nearest(self.distance + 1).or_else(|| self.nearest(0)) {
            Some(distance) => self.begin(distance),
            None => self.is_over = true,
        }
    }

    /// A job was done, or its time was over.
    pub fn finish(&mut self, job: &Job, done: Done) {
        self.working[job.target] -= 1;
        match done {
            // What is left when the distance has had its time comes behind all distances.
            Done::Part if job.distance == 0 && !self.is_spent => self.again[job.target].push_back(job.seed),
            Done::Part => {}
            done => {
                self.unfinished[job.target][job.seed][job.distance as usize] = false;
                self.put_off[job.target][job.seed][job.distance as usize] = done == Done::PutOff;
            }
        }
    }

    /// Nothing more is done with a seed.
    pub fn give_up(&mut self, target: usize, seed: usize) {
        self.stay_on_path(target, seed);
        self.unfinished[target][seed].fill(false);
        self.put_off[target][seed].fill(false);
    }

    /// Takes up what was put off. False if there is nothing.
    pub fn take_up(&mut self) -> bool {
        let all = self.unfinished.iter_mut().flatten().flatten();
        for (unfinished, put_off) in all.zip(self.put_off.iter_mut().flatten().flatten()) {
            *unfinished |= std::mem::take(put_off);
        }
        let Some(nearest) = self.nearest(0) else { return false };
        self.is_over = false;
        self.begin(nearest);
        true
    }

    /// How many seeds of a target are not done at each distance, for lack of time.
    pub fn unfinished(&self, target: usize) -> impl Iterator<Item = (u32, u64)> {
        let count = move |distance: u32| {
            self.unfinished[target].iter().filter(|distances| distances[distance as usize]).count() as u64
        };
        (0..=self.max_distance).map(move |distance| (distance, count(distance)))
    }

    /// Nothing but the path of a seed is looked at.
    pub fn stay_on_path(&mut self, target: usize, seed: usize) {
        self.unfinished[target][seed][1..].fill(false);
        self.put_off[target][seed][1..].fill(false);
        self.stays[target][seed] = true;
    }

    /// What is near a seed is looked at once more, unless nothing but its path is. What was reached is reached.
    pub fn explore_again(&mut self, target: usize, seed: usize) {
        self.reached[target] = self.reached(target);
        if !self.stays[target][seed] {
            self.unfinished[target][seed][1..].fill(true);
        }
    }

    /// Goes on when there was nothing left. False if there still is not.
    pub fn begin_again(&mut self) -> bool {
        self.is_over = false;
        self.distance = 0;
        self.advance();
        !self.is_over
    }

    /// Whether there is nothing left.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The distance, how many seeds had their turn at it, and all.
    pub fn progress(&self) -> (u32, usize, usize) {
        let open = total(&self.waiting) + total(&self.again) + self.working.iter().sum::<usize>();
        (self.distance, self.total.saturating_sub(open), self.total)
    }

    /// The greatest distance up to which all seeds of a target are done.
    pub fn reached(&self, target: usize) -> Option<u32> {
        let is_open = |seeds: &[Vec<bool>], distance: u32| seeds.iter().any(|seed| seed[distance as usize]);
        let done =
            |&distance: &u32| !is_open(&self.unfinished[target], distance) && !is_open(&self.put_off[target], distance);
        (0..=self.max_distance).take_while(done).last().max(self.reached[target])
    }
}

fn total(queues: &[VecDeque<usize>]) -> usize {
    queues.iter().map(VecDeque::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All targets are ready.
    fn ready(counts: Vec<usize>, max_distance: u32) -> Rounds {
        let mut rounds = Rounds::new(counts, max_distance);
        (0..rounds.absent.len()).for_each(|target| rounds.arrive(target, true));
        rounds
    }

    #[test]
    fn the_first_target_that_is_ready_begins_and_no_distance_is_over_without_the_others() {
        let mut rounds = Rounds::new(vec![1, 2, 1], 1);
        assert!(rounds.next(None, None).is_none() && rounds.is_waiting() && !rounds.is_over());
        rounds.arrive(1, true);
        for _ in 0..2 {
            let job = rounds.next(None, None).unwrap();
            assert_eq!((job.distance, job.target), (0, 1));
            rounds.finish(&job, Done::All);
        }
        assert!(rounds.next(None, None).is_none() && rounds.is_waiting());
        // One never comes: it is not waited for any more.
        rounds.arrive(0, false);
        rounds.arrive(2, true);
        let mut done = Vec::new();
        while let Some(job) = rounds.next(None, None) {
            done.push((job.distance, job.target));
            rounds.finish(&job, Done::All);
        }
        assert_eq!(done, [(0, 2), (1, 1), (1, 1), (1, 2)]);
        assert!(rounds.is_over() && !rounds.is_waiting());
    }

    /// Does all jobs, some only the second time.
    fn run(counts: Vec<usize>, max_distance: u32, finishes: impl Fn(&Job, usize) -> bool) -> Vec<(u32, usize, usize)> {
        let mut rounds = ready(counts, max_distance);
        let mut done = Vec::new();
        let mut current = None;
        while let Some(job) = rounds.next(current, Some(Duration::from_secs(60))) {
            done.push((job.distance, job.target, job.seed));
            current = Some(job.target);
            let times = done.iter().filter(|&&other| Some(&other) == done.last()).count();
            rounds.finish(&job, if finishes(&job, times) { Done::All } else { Done::Part });
        }
        assert!(rounds.is_over());
        done
    }

    #[test]
    fn all_seeds_come_before_the_next_distance() {
        let done = run(vec![2, 1], 1, |_, _| true);
        assert_eq!(done, [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 0), (1, 0, 0), (1, 0, 1)]);
    }

    #[test]
    fn what_took_too_long_is_taken_up_again_at_the_end() {
        let done = run(vec![2], 2, |job, times| job.distance != 1 || job.seed != 0 || times > 1);
        assert_eq!(done, [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1), (2, 0, 0), (2, 0, 1), (1, 0, 0)]);
    }

    #[test]
    fn what_is_not_followed_to_its_end_has_another_turn_before_anything_is_explored() {
        let done = run(vec![2, 1], 1, |job, times| job.distance != 0 || (job.target, job.seed) != (0, 0) || times > 1);
        assert_eq!(done, [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0)]);
    }

    #[test]
    fn seeds_have_their_turns_in_order() {
        let mut rounds = ready(vec![3], 1);
        let mut done = Vec::new();
        while let Some(job) = rounds.next(None, None) {
            done.push(job.seed);
            rounds.finish(&job, Done::All);
            if rounds.has_followed_all() {
                rounds.set_order(0, vec![1, 2, 0]);
            }
        }
        assert_eq!(done, [0, 1, 2, 1, 2, 0]);
    }

    #[test]
    fn when_nothing_is_left_seeds_can_be_explored_again() {
        let mut rounds = ready(vec![2], 2);
        rounds.stay_on_path(0, 1);
        let all = |rounds: &mut Rounds| {
            let mut done = Vec::new();
            while let Some(job) = rounds.next(None, None) {
                // The first time at distance 1 takes too long.
                let is_finished = job.distance != 1 || done.contains(&(1, job.seed));
                done.push((job.distance, job.seed));
                rounds.finish(&job, if is_finished { Done::All } else { Done::Part });
            }
            done
        };
        assert_eq!(all(&mut rounds), [(0, 0), (0, 1), (1, 0), (2, 0), (1, 0)]);
        (0..2).for_each(|seed| rounds.explore_again(0, seed));
        assert!(rounds.begin_again());
        assert_eq!(rounds.reached(0), Some(2));
        assert_eq!(all(&mut rounds), [(1, 0), (2, 0), (1, 0)]);
        assert!(!rounds.begin_again() && rounds.is_over());
    }

    #[test]
    fn what_was_put_off_is_taken_up_when_nothing_else_is_left() {
        let mut rounds = ready(vec![2], 2);
        let all = |rounds: &mut Rounds, put_off: &[(u32, usize)]| {
            let mut done = Vec::new();
            while let Some(job) = rounds.next(None, None) {
                let is_put_off = put_off.contains(&(job.distance, job.seed));
                rounds.finish(&job, if is_put_off { Done::PutOff } else { Done::All });
                done.push((job.distance, job.seed));
            }
            done
        };
        all(&mut rounds, &[(0, 1), (2, 0)]);
        assert!(rounds.is_over());
        // What waits is not done.
        assert_eq!(rounds.reached(0), None);
        assert!(rounds.take_up() && !rounds.is_over());
        assert_eq!(all(&mut rounds, &[(2, 0)]), [(0, 1), (2, 0)]);
        assert_eq!(rounds.reached(0), Some(1));
        assert!(rounds.take_up());
        assert_eq!(all(&mut rounds, &[]), [(2, 0)]);
        assert_eq!(rounds.reached(0), Some(2));
        assert!(!rounds.take_up());
    }

    #[test]
    fn a_distance_has_half_of_the_time() {
        let mut rounds = ready(vec![4], 0);
        let job = rounds.next(None, Some(Duration::from_secs(80))).unwrap();
        assert_eq!(job.share, Duration::from_secs(10));
    }

    #[test]
    fn distance_0_has_no_more_than_half_of_the_time_however_many_seeds_there_are() {
        let mut rounds = ready(vec![200], 1);
        let mut left = Duration::from_secs(1200);
        // Each job takes all that it may, and is never done.
        while let Some(job) = rounds.next(None, Some(left)) {
            if job.distance == 1 {
                break;
            }
            left -= job.share.max(Duration::from_millis(10));
            rounds.finish(&job, Done::Part);
        }
        assert!((590..=600).contains(&left.as_secs()), "{left:?}");
    }
}
