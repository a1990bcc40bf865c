//! What is wrong with a settings file, and which part of co needs it.
//!
//! Invariant: a fault reports the file and the line, but never the value, which may be a secret.

use std::fmt;

/// Something in settings.json that is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// As a person would write it.
    pub file: String,
    /// Counted from 1; `None` if the file cannot be opened.
    pub line: Option<usize>,
    pub message: String,
    pub concern: Concern,
}

/// What a fault prevents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concern {
    /// The file as a whole cannot be read.
    Everything,
    Section(Section),
    /// The key is unknown.
    Nothing,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.file, self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// The part of co that needs a group of keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// Where the identity is.
    Place,
    Sync,
    Recall,
    Knowledge,
    Agents,
    /// Which identities are read where.
    Layers,
}
