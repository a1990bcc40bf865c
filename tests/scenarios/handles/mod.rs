//! What a person types to name a fact: numbers, also those that two facts share, and `last`.

mod last;
mod shared_numbers;
