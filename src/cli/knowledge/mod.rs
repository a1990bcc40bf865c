//! `co knowledge …`

pub(super) mod reindex;

use super::{
    memory::list::List,
    output::Output,
    verb::{Cli, Verb},
};
use crate::ops::Failure;
use clap::{Args, Subcommand};
use reindex::Reindex;

/// `co knowledge`, and its verbs as options.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub struct Knowledge {
    /// List all facts
    #[arg(long, conflicts_with = "reindex")]
    pub list: bool,
    /// Bring the search index up to date
    #[arg(long)]
    pub reindex: bool,
    /// The verb.
    #[command(subcommand)]
    pub verb: Option<KnowledgeVerb>,
}

/// The verbs of `co knowledge`.
#[derive(Subcommand, Debug)]
pub enum KnowledgeVerb {
    /// Bring the search index up to date
    #[command(after_help = reindex::HELP)]
    Reindex(Reindex),
}

impl Verb for Knowledge {
    fn name(&self) -> &'static str {
        match (&self.verb, self.list) {
            (Some(KnowledgeVerb::Reindex(reindex)), _) => reindex.name(),
            (None, true) => List::default().name(),
            (None, false) => Reindex::default().name(),
        }
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        match (self.verb, self.list) {
            (Some(KnowledgeVerb::Reindex(reindex)), _) => reindex.run(cli),
            (None, true) => List::default().run(cli),
            (None, false) => Reindex::default().run(cli),
        }
    }
}
