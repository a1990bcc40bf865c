//! `co learn`: texts, and the tags and times that come with them.

mod tags;
mod texts;
mod times;
