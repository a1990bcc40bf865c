//! `--json`: one envelope with the same keys from commands of every kind, on success and on
//! failure, with times in UTC.

use crate::support::{World, ready::with_remote};

#[test]
fn every_command_speaks_json_on_success_and_failure() {
    let world = World::new();
    let a = with_remote(&world);
    for command in [
        &["status"][..],
        &["memory", "list"],
        &["recall", "good"],
        &["context"],
        &["identity", "check"],
        &["identity", "sync"],
        &["identity", "log"],
        &["identity", "path"],
        &["memory", "show", "1"],
        &["help", "exit-codes"],
    ] {
        let said = a.json(command);
        assert_eq!(
            (said["schema"].as_str(), said["ok"].as_bool()),
            (Some("co/1"), Some(true)),
            "{command:?}: {said}"
        );
        let keys: Vec<&String> = said.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["schema", "command", "ok", "data", "warnings", "error"]);
    }
    let said = a.json(&["memory", "show", "99"]);
    assert_eq!(
        (said["ok"].as_bool(), said["error"]["code"].as_str()),
        (Some(false), Some("not-found"))
    );
    assert!(said["error"]["hints"][0].is_string());
    let said = a.json(&["nonsense"]);
    assert_eq!(said["error"]["code"], "usage");
    assert_eq!(a.try_co(&["nonsense"]).code, 2);
}

#[test]
fn json_is_one_envelope_with_stamps_in_utc_everywhere() {
    let world = World::new();
    let a = world.laptop("a").with_env("TZ", "America/Los_Angeles");
    a.co(&["init", "--yes", "--timezone", "America/Los_Angeles"]);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["sync"]);
    for arguments in [
        &["list"][..],
        &["recall", "tea"],
        &["show", "1"],
        &["log"],
        &["log", "1"],
        &["status"],
        &["--version"],
        &["--help"],
        &["man"],
        &["completions", "zsh"],
        &["help", "json"],
    ] {
        let said = a.json(arguments);
        assert_eq!((&said["schema"], &said["ok"]), (&"co/1".into(), &true.into()), "{arguments:?}");
        let text = said.to_string();
        let stamps = text.match_indices("2026-").map(|(at, _)| &text[at..]);
        for stamp in stamps.filter(|stamp| stamp.as_bytes().get(10) == Some(&b'T')) {
            let end = stamp.find(['"', '\\', ' ']).unwrap_or(stamp.len());
            assert!(stamp[..end].ends_with('Z'), "{arguments:?}: {}", &stamp[..end]);
        }
    }
}
