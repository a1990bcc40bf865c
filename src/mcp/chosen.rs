//! Which of the tools a server offers.
//!
//! Invariant: a read-only server has no tool that writes, even if one is named.

use super::tools::{ALL, Effect, Group, Tool};
use crate::knowledge::DocSummary;

/// What a server offers.
#[derive(Clone, Debug)]
pub struct Offer {
    pub tools: Chosen,
    /// co's own documents, for searches.
    pub docs: Vec<DocSummary>,
}

/// Which tools a server offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// `None`: all but those that are offered only on request, and the knowledge tools only if
    /// there are documents.
    pub names: Option<Vec<String>>,
    pub access: Access,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    ReadOnly,
    ReadWrite,
}

impl Chosen {
    /// `memory`, `knowledge`, `all`, or tool names, with commas; fails with an unknown name.
    pub fn parse(text: &str, access: Access) -> Result<Chosen, String> {
        let mut names = Vec::new();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let is_meant = |tool: &&Tool| match word {
                "all" => true,
                "memory" => tool.group == Group::Memory,
                "knowledge" => tool.group == Group::Knowledge,
                name => tool.name == name,
            };
            let meant: Vec<String> =
                ALL.iter().filter(is_meant).map(|tool| tool.name.to_owned()).collect();
            if meant.is_empty() {
                return Err(word.to_owned());
            }
            names.extend(meant);
        }
        Ok(Chosen { names: Some(names), access })
    }

    /// Whether no tool is allowed at all.
    pub fn is_empty(&self) -> bool {
        !ALL.iter().any(|tool| self.allows(tool))
    }

    /// Whether the tool with that name may be called.
    pub fn has(&self, name: &str) -> bool {
        ALL.iter().any(|tool| tool.name == name && self.allows(tool))
    }

    /// Whether a tool may be called.
    pub fn allows(&self, tool: &Tool) -> bool {
        let is_named = match &self.names {
            Some(names) => names.iter().any(|name| name == tool.name),
            None => tool.group != Group::OnRequest,
        };
        is_named && (self.access == Access::ReadWrite || tool.effect == Effect::Reads)
    }

    /// Whether a tool is listed to clients: by default, only if it is useful.
    pub fn offers(&self, tool: &Tool, has_documents: bool) -> bool {
        let is_of_use = tool.group != Group::Knowledge || has_documents;
        self.allows(tool) && (self.names.is_some() || is_of_use)
    }
}
