//! The bytes of the input by name, over all runs.

use byway_trace::SourceKind;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::pool::Var;

/// Where bytes of the input come from: the same in every run that has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source {
    /// What it is.
    pub kind: SourceKind,
    /// What it is called: `argv[1]`, `stdin`, a path.
    pub name: String,
    /// The index in `argv`, for arguments. For objects, how many came before it.
    pub index: u32,
}

/// A byte of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The number of its source, see [`Variables::source`].
    pub source: u32,
    /// Where in the source.
    pub offset: u64,
}

/// Numbers the bytes of the input.
#[derive(Debug, Default)]
pub struct Variables {
    sources: Vec<Source>,
    source_index: HashMap<Source, u32, FixedState>,
    places: Vec<Place>,
    place_index: HashMap<Place, Var, FixedState>,
}

impl Variables {
    /// The number of a source.
    pub fn source_number(&mut self, source: Source) -> u32 {
        if let Some(&known) = self.source_index.get(&source) {
            return known;
        }
        let number = self.sources.len() as u32;
        self.sources.push(source.clone());
        self.source_index.insert(source, number);
        number
    }

    /// The source with a number.
    pub fn source(&self, number: u32) -> &Source {
        &self.sources[number as usize]
    }

    /// The variable of a byte.
    pub fn var(&mut self, place: Place) -> Var {
        let next = Var(self.places.len() as u32);
        let var = *self.place_index.entry(place).or_insert(next);
        if var == next {
            self.places.push(place);
        }
        var
    }

    /// The variables of a source, in the order of their bytes.
    pub fn bytes_of(&self, source: u32) -> Vec<Var> {
        let places = (0..).map(Var).zip(&self.places);
        let mut bytes: Vec<(u64, Var)> =
            places.filter(|(_, place)| place.source == source).map(|(var, place)| (place.offset, var)).collect();
        bytes.sort_unstable();
        bytes.into_iter().map(|(_, var)| var).collect()
    }

    /// The byte of a variable.
    pub fn place(&self, var: Var) -> Place {
        self.places[var.0 as usize]
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}
