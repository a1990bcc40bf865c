//! `co web`: the server, and the calls of the page.

mod access;
mod calls;
mod server;

use crate::support::{Laptop, World};

fn laptop(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    a
}
