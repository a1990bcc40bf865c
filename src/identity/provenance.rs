//! Where a fact came from: keys that only people and reports read.
//!
//! Invariant: all of them are optional, and merge like any other key. They change neither the text
//! of a fact nor its hash.

use super::{document::Document, value::Value};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Provenance {
    /// The agent that wrote it: its name in the table, or the name that its client reports.
    pub agent: Option<String>,
    pub session: Option<String>,
    /// The project in which it was learned: `github.com/bin/billing`.
    pub project: Option<String>,
    pub agreed: Option<Agreed>,
}

/// Who agreed that it is a fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreed {
    Person,
    /// Nobody was asked.
    Auto,
}

impl Agreed {
    pub const fn word(self) -> &'static str {
        match self {
            Agreed::Person => "user",
            Agreed::Auto => "auto",
        }
    }
}

impl Provenance {
    pub fn read(document: &Document) -> Provenance {
        let text = |key: &str| document.get(key).and_then(Value::text);
        let agreed = text("agreed").and_then(|word| {
            [Agreed::Person, Agreed::Auto].into_iter().find(|agreed| agreed.word() == word)
        });
        Provenance {
            agent: text("agent"),
            session: text("session"),
            project: text("project"),
            agreed,
        }
    }

    /// Sets the keys that are known; those that are there already stay.
    pub fn set_in(&self, document: &mut Document) {
        let agreed = self.agreed.map(|agreed| agreed.word().to_owned());
        let keys = [
            ("agent", &self.agent),
            ("session", &self.session),
            ("project", &self.project),
            ("agreed", &agreed),
        ];
        for (key, value) in keys {
            if let (Some(value), None) = (value, document.get(key)) {
                document.set(key, Value::Text(value.clone()));
            }
        }
    }
}
