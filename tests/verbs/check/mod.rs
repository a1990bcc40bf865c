//! `co check`: what it finds in the files, and what `--fix` mends.

mod documents;
mod findings;
mod fix;
