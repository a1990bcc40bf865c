//! Layers: which identities a call reads and writes, told from the place of the call.
//!
//! A *layer* is an identity in a git repository of its own; git's rights are its permissions. This
//! laptop has a list of them (`layers` in settings.json), each with patterns of places. One pure
//! function, [`active`], says from the list and the place of a call what is read there, from far to
//! near:
//!
//! ```text
//! team layers, in the order of the list < me < the projects around the folder
//! team layers with a pattern for the place < what stands in for me there < the projects
//! ```
//!
//! What it says is asked once, when the workspace of a call is opened (`workspace::layers`). Where
//! another identity stands in for me, the workspace's identity *is* that layer: its index, log,
//! usage, review queue and recovery are its own by construction, and nothing below the workspace
//! knows the way to me. Where it cannot be decided, the workspace has no identity at all. A team
//! layer is a store of facts and documents with a scope of its own ([`Scope::Layer`]), so that
//! search, lists, handles (`acme/12`) and what holds ask it as they ask a project. The one way to
//! write (`Workspace::write`) refuses it unless this laptop was told that it may write there.
//!
//! Invariant: a place that two stand-ins match, or that cannot be told, is an error and never me.
//! Pure: places come as texts, the remotes of a repository as projects. Must not know: files, git,
//! who asks.
//!
//! [`Scope::Layer`]: super::scope::Scope::Layer

mod pattern;

pub use pattern::{Compared, PatternError, Place, PlacePattern, Remotes, folder_of, read};

use super::scope::LayerName;
use pattern::Fit;

/// What a layer is for the person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerRole {
    /// Read beside what is mine.
    Beside,
    /// Stands in for me in its places: there, I do not exist.
    Instead,
}

/// A layer of this laptop's list, as far as places go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerRule {
    pub name: LayerName,
    /// Everywhere if there is none.
    pub places: Vec<PlacePattern>,
    pub role: LayerRole,
}

/// The layers of a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActiveLayers {
    /// What stands in for me.
    pub instead: Option<LayerName>,
    /// The others, from far to near.
    pub beside: Vec<LayerName>,
}

/// Why nobody can say whose place it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undecided {
    /// Two stand in for me there.
    Two(LayerName, LayerName),
    /// Its repository cannot be read, and its remotes may be those of this one.
    Unreadable(LayerName),
    /// The list of layers itself cannot be read.
    NoList,
    /// I was named by a path, in a place where this one stands in for me.
    NamesMe(LayerName),
}

impl LayerRule {
    fn fit(&self, place: &Place) -> Fit {
        if self.places.is_empty() {
            return Fit::Yes;
        }
        self.places.iter().map(|pattern| pattern.fit(place)).max().unwrap_or(Fit::No)
    }
}

/// The layers of a place, or why that cannot be told.
pub fn active(rules: &[LayerRule], place: &Place) -> Result<ActiveLayers, Undecided> {
    let mut instead: Option<LayerName> = None;
    for rule in rules.iter().filter(|rule| rule.role == LayerRole::Instead) {
        match (rule.fit(place), instead) {
            (Fit::No, _) => {}
            (Fit::Unknown, _) => return Err(Undecided::Unreadable(rule.name)),
            (Fit::Yes, Some(other)) => return Err(Undecided::Two(other, rule.name)),
            (Fit::Yes, None) => instead = Some(rule.name),
        }
    }
    // Where I do not exist, only what is meant for the place is read.
    let is_meant = |rule: &LayerRule| instead.is_none() || !rule.places.is_empty();
    let beside = rules.iter().filter(|rule| rule.role == LayerRole::Beside && is_meant(rule));
    let beside = beside.filter(|rule| rule.fit(place) == Fit::Yes).map(|rule| rule.name).collect();
    Ok(ActiveLayers { instead, beside })
}

#[cfg(test)]
mod tests;
