//! The page of `co web` as a person sees and uses it: Chromium plays the scripts of `tests/web`.

use crate::support::{World, report_skipped, require_tool};
use assert_cmd::cargo::cargo_bin;

/// Plays a script, which starts `co web` itself.
fn plays(script: &str) {
    let Some(modules) = std::env::var_os("CO_TEST_NODE_MODULES") else {
        return report_skipped("CO_TEST_NODE_MODULES, a folder with playwright-core and axe-core,");
    };
    if !require_tool("node") || !require_tool("chromium") {
        return report_skipped("node or chromium");
    }
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin Chen"]);
    let path = format!("{}/tests/web/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut command = a.command_of("node", &[path.as_str()]);
    command.env("CO", cargo_bin("co")).env("CO_TEST_NODE_MODULES", modules);
    let output = command.output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn a_person_sees_and_does_it() {
    plays("page.mjs");
}

/// At 1280 and at 390 px.
#[test]
fn a_person_does_all_of_it_on_a_laptop_and_on_a_phone() {
    plays("widths.mjs");
}

#[test]
fn the_list_of_facts_stays_where_the_eye_is() {
    plays("list.mjs");
}
