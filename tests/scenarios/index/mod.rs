//! The search index: as good as the files, whatever happens to it.

mod answers;
mod damage;
mod in_use;
mod mended;
mod notes;
mod questions;
mod saves;
