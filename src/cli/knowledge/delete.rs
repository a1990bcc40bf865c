//! `co knowledge delete`: arguments and output. The verb is `documents::delete`.

use super::list::AmongArgs;
use crate::cli::{
    complete,
    failure::Failure,
    output::{self, Output},
    prompt,
    style::{Style, plural},
    verb::{Cli, Verb},
};
use crate::display::{knowledge, topic_handle};
use crate::documents::delete::{self, Deleted};
use crate::foreign::{Said, said};
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
        let plan = delete::plan(cli.ws, &request)?;
        let deletes = plan.deletes();
        let is_agreed = self.yes || (is_named && deletes.len() == 1);
        if !is_agreed {
            let line = |one: &Deleted| said!("  - {}\n", topic_handle(&one.topic, Some(one.scope)));
            let list: Said = deletes.iter().map(line).collect();
            if cli.asks {
                output::say(&list);
            }
            let documents = plural(deletes.len(), "document", "documents");
            let question = said!("Delete {}", documents);
            let would = said!("{} would be deleted", documents);
            prompt::agree_to_loss(cli, question, &would, "use `--yes` to confirm".to_owned())?;
        }
        let done = delete::apply(cli.ws, &plan)?;
        let text = cli.style.ticked(&knowledge::deleted(&done), Style::forgotten);
        Ok(Output::done(text, json!({ "deleted": done })))
    }
}
