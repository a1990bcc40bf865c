//! Files that a person saves while co reads the identity: an edit is an edit, and never taken for
//! the committed text.

use crate::support::{Laptop, World, pair::pair, report_skipped, require_tool};
use std::{fs, process::Stdio, thread, time::Duration};

/// What a command prints if a person saves files when co has compared all of them with git's index
/// and is about to read this one, and those after it.
fn said_while_saving(a: &Laptop, command: &[&str], read_first: &str, save: impl Fn()) -> String {
    let file = a.identity().join(read_first);
    let co = env!("CARGO_BIN_EXE_co");
    let path = file.to_str().expect("UTF-8");
    let slowly = "inject=openat:delay_enter=5000000";
    let trace =
        ["-f", "-qq", "-o", "/dev/null", "-e", "trace=openat", "-e", slowly, "-P", path, co];
    let mut strace = a.command_of("strace", &[&trace, command].concat());
    let running = strace.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("strace");
    thread::sleep(Duration::from_secs(2));
    save();
    let ended = running.wait_with_output().expect("co ends");
    assert!(ended.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

#[test]
fn an_edit_between_the_comparison_and_the_reading_is_told() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let world = World::new();
    let (a, _) = pair(&world);
    // What was written in the second of the index is compared by its bytes, the rest by its stat.
    thread::sleep(Duration::from_millis(1_100));
    a.co(&["learn", "Drinks tea"]);
    a.co(&["sync"]);
    let said = said_while_saving(&a, &["diff"], "knowledge/context.md", || {
        for (fact, from, to) in [
            ("Prefers tabs", "tabs", "tube"),
            ("Uses SQLAlchemy", "SQLAlchemy", "SQLAlchemy 2"),
            ("I prefer async/await", "async/await", "await"),
            ("Drinks tea", "tea", "oat"),
        ] {
            a.edit(&a.file_of(fact), from, to);
        }
        let (profile, new) = (a.identity().join("profile.md"), a.home.join("new"));
        let text = a.read("profile.md");
        fs::write(&new, format!("{text}\nSaved by a rename.\n")).expect("written");
        fs::rename(&new, &profile).expect("renamed");
        a.write("traits/learned-patterns.md", "# Learned patterns\n\nSaved in place.\n");
    });
    for word in ["tube", "oat", "Edited (4)", "Saved by a rename", "Saved in place"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert_eq!(said, a.co(&["diff"]));
}
