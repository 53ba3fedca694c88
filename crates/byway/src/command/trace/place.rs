//! Where in the source something happened.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use byway_map::{FileId, ProgramMap};
use byway_trace::layout::{Event, MODEL_SITE};
use byway_trace::{EventKind, is_model_site, place_name};
use byway_variant::Variant;
use serde::Serialize;

use crate::command::shown;

/// A place in the source, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The source file.
    pub file: Option<PathBuf>,
    /// The line, from 1 on.
    pub line: Option<u32>,
    /// The column; 0 if it is not known.
    pub column: Option<u32>,
    /// The library function in whose model it is; file and line are then those of the call, if they are known.
    pub model: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(formatter, "{}:{line}", shown(file))?,
            _ if self.model.is_none() => formatter.write_str("unknown place")?,
            _ => {}
        }
        if let Some(column @ 1..) = self.column {
            write!(formatter, ":{column}")?;
        }
        match &self.model {
            Some(model) if self.file.is_some() => write!(formatter, " ({model})"),
            Some(model) => formatter.write_str(model),
            None => Ok(()),
        }
    }
}

/// All places of a program.
pub struct Places {
    map: ProgramMap,
    /// The functions of the models' sites; may be missing.
    models: Vec<String>,
}

/// The names of the functions that the sites of models are in, beside the variant.
const MODELS: &str = "models.json";

impl Places {
    /// The places of a program and of the models in its variant.
    pub fn new(map: ProgramMap, variant: &Variant) -> Places {
        let read = |path: &Path| serde_json::from_slice(&fs::read(path).ok()?).ok();
        Places { map, models: read(&variant.program.with_file_name(MODELS)).unwrap_or_default() }
    }

    /// The place of a site.
    pub fn of_site(&self, site: u32) -> Place {
        if is_model_site(site) {
            let model = place_name(site).or_else(|| self.models.get((site & !MODEL_SITE) as usize).map(String::as_str));
            return Place { model: Some(model.unwrap_or("a library function").to_owned()), ..Place::default() };
        }
        let position = self.map.site(site).and_then(|site| site.position);
        position.map_or(Place::default(), |(file, line, column)| self.place(file, line, Some(column)))
    }

    /// The place of an event; in a model, that of the call.
    pub fn of_event(&self, event: &Event) -> Place {
        if event.kind == EventKind::Visit as u8 || event.kind == EventKind::Point as u8 {
            return self.of_block(event.label);
        }
        let place = self.of_site(event.site);
        if place.model.is_some() { Place { model: place.model, ..self.of_site(event.extra) } } else { place }
    }

    fn of_block(&self, block: u32) -> Place {
        let first = self.map.blocks.get(block as usize).and_then(|block| block.lines.first());
        first.map_or(Place::default(), |&(file, line)| self.place(file, line, None))
    }

    fn place(&self, file: FileId, line: u32, column: Option<u32>) -> Place {
        let file = self.map.files.get(file.index()).cloned();
        Place { file, line: Some(line), column, model: None }
    }
}
