//! Changes of bytes.

use rand::Rng;

use crate::Random;

/// Numbers at the edges of what readers compute with.
const EXTREMES: [u64; 14] = [
    0,
    1,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fff0,
    0xffff_ffff,
    1 << 40,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
];

/// Changes bytes in one to four places. `other` is another valid file, of which parts may come in.
pub fn change_bytes(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..random.random_range(1..=4) {
        change(random, bytes, other);
    }
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    if bytes.is_empty() {
        return bytes.push(random.random());
    }
    let at = random.random_range(0..bytes.len());
    match random.random_range(0..9) {
        0 | 1 => bytes[at] ^= 1 << random.random_range(0..8),
        2 => bytes[at] = random.random(),
        3 => set_number(random, bytes, at),
        4 => bytes.truncate(at),
        5 => drop(bytes.drain(at..(at + length(random)).min(bytes.len()))),
        6 => {
            let inserted: Vec<u8> = (0..length(random)).map(|_| random.random()).collect();
            drop(bytes.splice(at..at, inserted));
        }
        7 => {
            let copied = bytes[at..(at + length(random)).min(bytes.len())].to_vec();
            let to = random.random_range(0..=bytes.len());
            drop(bytes.splice(to..to, copied));
        }
        _ if !other.is_empty() => {
            let from = random.random_range(0..other.len());
            drop(bytes.splice(at.., other[from..].iter().copied()));
        }
        _ => {}
    }
}

fn length(random: &mut Random) -> usize {
    1 << random.random_range(0..7)
}

/// An extreme number, or one near what is there, at a place where a number may be.
fn set_number(random: &mut Random, bytes: &mut [u8], at: usize) {
    let size = [2, 4, 8][random.random_range(0..3)];
    let at = if random.random() { at / size * size } else { at };
    let Some(place) = bytes.get_mut(at..at + size) else { return };
    let is_big_endian = random.random();
    let extreme = EXTREMES[random.random_range(0..EXTREMES.len())];
    let number = match random.random_range(0..3) {
        0 => extreme,
        1 => extreme.wrapping_sub(random.random_range(0..16)),
        _ => place.iter().rev().fold(0, |number: u64, &byte| number << 8 | u64::from(byte)).wrapping_add(extreme | 1),
    };
    place.copy_from_slice(&number.to_le_bytes()[..size]);
    if is_big_endian {
        place.reverse();
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn nearly_every_change_changes_something() {
        let mut random = Random::seed_from_u64(1);
        let file: Vec<u8> = (0..200).collect();
        let mut changed = |_: &i32| {
            let mut bytes = file.clone();
            change_bytes(&mut random, &mut bytes, b"other");
            bytes != file
        };
        assert!((0..1000).filter(|number| changed(number)).count() > 950);
    }
}
