//! `co knowledge add` of files that other programs made: their text arrives whole.

mod books;
mod charts;
mod files;
mod lists;
mod office;
mod sheets;
mod slides;
