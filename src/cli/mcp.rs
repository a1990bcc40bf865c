//! `co mcp`: arguments and output.

use super::{
    output::Output,
    own_documents,
    verb::{Cli, Needs, Verb},
};
use crate::cli::failure::{Exit, Failure};
use crate::foreign::{Said, said};
use crate::mcp::{self, Access, Chosen};

use clap::Args;
use serde_json::json;

pub(super) const HELP: &str = "An agent starts it with the entry that `co agent install` writes, and \
    speaks MCP (JSON-RPC) on its standard input and output.\n\
    \n\
    Tools: save_memory, recall_memory, list_memories, forget_memory, get_context; and where there \
    are documents knowledge_search, knowledge_write, knowledge_list, knowledge_delete, \
    save_knowledge. They are the verbs of the command line, with their guards: a secret is refused, \
    each write is in `co log` with the agent and its session, `co undo` takes it back, and `co undo \
    --session ID` all that one session wrote. What they return is quoted as data.";

/// `co mcp`
#[derive(Args, Debug)]
pub struct Mcp {
    /// Offer only tools that change nothing
    #[arg(long)]
    pub read_only: bool,
    /// Offer these: memory, knowledge, all, or names of tools; with commas
    #[arg(long, value_name = "NAMES")]
    pub tools: Option<String>,
}

impl Verb for Mcp {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn needs(&self) -> Needs {
        Needs::Later
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let access = if self.read_only { Access::ReadOnly } else { Access::ReadWrite };
        let tools = match &self.tools {
            None => Chosen { names: None, access },
            Some(names) => Chosen::parse(names, access).map_err(|name| {
                Failure::new(Exit::Usage, said!("there is no tool `{}`", name))
                    .hint("memory, knowledge, all, or names as `co mcp --help` lists them")
            })?,
        };
        if tools.is_empty() {
            return Err(Failure::new(Exit::Usage, "that leaves no tool at all")
                .hint("`--tools memory --read-only` reads facts and changes nothing"));
        }
        let offer = mcp::Offer { tools, docs: own_documents::all() };
        mcp::serve(cli.context.clone(), offer).map_err(|error| {
            Failure::new(Exit::Other, error.to_string())
                .hint("agents start it themselves; `co doctor agents` tries it as they do")
        })?;
        Ok(Output::unbroken(Said::new(), json!({})))
    }
}
