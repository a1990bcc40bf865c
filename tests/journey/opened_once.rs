//! What a command opens: the repository once, and of the facts only those that it is about.

use super::sync_cost::{calls_of, with_many};
use crate::support::{Laptop, World, report_skipped, require_tool};
use std::collections::BTreeMap;

/// How often each fact of [`with_many`] is named by calls that found it.
fn facts(calls: &[String]) -> BTreeMap<&str, usize> {
    let found = calls.iter().filter(|call| !call.contains("ENOENT"));
    let mut times = BTreeMap::new();
    for name in found.filter_map(|call| {
        let path = call.split('"').nth(1)?;
        let name = path.rsplit('/').next()?;
        (name.ends_with("-fact.md") && !name.starts_with('.')).then_some(name)
    }) {
        *times.entry(name).or_default() += 1;
    }
    times
}

fn indexed(world: &World) -> Laptop {
    let (a, _) = with_many(world);
    a.co(&["list"]);
    a
}

#[test]
fn a_fact_is_found_without_opening_the_others() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let world = World::new();
    let a = indexed(&world);
    for (command, own) in [
        (&["learn", "Said for the first time"][..], ""),
        (&["edit", "120", "Said otherwise"], "120-fact.md"),
        (&["edit", "121", "--tag", "work"], "121-fact.md"),
        (&["pin", "122"], "122-fact.md"),
        (&["pin", "--off", "122"], "122-fact.md"),
        (&["forget", "123"], "123-fact.md"),
        (&["show", "124"], "124-fact.md"),
        (&["show", "124"], "124-fact.md"),
    ] {
        let opened = calls_of(&world, &a, "?open,openat", command);
        let opened = facts(&opened);
        assert!(opened.keys().all(|name| *name == own), "{command:?} opened {opened:?}");
        // What co wrote is in the index: nothing is compared.
        let looked_at = calls_of(&world, &a, "?stat,?lstat,?newfstatat,statx", &["show", "130"]);
        assert!(facts(&looked_at).len() <= 1, "after {command:?}: {:?}", facts(&looked_at));
    }
    assert_eq!(a.facts().len(), 303);
}

#[test]
fn a_command_opens_the_repository_once() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let world = World::new();
    let a = indexed(&world);
    a.co(&["learn", "Not synced yet"]);
    for command in [
        &["status"][..],
        &["check"],
        &["diff"],
        &["log", "120"],
        &["show", "120"],
        &["context"],
        &["identity", "sync"],
        &["undo", "--yes"],
    ] {
        let calls = calls_of(&world, &a, "?open,openat,execve", command);
        let process = |call: &str| call.split(' ').next().map(str::to_owned);
        let own = calls.first().and_then(|call| process(call)).expect("a call");
        let opened = calls.iter().filter(|call| {
            process(call).as_ref() == Some(&own) && call.contains("identity/.git/config\"")
        });
        assert!(opened.clone().count() <= 1, "{command:?}: {:#?}", opened.collect::<Vec<_>>());
    }
}

#[test]
fn each_fact_is_looked_at_once() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let world = World::new();
    let a = indexed(&world);
    // What was written in the second of the index is looked into once more.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    a.co(&["context"]);
    for command in [&["context"][..], &["list"]] {
        let calls = calls_of(&world, &a, "?stat,?lstat,?newfstatat,statx", command);
        let times = facts(&calls);
        // The newest are read for the context.
        let often = times.values().filter(|times| **times > 1).count();
        assert!(often <= 20, "{command:?} looked again at {often} of {}", times.len());
    }
}
