//! What people do, with the built binary, real git and real files.

mod dotfiles;
mod first_day;
mod memories;
mod readme;
mod context;
mod trouble;
mod two_laptops;
mod servers;
mod generated;
