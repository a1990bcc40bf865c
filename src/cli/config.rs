//! `co config …`: the settings of this laptop.
//!
//! Invariant: `get` prints only the value.

use super::{
    complete,
    failure::Failure,
    output::Output,
    style::Style,
    verb::{Cli, Needs, Verb, group},
};
use crate::foreign::{Said, said};
use crate::workspace::config::{self, Changed, Origin, Report, SettingRow};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::Value;

pub(super) const HELP: &str = "Settings belong to this laptop and are never synced. They are in \
    settings.json beside the identity; comments and unknown keys there are left unchanged.";

/// `co config`; without a verb, the list.
#[derive(Args, Debug)]
pub struct Config {
    /// The verb.
    #[command(subcommand)]
    pub verb: Option<ConfigVerb>,
}

group! {
    /// The verbs of `co config`.
    pub enum ConfigVerb {
        /// List all settings, where each value comes from, and what it is for
        List(List),
        /// Print one value
        Get(Get),
        /// Change a setting
        Set(Set),
        /// Remove a setting from settings.json, so that its default applies
        Unset(Unset),
    }
}

impl Verb for Config {
    fn name(&self) -> &'static str {
        self.verb.as_ref().map_or("config list", Verb::name)
    }

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        match self.verb {
            Some(verb) => verb.run(cli),
            None => List {}.run(cli),
        }
    }
}

/// `co config list`
#[derive(Args, Debug)]
pub struct List {}

impl Verb for List {
    fn name(&self) -> &'static str {
        "config list"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = config::list(cli.ws);
        let warnings = report.faults.clone();
        Ok(Output { warnings, ..Output::data(listed(&report, cli), report) })
    }
}

/// `co config get`
#[derive(Args, Debug)]
pub struct Get {
    /// The setting, such as `sync.timeout`
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(complete::settings))]
    pub key: String,
}

impl Verb for Get {
    fn name(&self) -> &'static str {
        "config get"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let row = config::get(cli.ws, &self.key)?;
        let text = match &row.value {
            Value::Null => String::new(),
            value => format!("{}\n", shown(value)),
        };
        Ok(Output::exact(text, row))
    }
}

/// `co config set`
#[derive(Args, Debug)]
pub struct Set {
    /// The setting, such as `sync.timeout`
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(complete::settings))]
    pub key: String,
    /// The value; objects are written as JSON
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: String,
}

impl Verb for Set {
    fn name(&self) -> &'static str {
        "config set"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        Ok(changed_output(config::set(cli.ws, &self.key, &self.value)?))
    }
}

/// `co config unset`
#[derive(Args, Debug)]
pub struct Unset {
    /// The setting, such as `sync.timeout`
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(complete::settings))]
    pub key: String,
}

impl Verb for Unset {
    fn name(&self) -> &'static str {
        "config unset"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        Ok(changed_output(config::unset(cli.ws, &self.key)?))
    }
}

fn changed_output(changed: Changed) -> Output {
    let Changed { key, before, after, overridden, .. } = &changed;
    let (was, is) = (shown(before), shown(after));
    let text = if was == is {
        said!("{} is already {}.\n", key, is)
    } else {
        said!("{} is now {} (was {}).\n", key, is, was)
    };
    let warning = overridden.map(|by| format!("{by} overrides this while it is set"));
    Output { warnings: warning.into_iter().collect(), ..Output::data(text, changed) }
}

fn listed(report: &Report, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let (rare, usual): (Vec<&SettingRow>, Vec<&SettingRow>) =
        report.settings.iter().partition(|row| row.is_rare && !cli.verbose);
    let mut text: Said = usual.into_iter().map(|row| row_text(row, style)).collect();
    if !rare.is_empty() {
        let more = said!("{} more that are rarely changed: `co config list -v`", rare.len());
        text.push(said!("{}\n", style.dim(more)));
    }
    said!("{}{}\n", text, style.dim(said!("Settings: {}", cli.ws.shown(&report.file))))
}

/// The column where values begin; `row_text` uses it as well.
const COLUMN: usize = 26;

fn row_text(row: &SettingRow, style: Style) -> Said {
    let origin = match row.origin {
        Origin::Flag => "--identity",
        Origin::Environment => "CO_IDENTITY_PATH",
        Origin::Settings => "settings.json",
        Origin::Default => "default",
    };
    let value = style.fit(&shown(&row.value), COLUMN);
    let value = if row.origin == Origin::Default { value } else { style.strong(value) };
    let about = style.dim(said!("  {} ({})", row.about, origin));
    said!("{:26}{}\n{}\n", row.key, value, about)
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "(none)".to_owned(),
        Value::String(text) => text.clone(),
        // What is not set in it is as if it were not there.
        Value::Object(all) => {
            let set = all.iter().filter(|(_, value)| !value.is_null());
            let set = set.map(|(key, value)| (key.clone(), value.clone())).collect();
            Value::Object(set).to_string()
        }
        other => other.to_string(),
    }
}
