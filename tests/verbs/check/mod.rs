//! `co check`: what it finds in the files, and what `--fix` mends.

mod findings;
mod fix;
