//! What an agent reads at the start of a session.

use crate::support::World;
use std::fs;

#[test]
fn layers_in_order_with_budgets_and_warnings() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    a.write(
        "personality.md",
        "---\nversion: 1\nselected: finch\nupdated: \
        2026-01-01T00:00:00Z\n---\n\n# Personality\n\nSelected: finch\n",
    );
    a.write(
        "knowledge/context.md",
        &format!("---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n{}\n", "g".repeat(4000)),
    );
    a.write(
        "profile/boundaries.md",
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\npromptOrder: 2\n---\n\nNo emojis.\n",
    );
    a.write(
        "profile/preferences.md",
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\npromptOrder: 1\n---\n\nShort answers.\n",
    );
    fs::write(a.config().join("system.md"), "You are co.\n").expect("written");
    let project = a.home.join("p/.co-cli/knowledge");
    fs::create_dir_all(&project).expect("a folder");
    fs::write(project.join("context.md"), "Type: CLI\n").expect("written");
    fs::write(a.home.join("p/.co-cli/instructions.md"), "Run the tests.\n").expect("written");
    let text = a.co(&["-C", "p", "context"]);
    let order = [
        "You are co.",
        "Selected: finch",
        "- Name: Bin",
        "Short answers.",
        "No emojis.",
        "## Internal Knowledge\n\n### Global Context\n\ngggg",
        "# Communication Style",
        "### Project Context\n\nType: CLI",
        "Run the tests.",
    ];
    let at: Vec<usize> = order
        .iter()
        .map(|part| text.find(part).unwrap_or_else(|| panic!("{part} is missing in {text}")))
        .collect();
    assert!(at.is_sorted(), "{at:?}");
    assert!(!text.contains("version: 1"), "frontmatter is stripped");
    let explain = a.co(&["-C", "p", "context", "--explain"]);
    assert!(explain.contains("over its 3 KiB budget by 928 bytes"), "{explain}");
    let wrapped = a.co(&["context", "--wrap", "system-reminder", "--layer", "profile"]);
    assert!(
        wrapped.starts_with("<system-reminder>\n# Profile")
            && wrapped.ends_with("</system-reminder>\n"),
        "{wrapped}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&a.co(&["context", "--format", "json"])).expect("JSON");
    assert_eq!(json["schema"], "co/1");
    assert!(
        a.co(&["context", "--format", "xml"])
            .contains("<personality file=\"identity/personality.md\">\n# Personality")
    );
}

#[test]
fn sizes_and_checksums_warn_and_still_load() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let front = "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n";
    a.write("knowledge/context.md", &format!("{front}{}\n", "x".repeat(11_000)));
    let said = a.try_co(&["context"]);
    assert_eq!(said.err, "WARNING: Knowledge size 11045 exceeds 10 KiB target.\n");
    a.write("knowledge/context.md", &format!("{front}{}\n", "é".repeat(11_000)));
    let said = a.try_co(&["context"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (0, "ERROR: Knowledge size 22045 exceeds 20 KiB. Truncating.\n")
    );
    a.write(
        "traits/communication-style.md",
        &format!(
            "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\nchecksum: sha256:{}\n---\n\nShort.\n",
            "0".repeat(64)
        ),
    );
    a.write("knowledge/context.md", &format!("{front}ok\n"));
    let said = a.try_co(&["context"]);
    assert_eq!(
        said.err,
        "⚠ identity/traits/communication-style.md may have sync conflicts\n  (content doesn't \
         match checksum — edited on another machine?)\n  Run `co identity check` to review.\n"
    );
    assert!(said.out.contains("Short."));
}

#[test]
fn no_identity_says_what_to_do() {
    let world = World::new();
    let said = world.laptop("a").fails(4, &["context"]);
    assert!(said.contains("co init"), "{said}");
}
