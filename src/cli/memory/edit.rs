//! `co memory edit`: arguments and output. The verb is `ops::edit`.

use super::number::number;
use crate::cli::args::{Allow, scope, text};
use crate::cli::failure::{Exit, Failure};
use crate::cli::{
    complete,
    output::{self, Output},
    prompt,
    style::Style,
    verb::{Cli, Verb},
};
use crate::display::samples;
use crate::foreign::{Said, said};
use crate::ops::ErrorKind;
use crate::ops::edit;
use crate::ops::store::Scope;
use crate::system::terminal;
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co memory edit`
#[derive(Args, Debug)]
pub struct Edit {
    /// Its number (`12`), `12-3fa9` or `sha256:3fa9…`
    #[arg(add = ArgValueCandidates::new(complete::handles))]
    pub handle: String,
    /// The new text, or `-` for standard input; without it your editor opens
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// The new tags, replacing the old ones; may be given several times
    #[arg(short, long = "tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Edit {
    fn name(&self) -> &'static str {
        "memory edit"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let named = self.scope;
        let mut based_on = None;
        let new = if !self.text.is_empty() {
            Some(text(&self.text)?)
        } else if self.tags.is_empty() {
            if !cli.asks {
                return Err(no_editor());
            }
            let (old, hash) = edit::text(cli.context, &self.handle, named)?;
            based_on = Some(hash);
            terminal::edit(cli.context, &old)?
        } else {
            None
        };
        let in_editor = based_on.is_some();
        let request = edit::Request {
            handle: self.handle,
            scope: named,
            text: new,
            based_on,
            tags: (!self.tags.is_empty()).then_some(self.tags),
            allowed: self.allow.rules()?,
        };
        let report = if in_editor {
            until_accepted(cli, request)?
        } else {
            edit::run(cli.context, &request)?
        };
        let warnings = samples(&report.samples).into_iter().collect();
        Ok(Output { warnings, ..Output::done(edited(&report, cli.style), report) })
    }
}

fn no_editor() -> Failure {
    Failure::new(Exit::Usage, "give the new text or tags; there is no terminal for an editor")
        .hint("`co edit HANDLE \"new text\"` or `--tag T`")
}

/// Text typed into an editor is not discarded because it contains a token.
fn until_accepted(cli: &Cli<'_>, mut request: edit::Request) -> Result<edit::Report, Failure> {
    loop {
        match edit::run(cli.context, &request) {
            Err(error) if error.kind() == ErrorKind::Refused && request.text.is_some() => {
                let failure = Failure::from(error);
                output::say(&output::complaint(&failure, cli.err));
                if !prompt::confirm("Edit the text again")? {
                    return Err(failure);
                }
                let old = request.text.as_deref().unwrap_or_default();
                let again = terminal::edit(cli.context, old)?;
                request.text = again.or(request.text);
            }
            result => return Ok(result?),
        }
    }
}

fn edited(report: &edit::Report, style: Style) -> Said {
    let id = number(report.id, report.scope);
    if !report.changed {
        return said!("Memory{} unchanged.\n", id);
    }
    said!("{} Edited memory{}: {}\n", style.edited("✓"), id, report.summary)
}
