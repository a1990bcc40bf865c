//! Where memories are stored: the identity, which travels with the user, and the current project.
//!
//! Invariant: both scopes have the same layout; only the identity has a ledger, because only it is
//! merged between laptops.

pub use crate::identity::Scope;
use crate::identity::{
    Calendar, Code, FactView, Finding, LayerName, Memory, RelPath, handle::Shared, kind::MEMORIES,
};
use crate::knowledge::Topic;
use crate::machine::{
    Context, SystemError,
    error::At,
    files,
    folder::{self, Listed, Listing, Prefetched},
    lock::{self, Lock},
    oplog::Log,
};
use crate::merge::blocks;
use std::{path::PathBuf, time::Duration};

#[derive(Clone, Debug)]
pub struct Store {
    pub scope: Scope,
    /// The folder above `knowledge/`, as the user writes it.
    pub shown: PathBuf,
    /// `shown` with symlinks resolved.
    pub root: PathBuf,
    /// The store's caches on this laptop.
    pub state: PathBuf,
    /// The operation log of this laptop, one for the identity and every project.
    log: PathBuf,
    pub(super) writers: Writers,
}

/// Who changes the files of a store on this laptop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writers {
    /// co, and the person with any program.
    Anybody,
    /// git, which does not write into a file, but puts another in its place.
    Git,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PlacedFact {
    pub scope: Scope,
    pub memory: Memory,
    /// The path for messages.
    pub file: PathBuf,
}

impl PlacedFact {
    /// With a handle that means this fact alone: `shared` says whether its number does.
    pub fn view(&self, shared: Shared, calendar: &Calendar) -> FactView {
        let mut view = FactView::of(&self.memory, (self.scope, self.file.clone()), calendar);
        if shared == Shared::Yes {
            view.tell_apart();
        }
        view
    }

    /// With its text.
    pub fn whole_view(&self, shared: Shared, calendar: &Calendar) -> FactView {
        self.view(shared, calendar).whole(&self.memory)
    }
}

/// Why there is no store to read or write.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no identity in {path}")]
    NoIdentity { path: String },
    #[error("{folder} is a link that points outside the project")]
    LinkedProject { folder: String },
    #[error("{folder} is not in a project (no .co-cli folder at or above it)")]
    NoProject { folder: String },
}

/// How long a command waits for another co that is writing files.
const WAIT: Duration = Duration::from_secs(10);

/// Folders of `knowledge/` that contain no documents.
const NO_DOCUMENTS: &[&str] = &[MEMORIES, "knowledge/attachments/"];

impl Store {
    /// The identity, whether or not it exists.
    pub fn at_identity(context: &Context) -> Store {
        let place = &context.identity;
        // Files are written to the symlink targets, so messages show those paths.
        let shown = if place.links.is_some() { &place.resolved } else { &place.path };
        Store::rooted(context, Scope::Identity, shown.clone(), place.resolved.clone())
    }

    fn new(context: &Context, scope: Scope, shown: PathBuf) -> Store {
        let root = files::resolve(&shown);
        Store::rooted(context, scope, shown, root)
    }

    fn rooted(context: &Context, scope: Scope, shown: PathBuf, root: PathBuf) -> Store {
        let state = context.state_dir(&root);
        let log = context.state_dir(&context.identity.resolved);
        Store { scope, shown, root, state, log, writers: Writers::Anybody }
    }

    /// A layer beside the identity. It has its own log: what is written there is no operation of
    /// the person's identity.
    pub fn at_layer(
        context: &Context,
        (name, writers): (LayerName, Writers),
        shown: PathBuf,
    ) -> Store {
        let root = files::resolve(&shown);
        let state = context.state_dir(&root);
        let scope = Scope::Layer(name);
        Store { scope, shown, root, log: state.clone(), state, writers }
    }

    pub fn at_project(context: &Context, folder: PathBuf) -> Store {
        Store::new(context, Scope::Project, folder)
    }

    pub fn project(context: &Context) -> Option<Store> {
        Some(Store::new(context, Scope::Project, context.project_dir()?))
    }

    /// The current project and those around it, nearest first; refuses a symlink to elsewhere.
    pub fn projects(context: &Context) -> Result<Vec<Store>, StoreError> {
        let mut stores = Vec::new();
        for folder in context.project_dirs() {
            let project = folder.parent().map(files::resolve).unwrap_or_default();
            if !files::resolve(&folder).starts_with(&project) {
                return Err(StoreError::LinkedProject { folder: context.shown(&folder) });
            }
            stores.push(Store::new(context, Scope::Project, folder));
        }
        Ok(stores)
    }

    /// What is read on this laptop only, in a folder of the identity: an operation there is one of
    /// the identity's, in a folder of its own.
    pub fn at_host(context: &Context, (shown, root): (PathBuf, PathBuf)) -> Store {
        let scope = Scope::Layer(LayerName::here());
        Store::rooted(context, scope, shown, files::resolve(&root))
    }

    /// Whether its operations are in the log of the identity, with its folder.
    pub fn is_part(&self) -> bool {
        self.scope == Scope::Project || self.scope == Scope::Layer(LayerName::here())
    }

    /// Whether it is a layer that others write, too.
    pub fn is_of_others(&self) -> bool {
        self.scope.layer().is_some() && !self.is_part()
    }

    /// Whether others may have made its links: dotfiles managers symlink the files of a person's
    /// identity, but in a project or a team's layer a symlink may lead anywhere.
    pub fn refuses_links(&self) -> bool {
        self.scope != Scope::Identity
    }

    /// Whether a file is a symlink that leads out of the store.
    pub fn leads_out(&self, file: &std::path::Path) -> bool {
        files::is_link(file) && !files::resolve(file).starts_with(&self.root)
    }

    /// What is said of its files where several stores are read: the path of a layer's file begins
    /// with the name of the layer.
    pub fn named(&self, mut findings: Vec<Finding>) -> Vec<Finding> {
        if let Some(name) = self.scope.layer() {
            for finding in &mut findings {
                finding.path = format!("{name}/{}", finding.path);
            }
        }
        findings
    }

    pub fn memories_dir(&self) -> PathBuf {
        self.root.join(MEMORIES)
    }

    /// The files in the memories folder that may be memories, and findings for the others.
    pub fn memory_files(&self) -> (Vec<Listed>, Vec<Finding>) {
        let Listing { files, findings, .. } = self.memory_listing();
        (files, findings)
    }

    /// The files that may be knowledge documents, including parts of the profile.
    pub fn document_listing(&self) -> Listing {
        let mut listing = folder::list_without(&self.root, "knowledge/", NO_DOCUMENTS);
        let profile = folder::list(&self.root, "profile/");
        listing.files.extend(profile.files);
        listing.folders.extend(profile.folders);
        listing.findings.extend(profile.findings);
        self.own_files(listing, |path| Topic::of(path).is_some())
    }

    /// As [`Store::memory_files`], with the folders that were listed.
    pub fn memory_listing(&self) -> Listing {
        self.own_files(folder::list(&self.root, MEMORIES), RelPath::is_memory)
    }

    /// The wanted files, without symlinks that leave a project.
    fn own_files(&self, mut listing: Listing, is_wanted: impl Fn(&RelPath) -> bool) -> Listing {
        let files = std::mem::take(&mut listing.files);
        let files = files.into_iter().filter(|file| is_wanted(&file.path));
        let is_out = |file: &Listed| self.refuses_links() && self.leads_out(&file.file);
        let (out, own): (Vec<Listed>, Vec<Listed>) = files.partition(is_out);
        let why = "a link that points outside the project; co neither reads nor writes through it";
        let finding = |file: &Listed| Finding::new(Code::Unreadable, &file.path, why);
        listing.findings.extend(out.iter().map(finding));
        Listing { files: own, ..listing }
    }

    /// Every readable memory, and findings for the others.
    pub fn memories(&self) -> (Vec<PlacedFact>, Vec<Finding>) {
        let (files, mut findings) = self.memory_files();
        let listing = Listing { files, ..Listing::default() };
        let reading = folder::read_listed(listing, &Prefetched::new());
        // A file that vanished after the listing was forgotten by another process.
        let is_there = |finding: &Finding| files::exists(&self.root.join(&finding.path));
        findings.extend(reading.findings.into_iter().filter(is_there));
        let mut placed = Vec::new();
        for (path, blob) in reading.snapshot.iter() {
            match Memory::read(path, blob) {
                Ok(memory) => placed.push(self.place(memory)),
                Err(unusable) => findings.push(unusable.finding(path)),
            }
        }
        (placed, findings)
    }

    /// The memory in a file; `None` if the file is gone or unreadable, is no memory, or would be
    /// read through a symlink that leaves a project.
    pub fn fact_at(&self, path: &RelPath) -> Option<PlacedFact> {
        let file = self.root.join(path.as_str());
        if self.refuses_links() && self.leads_out(&file) {
            return None;
        }
        let (blob, _) = folder::read_file(path, &file).ok()?;
        Some(self.place(Memory::read(path, &blob).ok()?))
    }

    pub fn place(&self, memory: Memory) -> PlacedFact {
        let file = memory.path.below(&self.shown);
        PlacedFact { scope: self.scope, memory, file }
    }

    /// The lock for changing files; held only while files change.
    pub fn lock(&self) -> Result<Writing, SystemError> {
        if let Some(link) = files::link_on_the_way(&self.root, MEMORIES) {
            let why = "it is a link to a folder elsewhere, which sync does not follow: what is \
                saved there would not be synced";
            return Err(std::io::Error::other(why)).at("save through", &link);
        }
        let folder = self.memories_dir();
        files::make_dir(&folder)?;
        let lock = lock::folder(&folder, WAIT)?;
        // Another co moved the identity while this one waited.
        if !files::is_dir(&folder) {
            return Err(SystemError::Busy { path: folder });
        }
        let writing = Writing { lock, mark: self.state.join("writing") };
        if files::exists(&writing.mark) {
            folder::remove_leftovers(&self.root);
        } else if files::rename_private(&writing.at_rest(), &writing.mark).is_err() {
            // Without a writable `local/` there is no mark; the next sync removes leftovers of a
            // kill.
            let _ = files::create_private(&writing.mark);
        }
        Ok(writing)
    }

    pub fn log(&self) -> Log {
        Log::at(&self.log)
    }
}

/// Stores as a reader has them, the nearest first: projects, the identity, layers.
pub fn nearest_first(stores: Vec<Store>) -> Vec<Store> {
    let is_layer = |store: &Store| store.scope.layer().is_some();
    let (layers, mut own): (Vec<Store>, Vec<Store>) = stores.into_iter().partition(is_layer);
    own.sort_by_key(|store| store.scope.distance());
    // Of the layers, the nearest comes last.
    own.extend(layers.into_iter().rev());
    own
}

/// The lock for changing files. The mark exists while files are written: a mark without its process
/// means that a kill left temporary files behind.
pub struct Writing {
    lock: Lock,
    mark: PathBuf,
}

impl Writing {
    /// Whether no other co was writing.
    pub fn is_at_once(&self) -> bool {
        self.lock.is_at_once()
    }

    /// For a lock that is held longer than files are written.
    pub fn unmark(&self) {
        if files::rename_private(&self.mark, &self.at_rest()).is_err() {
            let _ = files::discard(&self.mark);
        }
    }

    /// Where the mark is until the next write: to rename a file takes less than to make one and to
    /// remove it.
    fn at_rest(&self) -> PathBuf {
        self.mark.with_file_name("written")
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.unmark();
    }
}

/// The name in a profile's text.
pub fn name_in(profile: &str) -> Option<String> {
    blocks::field(profile, "Name").filter(|name| !name.is_empty())
}
