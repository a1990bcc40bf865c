//! Vectors from an HTTP endpoint: Ollama, or one with an OpenAI-compatible API.
//!
//! Invariant: requests use the certificates of this machine and the proxies that its environment
//! names; the key is in no argument and no file, and goes over https only, or to this
//! machine. Redirects are not followed.

use super::{
    http::{self, Patience},
    keyring::Value as Key,
    settings::{Api, EmbedderSettings},
};
use serde_json::{Value, json};
use std::time::Duration;
use ureq::{Agent, Proxy};

/// Maximum size of an answer in bytes: the vectors of one request, in JSON.
const MAX_ANSWER: u64 = 64 * 1024 * 1024;
/// Texts per request.
const TOGETHER: usize = 64;
const PATIENCE: Patience =
    Patience { connect: Duration::from_secs(3), whole: Duration::from_secs(120) };
/// Numbers in a vector, at most; known models have up to 8,192.
const MAX_DIMENSIONS: usize = 16_384;

/// Why an endpoint returned no vectors.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EndpointError(String);

#[derive(Clone, Debug)]
pub struct Endpoint {
    settings: EmbedderSettings,
    proxy: Option<Proxy>,
}

impl Endpoint {
    /// Fails for an invalid URL, or for a key that would be sent unencrypted. `variable` reads the
    /// environment.
    pub fn new<'a>(
        settings: &EmbedderSettings,
        variable: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Endpoint, EndpointError> {
        let url = settings.url.trim_end_matches('/');
        let is_plain = url.starts_with("http://");
        if !is_plain && !url.starts_with("https://") {
            return Err(EndpointError(format!("`{url}` is not an http or https URL")));
        }
        let host = url.trim_start_matches("http://").split(['/', ':']).next().unwrap_or_default();
        if is_plain && settings.key.is_some() && !["localhost", "127.0.0.1"].contains(&host) {
            return Err(EndpointError(format!(
                "the key is only sent over https, and {url} is not"
            )));
        }
        let proxy = http::proxy(url, variable).map_err(EndpointError)?;
        let settings = EmbedderSettings { url: url.to_owned(), ..settings.clone() };
        Ok(Endpoint { settings, proxy })
    }

    /// Identifies the model and where it runs.
    pub fn model(&self) -> String {
        let EmbedderSettings { api, url, model, .. } = &self.settings;
        format!("{api:?} {url} {model}")
    }

    /// A vector for each text, in order.
    pub fn vectors(
        &self,
        texts: &[&str],
        key: Option<&Key>,
    ) -> Result<Vec<Vec<f32>>, EndpointError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(TOGETHER) {
            vectors.extend(self.ask(some, key)?);
        }
        Ok(vectors)
    }

    fn ask(&self, texts: &[&str], key: Option<&Key>) -> Result<Vec<Vec<f32>>, EndpointError> {
        let EmbedderSettings { api, url, model, .. } = &self.settings;
        let path = match api {
            Api::Ollama => "/api/embed",
            Api::OpenAi => "/embeddings",
        };
        let body = json!({ "model": model, "input": texts }).to_string();
        let answer = self.post(&format!("{url}{path}"), &body, key)?;
        let value: Value = serde_json::from_slice(&answer)
            .map_err(|error| EndpointError(format!("{url} did not answer with JSON: {error}")))?;
        let rows = match api {
            Api::Ollama => value["embeddings"].as_array().cloned(),
            Api::OpenAi => value["data"].as_array().cloned().map(in_order),
        };
        let vectors: Option<Vec<Vec<f32>>> = rows.unwrap_or_default().iter().map(vector).collect();
        match vectors.filter(|vectors| vectors.len() == texts.len()) {
            Some(vectors) if vectors.iter().any(|vector| vector.len() > MAX_DIMENSIONS) => {
                let why = "answered with vectors of more than";
                Err(EndpointError(format!("{url} {why} {MAX_DIMENSIONS} numbers")))
            }
            Some(vectors) => Ok(vectors),
            None => Err(EndpointError(format!("{url} did not answer with a vector for each text"))),
        }
    }

    fn post(&self, url: &str, body: &str, key: Option<&Key>) -> Result<Vec<u8>, EndpointError> {
        let failed = |why: String| EndpointError(format!("{url}: {why}"));
        let agent = Agent::new_with_config(http::config(PATIENCE, self.proxy.clone()));
        let mut request = agent.post(url).header("Content-Type", "application/json");
        if let Some(key) = key {
            request = request.header("Authorization", bearer(key));
        }
        let response = request.send(body).map_err(|error| failed(http::said(&error)))?;
        let status = response.status();
        if !status.is_success() {
            return Err(failed(format!("it answered with status {}", status.as_u16())));
        }
        let answer = http::bytes(response, MAX_ANSWER).map_err(failed)?;
        answer.ok_or_else(|| {
            EndpointError(format!("{url} answered with more than {} MiB", MAX_ANSWER >> 20))
        })
    }
}

/// The value of the header with the key. A line break at the end of a key is none of it.
fn bearer(key: &Key) -> Vec<u8> {
    let key = key.expose().iter().copied().filter(|byte| !byte.is_ascii_control());
    b"Bearer ".iter().copied().chain(key).collect()
}

/// Sorts the rows, which OpenAI numbers.
fn in_order(mut rows: Vec<Value>) -> Vec<Value> {
    rows.sort_by_key(|row| row["index"].as_u64());
    rows.iter().map(|row| row["embedding"].clone()).collect()
}

fn vector(row: &Value) -> Option<Vec<f32>> {
    row.as_array()?.iter().map(|number| Some(number.as_f64()? as f32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str) -> EmbedderSettings {
        let (url, model) = (url.to_owned(), "m".to_owned());
        EmbedderSettings { api: Api::OpenAi, url, model, key: None, meant: None }
    }

    #[test]
    fn a_key_does_not_travel_in_the_clear() {
        let key = || Some("{{secret:k}}".to_owned());
        let new = |url: &str, key| {
            Endpoint::new(&EmbedderSettings { key, ..settings(url) }, |_: &str| None)
        };
        assert!(new("http://example.org/v1", key()).is_err());
        assert!(new("http://example.org/v1", None).is_ok());
        assert!(new("http://localhost:8080/v1/", key()).is_ok());
        assert!(new("https://example.org/v1", key()).is_ok());
        assert!(new("ftp://example.org", None).is_err());
    }

    #[test]
    fn nothing_breaks_out_of_the_header() {
        let key = Key::new(b"a\"b\\c\r\nX-Else: x\n".to_vec());
        assert_eq!(bearer(&key), b"Bearer a\"b\\cX-Else: x");
    }
}
