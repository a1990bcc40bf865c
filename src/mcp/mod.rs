//! The MCP server: the verbs for memory, knowledge and context as tools for agents.
//!
//! Invariant: thin; every tool is one verb, with its guards and its log, and answers in
//! the wording of `display`. Results are text only: given text and structured content, half of the
//! clients drop the text, and the other half the structure. Standard output carries only the
//! protocol.

mod answer;
mod arguments;
mod chosen;
mod confirm;
mod described;
mod failure;
mod handoff;
mod idle;
mod instructions;
mod lines;
mod place;
mod resources;
mod save_memory;
mod schema;
mod sent;
mod server;
mod tools;

pub use chosen::{Access, Chosen, Offer};

use crate::machine::Context;
use rmcp::{ServiceExt, service::ServerInitializeError};
use server::Server;
use std::{sync::Arc, time::Duration};

/// Threads for verbs: a client may send many requests at once.
const MAX_AT_ONCE: usize = 8;

const TICK: Duration = Duration::from_millis(20);
/// Longer than a write waits for another co.
const MAX_WRITE_TIME: Duration = Duration::from_secs(15);
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Why the server stopped.
#[derive(Debug, thiserror::Error)]
#[error("the MCP server stopped: {0}")]
pub struct ServeError(String);

/// Serves until standard input ends. Calls run in the folder of `context`, unless they name another
/// one.
pub fn serve(context: Context, offer: Offer) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MAX_AT_ONCE + 2)
        .build()
        .map_err(|error| ServeError(error.to_string()))?;
    let server = Server::new(Arc::new(context), offer);
    let at_work = server.writing();
    let ended = runtime.block_on(async {
        let (transport, written) = lines::transport();
        let ended = match server.serve(transport).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| error.to_string()),
            // A client that only checks whether the program exists.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
        };
        // A write in progress is finished, and its response is written.
        let finished = async {
            while at_work.strong_count() > 0 {
                tokio::time::sleep(TICK).await;
            }
        };
        let _ = tokio::time::timeout(MAX_WRITE_TIME, finished).await;
        let _ = tokio::time::timeout(LAST_WORDS, written).await;
        ended
    });
    // A read in progress is not waited for.
    runtime.shutdown_background();
    ended.map_err(ServeError)
}
