//! `co seal …`: moves keys between a person and the verbs of a sealed remote, and reports on it.
//!
//! Invariant: a recovery key is shown once, by the verb that makes it.

mod add;
mod export_key;
mod first_sync;
pub(super) mod key;
mod off;
mod on;
mod recovery;
mod remove;
mod repack;
mod repair;
mod rotate;
mod status;

use super::verb::group;

group! {
    /// `co seal`
    pub enum Seal {
        /// Push the identity to an empty repository, so that nobody else can read it there
        #[command(after_help = on::HELP)]
        On(on::On),
        /// Push the identity to an empty repository, unsealed
        Off(off::Off),
        /// Show whether the remote is sealed, and who has the keys
        Status(status::Status),
        /// Keep the key on this laptop, and let the others know
        Add(add::Add),
        /// Start a new key that one laptop does not get
        #[command(after_help = remove::HELP)]
        Remove(remove::Remove),
        /// Start a new key for all laptops
        Rotate(rotate::Rotate),
        /// Try the recovery key, or make a new one
        #[command(after_help = recovery::HELP)]
        Recovery(recovery::Recovery),
        /// Put back what the host lost, and remove what strangers put there
        Repair(repair::Repair),
        /// Replace all packs on the remote by one
        Repack(repack::Repack),
        /// Print the keys of the repository, for `age` and git alone
        ExportKey(export_key::ExportKey),
    }
}
