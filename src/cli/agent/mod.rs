//! `co agent …`: which agents are here, and co's part in their files.

pub mod doctor;
mod edits;
mod import;
mod install;
mod list;
pub mod notes;
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
        /// Show which agents are installed, and which are connected
        List(List),
        /// Connect agents: a server, a block in their instructions, a skill; hooks with --hooks
        #[command(after_help = install::HELP)]
        Install(Install),
        /// Remove co from the files of agents
        #[command(after_help = uninstall::HELP)]
        Uninstall(Uninstall),
        /// Test that each agent can use co, just as the agent would
        #[command(after_help = doctor::HELP, hide = true)]
        Doctor(Doctor),
        /// Show the notes that agents keep about projects, and whether your laptops share them
        #[command(after_help = notes::HELP)]
        Notes(Notes),
        /// Import what agents already know, after showing it to you
        #[command(after_help = import::HELP)]
        Import(Import),
    }
}
