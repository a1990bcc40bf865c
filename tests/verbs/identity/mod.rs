//! `co identity`: export, import and move.

mod archives;
mod hostile_archives;
mod import;
mod moving;
mod moving_into_git;
mod whole;
