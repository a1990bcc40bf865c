//! The personality that is selected: by the person, or by a team for those who select none.
//!
//! Invariant: the nearest that selects one decides, but what a team may enforce here is decided by
//! that. A team's own text about it is read as what others wrote.

use super::{reader::LayerReader, teams};
use crate::context::layers::{Body, Layer, LayerKind};
use crate::identity::{RelPath, kind::PERSONALITY, personality};
use crate::index::store::Store;
use crate::machine::files;

/// Who selects a personality.
pub(super) enum Selection {
    Nobody,
    /// The person, by its name.
    Own(String),
    Team(TeamChoice),
}

impl Selection {
    /// Whether it goes before what the person says.
    pub(super) fn is_enforced(&self) -> bool {
        matches!(self, Selection::Team(choice) if choice.is_enforced)
    }
}

/// What is selected by a team.
pub(super) struct TeamChoice {
    team: Store,
    /// Of the personality.
    name: String,
    is_enforced: bool,
}

impl LayerReader<'_> {
    /// A team's, where the person selects nothing, or may not.
    pub(super) fn selection(&self, teams: &[Store], own: Option<&Store>) -> Selection {
        let mut of_teams: Vec<TeamChoice> =
            teams.iter().filter_map(|team| self.choice_of(team)).collect();
        if let Some(farthest) = of_teams.iter().position(|choice| choice.is_enforced) {
            return Selection::Team(of_teams.swap_remove(farthest));
        }
        let own = self.own_choice(own).map(Selection::Own);
        own.or(of_teams.pop().map(Selection::Team)).unwrap_or(Selection::Nobody)
    }

    /// What the person selects: in the identity, else on this laptop.
    fn own_choice(&self, own: Option<&Store>) -> Option<String> {
        let document = own.and_then(|own| teams::document(&own.root.join(PERSONALITY)));
        let selected = document.as_ref().and_then(personality::selected);
        let reads_laptop = self.reads_laptop() && !self.is_of_team_alone();
        let of_laptop = self.ws.settings.personality.clone().filter(|_| reads_laptop);
        selected.or(of_laptop).filter(|name| is_name(name))
    }

    fn choice_of(&self, team: &Store) -> Option<TeamChoice> {
        let file = team.root.join(PERSONALITY);
        if team.refuses_links() && team.leads_out(&file) {
            return None;
        }
        let document = teams::document(&file)?;
        let name = personality::selected(&document).filter(|name| is_name(name))?;
        let enforces = team.scope.layer().is_some_and(|layer| self.ws.enforces(layer));
        let is_enforced = enforces && teams::says_enforced(&document);
        Some(TeamChoice { team: team.clone(), name, is_enforced })
    }

    /// Reads what is selected from `personality/NAME.md`; personality.md, which may override it,
    /// comes after it.
    pub(super) fn read_selection(&mut self, selection: &Selection, own: Option<&Store>) {
        match selection {
            Selection::Nobody => {}
            Selection::Own(name) => self.template(own, name),
            Selection::Team(choice) => self.read_choice(choice, own),
        }
    }

    fn read_choice(&mut self, choice: &TeamChoice, own: Option<&Store>) {
        let TeamChoice { team, name, is_enforced } = choice;
        let path = described(name);
        let kind = if *is_enforced { LayerKind::TeamRules } else { LayerKind::TeamKnowledge };
        let is_described = |own: &&Store| files::exists(&own.root.join(path.as_str()));
        match own.filter(|_| !is_enforced).filter(is_described) {
            Some(own) => self.one(LayerKind::Personality, own, path.as_str()),
            None => self.one(kind, team, path.as_str()),
        }
        self.one(kind, team, PERSONALITY);
    }

    /// Takes the line that names another personality out of the person's own text.
    pub(super) fn leave_out_selection(&mut self) {
        let of_own = format!("identity/{PERSONALITY}");
        for layer in self.layers.iter_mut().filter(|layer| layer.file == of_own) {
            if let Body::Text(text) = &layer.body {
                layer.body = Body::Text(personality::unselected(text));
            }
        }
    }

    /// The personality that the person selected, from the identity, else from this laptop.
    fn template(&mut self, store: Option<&Store>, name: &str) {
        let path = described(name);
        let own =
            store.map(|store| store.root.join(path.as_str())).filter(|own| files::exists(own));
        match own {
            Some(own) => self.file(LayerKind::Personality, &path, &own, store),
            None if !self.reads_laptop() => {}
            None => {
                let of_laptop = self.ws.config_dir.join(path.as_str());
                self.file(LayerKind::Personality, &path, &of_laptop, None);
            }
        }
    }

    /// Until `init` adopts it, the personality of older versions is read from the settings.
    pub(super) fn legacy_personality(&mut self) {
        let named = self.ws.settings.personality.clone().filter(|_| self.reads_laptop());
        if let (false, Some(name)) = (self.has(LayerKind::Personality), named) {
            let file = self.ws.shown(&self.ws.settings_file());
            self.layers.push(Layer {
                kind: LayerKind::Personality,
                file,
                project: None,
                body: Body::Text(format!("# Personality\n\nSelected: {name}")),
                notes: Vec::new(),
            });
        }
    }
}

/// The file that describes a personality.
fn described(name: &str) -> RelPath {
    RelPath::known(&format!("personality/{name}.md"))
}

/// Whether a personality can have this name: it is one of a file.
fn is_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    !name.is_empty()
        && name.chars().all(is_plain)
        && RelPath::new(&format!("personality/{name}.md")).is_some()
}
