//! References to the seeds of a program.

use std::ops::{Index, IndexMut};

/// Whether a seed is as it was captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SeedForm {
    /// It is.
    Original,
    /// It was made smaller, and stands in for the original.
    Reduced,
}

/// A seed of a program, in one of its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeedRef {
    /// Its number among those of the program.
    pub number: usize,
    /// Its form.
    pub form: SeedForm,
}

impl SeedRef {
    /// A seed as it was captured.
    pub fn original(number: usize) -> SeedRef {
        SeedRef { number, form: SeedForm::Original }
    }

    /// The smaller one that was made of a seed.
    pub fn reduced(number: usize) -> SeedRef {
        SeedRef { number, form: SeedForm::Reduced }
    }

    /// Whether it is the smaller one.
    pub fn is_reduced(self) -> bool {
        self.form == SeedForm::Reduced
    }
}

/// Something for each seed of a program, in each form.
#[derive(Debug, Default)]
pub struct BySeed<T> {
    original: Vec<T>,
    reduced: Vec<T>,
}

impl<T> BySeed<T> {
    /// Something for each of so many seeds.
    pub fn new(count: usize, make: impl Fn(SeedRef) -> T) -> BySeed<T> {
        let original = (0..count).map(|number| make(SeedRef::original(number))).collect();
        let reduced = (0..count).map(|number| make(SeedRef::reduced(number))).collect();
        BySeed { original, reduced }
    }

    /// That of the seeds as they were captured.
    pub fn originals(&self) -> &[T] {
        &self.original
    }

    /// That of all forms.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.original.iter().chain(&self.reduced)
    }
}

impl<T> Index<SeedRef> for BySeed<T> {
    type Output = T;

    fn index(&self, seed: SeedRef) -> &T {
        match seed.form {
            SeedForm::Original => &self.original[seed.number],
            SeedForm::Reduced => &self.reduced[seed.number],
        }
    }
}

impl<T> IndexMut<SeedRef> for BySeed<T> {
    fn index_mut(&mut self, seed: SeedRef) -> &mut T {
        match seed.form {
            SeedForm::Original => &mut self.original[seed.number],
            SeedForm::Reduced => &mut self.reduced[seed.number],
        }
    }
}
