//! The files of a folder to be added, and what is left out.
//!
//! Invariant: hidden files, symlinks, nested repositories and co's own files in it are never read.

use super::{
    error::AddError,
    item::Item,
    report,
    request::{Request, Source},
};
use crate::identity::{RelPath, portable};
use crate::knowledge::topic::slug;
use crate::machine::{Context, files, folder};
use crate::workspace::Error;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Extensions of files that are picked up from a folder. Any other file has to be given by name.
const FOUND: &[&str] = &[
    "md", "markdown", "mdown", "mdx", "mdc", "txt", "text", "rst", "org", "adoc", "html", "htm",
    "xhtml", "pdf", "docx", "odt", "epub", "pptx", "odp", "xlsx", "ods",
];
type FolderItems<'a> = (&'a mut Vec<Item>, &'a mut BTreeMap<String, (usize, String)>);

/// The files of a folder. Their topics are their paths.
pub(super) fn found(
    context: &Context,
    request: &Request,
    root: &Path,
    (items, left_out): FolderItems<'_>,
) -> Result<(), Error> {
    let root = files::resolve(root);
    let own = own_places(context);
    if own.iter().any(|place| root.starts_with(place)) {
        return Err(AddError::OwnFolder { folder: context.shown(&root) }.into());
    }
    let name =
        root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let base = match &request.topic {
        Some(topic) => topic.trim_end_matches('/').to_owned(),
        None => format!("articles/{}", slug(&name)),
    };
    let listing = folder::list(&root, "");
    if listing.files.is_empty() && !listing.closed.is_empty() {
        let why = listing.findings.first().map_or("", |finding| &finding.message).to_owned();
        return Err(AddError::Folder { folder: context.shown(&root), why }.into());
    }
    let mut leave = |why: &str, path: &str| {
        left_out.entry(why.to_owned()).or_insert((0, path.to_owned())).0 += 1;
    };
    for finding in &listing.findings {
        leave(report::NOT_READABLE, &finding.path);
    }
    for listed in listing.files {
        let is_own = own.iter().any(|place| listed.file.starts_with(place));
        match reason(&listed).or_else(|| is_own.then(|| report::OWN.to_owned())) {
            Some(why) => leave(&why, listed.path.as_str()),
            None => items.push(Item {
                below: Some(format!("{base}/{}", parts(Path::new(listed.path.as_str())))),
                shown: context.shown(&listed.file),
                source: Source::File(listed.file),
                is_found: true,
            }),
        }
    }
    Ok(())
}

/// The folders where co keeps added files.
fn own_places(context: &Context) -> Vec<PathBuf> {
    let identity = context.identity.resolved.clone();
    let projects = context.project_dirs().into_iter().map(|folder| files::resolve(&folder));
    [files::resolve(&context.config_dir), identity].into_iter().chain(projects).collect()
}

/// Why a file of a folder is not read.
fn reason(listed: &folder::Listed) -> Option<String> {
    let path: &RelPath = &listed.path;
    if path.is_hidden() || portable::is_litter(path) {
        return Some("hidden".to_owned());
    }
    if files::is_link(&listed.file) {
        return Some("linked".to_owned());
    }
    let ending = path.name().rsplit_once('.').map(|(_, ending)| ending.to_lowercase())?;
    (!FOUND.contains(&ending.as_str())).then(|| format!(".{ending}"))
}

/// `Guide/Install Notes.md` as `guide/install-notes`. Levels beyond a topic's limit are joined.
pub(super) fn parts(path: &Path) -> String {
    const DEEPEST: usize = 12;
    let text = path.to_string_lossy();
    let mut parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    let name = parts.pop().unwrap_or_default();
    let mut slugs: Vec<String> = parts.into_iter().map(slug).collect();
    let deep = slugs.split_off(slugs.len().min(DEEPEST));
    let name = deep.into_iter().chain([slug(&stem(Path::new(name)))]).collect::<Vec<_>>().join("-");
    slugs.push(slug(&name));
    slugs.join("/")
}

pub(super) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_topics() {
        let topic = |path: &str| parts(Path::new(path));
        assert_eq!(topic("Guide/Install Notes.md"), "guide/install-notes");
        assert_eq!(topic("README.md"), "readme");
        assert_eq!(topic("v1.2/a.b.pdf"), "v1-2/a-b");
        let deep = format!("{}x.md", "d/".repeat(14));
        assert_eq!(topic(&deep), format!("{}d-d-x", "d/".repeat(12)));
    }
}
