//! Which texts a few files had in many commits.
//!
//! Invariant: of a commit only the folders of these files are read, and each state of a folder
//! once; of the files only those whose text is asked for.

use super::{GitError, Id, Repo, repo::During};
use crate::identity::{Document, RelPath};
use gix::{revision::walk::Sorting, traverse::commit::simple::CommitTimeOrder};
use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

pub struct FileVersions<'r> {
    repo: &'r Repo,
    /// The names of the files, without their folders.
    names: BTreeSet<String>,
    /// The tree of a folder in a commit.
    folders: HashMap<(Id, String), Option<Id>>,
    /// The blobs of the files in a tree, by their names.
    listed: HashMap<Id, HashMap<String, Id>>,
    documents: HashMap<Id, Option<Rc<Document>>>,
}

impl<'r> FileVersions<'r> {
    /// For these files and no others.
    pub fn of<'p>(repo: &'r Repo, paths: impl IntoIterator<Item = &'p RelPath>) -> Self {
        FileVersions {
            repo,
            names: paths.into_iter().map(|path| path.name().to_owned()).collect(),
            folders: HashMap::new(),
            listed: HashMap::new(),
            documents: HashMap::new(),
        }
    }

    /// The blob of a file in a commit; `None` if the commit has no such file.
    pub fn blob(&mut self, commit: Id, path: &RelPath) -> Result<Option<Id>, GitError> {
        let Some(folder) = self.folder(commit, path.folder())? else { return Ok(None) };
        if let Some(listed) = self.listed.get(&folder) {
            return Ok(listed.get(path.name()).copied());
        }
        let listed = self.list(folder)?;
        let blob = listed.get(path.name()).copied();
        self.listed.insert(folder, listed);
        Ok(blob)
    }

    /// The text of a file in a commit; `None` if there is no such file, or it is no text.
    pub fn document(
        &mut self,
        commit: Id,
        path: &RelPath,
    ) -> Result<Option<Rc<Document>>, GitError> {
        let Some(blob) = self.blob(commit, path)? else { return Ok(None) };
        if let Some(known) = self.documents.get(&blob) {
            return Ok(known.clone());
        }
        let read = if self.repo.is_too_large(path, blob)? {
            None
        } else {
            Document::of_text(&self.repo.blob(blob)?).map(Rc::new)
        };
        self.documents.insert(blob, read.clone());
        Ok(read)
    }

    /// `folder` ends with a slash, or is empty.
    fn folder(&mut self, commit: Id, folder: &str) -> Result<Option<Id>, GitError> {
        let key = (commit, folder.to_owned());
        if let Some(known) = self.folders.get(&key) {
            return Ok(*known);
        }
        let tree = match self.repo.identity_tree(self.repo.tree_of(commit)?)? {
            Some(tree) if !folder.is_empty() => {
                let tree = self.repo.gix.find_tree(tree).during(self.repo, "read a tree")?;
                let path = folder.trim_end_matches('/');
                let entry = tree.lookup_entry_by_path(path).during(self.repo, "read a tree")?;
                entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id())
            }
            tree => tree,
        };
        self.folders.insert(key, tree);
        Ok(tree)
    }

    fn list(&self, folder: Id) -> Result<HashMap<String, Id>, GitError> {
        let tree = self.repo.gix.find_tree(folder).during(self.repo, "read a tree")?;
        let mut listed = HashMap::new();
        for entry in tree.iter() {
            let entry = entry.during(self.repo, "read a tree")?;
            let name = std::str::from_utf8(entry.filename()).ok();
            if let Some(name) = name.filter(|name| self.names.contains(*name))
                && entry.mode().is_blob()
            {
                listed.insert(name.to_owned(), entry.object_id());
            }
        }
        Ok(listed)
    }
}

impl Repo {
    /// The merges of two commits up to `tip`, latest first, without those that `known` includes;
    /// each with what it merged.
    pub fn merges_between(
        &self,
        known: Option<Id>,
        tip: Id,
    ) -> Result<impl Iterator<Item = Result<(Id, [Id; 2]), GitError>>, GitError> {
        let walk = self.gix.rev_walk([tip]).with_hidden(known);
        let latest_first = Sorting::ByCommitTime(CommitTimeOrder::NewestFirst);
        let walk = walk.sorting(latest_first).all().during(self, "walk history")?;
        Ok(walk.filter_map(move |step| match step.during(self, "walk history") {
            Ok(commit) => {
                // A shallow clone does not have what its oldest commits were made from.
                let parents = commit.parent_ids().map(gix::Id::detach);
                let parents: Vec<Id> = parents.filter(|parent| self.knows(*parent)).collect();
                <[Id; 2]>::try_from(parents).ok().map(|parents| Ok((commit.id, parents)))
            }
            Err(error) => Some(Err(error)),
        }))
    }
}
