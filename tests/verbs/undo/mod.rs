//! `co undo`: which operation it takes back, in which store, before and after a sync.

mod merges;
mod scope;
mod set_apart;
