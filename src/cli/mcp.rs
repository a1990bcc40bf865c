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

pub(super) const HELP: &str = "An agent starts this from the entry that `co agent install` \
    writes, and speaks MCP (JSON-RPC) over standard input and output.\n\
    \n\
    Tools: save_memory, recall_memory, list_memories, forget_memory, get_context, save_handoff; \
    if there are documents, also knowledge_search, knowledge_write, knowledge_list, \
    knowledge_delete, save_knowledge; with --tools all, also confirm_memory. They work like the \
    commands, with the same guards: a secret is refused, each \
    write is in `co log` with the agent and its session, `co undo` undoes it, and `co undo \
    --session ID` undoes everything that one session wrote. What they return is quoted as data.";

/// `co mcp`
#[derive(Args, Debug)]
pub struct Mcp {
    /// Offer only tools that change nothing
    #[arg(long)]
    pub read_only: bool,
    /// Offer these tools: memory, knowledge, all, or tool names, separated by commas
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
                    .hint("use memory, knowledge, all, or names that `co mcp --help` lists")
            })?,
        };
        if tools.is_empty() {
            return Err(Failure::new(Exit::Usage, "that leaves no tools")
                .hint("`--tools memory --read-only` reads facts and changes nothing"));
        }
        let offer = mcp::Offer { tools, docs: own_documents::all() };
        mcp::serve(cli.ws.context().clone().for_many_answers(), offer).map_err(|error| {
            Failure::new(Exit::Other, error.to_string())
                .hint("agents start it themselves; run `co doctor agents` to test it as they do")
        })?;
        Ok(Output::unbroken(Said::new(), json!({})))
    }
}
