//! `co knowledge edit`: arguments and output. The verb is `documents::edit`.
//!
//! Invariant: no typed text is lost: not to a token in it, nor to a text that came meanwhile.

use super::write;
use crate::cli::{
    args::{Allow, scope},
    complete,
    failure::{Exit, Failure},
    memory::edit::tell,
    output::{self, Output},
    prompt, typed,
    verb::{Cli, Verb},
};
use crate::documents::{
    KnowledgeError,
    edit::{self, Opened, Request},
    write::Report,
};
use crate::foreign::{Foreign, Said, said};
use crate::identity::shell;
use crate::index::store::Scope;
use crate::machine::terminal;
use crate::workspace::{Error, ErrorKind};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

pub(super) const HELP: &str = "The text opens in $VISUAL or $EDITOR; tags and other labels stay as \
    they are. To replace a text without an editor: `co knowledge write TOPIC - < FILE`.";

/// `co knowledge edit`
#[derive(Args, Debug)]
pub struct Edit {
    /// The topic
    #[arg(value_name = "TOPIC", add = ArgValueCandidates::new(complete::documents))]
    pub topic: String,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Edit {
    fn name(&self) -> &'static str {
        "knowledge edit"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let allowed = self.allow.rules()?;
        let opened = edit::open(cli.ws, &self.topic, self.scope)?;
        if !cli.asks {
            return Err(no_editor(&opened));
        }
        let Some(text) = terminal::edit(cli.ws, &opened.text)? else {
            let text = said!("{} unchanged.\n", opened.topic);
            return Ok(Output::done(text, json!({ "written": "unchanged" })));
        };
        let report = until_accepted(cli, Request { opened, text, allowed })?;
        Ok(write::told(report, cli))
    }
}

fn no_editor(opened: &Opened) -> Failure {
    Failure::new(Exit::Usage, "there is no terminal for an editor")
        .hint(format!("`{} - < FILE` replaces its text", rewrite(opened)))
}

/// The command that writes this document, as a shell takes it.
fn rewrite(opened: &Opened) -> String {
    let topic = opened.topic.to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "/-_.".contains(letter);
    let topic = if topic.chars().all(is_plain) { topic } else { shell::quoted(&topic) };
    let place = match opened.scope {
        Scope::Identity | Scope::Project => format!("--scope {}", opened.scope.word()),
        Scope::Layer(name) => format!("--layer {name}"),
    };
    format!("co knowledge write {topic} {place}")
}

/// Asks again as long as the person can mend what is refused.
fn until_accepted(cli: &Cli<'_>, mut request: Request) -> Result<Report, Failure> {
    loop {
        let error = match edit::run(cli.ws, &request) {
            Ok(report) => return Ok(report),
            Err(error) => error,
        };
        let is_outdated = matches!(of_document(&error), Some(KnowledgeError::Outdated { .. }));
        let is_about_text = matches!(error.kind(), ErrorKind::Refused | ErrorKind::Invalid)
            && !request.text.trim().is_empty();
        let mut failure = Failure::from(error);
        if is_outdated && let Some(now) = replaces(cli, &request, &mut failure) {
            request.opened = now;
            continue;
        }
        if !is_about_text {
            return Err(kept(cli, failure, &request));
        }
        tell(cli, &mut failure);
        if !prompt::confirm("Edit the text again").unwrap_or(false) {
            return Err(kept(cli, failure, &request));
        }
        match terminal::edit(cli.ws, &request.text) {
            Ok(again) => request.text = again.unwrap_or(request.text),
            Err(error) if typed::is_kept(&error) => return Err(error.into()),
            Err(error) => return Err(kept(cli, error.into(), &request)),
        }
    }
}

fn of_document(error: &Error) -> Option<&KnowledgeError> {
    error.of_verb()?.downcast_ref()
}

fn kept(cli: &Cli<'_>, failure: Failure, request: &Request) -> Failure {
    let again = |file: &str| format!("`{} - < {file}` saves it", rewrite(&request.opened));
    typed::kept(cli, failure, &request.text, again)
}

/// The most lines of the other text that are shown.
const SHOWN: usize = 20;

/// The document as it is now, if the typed text shall replace it.
fn replaces(cli: &Cli<'_>, request: &Request, failure: &mut Failure) -> Option<Opened> {
    let now = edit::again(cli.ws, &request.opened).ok()?;
    // Whoever was faster wrote the same: nothing is replaced.
    if now.text.trim() == request.text.trim() {
        return Some(now);
    }
    tell(cli, failure);
    let lines: Vec<&str> = now.text.lines().take(SHOWN).collect();
    let more = now.text.lines().count() > lines.len();
    let more = if more { "  …\n" } else { "" };
    let shown = Foreign(&lines.join("\n")).quote("  ");
    output::say(&(Said::from("It now says:\n") + shown + more + "\n"));
    prompt::confirm_loss("Replace that with your text").unwrap_or(false).then_some(now)
}
