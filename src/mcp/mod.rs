//! The MCP server: the verbs of memory, knowledge and context as tools of an agent.
//!
//! Invariant: thin; every tool is one verb of `ops`, with its guards and its log, and answers in
//! the words of `display`. Results are text only, because half of the clients drop the text when
//! structured content comes along, and the other half drops that. Standard output carries the
//! protocol and nothing else.

mod answer;
mod arguments;
mod confirm;
mod lines;
mod resources;
mod schema;
mod server;
mod tools;

pub use tools::{Access, Chosen};

use crate::knowledge::Entry;
use crate::ops::{Exit, Failure, knowledge::seed};
use crate::system::Context;
use rmcp::{ServiceExt, service::ServerInitializeError};
use server::Server;
use std::sync::Arc;

/// Threads for verbs: a client may ask many things at once.
const MOST_AT_ONCE: usize = 8;

/// What a server offers.
#[derive(Clone, Debug)]
pub struct Offer {
    pub tools: Chosen,
    /// What co says of itself, for searches.
    pub docs: Vec<Entry>,
}

/// Serves until standard input ends. What the client calls happens in the folder of `context`,
/// unless it names another.
pub fn serve(context: Context, offer: Offer) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MOST_AT_ONCE + 2)
        .build()
        .map_err(|error| failed(&error.to_string()))?;
    if offer.tools.access == Access::ReadWrite {
        // What cannot be loaded is said by `co knowledge list`.
        let _ = seed::run(&context, &seed::Request::default());
    }
    let server = Server::new(Arc::new(context), offer);
    let ended = runtime.block_on(async {
        match server.serve(lines::transport()).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| error.to_string()),
            // A client that only looks whether the program is there.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    });
    // A read that still waits is not waited for.
    runtime.shutdown_background();
    ended.map_err(|error| failed(&error))
}

fn failed(why: &str) -> Failure {
    Failure::new(Exit::Other, format!("the MCP server ended: {why}"))
        .hint("agents start it themselves; `co agent doctor` tries it as they do")
}
