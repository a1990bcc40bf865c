//! Which model makes the vectors: the built-in table, or the endpoint of settings.json.
//!
//! Invariant: vectors of two models never meet; where an endpoint cannot be asked, the built-in
//! table answers.

use crate::ops::secret;
use crate::recall::{
    embed::{BuiltIn, EmbedError, Embedder, Vector},
    vectors::Packed,
};
use crate::secrets::reference;
use crate::system::{Context, embedder::Endpoint, keyring::Value};

impl Embedder for Endpoint {
    fn model(&self) -> String {
        Endpoint::model(self)
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError> {
        let vectors = self.vectors(texts).map_err(|error| EmbedError(error.to_string()))?;
        Ok(vectors.into_iter().map(Vector).collect())
    }
}

#[derive(Clone, Debug)]
pub(super) enum Model {
    BuiltIn,
    Endpoint(Box<Endpoint>),
}

impl Model {
    /// The one of settings.json; the built-in one, and why, where that is not to be had.
    pub(super) fn of(context: &Context) -> (Model, Option<String>) {
        let Some(settings) = &context.settings.recall.embedder else {
            return (Model::BuiltIn, None);
        };
        let key = settings.key.as_ref().map(|key| key_of(context, key)).transpose();
        let endpoint =
            key.and_then(|key| Endpoint::new(settings, key).map_err(|error| error.to_string()));
        match endpoint {
            Ok(endpoint) => (Model::Endpoint(Box::new(endpoint)), None),
            Err(why) => (Model::BuiltIn, Some(why)),
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

    /// A vector for each text.
    pub(super) fn vectors(&self, texts: &[&str]) -> Result<Vec<Packed>, EmbedError> {
        let vectors = match self {
            Model::BuiltIn => BuiltIn::default().embed(texts),
            Model::Endpoint(endpoint) => endpoint.clone().embed(texts),
        };
        Ok(vectors?.iter().map(Vector::packed).collect())
    }
}

/// The value behind the reference of `recall.embedder.key`.
fn key_of(context: &Context, key: &str) -> Result<Value, String> {
    let name = reference::only(key).ok_or_else(|| {
        "recall.embedder.key in settings.json holds a value; write {{secret:NAME}}".to_owned()
    })?;
    let got = secret::get(context, name).map_err(|failure| failure.message)?;
    Ok(got.value)
}
