//! Vectors from an HTTP endpoint: Ollama, or one with an OpenAI-compatible API.
//!
//! Invariant: requests are made by `curl`, with the certificates and proxies of this machine; the
//! key goes through its standard input, never into arguments or files. Redirects are not followed.

use super::{
    fetch::curl,
    keyring::Value as Key,
    process::End,
    settings::{Api, EmbedderSettings},
};
use serde_json::{Value, json};
use std::io::Write;

/// Maximum size of an answer in bytes: the vectors of one request, in JSON.
const MAX_ANSWER: u64 = 64 * 1024 * 1024;
/// Texts per request.
const TOGETHER: usize = 64;
/// Numbers in a vector, at most; known models have up to 8,192.
const MAX_DIMENSIONS: usize = 16_384;

/// Why an endpoint returned no vectors.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EndpointError(String);

#[derive(Clone, Debug)]
pub struct Endpoint {
    settings: EmbedderSettings,
}

impl Endpoint {
    /// Fails for an invalid URL, or for a key that would be sent unencrypted.
    pub fn new(settings: &EmbedderSettings) -> Result<Endpoint, EndpointError> {
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
        let settings = EmbedderSettings { url: url.to_owned(), ..settings.clone() };
        Ok(Endpoint { settings })
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
        let answer = post(&format!("{url}{path}"), &body, key)?;
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
}

fn post(url: &str, body: &str, key: Option<&Key>) -> Result<Vec<u8>, EndpointError> {
    let failed = |error: std::io::Error| EndpointError(format!("cannot run curl: {error}"));
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(body.as_bytes()).map_err(failed)?;
    let mut config = format!("url = {}\n", quoted(url.as_bytes()));
    config.push_str("header = \"Content-Type: application/json\"\n");
    let at = [b"@", file.path().as_os_str().as_encoded_bytes()].concat();
    config.push_str(&format!("data-binary = {}\n", quoted(&at)));
    if let Some(key) = key {
        let header = [b"Authorization: Bearer ", key.expose()].concat();
        config.push_str(&format!("header = {}\n", quoted(&header)));
    }
    let mut curl = curl();
    curl.args(["--fail", "--connect-timeout", "3", "--max-time", "120", "--config", "-"]);
    let output = curl.input(config.into_bytes()).output_limit(MAX_ANSWER).run().map_err(failed)?;
    if output.end.is_success() {
        return Ok(output.stdout);
    }
    if output.end == End::TooMuchOutput {
        return Err(EndpointError(format!(
            "{url} answered with more than {} MiB",
            MAX_ANSWER >> 20
        )));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(EndpointError(format!("{url}: {}", said.trim().trim_start_matches("curl: "))))
}

/// Sorts the rows, which OpenAI numbers.
fn in_order(mut rows: Vec<Value>) -> Vec<Value> {
    rows.sort_by_key(|row| row["index"].as_u64());
    rows.iter().map(|row| row["embedding"].clone()).collect()
}

fn vector(row: &Value) -> Option<Vec<f32>> {
    row.as_array()?.iter().map(|number| Some(number.as_f64()? as f32)).collect()
}

/// Quotes a value for curl's configuration.
fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let safe: String = text.chars().filter(|letter| !letter.is_control()).collect();
    format!("\"{}\"", safe.replace('\\', "\\\\").replace('"', "\\\""))
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
        let new = |url: &str, key| Endpoint::new(&EmbedderSettings { key, ..settings(url) });
        assert!(new("http://example.org/v1", key()).is_err());
        assert!(new("http://example.org/v1", None).is_ok());
        assert!(new("http://localhost:8080/v1/", key()).is_ok());
        assert!(new("https://example.org/v1", key()).is_ok());
        assert!(new("ftp://example.org", None).is_err());
    }

    #[test]
    fn nothing_breaks_out_of_a_quoted_value() {
        assert_eq!(quoted(b"a\"b\\c\nurl = x"), r#""a\"b\\curl = x""#);
    }
}
