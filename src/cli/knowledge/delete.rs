//! `co knowledge delete`

use super::list::AmongArgs;
use crate::cli::{
    complete,
    output::{self, Output},
    prompt,
    style::{Style, plural, safe},
    verb::{Cli, Verb},
};
use crate::display::knowledge;
use crate::ops::{Exit, Failure, knowledge::delete};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co knowledge delete`
#[derive(Args, Debug)]
pub struct Delete {
    /// Topics
    #[arg(value_name = "TOPIC", required_unless_present_any = ["source", "tags", "below"], conflicts_with_all = ["source", "tags", "below"], add = ArgValueCandidates::new(complete::documents))]
    pub topics: Vec<String>,
    /// Which, without topics.
    #[command(flatten)]
    pub among: AmongArgs,
    /// Do not ask before deleting several
    #[arg(short, long)]
    pub yes: bool,
}

impl Verb for Delete {
    fn name(&self) -> &'static str {
        "knowledge delete"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let is_named = !self.topics.is_empty();
        let request = delete::Request { topics: self.topics, among: self.among.among() };
        let plan = delete::plan(cli.context, &request)?;
        let deletes = plan.deletes();
        let is_agreed = self.yes || (is_named && deletes.len() == 1);
        if !is_agreed {
            let list: String = deletes
                .iter()
                .map(|one| format!("  - {}\n", safe(&one.topic.to_string())))
                .collect();
            if !cli.asks {
                let message = format!(
                    "{} would be deleted, and nobody can be asked",
                    plural(deletes.len(), "document", "documents")
                );
                return Err(Failure::new(Exit::Declined, message).hint("`--yes` agrees to it"));
            }
            output::say(&list);
            if !prompt::confirm_loss(&format!("Delete these {}", deletes.len()))? {
                return Err(prompt::declined());
            }
        }
        let done = delete::apply(cli.context, &plan)?;
        let text = cli.style.ticked(&knowledge::deleted(&done), Style::forgotten);
        Ok(Output::done(text, json!({ "deleted": done })))
    }
}
