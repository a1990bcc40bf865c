//! `co secret list`

use crate::cli::{
    output::Output,
    style::safe,
    verb::{Cli, Needs, Verb},
};
use crate::ops::{Failure, secret};
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

    fn run(self, _cli: &Cli<'_>) -> Result<Output, Failure> {
        let rows = secret::list()?;
        Ok(Output::data(listed(&rows), json!({ "secrets": rows })))
    }
}

fn listed(rows: &[secret::Row]) -> String {
    if rows.is_empty() {
        return "No secrets in the keyring. `co secret set NAME` stores one.\n".to_owned();
    }
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let row = |row: &secret::Row| {
        let program = row
            .program
            .as_deref()
            .filter(|program| *program != "co")
            .map_or_else(String::new, |program| format!("  stored by {program}"));
        safe(&format!(
            "{:width$}  {}{program}\n",
            row.name,
            row.modified.as_deref().map_or("", |at| at.split('T').next().unwrap_or_default())
        ))
    };
    rows.iter().map(row).collect()
}
