//! `co agent …`: which agents are here, and co's part in their files.

pub(super) mod doctor;
mod edits;
mod import;
mod install;
mod list;
pub(super) mod notes;
mod uninstall;

pub(super) use edits::summary;
pub(super) use install::connect;

use super::verb::group;
use doctor::Doctor;
use import::Import;
use install::Install;
use list::List;
use notes::Notes;
use uninstall::Uninstall;

group! {
    /// `co agent`
    pub enum Agent {
        /// Show which agents are here, and which are connected
        List(List),
        /// Connect agents: a server, a block in their instructions, a skill; hooks with --hooks
        #[command(after_help = install::HELP)]
        Install(Install),
        /// Take co out of the files of agents again
        #[command(after_help = uninstall::HELP)]
        Uninstall(Uninstall),
        /// Prove that each agent can use co, as it would
        #[command(after_help = doctor::HELP, hide = true)]
        Doctor(Doctor),
        /// Show the notes that agents keep about projects, and whether your laptops share them
        #[command(after_help = notes::HELP)]
        Notes(Notes),
        /// Bring what agents know already into the identity, after you have seen it
        #[command(after_help = import::HELP)]
        Import(Import),
    }
}
