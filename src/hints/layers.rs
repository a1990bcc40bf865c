//! What can be done after a failure about layers.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.
//! No hint leads to the person's own identity where another stands in for it.

use super::phrases::Hints;
use crate::identity::{
    LayerName,
    layers::{PatternError, Undecided},
};
use crate::transfer::{layers::LayerListError, propose::ProposeError};
use crate::workspace::layers::LayerError;

const LISTED: &str = "`co layer list` lists the layers";

pub(super) fn layer(error: &LayerError) -> Hints {
    let hint = match error {
        LayerError::Undecided { why, .. } => match why {
            Undecided::Two(_, other) => {
                format!("`co layer remove {other}` takes one off the list, and deletes nothing")
            }
            Undecided::Unreadable(_) => {
                "`git status` there says why; the repository may belong to another user".to_owned()
            }
            Undecided::NoList => "correct `layers` in settings.json".to_owned(),
            Undecided::NamesMe(_) => "leave out `--identity`, or go to another folder".to_owned(),
        },
        LayerError::NoMe { .. } => {
            "leave out `--layer`; what you ask and say here is about that layer".to_owned()
        }
        LayerError::NotHere { .. } | LayerError::Unknown { .. } => LISTED.to_owned(),
        LayerError::OtherPlace { .. } => "name a folder of this place".to_owned(),
        LayerError::Missing { name, .. } => format!(
            "`co layer show {name}` shows where it comes from; `co layer remove {name}` takes it \
             off the list"
        ),
        LayerError::ReadOnly { name } => {
            return vec![
                format!("`co propose HANDLE --to {name}` offers its team a fact of yours"),
                format!(
                    "if you may push to its repository: `co config set layers` with `\"write\": \
                     true` for {name}, or remove it and add it again with `--write`"
                ),
            ];
        }
    };
    vec![hint]
}

pub(super) fn layer_by_model(error: &LayerError) -> Hints {
    let hint = match error {
        LayerError::Undecided { .. } => {
            "only the user can decide whose place this is; nothing was read or saved"
        }
        LayerError::NoMe { .. } | LayerError::NotHere { .. } => "omit the layer",
        LayerError::OtherPlace { .. } => "omit `project`, or name a folder of this place",
        LayerError::Unknown { .. } | LayerError::Missing { .. } => {
            "list_memories lists the facts that are read here"
        }
        LayerError::ReadOnly { .. } => {
            "save it without naming the layer; only the user may write to it"
        }
    };
    vec![hint.to_owned()]
}

pub(super) fn propose(error: &ProposeError) -> Hints {
    vec![match error {
        ProposeError::Known { layer, .. } => format!("`co list --layer {layer}` lists its facts"),
        ProposeError::KnownDocument { layer, topic } => {
            format!("`co knowledge show {topic} --layer {layer}` shows it")
        }
        ProposeError::Waits { .. } => {
            "the team has yet to take it or leave it: open a request for that branch, or delete it"
                .to_owned()
        }
        ProposeError::NoRemote { layer } => {
            format!("`co layer show {layer}` shows where it comes from; `co sync` fetches it")
        }
        ProposeError::Sealed { layer } => format!(
            "ask somebody who writes to {layer}; if you may push to its repository, remove it and \
             add it again with `--write`"
        ),
    }]
}

/// What can be done about a layer, where the same failure of an identity leads to its remote: that
/// of a person's own identity is never a team's.
pub fn about(hints: Vec<String>, name: LayerName) -> Vec<String> {
    let mut about: Vec<String> = Vec::new();
    for hint in hints {
        let leads_off = hint.contains("`co identity remote");
        let here = format!("`co layer show {name}` shows where it comes from; ask its team");
        let hint = if leads_off { here } else { hint };
        if !about.contains(&hint) {
            about.push(hint);
        }
    }
    about
}

pub(super) fn list(error: &LayerListError) -> Hints {
    vec![match error {
        LayerListError::Name { .. } => {
            "use small letters, digits and hyphens, and begin with a letter: acme".to_owned()
        }
        LayerListError::Reserved { .. } => "choose another name, such as acme".to_owned(),
        LayerListError::Taken { name } => {
            format!("`co layer show {name}` shows it; choose another name")
        }
        LayerListError::Everywhere => {
            "name them with `--for ~/work` or `--for github.com/acme/*`".to_owned()
        }
        LayerListError::Pattern { why, .. } => pattern(why).to_owned(),
        LayerListError::NoFolder { folder, .. } => {
            format!("create it first (`mkdir -p {folder}`), or check the spelling")
        }
        LayerListError::Own { .. } => {
            "a layer is another identity: a repository of its own, created where it is hosted"
                .to_owned()
        }
        LayerListError::Inside { .. } => {
            "add /layers/ to the .gitignore beside settings.json, then run the command again"
                .to_owned()
        }
        LayerListError::Nothing { .. } => {
            "with `--write`, an empty repository gets its first identity from here".to_owned()
        }
        LayerListError::Itself { .. } => LISTED.to_owned(),
    }]
}

fn pattern(why: &PatternError) -> &'static str {
    match why {
        PatternError::Empty => "`--for ~/work` or `--for github.com/acme/*`",
        PatternError::OfAnother | PatternError::Relative => {
            "it is compared with whole paths: write `~/work` or `/srv/work`"
        }
        PatternError::Local => {
            "it is compared with addresses such as github.com/acme/app; for folders, write `~/work`"
        }
        PatternError::NoHost => {
            "it is compared with folders such as `~/work`, and with remotes such as \
             `github.com/acme/*` or, for a short name of ssh, `work:acme/*`"
        }
    }
}
