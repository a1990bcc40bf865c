//! `co help`, `co man`, `co completions`: generated from the definition of the command line.

use super::{
    complete,
    failure::{Exit, Failure},
    generate, mistyped,
    output::{Layout, Output},
    top_help, topics,
    verb::{Cli, Needs, Verb},
    version::VERSION,
};
use crate::foreign::{Foreign, said};
use crate::machine::terminal;
use clap::Args;
use clap_complete::{ArgValueCandidates, CompletionCandidate};
use serde_json::json;

/// `co help`
#[derive(Args, Debug)]
pub struct Help {
    /// A command (`memory save`) or a topic (`recall`, `layers`, `merging`, `dotfiles`, `json`,
    /// `exit-codes`, `findings`, `secrets`, `sealed`, `environment`, `options`)
    #[arg(add = ArgValueCandidates::new(candidates))]
    topic: Vec<String>,
}

fn candidates() -> Vec<CompletionCandidate> {
    topics::NAMES.iter().map(CompletionCandidate::new).chain(complete::verbs()).collect()
}

/// `co man`
#[derive(Args, Debug)]
pub struct Man {
    /// The command whose page to print (`memory save`); without one, co's own page
    command: Vec<String>,
}

/// `co completions`
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    shell: generate::Shell,
}

/// `co version`
#[derive(Args, Debug)]
pub struct Version {}

impl Verb for Version {
    fn name(&self) -> &'static str {
        "version"
    }

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    fn run(self, _cli: &Cli<'_>) -> Result<Output, Failure> {
        let version = json!({ "version": env!("CARGO_PKG_VERSION") });
        Ok(Output::data(said!("co {}\n", VERSION), version))
    }
}

impl Verb for Help {
    fn name(&self) -> &'static str {
        "help"
    }

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let data = |text: String| {
            let page = Output::exact(text.clone(), json!({ "text": text }));
            Ok(Output { layout: Layout::Prose, ..page })
        };
        if let [name] = self.topic.as_slice() {
            let tip = || mistyped::tip(name).map(|tip| format!("{tip}\n"));
            if let Some(text) = topics::text(name).or_else(tip) {
                return data(text);
            }
        }
        if self.topic.is_empty() {
            return data(top_help::text((cli.definition)(), cli.overview));
        }
        data(help_of(&self.topic, cli)?)
    }
}

/// The help of a command, which one of a group can be named without the group.
fn help_of(words: &[String], cli: &Cli<'_>) -> Result<String, Failure> {
    let mut command = (cli.definition)();
    command.build();
    let whole = match words {
        [word] if command.find_subcommand(word).is_none() => top_help::whole_name(&command, word),
        _ => None,
    };
    let whole = whole.unwrap_or_else(|| words.join(" "));
    for word in whole.split_whitespace() {
        let found = command.find_subcommand(word).cloned();
        command = found.ok_or_else(|| {
            let message = format!("there is no command or topic `{}`", words.join(" "));
            Failure::new(Exit::NotFound, message)
                .hint(format!("topics: {}; commands: `co --help`", topics::NAMES.join(", ")))
        })?;
    }
    Ok(format!("{}\n{}", command.render_long_help(), top_help::OPTIONS))
}

impl Verb for Man {
    fn name(&self) -> &'static str {
        "man"
    }

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let named = self.command.join(" ");
        let page = generate::page(&self.command, cli.definition).ok_or_else(|| {
            Failure::new(Exit::NotFound, format!("there is no command `{named}`"))
                .hint("`co --help` lists them")
        })?;
        // A person reads it; a pipe and a file get what `man` takes.
        if let Some(width) = cli.style.width.filter(|_| cli.asks) {
            let shown = terminal::formatted(&page, width)
                .map_or_else(|| help_of(&self.command, cli), Ok)?;
            return Ok(Output::data(Foreign(&shown).quote(""), ()));
        }
        Ok(Output::exact(page.clone(), json!({ "text": page })))
    }
}

impl Verb for Completions {
    fn name(&self) -> &'static str {
        "completions"
    }

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let text = generate::completions(self.shell, cli.definition);
        Ok(Output::exact(text.clone(), json!({ "text": text })))
    }
}
