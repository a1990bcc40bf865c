//! `co memory show`

use crate::cli::args::{ScopeArg, scope};
use crate::cli::{
    complete,
    output::Output,
    style::{Style, safe},
    verb::{Cli, Verb},
};
use crate::ops::{
    Failure,
    named::{self, Shared},
    show,
    store::Placed,
};
use crate::system::Context;
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
            "created": memory.created.to_string(),
            "updated": memory.updated.map(|at| at.to_string()),
            "tags": memory.tags,
            "pinned": memory.pinned,
            "content": memory.text(),
            "path": placed.file,
            "scope": placed.scope,
        });
        Ok(Output::verbatim(shown(&placed, cli.context, cli.style), data))
    }
}

fn shown(placed: &Placed, context: &Context, style: Style) -> String {
    let memory = &placed.memory;
    let handle = named::of(memory, placed.scope, Shared::Yes);
    let mut head = format!("memory {handle}  learned {}", memory.date());
    if let Some(updated) = memory.updated {
        head.push_str(&format!(", changed {}", updated.date()));
    }
    if !memory.tags.is_empty() {
        head.push_str(&format!("  [{}]", memory.tags.join(", ")));
    }
    format!(
        "{}\n{}\n\n{}\n",
        style.strong(&safe(&head)),
        style.dim(&context.shown(&placed.file)),
        safe(memory.text())
    )
}
