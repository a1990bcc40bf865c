//! What of a document is offered to a team's layer, and the file that it becomes there.
//!
//! Invariant: only the text and the labels that co knows leave; nothing that says where the
//! document came from, whether it is in every context, or what was added with it. Must not know
//! how a layer is written.

use super::{
    show,
    store_documents::{self, PlacedDocument},
    write::{self, Fields},
};
use crate::identity::{Blob, Document, FileChange, RelPath, Scope, Stamp};
use crate::index::store::Store;
use crate::knowledge::{DocSummary, Namespace, Topic};
use crate::secrets::Allowed;
use crate::workspace::{Error, Workspace, guard};
use serde::Serialize;

/// A document as others will read it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OfferedDocument {
    pub topic: Topic,
    pub text: String,
    pub tags: Vec<String>,
    /// Whether the layer has another one of this topic, which it would replace.
    pub replaces: bool,
    #[serde(skip)]
    pub fields: Fields,
}

impl OfferedDocument {
    /// What leaves beside the text, each with its name.
    pub fn labels(&self) -> Vec<(&'static str, String)> {
        let Fields { title, description, kind, status, temporal, .. } = &self.fields;
        let single = [
            ("title", title),
            ("description", description),
            ("type", kind),
            ("status", status),
            ("temporal", temporal),
        ];
        let single = single.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
        let tags = (!self.tags.is_empty()).then(|| ("tags", self.tags.join(", ")));
        single.chain(tags).collect()
    }
}

/// The document of a topic, as far as it is offered; `None` if the layer has it already.
pub fn find(
    ws: &Workspace,
    typed: &str,
    (there, allowed): (&Store, &Allowed),
) -> Result<Option<OfferedDocument>, Error> {
    let (_, placed) = show::find(ws, &Topic::parse(typed)?, None)?;
    let DocSummary { topic, text, .. } = placed.entry.clone();
    let fields = write::sound(&write::with_own(&Fields::default(), &placed.document()))?;
    let is_bare = topic.namespace() == Namespace::Knowledge && !topic.below().contains('/');
    // A type would put a bare name into a folder.
    let fields = if is_bare { Fields { kind: None, ..fields } } else { fields };
    let name = topic.to_string();
    let beside: Vec<&str> = write::words(&fields).chain([name.as_str()]).collect();
    guard::refuse_text(&text, &beside, "", allowed, "Nothing was proposed.")?;
    let (_, known) = store_documents::find(there, &topic)?;
    if known.as_ref().is_some_and(|known| known.entry.text == text) {
        return Ok(None);
    }
    let tags = fields.tags.clone().unwrap_or_default();
    Ok(Some(OfferedDocument { topic, text, tags, replaces: known.is_some(), fields }))
}

/// The file that an offered document becomes beside those that the layer has.
pub fn file(
    offered: &OfferedDocument,
    before: Option<(Scope, &Blob)>,
    now: Stamp,
) -> Result<Option<FileChange>, Error> {
    let OfferedDocument { topic, text, fields, .. } = offered;
    let Some(path) = topic.file() else { return Ok(None) };
    let before = before.and_then(|(scope, blob)| placed(topic, &path, (scope, blob)));
    let mut document = write::filled(topic, text, fields, before.as_ref(), &[])?;
    write::stamp(&mut document, topic, now, before.as_ref());
    Ok(Some(write::change(&path, &document, before.as_ref())))
}

/// What the layer has; a file that cannot be read is replaced whole.
fn placed(topic: &Topic, path: &RelPath, (scope, blob): (Scope, &Blob)) -> Option<PlacedDocument> {
    let document = Document::read(blob).ok()?;
    Some(PlacedDocument {
        entry: DocSummary::of(topic.clone(), &document),
        scope,
        path: path.clone(),
        blob: blob.clone(),
        file: path.as_str().into(),
    })
}
