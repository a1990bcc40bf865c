//! The text of files that other programs made.

mod books;
mod charts;
mod files;
mod lists;
mod office;
mod sheets;
mod slides;
