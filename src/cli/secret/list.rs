//! `co secret list`: arguments and output. The verb is `integrations::secret`.

use crate::cli::{
    failure::Failure,
    output::Output,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::secret;
use clap::Args;
use serde_json::json;

/// `co secret list`
#[derive(Args, Debug)]
pub struct List {}

impl Verb for List {
    fn name(&self) -> &'static str {
        "secret list"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let rows = secret::list(cli.ws)?;
        Ok(Output::data(listed(&rows), json!({ "secrets": rows })))
    }
}

fn listed(rows: &[secret::SecretRow]) -> Said {
    if rows.is_empty() {
        return Said::from("No secrets in the keyring. `co secret set NAME` stores one.\n");
    }
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let row = |row: &secret::SecretRow| {
        let program = row
            .program
            .as_deref()
            .filter(|program| *program != "co")
            .map_or_else(Said::new, |program| said!("  stored by {}", program));
        let at = row.modified.as_deref().map_or("", |at| at.split('T').next().unwrap_or_default());
        said!("{}  {}{}\n", Said::column(&row.name, width), at, program)
    };
    rows.iter().map(row).collect()
}
