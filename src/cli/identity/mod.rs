//! `co identity …`: the group and its verbs.

pub mod check;
pub mod diff;
pub mod diff_text;
mod document_changes;
mod document_lines;
mod every;
pub mod export;
pub mod import;
pub mod log;
mod path;
mod relocate;
mod remote;
mod restore;
mod show;
pub mod sync;
mod sync_layers;
pub mod sync_text;
mod timed;
pub mod undo;
mod undo_text;

use super::verb::group;

group! {
    /// `co identity`
    pub enum Identity {
        /// Print where the identity is
        Path(path::Path),
        /// List the identity's files, or print one of them, as it is now or in a commit
        Show(show::Show),
        /// Find problems in the files, and fix what can be fixed
        #[command(after_help = check::HELP)]
        Check(check::Check),
        /// Merge with the remote: commit, fetch, merge by fact, push
        #[command(after_help = sync::HELP)]
        Sync(sync::Sync),
        /// Show what an import, a sync, or your own edits change
        #[command(after_help = diff::HELP)]
        Diff(diff::Diff),
        /// Import another identity, after showing what it changes
        #[command(after_help = import::HELP)]
        Import(import::Import),
        /// Export the identity to an archive or a folder
        #[command(after_help = export::HELP)]
        Export(export::Export),
        /// Restore files from a commit
        #[command(after_help = restore::HELP)]
        Restore(restore::Restore),
        /// Show what each command changed here, newest first; with a handle, one fact's history
        Log(log::Log),
        /// Undo the last operation on this laptop
        #[command(after_help = undo::HELP)]
        Undo(undo::Undo),
        /// Redo the last undone operation
        #[command(after_help = undo::REDO_HELP)]
        Redo(undo::Redo),
        /// Move the identity to another folder, e.g. into a dotfiles repository
        #[command(after_help = relocate::HELP)]
        Move(relocate::Move),
        /// Print or set the remote
        #[command(after_help = remote::HELP)]
        Remote(remote::Remote),
    }
}
