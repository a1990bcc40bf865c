//! `co memory show`, `co show`

use crate::cli::args::{ScopeArg, scope};
use crate::cli::{
    complete,
    output::Output,
    style::{Style, safe},
    verb::{Cli, Needs, Verb},
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
    #[arg(required = true, value_name = "HANDLE", add = ArgValueCandidates::new(complete::handles))]
    handles: Vec<String>,
    /// Only in this scope
    #[arg(long)]
    scope: Option<ScopeArg>,
}

impl Verb for Show {
    fn name(&self) -> &'static str {
        "memory show"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let mut all = Vec::new();
        for handle in &self.handles {
            all.push(show::find(cli.context, handle, scope(self.scope))?.1);
        }
        let texts: Vec<String> =
            all.iter().map(|placed| shown(placed, cli.context, cli.style)).collect();
        // One fact is an object of its own.
        let data = match all.as_slice() {
            [one] => fact(one),
            several => json!({ "memories": several.iter().map(fact).collect::<Vec<_>>() }),
        };
        Ok(Output::verbatim(texts.join("\n"), data))
    }
}

fn fact(placed: &Placed) -> serde_json::Value {
    let memory = &placed.memory;
    json!({
        "id": memory.id,
        "hash": memory.hash.to_string(),
        "created": memory.created.to_string(),
        "updated": memory.updated.map(|at| at.to_string()),
        "tags": memory.tags,
        "pinned": memory.pinned,
        "content": memory.text(),
        "path": placed.file,
        "scope": placed.scope,
    })
}

fn shown(placed: &Placed, context: &Context, style: Style) -> String {
    let memory = &placed.memory;
    let handle = named::of(memory, placed.scope, Shared::Yes);
    let mut head = format!("memory {handle}  learned {}", memory.date());
    if let Some(updated) = memory.updated {
        head.push_str(&format!(", changed {}", updated.date()));
    }
    if memory.pinned {
        head.push_str(", pinned");
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
