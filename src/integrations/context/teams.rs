//! What an agent reads of team layers: their notes, rules and facts, as what others wrote.
//!
//! Invariant: from far to near; of two traits with one name only the nearer is read, but what a
//! layer may enforce here comes first and is hidden by nothing. Nothing of a team's is read as the
//! user's own wish.

use super::reader::LayerReader;
use crate::context::layers::{Body, Layer, LayerKind};
use crate::documents::{self, profile};
use crate::identity::{
    Document, Kind, RelPath, Scope,
    kind::{CONTEXT, PROFILE, TRAITS},
    value::Value,
};
use crate::index::store::Store;
use crate::machine::{context::IdentitySource, files, folder};
use crate::workspace::{Error, Workspace};
use std::{collections::BTreeSet, path::Path};

/// The layers that this context includes.
pub(super) fn read_here(ws: &Workspace) -> Result<Vec<Store>, Error> {
    match ws.only {
        None => Ok(ws.layers()),
        Some(Scope::Layer(name)) => Ok(vec![ws.layer(name)?]),
        Some(Scope::Identity | Scope::Project) => Ok(Vec::new()),
    }
}

impl LayerReader<'_> {
    /// Whether only a team's layer was asked for.
    pub(super) fn is_of_team_alone(&self) -> bool {
        matches!(self.ws.only, Some(Scope::Layer(_)))
    }

    /// What is read on this laptop only; nothing if there is none, or only another part was asked
    /// for.
    pub(super) fn read_here(&self) -> Option<Store> {
        self.ws.here_if_there().filter(|_| self.ws.only.is_none())
    }

    /// Whether what lies beside the settings belongs to the identity of this call: it is the
    /// person's own.
    pub(super) fn reads_laptop(&self) -> bool {
        self.ws.identity.source != IdentitySource::Layer
    }

    /// What the person set on this laptop.
    pub(super) fn read_system(&mut self) {
        if self.reads_laptop() {
            let (name, file) = ("system.md", self.ws.config_dir.join("system.md"));
            self.file(LayerKind::System, &RelPath::known(name), &file, None);
        }
    }

    pub(super) fn read_teams(&mut self, teams: &[Store], own: Option<&Store>) {
        if teams.is_empty() {
            return;
        }
        let ranked = profile::ranked(self.ws, teams, own);
        let mut ruled = BTreeSet::new();
        for (at, team) in teams.iter().enumerate() {
            let nearer: Vec<&Store> = teams[at + 1..].iter().chain(own).collect();
            self.read_profile(team, &ranked, at);
            self.read_team(team, &nearer, &mut ruled);
        }
        // What a team may enforce is not said otherwise below.
        let of_own = |layer: &&mut Layer| {
            layer.kind == LayerKind::Profile && layer.file == format!("identity/{PROFILE}")
        };
        for layer in self.layers.iter_mut().filter(of_own) {
            if let Body::Text(text) = &layer.body {
                layer.body = Body::Text(profile::undecided(&ranked, teams.len(), text));
            }
        }
        let of_own = |layer: &Layer| {
            let path = layer.file.strip_prefix("identity/");
            layer.kind == LayerKind::Traits && path.is_some_and(|path| ruled.contains(path))
        };
        self.layers.retain(|layer| !of_own(layer));
    }

    /// The fields of a team's profile that no other profile decides.
    fn read_profile(&mut self, team: &Store, ranked: &[profile::Ranked], at: usize) {
        let before = self.layers.len();
        let is_rule = ranked[at].is_enforced;
        let kind = if is_rule { LayerKind::TeamRules } else { LayerKind::TeamKnowledge };
        self.file(kind, &RelPath::known(PROFILE), &team.root.join(PROFILE), Some(team));
        for layer in &mut self.layers[before..] {
            if let Body::Text(text) = &layer.body {
                layer.body = Body::Text(profile::undecided(ranked, at, text));
            }
        }
    }

    /// `ruled` are the traits that a team farther away enforces, and then those of this one.
    fn read_team(&mut self, team: &Store, nearer: &[&Store], ruled: &mut BTreeSet<String>) {
        let enforces = team.scope.layer().is_some_and(|name| self.ws.enforces(name));
        let traits = folder::list(&team.root, TRAITS).files.into_iter();
        let traits = traits.map(|file| file.path).filter(|path| path.kind() == Kind::Trait);
        let mut included =
            if enforces { documents::always_included(team, self.ws) } else { Vec::new() };
        // Who somebody is, is nobody's rule.
        included.retain(|path| path.kind() != Kind::ProfilePart);
        let paths = [RelPath::known(CONTEXT)].into_iter().chain(included).chain(traits);
        for path in paths {
            let file = team.root.join(path.as_str());
            let is_hidden = || {
                let is_there = |near: &&Store| files::exists(&near.root.join(path.as_str()));
                path.kind() == Kind::Trait && nearer.iter().any(is_there)
            };
            if ruled.contains(path.as_str()) {
                continue;
            }
            if enforces && is_enforced(&file) {
                if path.kind() == Kind::Trait {
                    ruled.insert(path.as_str().to_owned());
                }
                self.file(LayerKind::TeamRules, &path, &file, Some(team));
            } else if !is_hidden() {
                self.file(LayerKind::TeamKnowledge, &path, &file, Some(team));
            }
        }
    }
}

/// Whether a file says that nothing nearer overrides it.
fn is_enforced(file: &Path) -> bool {
    document(file).is_some_and(|document| says_enforced(&document))
}

pub(super) fn says_enforced(document: &Document) -> bool {
    document.get("enforced").and_then(Value::truth) == Some(true)
}

/// A file, if there is one that can be read.
pub(super) fn document(file: &Path) -> Option<Document> {
    let bytes = files::read(file).ok().flatten()?;
    Document::read(&bytes).ok()
}
