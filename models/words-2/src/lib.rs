//! The second half of the table of token embeddings of co's encoder: the first is in
//! `co-cli-encoder-words-1`.
//! A crate of its own, because a registry takes ten megabytes a crate.
#![no_std]

pub static BYTES: &[u8] = include_bytes!("../words.bin");
