//! The MCP server: the verbs of memory, knowledge and context as tools of an agent.
//!
//! Invariant: thin; every tool is one verb of `ops`, with its guards and its log, and answers in
//! the words of `display`. Results are text only, because half of the clients drop the text when
//! structured content comes along, and the other half drops that. Standard output carries the
//! protocol and nothing else.

mod answer;
mod arguments;
mod chosen;
mod confirm;
mod failure;
mod idle;
mod instructions;
mod lines;
mod resources;
mod schema;
mod server;
mod tools;

pub use chosen::{Access, Chosen, Offer};

use crate::system::Context;
use rmcp::{ServiceExt, service::ServerInitializeError};
use server::Server;
use std::{sync::Arc, time::Duration};

/// Threads for verbs: a client may ask many things at once.
const MAX_AT_ONCE: usize = 8;

const TICK: Duration = Duration::from_millis(20);
/// Longer than a write waits for another co.
const MAX_WRITE_TIME: Duration = Duration::from_secs(15);
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Why the server ended by itself.
#[derive(Debug, thiserror::Error)]
#[error("the MCP server ended: {0}")]
pub struct ServeError(String);

/// Serves until standard input ends. What the client calls happens in the folder of `context`,
/// unless it names another.
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
            // A client that only looks whether the program is there.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
        };
        // A write that was begun is finished, and what was answered is written.
        let finished = async {
            while at_work.strong_count() > 0 {
                tokio::time::sleep(TICK).await;
            }
        };
        let _ = tokio::time::timeout(MAX_WRITE_TIME, finished).await;
        let _ = tokio::time::timeout(LAST_WORDS, written).await;
        ended
    });
    // A read that still waits is not waited for.
    runtime.shutdown_background();
    ended.map_err(ServeError)
}
