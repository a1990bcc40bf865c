//! `co profile …`: the fields of `profile.md`. The verb is `documents::profile`.
//!
//! Invariant: `get` prints only the value.

use super::{
    args::Allow,
    complete,
    failure::{Exit, Failure},
    output::Output,
    style::Style,
    verb::{Cli, Needs, Verb, group},
};
use crate::documents::profile::{self, Changed};
use crate::foreign::{Said, said};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

pub(super) const HELP: &str = "The profile is profile.md in your identity: every agent reads it at \
    the start of a session, on every laptop. A field is a line `- Key: value` in it; edit the rest \
    of it in an editor. `co undo` reverts a change.\n\
    \n\
    Examples:\n  \
    co profile set Editor neovim\n  \
    co profile set Timezone Europe/Berlin\n  \
    co profile unset Editor";

/// `co profile`; without a verb, the list.
#[derive(Args, Debug)]
pub struct Profile {
    /// The verb.
    #[command(subcommand)]
    pub verb: Option<ProfileVerb>,
}

group! {
    /// The verbs of `co profile`.
    pub enum ProfileVerb {
        /// List the fields of your profile
        List(List),
        /// Print the value of one field
        Get(Get),
        /// Set a field, or change its value
        Set(Set),
        /// Remove a field
        Unset(Unset),
    }
}

impl Verb for Profile {
    fn name(&self) -> &'static str {
        self.verb.as_ref().map_or("profile list", Verb::name)
    }

    fn needs(&self) -> Needs {
        self.verb.as_ref().map_or(Needs::Defaults, Verb::needs)
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        match self.verb {
            Some(verb) => verb.run(cli),
            None => List {}.run(cli),
        }
    }
}

/// `co profile list`
#[derive(Args, Debug)]
pub struct List {}

impl Verb for List {
    fn name(&self) -> &'static str {
        "profile list"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = profile::list(cli.ws)?;
        Ok(Output::data(listed(&report, cli), report).redacted())
    }
}

fn listed(report: &profile::Report, cli: &Cli<'_>) -> Said {
    if report.fields.is_empty() {
        return Said::from("Your profile has no fields. `co profile set KEY VALUE` adds one.\n");
    }
    let width = report.fields.iter().map(|field| field.key.chars().count()).max().unwrap_or(0);
    let line = |field: &profile::Field| {
        let key = Said::column(&field.key, width);
        let from = field.layer.map(|layer| cli.style.dim(said!("  ({})", layer)));
        said!("{}  {}{}\n", key, field.value, from.unwrap_or_default())
    };
    let lines: Said = report.fields.iter().map(line).collect();
    if !cli.chatty {
        return lines;
    }
    lines + said!("{}\n", cli.style.dim(said!("File: {}", cli.ws.shown(&report.path))))
}

/// `co profile get`
#[derive(Args, Debug)]
pub struct Get {
    /// The field, such as `Timezone`
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(complete::profile_fields))]
    pub key: String,
}

impl Verb for Get {
    fn name(&self) -> &'static str {
        "profile get"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let fields = profile::get(cli.ws, &self.key)?;
        let text: Said = fields.iter().map(|field| said!("{}\n", field.value)).collect();
        Ok(Output::unbroken(text, json!({ "fields": fields })).redacted())
    }
}

/// `co profile set`
#[derive(Args, Debug)]
pub struct Set {
    /// The field, such as `Editor`
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(complete::profile_fields))]
    pub key: String,
    /// Its value, one line; `KEY=VALUE` does as well
    #[arg(value_name = "VALUE")]
    pub value: Vec<String>,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Set {
    fn name(&self) -> &'static str {
        "profile set"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let allowed = self.allow.rules()?;
        let (key, value) = match (self.key.split_once('='), self.value.as_slice()) {
            (Some((key, value)), []) => (key.trim(), value.trim().to_owned()),
            (None, []) => {
                let missing = format!("give the value of {}", self.key);
                let hint = format!("`co profile set {} VALUE`", self.key);
                return Err(Failure::new(Exit::Usage, missing).hint(hint));
            }
            (_, words) => (self.key.as_str(), words.join(" ")),
        };
        let changed = profile::set(cli.ws, key, &value, &allowed)?;
        Ok(Output::done(told(&changed, cli.style), changed))
    }
}

/// `co profile unset`
#[derive(Args, Debug)]
pub struct Unset {
    /// The field, such as `Editor`
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(complete::profile_fields))]
    pub key: String,
}

impl Verb for Unset {
    fn name(&self) -> &'static str {
        "profile unset"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let changed = profile::unset(cli.ws, &self.key)?;
        Ok(Output::done(told(&changed, cli.style), changed))
    }
}

fn told(changed: &Changed, style: Style) -> Said {
    let Changed { key, before, after, .. } = changed;
    match (before, after) {
        (Some(was), Some(now)) if was == now => said!("{} is already {}.\n", key, now),
        (Some(was), Some(now)) => {
            said!("{} {} is now {} (was {}).\n", style.edited("✓"), key, now, was)
        }
        (None, Some(now)) => said!("{} {} is now {}.\n", style.learned("✓"), key, now),
        (was, None) => {
            let was = was.as_deref().unwrap_or_default();
            said!("{} Removed {} (was {}).\n", style.forgotten("✓"), key, was)
        }
    }
}
