//! Days and moments: how they are written, what holds when, and whose days they are.

mod dates;
mod facts;
mod histories;
mod said;
mod situations;
mod zones;
