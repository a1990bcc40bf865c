//! `memory pin`: keeps a fact at the top of lists, on every laptop.

use super::{show, superseding};
use crate::identity::{FactView, Stamp, validate, value::Value};
use crate::index::store::Scope;
use crate::machine::oplog::OpVerb;
use crate::merge::change::{ChangeSet, FileChange};
use crate::workspace::{Error, Workspace, named};
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pin {
    On,
    Off,
}

#[derive(Clone, Debug)]
pub struct Request {
    pub handle: String,
    pub scope: Option<Scope>,
    pub pin: Pin,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub fact: FactView,
    pub changed: bool,
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let (store, _) = show::find(ws, &request.handle, request.scope)?;
    let write = ws.write_found(&store)?;
    let (_, found) = show::find(ws, &request.handle, request.scope)?;
    let memory = &found.memory;
    let pinned = request.pin == Pin::On;
    let changed = memory.pinned != pinned;
    let view = named::view(ws, &found);
    if changed {
        validate::changeable(&memory.document(), "pinned")?;
        let updated = ws.now().max(memory.latest().plus(Stamp::SECOND));
        let edited = memory.edited(|document| {
            document.set("pinned", Value::Bool(pinned));
            document.set("updated", Value::Text(updated.with_offset()));
        });
        validate::file(&edited.blob)?;
        let verb = if pinned { OpVerb::Pin } else { OpVerb::Unpin };
        let others = superseding::following(ws, &store, (memory, &edited), &[]);
        let own = FileChange::replacing(memory, edited.blob);
        let change = ChangeSet::of([own].into_iter().chain(others).collect());
        write.operation(verb, memory.summary()).apply(&change)?;
    }
    Ok(Report { fact: FactView { pinned, ..view }, changed })
}
