//! As few changes as possible.

/// Of a list of changes a part that still does, in so many tries at most: first without large parts of it, then without
/// single ones.
pub fn shrink<T: Clone, E>(
    changes: Vec<T>,
    tries: usize,
    mut does: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut kept = changes;
    let mut tries = tries;
    let mut size = kept.len().div_ceil(2);
    while size > 0 && kept.len() > 1 {
        let mut start = 0;
        let mut removed = false;
        while start < kept.len() && kept.len() > 1 {
            if tries == 0 {
                return Ok(kept);
            }
            tries -= 1;
            let end = (start + size).min(kept.len());
            let without: Vec<T> = kept[..start].iter().chain(&kept[end..]).cloned().collect();
            if !without.is_empty() && does(&without)? {
                kept = without;
                removed = true;
            } else {
                start = end;
            }
        }
        size = match size {
            1 if removed => 1,
            1 => 0,
            size => size.div_ceil(2),
        };
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tries(count: u32, needed: &[u32], limit: usize) -> (Vec<u32>, usize) {
        let mut asked = 0;
        let kept = shrink((0..count).collect(), limit, |part| {
            asked += 1;
            Ok::<_, ()>(needed.iter().all(|needed| part.contains(needed)))
        });
        (kept.unwrap(), asked)
    }

    #[test]
    fn what_is_not_needed_goes() {
        assert_eq!(tries(1, &[0], 64), (vec![0], 0));
        assert_eq!(tries(100, &[7, 93], 200).0, [7, 93]);
        assert_eq!(tries(4, &[0, 1, 2, 3], 64).0, [0, 1, 2, 3]);
        assert!(tries(100, &[50], 200).1 < 20);
    }

    #[test]
    fn it_ends_after_so_many_tries() {
        let (kept, asked) = tries(1000, &[1, 500], 5);
        assert!(kept.contains(&1) && kept.contains(&500) && asked == 5);
    }
}
