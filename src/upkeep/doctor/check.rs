//! One check: what it examined, how it went, and how to fix what it found.
//!
//! Invariant: what is not in order says how to fix it. Must not know how anything is examined.

use crate::integrations::agent::doctor::Level;
use crate::workspace::Error;
use serde::Serialize;
use std::sync::Arc;

/// What a check examines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    Settings,
    Folder,
    Layers,
    Files,
    Git,
    Remote,
    Hooks,
    Keyring,
    Recall,
    Clock,
    Agents,
}

impl Area {
    pub fn name(self) -> &'static str {
        match self {
            Area::Settings => "settings",
            Area::Folder => "folder",
            Area::Layers => "layers",
            Area::Files => "files",
            Area::Git => "git",
            Area::Remote => "remote",
            Area::Hooks => "hooks",
            Area::Keyring => "keyring",
            Area::Recall => "recall",
            Area::Clock => "clock",
            Area::Agents => "agents",
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Check {
    pub area: Area,
    pub level: Level,
    pub message: String,
    #[serde(rename = "hint")]
    pub mend: Option<Remedy>,
}

/// How to fix a problem.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Remedy {
    /// A command as it can be typed.
    Command(String),
    Sentence(String),
    /// The first hint for an error, or a command. The presentation layer replaces it with text: see
    /// [`super::Report::explained`].
    #[serde(skip)]
    Explanation {
        error: Arc<Error>,
        otherwise: &'static str,
    },
}

impl Remedy {
    pub(super) fn command(text: impl Into<String>) -> Remedy {
        Remedy::Command(text.into())
    }

    pub(super) fn sentence(text: impl Into<String>) -> Remedy {
        Remedy::Sentence(text.into())
    }
}

impl Check {
    pub(super) fn ok(area: Area, message: impl Into<String>) -> Check {
        Check { area, level: Level::Ok, message: message.into(), mend: None }
    }

    pub(super) fn warning(area: Area, message: impl Into<String>, mend: Remedy) -> Check {
        Check { area, level: Level::Warning, message: message.into(), mend: Some(mend) }
    }

    pub(super) fn error(area: Area, message: impl Into<String>, mend: Remedy) -> Check {
        Check { area, level: Level::Error, message: message.into(), mend: Some(mend) }
    }

    /// `otherwise` is the command to fix it if the error has no hint.
    pub(super) fn failed(area: Area, error: impl Into<Error>, otherwise: &'static str) -> Check {
        let error: Error = error.into();
        let message = error.to_string();
        let mend = Remedy::Explanation { error: Arc::new(error), otherwise };
        Check::error(area, message, mend)
    }
}
