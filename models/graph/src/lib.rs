//! The layers of co's encoder: an ONNX graph from token embeddings to the mean of all tokens.
//! A crate of its own, because a registry takes ten megabytes a crate.
#![no_std]

pub static BYTES: &[u8] = include_bytes!("../graph.onnx");

/// The weights, 8 bits each, which the graph names by this file: so they are read where they lie, and
/// not copied.
pub static WEIGHTS: &[u8] = include_bytes!("../graph.data");
pub const WEIGHTS_NAME: &str = "graph.data";
