//! The place of a call: the folder that the client names, by its roots or in an argument, and the
//! one layer that the call is about.
//!
//! Invariant: the client's own folders decide whose place it is; the folder of the process counts
//! only for a client that names none. A client that works where another identity stands in names
//! no way to the person's own, and folders of several identities are no place.

use super::failure::Failure;
use crate::machine::{Context, files};
use crate::workspace::{ErrorKind, layers};
use percent_encoding::percent_decode_str;
use rmcp::{
    RoleServer,
    model::{CustomRequest, ServerRequest},
    service::RequestContext,
};
use serde_json::Value;
use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How long a client may take to say in which folders it works.
const WAIT: Duration = Duration::from_secs(5);

/// What a call names.
#[derive(Clone, Debug, Default)]
pub struct Named {
    pub project: Option<PathBuf>,
    pub layer: Option<String>,
}

/// The argument that names a layer, on laptops that have some.
pub const LAYER: &str = "layer";

/// The folders in which a client works, as it said last.
#[derive(Debug, Default)]
pub struct Roots(Mutex<Kept>);

#[derive(Clone, Debug, Default)]
struct Kept {
    /// How often the client said that they are others now.
    changes: u64,
    folders: Option<Vec<PathBuf>>,
}

impl Roots {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// After the client said that they are others now.
    pub fn forget(&self) {
        let mut kept = self.kept();
        kept.changes += 1;
        kept.folders = None;
    }

    /// Keeps the answer to what was asked after so many changes, unless there was another one.
    fn keep(&self, changes: u64, folders: &[PathBuf]) {
        let mut kept = self.kept();
        if kept.changes == changes {
            kept.folders = Some(folders.to_vec());
        }
    }

    /// None if the client names no folders, or if this laptop has no layers, for which alone they
    /// are asked.
    pub async fn of(
        &self,
        own: &Context,
        request: &RequestContext<RoleServer>,
    ) -> Result<Vec<PathBuf>, Failure> {
        let context = own.anew(None)?;
        let tells = request.client_capabilities().is_some_and(|able| able.roots.is_some());
        // Newer clients are asked for nothing.
        let is_asked = request.protocol_version().is_none_or(|version| version.has_initialize());
        if context.settings.layers.is_empty() || !tells || !is_asked {
            return Ok(Vec::new());
        }
        let Kept { changes, folders: known } = self.kept().clone();
        if let Some(known) = known {
            return Ok(known);
        }
        let question = ServerRequest::CustomRequest(CustomRequest::new("roots/list", None));
        let answer = tokio::time::timeout(WAIT, request.peer.send_request(question)).await;
        let answer = answer.ok().and_then(Result::ok);
        let answer = answer.and_then(|answer| serde_json::to_value(answer).ok());
        let roots = answer.as_ref().and_then(|answer| answer["roots"].as_array());
        let folders: Option<Vec<PathBuf>> =
            roots.map(|all| all.iter().filter_map(folder).collect());
        let is_place = match (roots, &folders) {
            (Some(roots), Some(folders)) => roots.is_empty() || !folders.is_empty(),
            _ => false,
        };
        // Where the person's own identity is not read everywhere, silence is no place.
        if !is_place && layers::has_stand_in(&context) {
            let message = "the client did not say in which folder of this laptop it works";
            return Err(Failure::new(ErrorKind::Refused, message)
                .hint("only the user can start it elsewhere; nothing was read or saved"));
        }
        if let Some(folders) = &folders {
            self.keep(changes, folders);
        }
        Ok(folders.unwrap_or_default())
    }
}

/// The folder of `file:///home/ada/app`, if there is one here.
fn folder(root: &Value) -> Option<PathBuf> {
    let path = root["uri"].as_str()?.strip_prefix("file://")?;
    // The name of a host may stand before the path.
    let path = percent_decode_str(&path[path.find('/')?..]).decode_utf8().ok()?;
    let path: &str = if cfg!(windows) { path.trim_start_matches('/') } else { &path };
    let folder = PathBuf::from(path);
    (folder.is_absolute() && files::is_dir(&folder)).then_some(folder)
}

/// The context of a call.
pub fn context(own: &Context, roots: &[PathBuf], named: &Named) -> Result<Context, Failure> {
    let base = roots.first().map(PathBuf::as_path);
    let context = own.anew(named.project.as_deref().or(base))?;
    if context.settings.layers.is_empty() && named.layer.is_none() {
        return Ok(context);
    }
    let context = layers::found(context);
    if named.project.is_some() || !roots.is_empty() {
        refuse_other_places(own, roots, &context)?;
    }
    match &named.layer {
        Some(layer) => Ok(layers::confined(context, layer)?),
        None => Ok(context),
    }
}

/// Refuses a place that is not one of those where the client works: the folder of its process and
/// its roots.
fn refuse_other_places(own: &Context, roots: &[PathBuf], named: &Context) -> Result<(), Failure> {
    let started = layers::found(own.anew(None)?);
    let at_roots = roots.iter().map(|root| own.anew(Some(root)).map(layers::found));
    let at_roots: Vec<Context> = at_roots.collect::<Result<_, _>>()?;
    if at_roots.windows(2).any(|two| two[0].instead() != two[1].instead()) {
        let message = "the client works in folders of several identities at once";
        return Err(Failure::new(ErrorKind::Refused, message)
            .hint("only the user can open them apart; nothing was read or saved"));
    }
    for there in &at_roots {
        layers::refuse_other_place(&started, there)?;
    }
    let works = at_roots.first().unwrap_or(&started);
    Ok(layers::refuse_other_place(works, named)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_from_before_a_change_is_not_kept() {
        let (roots, folders) = (Roots::default(), [PathBuf::from("/home/ada")]);
        roots.forget();
        roots.keep(0, &folders);
        assert_eq!(roots.kept().folders, None);
        roots.keep(1, &folders);
        assert_eq!(roots.kept().folders.as_deref(), Some(folders.as_slice()));
    }

    #[test]
    fn roots_are_folders_of_this_machine() {
        for (uri, expected) in [
            ("file:///", Some("/")),
            ("file://localhost/", Some("/")),
            ("file:///%74mp", Some("/tmp")),
            ("file:///no/such/folder", None),
            ("vscode-remote://host/tmp", None),
            ("/tmp", None),
            ("", None),
        ] {
            let found = folder(&json!({ "uri": uri }));
            assert_eq!(found, expected.map(PathBuf::from), "{uri}");
        }
    }
}
