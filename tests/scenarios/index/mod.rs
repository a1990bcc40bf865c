//! The search index: as good as the files, whatever happens to it. Held by another program:
//! `in_use`; bytes and files that are wrong: `mended`; damage under a running process, mounts
//! and full disks: `damage`.

mod answers;
mod damage;
mod in_use;
mod mended;
mod notes;
mod questions;
mod saves;
