//! `co knowledge …`: arguments and output.

mod add;
mod delete;
mod edit;
mod list;
mod reindex;
mod related;
mod relocate;
mod search;
mod seed;
mod show;
mod write;

use super::{
    memory::list::List as ListFacts,
    output::Output,
    verb::{Cli, Needs, Verb, group},
};
use crate::cli::failure::{Exit, Failure};

use add::{Add, Extract};
use clap::Args;
use delete::Delete;
use edit::Edit;
use list::{List, Tree};
use reindex::Reindex;
use related::Related;
use relocate::{Migrate, Move};
use search::Search;
use seed::Seed;
use show::Show;
use write::Write;

/// `co knowledge`, and two of its verbs as options.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub struct Knowledge {
    /// List all facts
    #[arg(long, conflicts_with = "reindex")]
    pub list: bool,
    /// Update the search index
    #[arg(long)]
    pub reindex: bool,
    /// The verb.
    #[command(subcommand)]
    pub verb: Option<Box<KnowledgeVerb>>,
}

group! {
    /// The verbs of `co knowledge`.
    pub enum KnowledgeVerb {
        /// Write a document, or replace the text of an existing one
        #[command(after_help = write::HELP)]
        Write(Write),
        /// Change a document's text in your editor
        #[command(after_help = edit::HELP)]
        Edit(Edit),
        /// Add a file or a web page as an article: its text, and the original beside it
        #[command(after_help = add::HELP)]
        Add(Add),
        /// Find documents that answer a question
        #[command(after_help = search::HELP)]
        Search(Search),
        /// List all documents with their tags and sources
        List(List),
        /// Show the documents as a tree
        Tree(Tree),
        /// Print one document
        Show(Show),
        /// List what is connected with a person, a project or a document
        #[command(after_help = related::HELP)]
        Related(Related),
        /// Delete documents
        Delete(Delete),
        /// Move a document, or a folder of them, to another topic; links are updated
        Move(Move),
        /// Move flat documents to where they belong: people/, decisions/ …
        #[command(after_help = relocate::HELP)]
        Migrate(Migrate),
        /// Load the documents of the seed folder
        #[command(after_help = seed::HELP)]
        Seed(Seed),
        /// Update the search index
        #[command(after_help = reindex::HELP)]
        Reindex(Reindex),
        /// Read a file for `add`
        #[command(hide = true)]
        Extract(Extract),
    }
}

impl Verb for Knowledge {
    fn name(&self) -> &'static str {
        match (&self.verb, self.list, self.reindex) {
            (Some(verb), ..) => verb.name(),
            (None, true, _) => ListFacts::default().name(),
            (None, false, true) => Reindex::default().name(),
            (None, false, false) => "knowledge",
        }
    }

    fn needs(&self) -> Needs {
        match (&self.verb, self.list) {
            (Some(verb), _) => verb.needs(),
            (None, true) => Needs::Defaults,
            (None, false) => Needs::PLACE,
        }
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        match (self.verb, self.list, self.reindex) {
            (Some(verb), ..) => verb.run(cli),
            (None, true, _) => ListFacts::default().run(cli),
            (None, false, true) => Reindex::default().run(cli),
            (None, false, false) => {
                Err(Failure::new(Exit::Usage, "`co knowledge` needs a command")
                    .hint("`co knowledge --help` lists them"))
            }
        }
    }
}
