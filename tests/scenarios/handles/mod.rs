//! What a person types to name a fact: numbers, words, and `last`.

mod last;
mod shared_numbers;
mod words;
