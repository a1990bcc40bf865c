//! `co knowledge`: documents and what is found in them; the files, folders and vaults that they
//! come from; their pictures; what links to them; and how they are edited, moved and merged.

mod answers;
mod conflicts;
mod documents;
mod editor;
mod extract;
mod folders;
mod moves;
mod pictures;
mod related;
mod search;
mod vaults;
