//! Two laptops, one of which is filled from an export of the other.

use super::{Laptop, World};

pub fn two(world: &World) -> (Laptop, Laptop, String) {
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Bin", "--timezone", "America/Los_Angeles"]);
    for fact in ["Prefers tabs over spaces", "Uses poetry", "Commits with conventional messages"] {
        a.co(&["learn", fact, "--tag", "style"]);
    }
    a.write(
        "traits/communication-style.md",
        "---\nversion: 1\nupdated: 2026-03-01T00:00:00Z\n---\n\n# Communication Style\n\n- \
         bullets over paragraphs\n",
    );
    a.write("knowledge/people/sarah.md", "---\ntitle: Sarah\n---\n\n# Sarah\n\nLikes trains.\n");
    b.co(&["init", "--yes", "--name", "Ben"]);
    b.co(&["learn", "Uses poetry"]);
    b.co(&["forget", "Uses poetry", "--yes"]);
    b.co(&["learn", "Commits with conventional messages", "--tag", "git"]);
    b.co(&["learn", "Lives in Seattle"]);
    let archive = a.home.join("x.tar.gz").display().to_string();
    a.co(&["identity", "export", &archive]);
    (a, b, archive)
}
