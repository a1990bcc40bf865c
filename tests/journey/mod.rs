//! What people do, with the built binary, real git and real files.

mod context;
mod damaged;
mod doors;
mod dotfiles;
mod files;
mod first_day;
mod generated;
mod git_around;
mod hooks;
mod hostile;
mod keyring;
mod memories;
mod more_doors;
mod readme;
mod recall;
mod review;
mod scale;
mod screens;
mod secrets;
mod servers;
mod shown;
mod taking_back;
mod trouble;
mod two_laptops;
mod undo;
mod words;
