//! `co memory edit`: arguments and output. The verb is `facts::edit`.

use super::{save, times::TimeOptions};
use crate::cli::{
    args::{Allow, scope, text},
    complete,
    failure::{Exit, Failure},
    handle,
    output::{self, Output},
    prompt,
    style::Style,
    typed,
    verb::{Cli, Verb},
};
use crate::display::{memories, oddities};
use crate::facts::{
    edit::{self, EditError::Outdated},
    editor_text, show,
};
use crate::foreign::{Foreign, Said, said};
use crate::identity::{FactView, shell};
use crate::index::store::Scope;
use crate::machine::terminal;
use crate::merge::change::FieldChange;
use crate::workspace::{Error, ErrorKind};
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co memory edit`
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    co edit 12 \"Prefers tabs, but spaces in YAML\"   another text\n  \
    co edit last --add-tag style                    one more tag")]
pub struct Edit {
    /// Its number (`12`), `12-3fa9`, `sha256:3fa9…`, or `last`: the one learned last here
    #[arg(add = ArgValueCandidates::new(complete::handles))]
    pub handle: String,
    /// The new text, or `-` for standard input; without it your editor opens
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// The new tags (a,b), replacing the old ones; may be given several times
    #[arg(short, long = "tag", value_name = "TAG", conflicts_with_all = ["add_tags", "remove_tags"], add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Tags (a,b) to add to those that it has; may be given several times
    #[arg(long = "add-tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub add_tags: Vec<String>,
    /// Tags (a,b) to remove; may be given several times
    #[arg(long = "remove-tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub remove_tags: Vec<String>,
    /// Who said it
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// When it holds, and what it replaces.
    #[command(flatten)]
    pub times: TimeOptions,
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
        let has_options = self.has_options();
        let handle = handle::meant(cli, self.handle.clone(), named)?;
        self.refuse_handles(cli)?;
        let request = edit::Request {
            handle,
            scope: named,
            tags: (!self.tags.is_empty()).then_some(self.tags),
            add_tags: self.add_tags,
            remove_tags: self.remove_tags,
            source: self.source,
            times: self.times.typed(cli)?,
            allowed: self.allow.rules()?,
            ..Default::default()
        };
        let report = if !self.text.is_empty() {
            edit::run(cli.ws, &edit::Request { text: Some(text(&self.text)?), ..request })?
        } else if has_options {
            edit::run(cli.ws, &request)?
        } else {
            in_editor(cli, request)?
        };
        let left_out = memories::left_out(&report.brought.left_out, &report.fact);
        let notes = left_out.into_iter().chain(oddities(&report.brought.oddities));
        let notes = notes.chain(memories::check_passed(report.brought.check_passed.as_deref()));
        let warnings = notes.chain(report.missing_tags.iter().map(|tag| no_tag(tag, &report)));
        let warnings = warnings.collect();
        Ok(Output { warnings, ..Output::done(edited(&report, cli.style), report) })
    }
}

impl Edit {
    /// Most verbs take several facts, this one a text: whoever names another fact means to change
    /// that one, too.
    fn refuse_handles(&self, cli: &Cli<'_>) -> Result<(), Failure> {
        // A number that means two facts names one, too.
        let is_there = |named: String| match show::find(cli.ws, &named, self.scope) {
            Ok(_) => true,
            Err(error) => error.kind() == ErrorKind::NeedsChoice,
        };
        let is_fact = |word: &String| {
            handle::is_handle(word)
                && handle::meant(cli, word.clone(), self.scope).is_ok_and(is_there)
        };
        let is_itself = |word: &String| *word == self.handle;
        if self.text.iter().all(is_itself) || !self.text.iter().all(is_fact) {
            return Ok(());
        }
        let text = self.text.join(" ");
        let options = self.tag_options();
        let options = if options.is_empty() { " …".to_owned() } else { options };
        let mut one_each: Vec<String> = Vec::new();
        for handle in [&self.handle].into_iter().chain(&self.text) {
            let command = format!("`co edit {handle}{options}`");
            // Who typed it twice need not edit it twice.
            if !one_each.contains(&command) {
                one_each.push(command);
            }
        }
        let are =
            if self.text.len() == 1 { "is the handle of a fact" } else { "are handles of facts" };
        let message = format!("`{text}` {are}, not a new text; nothing was changed");
        Err(Failure::new(Exit::Usage, message)
            .hint(format!("one fact at a time: {}", one_each.join(", then ")))
            .hint(format!("`echo {text} | co edit {} -` makes it the text", self.handle)))
    }

    /// The options for tags as they were typed, each after a space.
    fn tag_options(&self) -> String {
        let options = [
            ("--tag", &self.tags),
            ("--add-tag", &self.add_tags),
            ("--remove-tag", &self.remove_tags),
        ];
        let typed =
            options.into_iter().flat_map(|(name, tags)| tags.iter().map(move |tag| (name, tag)));
        typed.map(|(name, tag)| format!(" {name} {}", shell::quoted(tag))).collect()
    }

    /// Whether an option says what to change, so that no editor is needed.
    fn has_options(&self) -> bool {
        let tags = [&self.tags, &self.add_tags, &self.remove_tags];
        let says_when = !self.times.is_empty();
        self.source.is_some() || says_when || tags.iter().any(|tags| !tags.is_empty())
    }
}

fn in_editor(cli: &Cli<'_>, request: edit::Request) -> Result<edit::Report, Failure> {
    if !cli.asks {
        return Err(no_editor());
    }
    let before = editor_text::of(cli.ws, &request.handle, request.scope)?;
    let request = match terminal::edit(cli.ws, &before.shown())? {
        Some(typed) => before.read(&typed, request),
        None => edit::Request { based_on: Some(before.hash), ..request },
    };
    until_accepted(cli, request)
}

fn no_tag(tag: &str, report: &edit::Report) -> String {
    let had = report.fact.tags.join(", ");
    let had = if had.is_empty() { "no tags".to_owned() } else { had };
    format!("fact {} did not have the tag `{tag}`; it has {had}", report.fact.handle)
}

fn no_editor() -> Failure {
    Failure::new(Exit::Usage, "give the new text or tags; there is no terminal for an editor").hint(
        "`co edit HANDLE \"new text\"`, `--add-tag T`, `--until DATE`; `co edit -h` lists all",
    )
}

fn of_edit(error: &Error) -> Option<&edit::EditError> {
    error.of_verb()?.downcast_ref()
}

/// Text typed into an editor is not discarded because it contains a token, or because another text
/// came meanwhile.
fn until_accepted(cli: &Cli<'_>, mut request: edit::Request) -> Result<edit::Report, Failure> {
    loop {
        let error = match edit::run(cli.ws, &request) {
            Ok(report) => return Ok(report),
            Err(error) => error,
        };
        let Some(text) = request.text.clone() else { return Err(error.into()) };
        let handle = request.handle.clone();
        let (is_refused, is_outdated) =
            (error.kind() == ErrorKind::Refused, matches!(of_edit(&error), Some(Outdated { .. })));
        // What it is to replace may be gone as well.
        let is_gone = error.kind() == ErrorKind::NotFound
            && editor_text::of(cli.ws, &handle, request.scope).is_err();
        let mut failure = Failure::from(error);
        let kept = |failure: Failure| {
            typed::kept(cli, failure, &text, |file| {
                if is_gone {
                    return format!("`co learn - < {file}` saves it as a new fact");
                }
                format!("`co edit {handle} - < {file}` saves it")
            })
        };
        if is_outdated && let Some(hash) = replaces(cli, &request, &mut failure) {
            request.based_on = Some(hash);
            continue;
        }
        if !is_refused {
            return Err(kept(failure));
        }
        tell(cli, &mut failure);
        if !prompt::confirm("Edit the text again").unwrap_or(false) {
            return Err(kept(failure));
        }
        match terminal::edit(cli.ws, &text) {
            Ok(again) => request.text = Some(again.unwrap_or(text)),
            Err(error) if typed::is_kept(&error) => return Err(error.into()),
            Err(error) => return Err(kept(error.into())),
        }
    }
}

/// Reports the failure before a question, so that afterwards only "nothing was saved" remains.
pub(in crate::cli) fn tell(cli: &Cli<'_>, failure: &mut Failure) {
    output::say(&output::complaint(failure, cli.err));
    *failure = Failure::new(failure.exit, "nothing was saved");
}

/// Whether the typed text shall replace the one that is there now: that one's hash.
fn replaces(cli: &Cli<'_>, request: &edit::Request, failure: &mut Failure) -> Option<String> {
    let (now, hash) = edit::text(cli.ws, &request.handle, request.scope).ok()?;
    // Whoever was faster wrote the same: nothing is replaced.
    if request.text.as_deref().is_some_and(|typed| typed.trim() == now.trim()) {
        return Some(hash);
    }
    tell(cli, failure);
    output::say(&(Said::from("It now says:\n") + Foreign(&now).quote("  ") + "\n"));
    prompt::confirm_loss("Replace that with your text").unwrap_or(false).then_some(hash)
}

fn edited(report: &edit::Report, style: Style) -> Said {
    let id = memories::after_fact(&report.fact);
    if !report.changed {
        return said!("Fact{} unchanged.\n", id);
    }
    let fact = &report.fact;
    // The text is a part of the handle: the one that was typed is gone.
    let id = if fact.handle == report.was_handle {
        id
    } else {
        said!(" {} (was {})", fact.handle, report.was_handle)
    };
    let own = save::own_tags(&report.brought.own_tags, fact, style);
    let was = said!("was: {}", report.was);
    let was = (report.was != fact.summary).then_some(was);
    // The facts that it replaces from now on have lines of their own.
    let is_more = report.fields.iter().any(FieldChange::is_also_replacing);
    let is_told = |field: &FieldChange| {
        let is_only_more = field.is_first_replacing() || field.is_also_replacing();
        !report.replaces.is_empty() && is_only_more
    };
    let fields = report.fields.iter().filter(|field| !is_told(field));
    let fields = fields.map(|field| said!("{}", field));
    let replaced_before =
        |old: &FactView| report.fields.iter().any(|field| field.replaced_before(&old.handle));
    let replaces = report.replaces.iter().filter(|old| !replaced_before(old));
    let also = if is_more { "also " } else { "" };
    let replaces = replaces.map(|old| said!("{}replaces {}: {}", also, old.handle, old.summary));
    let changes = was.into_iter().chain(fields).chain(replaces);
    let changes: Said = changes.map(|change| said!("  {}\n", style.dim(change))).collect();
    said!("{} Edited fact{}: {}\n", style.edited("✓"), id, fact.summary) + changes + own
}
