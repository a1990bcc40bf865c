//! `co log`: the past of a laptop, of a fact and of one operation.

mod facts;
mod history;
