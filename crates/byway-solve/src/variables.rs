//! The bytes of the input by name, over all runs.

use byway_trace::SourceKind;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::pool::Var;

/// Where bytes of the input come from: the same in every run that has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputSource {
    /// What it is.
    pub kind: SourceKind,
    /// What it is called: `argv[1]`, `stdin`, a path.
    pub name: String,
    /// The index in `argv`, for arguments. For objects, how many came before it.
    pub index: u32,
}

/// A byte of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InputPosition {
    /// The number of its source, see [`Variables::source`].
    pub source: u32,
    /// Where in the source.
    pub offset: u64,
}

/// Numbers the bytes of the input.
#[derive(Debug, Default)]
pub struct Variables {
    sources: Vec<InputSource>,
    /// For each source, how many bytes it has at least.
    extents: Vec<u64>,
    source_index: HashMap<InputSource, u32, FixedState>,
    places: Vec<InputPosition>,
    place_index: HashMap<InputPosition, Var, FixedState>,
}

impl Variables {
    /// The number of a source.
    pub fn source_number(&mut self, source: InputSource) -> u32 {
        if let Some(&known) = self.source_index.get(&source) {
            return known;
        }
        let number = self.sources.len() as u32;
        self.sources.push(source.clone());
        self.extents.push(0);
        self.source_index.insert(source, number);
        number
    }

    /// The source with a number.
    pub fn source(&self, number: u32) -> &InputSource {
        &self.sources[number as usize]
    }

    /// The variable of a byte.
    pub fn var(&mut self, place: InputPosition) -> Var {
        let next = Var(self.places.len() as u32);
        let var = *self.place_index.entry(place).or_insert(next);
        if var == next {
            self.places.push(place);
            let extent = &mut self.extents[place.source as usize];
            *extent = (*extent).max(place.offset.saturating_add(1));
        }
        var
    }

    /// How many bytes of a source there are, up to the last one that has a variable.
    pub fn extent(&self, source: u32) -> u64 {
        self.extents[source as usize]
    }

    /// The byte of a variable.
    pub fn place(&self, var: Var) -> InputPosition {
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
