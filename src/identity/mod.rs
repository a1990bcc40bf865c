//! What an identity *is*: paths, kinds, stamps, hashes, frontmatter, documents, memories, the
//! ledger and the findings about them.
//!
//! Invariant: everything here is a pure function of bytes. Reading is tolerant (value + findings);
//! writing keeps every byte it was not asked to change. Must not know: files, git, the clock, the
//! terminal.

pub mod answers;
pub mod blob;
mod block;
pub mod calendar;
pub mod check;
pub mod cloud;
pub mod conventions;
pub mod current;
pub mod dates;
mod digest;
pub mod document;
pub mod duplicates;
mod edit_times;
pub mod fact_list;
pub mod fact_view;
mod finding;
pub mod frontmatter;
pub mod handle;
pub mod handoff;
mod hash;
pub mod incoming;
pub mod kind;
pub mod label_lines;
pub mod layers;
pub mod ledger;
pub mod manifest;
mod markers;
pub mod memory;
mod memory_meta;
pub mod note;
pub mod path;
pub mod personality;
pub mod portable;
pub mod project;
pub mod provenance;
pub mod questions;
pub mod recognise;
pub mod scope;
pub mod shell;
pub mod skill;
pub mod slug;
mod snapshot;
mod stamp;
pub mod summary;
pub mod tag_filter;
pub mod templates;
pub mod text;
pub mod times;
mod unquoted;
pub mod validate;
pub mod value;
pub mod yaml;

pub use blob::Blob;
pub use calendar::Calendar;
pub use current::{Standing, StandingFilter, When};
pub use digest::{Digest, Digests};
pub use document::Document;
pub use edit_times::EditTimes;
pub use fact_list::{FactList, FactRow};
pub use fact_view::{FactView, Held};
pub use finding::{Code, Finding, Severity};
pub use hash::ContentHash;
pub use kind::{Kind, Role};
pub use ledger::Ledger;
pub use memory::Memory;
pub use path::RelPath;
pub use scope::{LayerName, Scope};
pub use snapshot::{FileChange, Snapshot};
pub use stamp::Stamp;
pub use times::{Bound, Times};
