//! What an exploration needs to know of its program, made from the program's map.

use std::collections::HashMap;
use std::path::Path;

use byway_map::{BlockId, ProgramMap, SiteId, SiteKind};
use byway_report::Finding;
use byway_trace::is_model_site;
use byway_trace::layout::NO_SITE;

use crate::goals::Goals;
use crate::tree::Step;

/// A switch: its sides are the different places that it can go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// The values that lead to each side. Side 0 is the default: whatever leads to no other.
    pub values: Vec<Vec<u64>>,
    /// Where each side begins.
    pub targets: Vec<BlockId>,
}

impl Switch {
    /// `place` says where a successor leads: every case has a block of its own, even if it does the same as others.
    fn new(successors: &[BlockId], cases: &[u64], place: impl Fn(BlockId) -> BlockId) -> Switch {
        let mut switch = Switch { values: vec![Vec::new()], targets: vec![successors[0]] };
        let mut places = vec![place(successors[0])];
        for (&value, &target) in cases.iter().zip(&successors[1..]) {
            match places.iter().position(|&known| known == place(target)) {
                Some(0) => {}
                Some(side) => switch.values[side].push(value),
                None => {
                    places.push(place(target));
                    switch.targets.push(target);
                    switch.values.push(vec![value]);
                }
            }
        }
        switch
    }

    /// The side that a value leads to.
    pub fn side(&self, value: u64) -> u32 {
        self.values.iter().position(|values| values.contains(&value)).unwrap_or(0) as u32
    }
}

/// A program under exploration.
#[derive(Debug)]
pub struct Program {
    /// Its map.
    pub map: ProgramMap,
    switches: HashMap<u32, Switch>,
    /// The block that `main` begins with.
    main: Option<BlockId>,
}

impl Program {
    /// Looks at a map.
    pub fn new(map: ProgramMap) -> Program {
        let switch = |(&site, cases): (&SiteId, &Vec<u64>)| {
            let successors = &map[map[site].block].successors;
            (successors.len() == cases.len() + 1)
                .then(|| (site.number(), Switch::new(successors, cases, |block| place(&map, block))))
        };
        let switches = map.cases.iter().filter_map(switch).collect();
        let main = map.functions.iter().find(|function| function.symbol == "main").map(|main| main.first_block);
        Program { map, switches, main }
    }

    /// The switch at a site, if its cases are known.
    pub fn switch(&self, site: u32) -> Option<&Switch> {
        self.switches.get(&site)
    }

    /// The block in which a side of a step begins. A branch within a library function leads to the block that called it, one
    /// before the program begins to its start.
    pub fn target(&self, step: &Step, side: u32) -> Option<BlockId> {
        if is_model_site(step.site) {
            return match step.place {
                NO_SITE => self.main,
                place => self.map.site(place).map(|site| site.block),
            };
        }
        if let Some(switch) = self.switch(step.site) {
            return switch.targets.get(side as usize).copied();
        }
        let site = self.map.site(step.site)?;
        let successors = &self.map[site.block].successors;
        match site.kind {
            // It goes to its first successor if its condition is true.
            SiteKind::Branch => successors.get(1 - side.min(1) as usize).copied(),
            // Whatever it chooses, the block goes on.
            SiteKind::Select => Some(site.block),
            _ => None,
        }
    }

    /// What there is to cover.
    pub fn goals(&self) -> Goals {
        let mut wanted: Vec<bool> = self.map.blocks.iter().map(|block| block.reachable).collect();
        // One case of those that do the same is enough.
        for (&site, switch) in &self.switches {
            let successors = &self.map[self.map[SiteId::new(site)].block].successors;
            let others = successors.iter().filter(|&block| !switch.targets.contains(block));
            others.filter(|&&block| is_empty(&self.map, block)).for_each(|&block| wanted[block.index()] = false);
        }
        Goals::new(&self.map, wanted)
    }

    /// Whether a finding is at a site, or comes from there. Where nobody knows a site, anything may be there.
    pub fn is_at(&self, site: u32, finding: &Finding) -> bool {
        let map = &self.map;
        let Some((file, line, column)) = map.site(site).and_then(|site| site.position) else {
            return true;
        };
        let is_there = |of: &Option<String>, at: Option<u32>| {
            at == Some(line) && of.as_ref().is_some_and(|of| map[file].ends_with(Path::new(of)))
        };
        let mut calls = finding.stack.iter().filter(|frame| frame.column.is_none_or(|at| at == column));
        is_there(&finding.file, finding.line) && finding.is_at_column(column)
            || calls.any(|frame| is_there(&frame.file, frame.line))
    }

    /// The file and the line of a site.
    pub fn line(&self, site: u32) -> Option<(String, u32)> {
        let (file, line, _) = self.map.site(site)?.position?;
        Some((self.map[file].display().to_string(), line))
    }

    /// Where a site is: `file.c:12:3`.
    pub fn position(&self, site: u32) -> Option<String> {
        let (file, line, column) = self.map.site(site)?.position?;
        Some(format!("{}:{line}:{column}", self.map[file].display()))
    }
}

/// Whether nothing happens in a block but going on to the next: it stands for an edge.
fn is_empty(map: &ProgramMap, block: BlockId) -> bool {
    let block = &map[block];
    block.is_edge && block.successors.len() == 1
}

/// The first block on the way from here where something happens.
fn place(map: &ProgramMap, block: BlockId) -> BlockId {
    let next = |&block: &BlockId| is_empty(map, block).then(|| map[block].successors[0]);
    // Blocks of edges do not follow each other for long, unless they are an endless loop.
    std::iter::successors(Some(block), next).take(8).last().unwrap_or(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_with_the_same_target_are_one_side() {
        let [five, six, seven, nine] = [5, 6, 7, 9].map(BlockId::new);
        let place = |block| if block == seven { five } else { block };
        let switch = Switch::new(&[nine, five, six, seven, nine], &[1, 2, 3, 4], place);
        assert_eq!(switch.targets, [nine, five, six]);
        assert_eq!(switch.values, [vec![], vec![1, 3], vec![2]]);
        assert_eq!([0, 1, 2, 3, 4].map(|value| switch.side(value)), [0, 1, 2, 1, 0]);
    }
}
