//! `co memory show`

use crate::cli::args::{ScopeArg, scope};
use crate::cli::{
    complete,
    output::Output,
    style::{Style, safe},
    verb::{Cli, Verb},
};
use crate::ops::{Failure, show, store::Placed};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co memory show`
#[derive(Args, Debug)]
pub struct Show {
    /// Its number (`12`), `12-3fa9` or `sha256:3fa9…`
    #[arg(add = ArgValueCandidates::new(complete::handles))]
    handle: String,
    /// Only in this scope
    #[arg(long)]
    scope: Option<ScopeArg>,
}

impl Verb for Show {
    fn name(&self) -> &'static str {
        "memory show"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let (_, placed) = show::find(cli.context, &self.handle, scope(self.scope))?;
        let memory = &placed.memory;
        let data = json!({
            "id": memory.id,
            "hash": memory.hash.to_string(),
            "created": memory.written,
            "updated": memory.updated.map(|at| at.to_string()),
            "tags": memory.tags,
            "pinned": memory.pinned,
            "content": memory.text(),
            "path": placed.file,
            "scope": placed.scope,
        });
        Ok(Output::verbatim(shown(&placed, cli.style), data))
    }
}

fn shown(placed: &Placed, style: Style) -> String {
    let memory = &placed.memory;
    let id = memory.id.map_or_else(|| "?".to_owned(), |id| id.to_string());
    let mut head = format!("memory {id}-{}  learned {}", memory.hash.short(4), memory.date());
    if let Some(updated) = memory.updated {
        head.push_str(&format!(", changed {}", updated.date()));
    }
    if !memory.tags.is_empty() {
        head.push_str(&format!("  [{}]", memory.tags.join(", ")));
    }
    format!(
        "{}\n{}\n\n{}\n",
        style.strong(&safe(&head)),
        style.dim(&placed.file.display().to_string()),
        safe(memory.text())
    )
}
