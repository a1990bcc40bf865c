//! The first half of the table of token embeddings of co's encoder: the rest is in
//! `co-cli-encoder-words-2`.
//! A crate of its own, because a registry takes ten megabytes a crate.
#![no_std]

pub static BYTES: &[u8] = include_bytes!("../words.bin");
