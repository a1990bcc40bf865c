//! `co edit`: the text of a fact, its tags and its times, by options and in an editor.

mod editor;
mod options;
mod times;
