//! The layers of co's encoder: an ONNX graph from token embeddings to the mean of all tokens.
//! A crate of its own, because a registry takes ten megabytes a crate.
#![no_std]

pub static BYTES: &[u8] = include_bytes!("../graph.onnx");
