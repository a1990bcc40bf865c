//! `co knowledge`: documents, the folders and pictures that they come from, and what links to them.

mod answers;
mod conflicts;
mod documents;
mod editor;
mod folders;
mod moves;
mod pictures;
mod related;
mod search;
mod vaults;
