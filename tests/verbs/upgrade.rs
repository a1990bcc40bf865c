//! `co upgrade` tells by its own place how it was installed, and what to type; it changes nothing.

use crate::support::{Laptop, World};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The program that is tested, in other places one after the other.
struct Program {
    place: PathBuf,
}

impl Program {
    fn at(place: PathBuf) -> Program {
        let co = assert_cmd::cargo::cargo_bin("co");
        fs::hard_link(&co, &place).or_else(|_| fs::copy(&co, &place).map(drop)).expect("a program");
        Program { place }
    }

    /// What it says when it lies there.
    fn says(&mut self, a: &Laptop, place: &Path) -> serde_json::Value {
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::rename(&self.place, place).expect("moved");
        self.place = place.to_owned();
        let output = a.command_of(place, &["upgrade", "--json"]).output().expect("co runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let shown = a.command_of(place, &["upgrade"]).output().expect("co runs");
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(shown.contains("Your identity stays as it is."), "{shown}");
        for command in said["data"]["commands"].as_array().expect("a list") {
            assert!(shown.contains(command.as_str().expect("a command")), "{shown}");
        }
        said["data"].clone()
    }
}

fn of_cargo(root: &Path, source: &str) {
    fs::create_dir_all(root).expect("a folder");
    let list = format!(
        "[v1]\n\"other 0.1.0 (registry+x)\" = [\"other\"]\n\"co-cli 1.0.0 ({source})\" = [\"co\"]\n"
    );
    fs::write(root.join(".crates.toml"), list).expect("written");
}

#[test]
fn each_way_to_install_has_its_commands() {
    let world = World::new();
    let a = world.laptop("a");
    // Where co finds itself is without links.
    let home = fs::canonicalize(&a.home).expect("there");
    let a = a.with_env("HOME", &home.display().to_string()).with_env("CARGO_HOME", "");
    let mut program = Program::at(world.path("co"));

    let cargo = home.join(".cargo");
    for (source, way, commands) in [
        (
            "registry+https://github.com/rust-lang/crates.io-index",
            "cargo",
            json!(["cargo install --locked co-cli"]),
        ),
        (
            "git+https://example.org/co?branch=main#0123456789abcdef",
            "cargo",
            json!(["cargo install --locked --git 'https://example.org/co' co-cli"]),
        ),
        (
            "path+file:///opt/src/co",
            "cargo-from-clone",
            json!([
                "git -C /opt/src/co pull --ff-only",
                "cargo install --locked --path /opt/src/co"
            ]),
        ),
        (
            "path+file:///opt/my%20src/co",
            "cargo-from-clone",
            json!([
                "git -C '/opt/my src/co' pull --ff-only",
                "cargo install --locked --path '/opt/my src/co'"
            ]),
        ),
    ] {
        of_cargo(&cargo, source);
        let said = program.says(&a, &cargo.join("bin/co"));
        assert_eq!((&said["way"], &said["commands"]), (&way.into(), &commands), "{source}");
        assert_eq!(said["builds"], true);
    }
    of_cargo(&home.join("opt"), "registry+x");
    let said = program.says(&a, &home.join("opt/bin/co"));
    assert_eq!(said["commands"], json!(["cargo install --locked --root ~/opt co-cli"]));

    let said = program.says(&a, &home.join("linuxbrew/Cellar/co/1.0.0/bin/co"));
    let brew = json!(["brew update", "brew upgrade co"]);
    assert_eq!((&said["way"], &said["commands"]), (&"homebrew".into(), &brew));

    let clone = home.join("src/co");
    fs::create_dir_all(&clone).expect("a folder");
    fs::write(clone.join("Cargo.toml"), "[package]\n").expect("written");
    let said = program.says(&a, &clone.join("target/release/co"));
    let built = json!([
        "git -C ~/src/co pull --ff-only",
        "cargo build --release --manifest-path ~/src/co/Cargo.toml"
    ]);
    assert_eq!((&said["way"], &said["commands"]), (&"clone".into(), &built));

    for place in [".local/bin/co", "tools/bin/co", "co"] {
        let said = program.says(&a, &home.join(place));
        assert_eq!((&said["way"], &said["builds"]), (&"download".into(), &false.into()), "{place}");
    }
    assert!(!a.config().exists(), "it only looks");
}
