//! Arguments shared by several verbs, the text from standard input, and the warnings about a
//! question.
//!
//! Invariant: independent of the verbs. Each verb declares its own arguments in its own file.

use super::{
    complete,
    failure::{Exit, Failure},
    style::Color,
};
use crate::identity::kind::MAX_MEMORY_BYTES;
use crate::index::store::Scope;
use crate::machine::files;
use crate::recall::question;
use crate::secrets::Allowed;
use crate::workspace::guard;
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use clap_complete::ArgValueCandidates;
use std::{io::IsTerminal, path::PathBuf};

/// Options of every command; `co help options` shows them, once.
#[derive(Args, Debug, Clone, Default)]
pub struct Common {
    /// Use the identity in this folder
    #[arg(long, global = true, value_name = "PATH", hide = true, add = complete::paths())]
    pub identity: Option<PathBuf>,
    /// Work as if started in this folder
    #[arg(short = 'C', global = true, value_name = "DIR", hide = true, add = complete::paths())]
    pub directory: Option<PathBuf>,
    /// Only this layer: `me`, `all` or a name of `co layer list`
    #[arg(long = "layer", global = true, value_name = "NAME", hide = true, add = ArgValueCandidates::new(complete::layers))]
    pub layers: Vec<String>,
    /// Print one JSON object instead of text
    #[arg(long, global = true, hide = true)]
    pub json: bool,
    /// Print only data and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", hide = true)]
    pub quiet: bool,
    /// Print reasons and details, too
    #[arg(short, long, global = true, hide = true)]
    pub verbose: bool,
    /// Do not page output that is longer than the screen
    #[arg(long, global = true, hide = true)]
    pub no_pager: bool,
    /// When to use colours (NO_COLOR is honoured)
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide = true)]
    pub color: Color,
}

/// `--scope`: where facts and documents are.
pub(super) fn scope() -> impl TypedValueParser<Value = Scope> {
    named([
        (Scope::Identity, "identity", "Synced to all your laptops"),
        (Scope::Project, "project", "`.co-cli/` in the current project"),
    ])
}

/// Reads one of the named values; each has a line of help, which may be empty.
pub(super) fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [(T, &'static str, &'static str); N],
) -> impl TypedValueParser<Value = T> {
    named_also(values, &[])
}

/// The same, with other words for some of the names, which help does not list.
pub(super) fn named_also<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [(T, &'static str, &'static str); N],
    also: &'static [(&'static str, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let words = move |named: &'static str| also.iter().filter(move |(_, name)| *name == named);
    let shown = values.map(|(_, name, help)| {
        let value = PossibleValue::new(name).aliases(words(name).map(|(word, _)| *word));
        if help.is_empty() { value } else { value.help(help) }
    });
    PossibleValuesParser::new(shown).map(move |typed: String| {
        let known = also.iter().find(|(word, _)| *word == typed);
        let named = known.map_or(typed.as_str(), |(_, name)| *name);
        let chosen = values.iter().find(|(_, name, _)| *name == named);
        chosen.expect("because clap takes only these names").0
    })
}

/// `--allow-secret`, for every verb that checks for secrets.
#[derive(Args, Debug, Clone, Default)]
pub struct Allow {
    /// Allow findings of this scanner rule; may be given several times
    #[arg(
        long = "allow-secret",
        value_name = "RULE",
        add = ArgValueCandidates::new(complete::rules)
    )]
    pub rules: Vec<String>,
}

impl Allow {
    pub(super) fn rules(&self) -> Result<Allowed, Failure> {
        Ok(guard::allowed(&self.rules)?)
    }
}

/// The warning about a question that is too long to be searched for whole.
pub(super) fn cut(question: &str) -> Option<String> {
    let is_cut = question::cut(question).len() < question.len();
    is_cut
        .then(|| format!("only the first {} characters of the question count", question::MAX_CHARS))
}

/// The warning about a question whose quotes were left out, because no text has its phrase.
pub(super) fn without_quotes(are_left_out: bool) -> Option<String> {
    let why = "no exact match for the quoted phrase; showing results for its words";
    are_left_out.then(|| why.to_owned())
}

/// The warning about an embedder of the settings that was not used.
pub(super) fn unused_embedder(why: Option<&String>) -> Option<String> {
    why.map(|why| {
        format!("the built-in embedder was used instead of the one in settings.json: {why}")
    })
}

/// Text from the command line; from standard input for `-`, and for no words in a pipe.
pub(super) fn text(words: &[String]) -> Result<String, Failure> {
    let none = || {
        Failure::new(Exit::Usage, "no text was given")
            .hint("write it after the command, or send it to standard input")
    };
    if !words.is_empty() && words != ["-"] {
        return Ok(words.join(" "));
    }
    if words.is_empty() && std::io::stdin().is_terminal() {
        return Err(none());
    }
    let bytes = files::read_stdin(MAX_MEMORY_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::new(Exit::Usage, "standard input is not UTF-8 text").hint("save it as UTF-8")
    })?;
    if words.is_empty() && text.trim().is_empty() { Err(none()) } else { Ok(text) }
}
