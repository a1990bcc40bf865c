//! A team's identity beside a person's own, and another one that stands in for it.

mod apart;
mod marked;
mod named;
mod places;
mod profile;
mod servers;
mod team;
mod unsound;
