//! The local page (`co web`): what the agents know, where it came from, and how to take it back.
//!
//! Invariant: thin, like the MCP server: every call is one verb, with its guards and its
//! log, and answers with the envelope of `--json`. Only this machine reaches it, on Linux only this
//! account, and only the browser that was given the key.

mod access;
mod calls;
mod exchange;
mod offer;
mod page;

use crate::machine::{
    Context,
    local_server::{self, LocalServer},
};
use access::Door;
use exchange::Exchange;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
pub use offer::{Envelope, Offer, PageAccess};
use std::{io, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::TcpStream,
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

/// Without a person for this long the server ends. What the page asks by itself does not count.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// How long the head of a request may take, and a connection stay open without one.
const MAX_HEAD_TIME: Duration = Duration::from_secs(10);
/// A browser opens a new connection after this time.
const MAX_CONNECTION_TIME: Duration = Duration::from_secs(60);
/// How long an answer may take that began before. Longer than a write waits for another co.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(30);
const MAX_CONNECTIONS: u32 = 64;
/// Verbs that run at the same time.
const MAX_AT_ONCE: usize = 2;

/// A page that can be opened.
pub struct Site {
    server: LocalServer,
    door: Door,
}

impl Site {
    /// Listens on the loopback address; `port` 0 takes a free one.
    pub fn open(port: u16) -> Result<Site, io::Error> {
        let server = LocalServer::bind(port)?;
        let door = Door::new(server.port(), local_server::secret()?, local_server::secret()?);
        Ok(Site { server, door })
    }

    /// Valid for one use, within a minute.
    pub fn address(&self) -> String {
        self.door.address()
    }

    /// Serves until Ctrl-C, the end of the terminal, or half an hour without a person. Answers in
    /// progress are finished; a second Ctrl-C does not wait for them.
    pub fn serve(self, context: Context, offer: Offer) -> Result<(), io::Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(MAX_AT_ONCE)
            .build()?;
        let idle = idle_limit(&context);
        let exchange = Arc::new(Exchange::new(context, offer, self.door));
        let ended = runtime.block_on(async {
            let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
            let (close, closing) = watch::channel(());
            let ended = tokio::select! {
                ended = accept(self.server, &exchange, &connections, &closing) => ended,
                () = unused(&exchange, idle) => Ok(()),
                ended = local_server::interrupted() => ended,
            };
            drop(close);
            let finished = async {
                // A change goes on when its browser is gone.
                exchange.end_changes().await;
                let _ = connections.acquire_many(MAX_CONNECTIONS).await;
            };
            tokio::select! {
                _ = timeout(MAX_ANSWER_TIME, finished) => {}
                _ = local_server::interrupted() => {}
            }
            ended
        });
        runtime.shutdown_background();
        ended
    }
}

/// Tests may set it, in seconds (`CO_TEST_WEB_IDLE`).
fn idle_limit(context: &Context) -> Duration {
    let set = context.env("CO_TEST_WEB_IDLE").and_then(|seconds| seconds.parse().ok());
    set.map_or(IDLE, Duration::from_secs)
}

async fn accept(
    server: LocalServer,
    exchange: &Arc<Exchange>,
    connections: &Arc<Semaphore>,
    closing: &watch::Receiver<()>,
) -> Result<(), io::Error> {
    let incoming = server.listen()?;
    loop {
        let Ok(place) = Arc::clone(connections).acquire_owned().await else { return Ok(()) };
        let stream = incoming.next().await;
        let (exchange, closing) = (Arc::clone(exchange), closing.clone());
        tokio::spawn(async move {
            serve(stream, exchange, closing).await;
            drop(place);
        });
    }
}

/// Answers one connection until it closes, is too old, or the server ends.
async fn serve(stream: TcpStream, exchange: Arc<Exchange>, mut closing: watch::Receiver<()>) {
    let service = service_fn(move |request| {
        let exchange = Arc::clone(&exchange);
        async move { exchange.answer(request).await }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(MAX_HEAD_TIME);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        // A browser that leaves in the middle is no error of the server.
        _ = connection.as_mut() => return,
        () = sleep(MAX_CONNECTION_TIME) => {}
        _ = closing.changed() => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(MAX_ANSWER_TIME, connection).await;
}

/// Returns when no person did anything for so long.
async fn unused(exchange: &Exchange, limit: Duration) {
    while let Some(left) = limit.checked_sub(exchange.unused_for()) {
        sleep(left).await;
    }
}
