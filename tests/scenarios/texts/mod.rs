//! What a text brings along: labels, blocks, marks and keys, whichever way it comes in; and what a
//! fact is shown as.

mod blocks;
mod first_lines;
mod incoming;
mod label_lines;
mod round_trip;
mod unquoted_labels;
mod yaml_keys;
