//! `co hook`: plain git with the merge driver and hooks of co.

mod plain_git;
mod shared;
