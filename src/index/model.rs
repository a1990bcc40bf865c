//! Which model computes the vectors: the built-in table, or the endpoint in settings.json.
//!
//! Invariant: vectors of two models are never compared; if an endpoint cannot be used, the built-in
//! table is.

use crate::machine::{Context, embedder::Endpoint, keyring::Value, secret};
use crate::recall::{
    embed::{BuiltIn, EmbedError, Embedder, Vector},
    vectors::Packed,
};
use crate::secrets::reference;

/// An endpoint with its key, ready for a request.
struct KeyedEndpoint<'a> {
    endpoint: &'a Endpoint,
    key: Option<Value>,
}

impl Embedder for KeyedEndpoint<'_> {
    fn model(&self) -> String {
        self.endpoint.model()
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError> {
        let vectors = self.endpoint.vectors(texts, self.key.as_ref());
        let vectors = vectors.map_err(|error| EmbedError(error.to_string()))?;
        Ok(vectors.into_iter().map(Vector).collect())
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Model {
    BuiltIn,
    Endpoint(Box<Endpoint>),
}

impl Model {
    /// The model in settings.json, or the built-in one with the reason if that is unavailable.
    pub(super) fn of(context: &Context) -> (Model, Option<String>) {
        let Some(settings) = &context.settings.recall.embedder else {
            return (Model::BuiltIn, None);
        };
        let is_reference = |key: &String| reference::only(key).is_some();
        if !settings.key.iter().all(is_reference) {
            let why = "recall.embedder.key in settings.json is a plain value; write \
                {{secret:NAME}}";
            return (Model::BuiltIn, Some(why.to_owned()));
        }
        match Endpoint::new(settings, |name| context.env(name)) {
            Ok(endpoint) => (Model::Endpoint(Box::new(endpoint)), None),
            Err(error) => (Model::BuiltIn, Some(error.to_string())),
        }
    }

    pub(super) fn is_built_in(&self) -> bool {
        matches!(self, Model::BuiltIn)
    }

    pub(super) fn name(&self) -> String {
        match self {
            Model::BuiltIn => BuiltIn::default().model(),
            Model::Endpoint(endpoint) => endpoint.model(),
        }
    }

    /// A vector for each text. Only this reads the endpoint's key from the keyring.
    pub(crate) fn vectors(
        &self,
        context: &Context,
        texts: &[&str],
    ) -> Result<Vec<Packed>, EmbedError> {
        let vectors = match self {
            Model::BuiltIn => BuiltIn::default().embed(texts),
            Model::Endpoint(endpoint) => {
                KeyedEndpoint { endpoint, key: key(context)? }.embed(texts)
            }
        };
        Ok(vectors?.iter().map(Vector::packed).collect())
    }
}

/// The secret that `recall.embedder.key` refers to.
fn key(context: &Context) -> Result<Option<Value>, EmbedError> {
    let settings = context.settings.recall.embedder.as_ref();
    let name = settings.and_then(|settings| reference::only(settings.key.as_deref()?));
    let got = name.map(|name| secret::get(context, name)).transpose();
    Ok(got.map_err(|error| EmbedError(error.to_string()))?.map(|got| got.value))
}
