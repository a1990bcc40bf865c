//! `co identity …`: the group and its verbs.

pub(super) mod check;
pub(super) mod diff;
pub(super) mod diff_text;
mod document_changes;
pub(super) mod export;
pub(super) mod import;
pub(super) mod log;
mod path;
pub(super) mod relocate;
pub(super) mod remote;
pub(super) mod restore;
mod show;
pub(super) mod sync;
pub(super) mod sync_text;
pub(super) mod undo;

use super::verb::group;

group! {
    /// `co identity`
    pub enum Identity {
        /// Print where the identity is
        Path(path::Path),
        /// Print the identity's files, or one of them, now or as a commit has it
        Show(show::Show),
        /// Find what is wrong with the files, and mend what can be mended
        #[command(after_help = check::HELP)]
        Check(check::Check),
        /// Merge with the remote: commit, fetch, merge by fact, push
        #[command(after_help = sync::HELP)]
        Sync(sync::Sync),
        /// Show what an import, a sync, or your own edits change
        #[command(after_help = diff::HELP)]
        Diff(diff::Diff),
        /// Take in another identity, after showing what it changes
        #[command(after_help = import::HELP)]
        Import(import::Import),
        /// Write the identity into an archive or a folder
        #[command(after_help = export::HELP)]
        Export(export::Export),
        /// Bring files back as a commit has them
        #[command(after_help = restore::HELP)]
        Restore(restore::Restore),
        /// Show what each command changed here, newest first; with a handle, the life of one fact
        Log(log::Log),
        /// Take back the last operation of this laptop
        #[command(after_help = undo::HELP)]
        Undo(undo::Undo),
        /// Take the last undo back
        #[command(after_help = undo::HELP)]
        Redo(undo::Redo),
        /// Move the identity into another folder, as into a dotfiles repository
        #[command(after_help = relocate::HELP)]
        Move(relocate::Move),
        /// Print the remote, or set it
        #[command(after_help = remote::HELP)]
        Remote(remote::Remote),
    }
}
