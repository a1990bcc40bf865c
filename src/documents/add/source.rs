//! The sources of added documents: the items that files, folders, web pages and standard input are.
//!
//! Invariant: each source is read once, however often it is given.

use super::{
    error::AddError,
    folder::{self, stem},
    item::Item,
    report::LeftOut,
    request::{Request, Source},
};
use crate::knowledge::topic::slug;
use crate::machine::{Context, files};
use crate::workspace::{Error, layers};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Limits on the number of files and on their bytes: every laptop has to carry them.
const MAX_FILES: usize = 10_000;
const MAX_BYTES: usize = 1024 * 1024 * 1024;

/// Everything to be read, in order, and what was skipped in folders.
pub(super) fn items(
    context: &Context,
    request: &Request,
) -> Result<(Vec<Item>, Vec<LeftOut>), Error> {
    let (mut items, mut left_out) = (Vec::new(), BTreeMap::new());
    let above = common_folder(context, &request.sources);
    for source in &request.sources {
        let Source::File(path) = source else {
            let shown = match source {
                Source::Url(url) => url.clone(),
                Source::Given { from: Some(from), .. } => from.clone(),
                _ => "standard input".to_owned(),
            };
            items.push(Item { source: source.clone(), shown, below: None, is_found: false });
            continue;
        };
        if path.as_os_str().is_empty() {
            return Err(AddError::EmptyName.into());
        }
        let file = files::resolve(&context.cwd.join(path));
        layers::refuse_own(context, &file)?;
        if files::is_dir(&file) {
            folder::found(context, request, &file, (&mut items, &mut left_out))?;
            continue;
        }
        let base = request.topic.as_deref().filter(|_| request.sources.len() > 1);
        let below = above.as_deref().and_then(|above| {
            let parts = folder::parts(file.strip_prefix(above).ok()?);
            Some(format!("{}/{}", base.unwrap_or("articles"), parts))
        });
        let named = || base.map(|base| format!("{base}/{}", slug(&stem(path))));
        let below = below.or_else(named);
        items.push(Item { source: source.clone(), shown: shown(path), below, is_found: false });
    }
    // A file given twice, or together with its folder, is read once.
    let mut known = BTreeSet::new();
    items.retain(|item| item.file(context).is_none_or(|file| known.insert(file)));
    let bytes: usize = items.iter().map(|item| item.size(context)).sum();
    if items.len() > MAX_FILES || bytes > MAX_BYTES {
        return Err(AddError::TooMany { files: items.len(), bytes }.into());
    }
    let left_out = left_out.into_iter();
    let left_out = left_out.map(|(why, (count, example))| LeftOut { why, count, example });
    Ok((items, left_out.collect()))
}

/// The given folders, with symlinks resolved.
pub(super) fn folders(context: &Context, request: &Request) -> Vec<PathBuf> {
    let folder = |source: &Source| match source {
        Source::File(path) => Some(files::resolve(&context.cwd.join(path))),
        _ => None,
    };
    request.sources.iter().filter_map(folder).filter(|folder| files::is_dir(folder)).collect()
}

/// The common parent of files in several folders.
fn common_folder(context: &Context, sources: &[Source]) -> Option<PathBuf> {
    let folder = |source: &Source| match source {
        Source::File(path) => {
            let file = files::resolve(&context.cwd.join(path));
            (!files::is_dir(&file)).then(|| file.parent().map(Path::to_owned))?
        }
        _ => None,
    };
    let folders: Vec<PathBuf> = sources.iter().filter_map(folder).collect();
    let first = folders.first()?;
    if folders.iter().all(|folder| folder == first) {
        return None;
    }
    first.ancestors().find(|above| folders.iter().all(|f| f.starts_with(above))).map(Path::to_owned)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
