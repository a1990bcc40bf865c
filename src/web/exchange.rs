//! A request and its answer: the checks, the page, the calls.
//!
//! Invariant: each call reads settings and identity anew, on a thread of its own; a change that has
//! begun is finished, even if the browser is gone. Changes run one after the other, so that each
//! can name the operation that undoes it. No answer is kept in a cache.

use super::{
    access::{Denied, Door},
    calls::{self, Call, CallEffect},
    offer::{Envelope, Offer, PageAccess},
    page::Page,
};
use crate::facts::{log, recall};
use crate::identity::ContentHash;
use crate::knowledge::DocSummary;
use crate::machine::{
    Context,
    context::{Caller, PAGE},
    local_server::Stopwatch,
};
use crate::workspace::Workspace;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{self, HeaderValue},
};
use serde_json::{Value, json};
use std::{
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{sync::Semaphore, time::timeout};

/// How long the body of a request may take.
const MAX_BODY_TIME: Duration = Duration::from_secs(30);
/// The header of an answer that has the number of the operation that was logged.
const OPERATION: &str = "co-operation";

pub struct Exchange {
    context: Context,
    access: PageAccess,
    envelope: Envelope,
    docs: Vec<DocSummary>,
    /// Names this server in the log, so that `co undo --session` undoes what was done here.
    session: String,
    door: Door,
    page: Page,
    started: Stopwatch,
    /// Since a person did something.
    used: Mutex<Stopwatch>,
    recall: recall::RecallWorker,
    laptops: log::KnownLaptops,
    /// One permit: the right to begin a change. Closed when the server ends.
    changing: Arc<Semaphore>,
    /// One permit, held by the change in progress.
    running: Arc<Semaphore>,
}

type HttpAnswer = Response<Full<Bytes>>;

impl Exchange {
    pub fn new(context: Context, offer: Offer, door: Door) -> Exchange {
        let own = format!("{PAGE} {} {}", std::process::id(), context.now().micros());
        let session = ContentHash::of_body(&own).short(8);
        Exchange {
            context,
            page: Page::new(&session),
            session,
            access: offer.access,
            envelope: offer.envelope,
            docs: offer.docs,
            door,
            started: Stopwatch::start(),
            used: Mutex::new(Stopwatch::start()),
            recall: recall::RecallWorker::default(),
            laptops: log::KnownLaptops::default(),
            changing: Arc::new(Semaphore::new(1)),
            running: Arc::new(Semaphore::new(1)),
        }
    }

    /// Begins no further change, and returns when the one in progress is done.
    pub async fn end_changes(&self) {
        self.changing.close();
        let _ = self.running.acquire().await;
    }

    /// Since a person did something on the page.
    pub fn unused_for(&self) -> Duration {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).age()
    }

    fn use_it(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Stopwatch::start();
    }

    pub async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> Result<HttpAnswer, Infallible> {
        let answer = match Arc::clone(&self).answered(request).await {
            Ok(answer) => answer,
            Err(refused) => refusal(refused),
        };
        Ok(self.guarded(answer))
    }

    async fn answered(self: Arc<Self>, request: Request<Incoming>) -> Result<HttpAnswer, Denied> {
        self.door.named(request.headers())?;
        let path = request.uri().path().to_owned();
        if let Some(name) = path.strip_prefix("/api/") {
            self.door.call(request.method(), request.headers())?;
            if name == "enter" {
                return self.enter(request).await;
            }
            self.door.authorized(request.headers())?;
            return Ok(self.call(name.to_owned(), request).await);
        }
        if request.method() != Method::GET {
            return Err(Denied::Method);
        }
        if path != "/" {
            return Ok(plain(StatusCode::NOT_FOUND, "There is no such page."));
        }
        // It shows nothing of the identity until its script has the token.
        Ok(typed(StatusCode::OK, "text/html; charset=utf-8", self.page.html.clone()))
    }

    /// Answers with the token for the key of the address.
    async fn enter(&self, request: Request<Incoming>) -> Result<HttpAnswer, Denied> {
        let arguments = match body(request, calls::MAX_BODY).await {
            Ok(arguments) => arguments,
            Err(refused) => return Ok(refused),
        };
        let key = arguments["key"].as_str().unwrap_or_default();
        let token = self.door.exchange(key, self.started.age())?;
        self.use_it();
        let text = json!({ "token": token }).to_string();
        Ok(typed(StatusCode::OK, "application/json", text))
    }

    async fn call(self: Arc<Self>, name: String, request: Request<Incoming>) -> HttpAnswer {
        let Some(row) = calls::find(&name) else {
            return plain(StatusCode::NOT_FOUND, "There is no such call.");
        };
        let is_change = row.effect == CallEffect::Changes;
        if is_change && self.access == PageAccess::ReadOnly {
            return plain(StatusCode::FORBIDDEN, "This page is read-only (`co web --read-only`).");
        }
        let arguments = match body(request, row.max_body).await {
            Ok(arguments) => arguments,
            Err(refused) => return refused,
        };
        if calls::is_by_person(row, &arguments) {
            self.use_it();
        }
        if !is_change {
            let done = tokio::task::spawn_blocking(move || self.answer_call(row, arguments));
            return answer(done.await.map(|text| (text, None)));
        }
        let Ok(changing) = Arc::clone(&self.changing).acquire_owned().await else {
            return plain(StatusCode::SERVICE_UNAVAILABLE, "The server is shutting down.");
        };
        let running = Arc::clone(&self.running).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _until_done = (changing, running);
            let latest = || {
                let ws = Workspace::unrecovered(self.context.clone());
                log::latest_of(&ws, &self.session)
            };
            let before = latest();
            let text = self.answer_call(row, arguments);
            let after = latest();
            (text, after.filter(|_| after != before))
        });
        answer(done.await)
    }

    /// The envelope of a call; `None` if its arguments do not fit.
    fn answer_call(&self, row: &calls::CallRow, arguments: Value) -> Option<String> {
        let caller = Caller { client: PAGE.to_owned(), session: self.session.clone() };
        let ws = match self.context.anew(None) {
            Ok(context) => Workspace::open(context.called_by(caller)),
            Err(error) => return Some((self.envelope.failure)(row.command, error.into())),
        };
        if let Err(error) = ws.decided() {
            return Some((self.envelope.failure)(row.command, error));
        }
        let call = Call {
            ws: &ws,
            docs: &self.docs,
            recall: &self.recall,
            laptops: &self.laptops,
            is_read_only: self.access == PageAccess::ReadOnly,
        };
        let result = (row.run)(&call, arguments)?;
        Some(match result {
            Ok(data) => (self.envelope.success)(row.command, &data),
            Err(error) => (self.envelope.failure)(row.command, error),
        })
    }

    /// With the headers that every answer has.
    fn guarded(&self, mut answer: HttpAnswer) -> HttpAnswer {
        let headers = answer.headers_mut();
        for (name, value) in [
            ("content-security-policy", self.page.policy.as_str()),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            let value = HeaderValue::from_str(value).expect("because the headers are ASCII");
            headers.insert(name, value);
        }
        answer
    }
}

/// The arguments in the body of a request, or the answer that refuses it.
async fn body(request: Request<Incoming>, max: usize) -> Result<Value, HttpAnswer> {
    let read = Limited::new(request.into_body(), max).collect();
    let Ok(read) = timeout(MAX_BODY_TIME, read).await else {
        return Err(plain(StatusCode::REQUEST_TIMEOUT, "The request took too long."));
    };
    let Ok(read) = read else {
        return Err(plain(StatusCode::PAYLOAD_TOO_LARGE, "The request is too large."));
    };
    serde_json::from_slice(&read.to_bytes())
        .map_err(|_| plain(StatusCode::BAD_REQUEST, "The request is not JSON."))
}

/// The answer to a call: its envelope, and the operation that it logged.
fn answer(done: Result<(Option<String>, Option<u64>), tokio::task::JoinError>) -> HttpAnswer {
    match done {
        Ok((Some(text), operation)) => {
            let mut answer = typed(StatusCode::OK, "application/json", text);
            if let Some(operation) = operation {
                answer.headers_mut().insert(OPERATION, operation.into());
            }
            answer
        }
        Ok((None, _)) => plain(StatusCode::BAD_REQUEST, "The arguments do not match the call."),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "co failed during this call."),
    }
}

fn refusal(refused: Denied) -> HttpAnswer {
    let (status, text) = match refused {
        Denied::Host => (StatusCode::MISDIRECTED_REQUEST, "This server has a different name."),
        Denied::Origin => (StatusCode::FORBIDDEN, "Only the page itself may send requests."),
        Denied::Method => (StatusCode::METHOD_NOT_ALLOWED, "This method is not allowed here."),
        Denied::Type => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "Only JSON is accepted."),
        Denied::Key => (
            StatusCode::UNAUTHORIZED,
            "This address has already been used, or is older than a minute. Run `co web` again.",
        ),
        Denied::Token => (
            StatusCode::UNAUTHORIZED,
            "Open the page with the address that `co web` printed, or run `co web` again.",
        ),
    };
    plain(status, text)
}

fn plain(status: StatusCode, text: &str) -> HttpAnswer {
    typed(status, "text/plain; charset=utf-8", format!("{text}\n"))
}

fn typed(status: StatusCode, kind: &'static str, text: String) -> HttpAnswer {
    let mut answer = Response::new(Full::new(Bytes::from(text)));
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}
