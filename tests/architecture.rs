//! Which module may use which: layers, and the one module that touches the machine. Each failure
//! names the file and the rule.

use crate::circles;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
        for entry in
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                walk(&entry, files);
            } else if entry.extension().is_some_and(|ending| ending == "rs") {
                files.push((entry.clone(), fs::read_to_string(&entry).expect("readable")));
            }
        }
    }
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    if place.is_file() {
        let text = fs::read_to_string(&place).expect("readable");
        return vec![(place, text)];
    }
    let mut files = Vec::new();
    walk(&place, &mut files);
    files
}

/// The code without comments and without its tests.
fn code(text: &str) -> String {
    let body = text.split("#[cfg(test)]").next().unwrap_or_default();
    body.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn forbid(folder: &str, words: &[&str], rule: &str) {
    let files = sources(folder);
    assert!(!files.is_empty(), "{folder} has no sources");
    for (path, text) in files {
        let code = code(&text);
        for word in words {
            // `Operand::` is not `rand::`.
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let begins = |at: usize| !word.starts_with(is_name) || !code[..at].ends_with(is_name);
            let is_used = code.match_indices(word).any(|(at, _)| begins(at));
            assert!(!is_used, "{}: uses `{word}`; {rule}", path.display());
        }
    }
}

/// All modules below `machine`.
const PURE: &[&str] = &[
    "src/adopt",
    "src/agents",
    "src/context",
    "src/extract",
    "src/foreign",
    "src/identity",
    "src/integrations/timer/interval.rs",
    "src/integrations/timer/units.rs",
    "src/knowledge",
    "src/merge",
    "src/recall",
    "src/seal",
    "src/secrets",
    "src/unzip.rs",
];

#[test]
fn pure_modules_know_no_machine() {
    // Of `std::io`, a `Cursor` reads memory, and `Read` what the caller opened.
    let machine = [
        "fs::",
        "env::",
        "process::",
        "net::",
        "io::std",
        "SystemTime",
        "Instant::now",
        "Timestamp::now",
        "Zoned::now",
        "gix",
        "rusqlite",
        "rand::",
        "tempfile",
    ];
    for module in PURE {
        forbid(module, &machine, "pure modules have no effects");
    }
}

/// The rooms of `src/`, the lowest first, and why each stands there: it may use those before it in
/// this list, and no other.
pub const ROOMS: &[(&str, &str)] = &[
    ("foreign", "untrusted text knows nobody"),
    ("secrets", "the scanner knows text only"),
    ("unzip", "archives are bytes"),
    ("identity", "what an identity is, whatever becomes of it"),
    ("seal", "what lies on a remote that nobody trusts; a hash is that of an identity"),
    ("recall", "ranks what it is given"),
    ("knowledge", "documents, which search can find"),
    ("merge", "how two identities become one; links follow what one of them moved"),
    ("agents", "the table of agents and the edits of their files"),
    ("adopt", "what agents know already"),
    ("context", "what an agent reads"),
    ("extract", "the text of other programs' files"),
    ("machine", "the one door to the machine; all above it may have effects, none below it"),
    ("git", "repositories need files and processes, not an index"),
    ("index", "derived from files and from what git says of them"),
    ("workspace", "opens machine, git and index once, and knows no verb"),
    ("sync", "publishes what is there, whatever verb put it there"),
    ("facts", "a fact may ask what a sync or an agent's note says"),
    ("documents", "a context compiles facts beside documents"),
    ("integrations", "agents read facts, documents and what a sync did"),
    ("transfer", "sets up, moves and fills an identity, with all that is connected to it"),
    ("undo", "takes back what any verb below did"),
    ("upkeep", "looks at everything, and is used by no other verb"),
    ("hints", "what to do next, which a verb does not know"),
    ("display", "prints what verbs report"),
    ("mcp", "the server for agents"),
    ("web", "the page for a browser"),
    ("cli", "a person's commands; starts the other two"),
];

/// The rooms that a file's code names.
fn named_rooms(code: &str) -> BTreeSet<&str> {
    let named = code.split("crate::").skip(1);
    let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_';
    named.filter_map(|rest| rest.split(is_end).next()).collect()
}

/// Every arrow points down, so that no rooms go round.
#[test]
fn rooms_lie_on_those_below() {
    let rank = |room: &str| ROOMS.iter().position(|(name, _)| *name == room);
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = BTreeSet::new();
    for (path, text) in sources("src") {
        let below = path.strip_prefix(&src).expect("because it is below src");
        let first = below.iter().next().expect("because it is a file").to_string_lossy();
        let room = first.trim_end_matches(".rs").to_owned();
        if ["lib", "main"].contains(&room.as_str()) {
            continue;
        }
        let own = rank(&room).unwrap_or_else(|| panic!("{room} has no place among the rooms"));
        let code = code(&text);
        assert!(!code.contains("crate::{"), "{}: name a room per use", path.display());
        for named in named_rooms(&code) {
            let of_named = rank(named);
            let of_named = of_named.unwrap_or_else(|| panic!("{}: {named}?", path.display()));
            assert!(
                of_named <= own,
                "{}: {room} uses {named}, which lies above it: {}",
                path.display(),
                ROOMS[own].1
            );
        }
        seen.insert(room);
    }
    let known: BTreeSet<String> = ROOMS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(seen, known, "a room without files");
}

/// Each error of a verb has a row in the table of hints.
#[test]
fn errors_of_verbs_are_explained() {
    let explained: String = sources("src/hints").into_iter().map(|(_, text)| text).collect();
    for (path, text) in sources("src") {
        for rest in text.split("impl VerbError for ").skip(1) {
            let name = rest.split_whitespace().next().expect("because a type follows");
            assert!(explained.contains(name), "{}: {name} has no hints", path.display());
        }
    }
}

/// The rooms of verbs, and what they have in common.
const VERBS: &[&str] = &[
    "src/workspace",
    "src/sync",
    "src/facts",
    "src/documents",
    "src/integrations",
    "src/transfer",
    "src/undo",
    "src/upkeep",
];

#[test]
fn verbs_do_not_talk() {
    for room in VERBS.iter().chain(&["src/index/search"]) {
        forbid(
            room,
            &[
                "clap",
                "println!",
                "print!",
                "eprintln!",
                "dialoguer",
                "std::fs",
                "std::process",
                "std::env",
                "std::io::Write",
            ],
            "verbs neither print nor ask, and use the one door",
        );
    }
}

#[test]
fn the_machine_does_not_talk() {
    for room in ["src/machine", "src/git", "src/index"] {
        forbid(room, &["clap", "dialoguer"], "what a person is asked is said above");
    }
}

#[test]
fn only_the_door_opens_files() {
    forbid(
        "src/cli",
        &["std::fs", "std::process::Command", "File::open", "gix"],
        "only machine touches the machine",
    );
}

#[test]
fn the_page_is_thin() {
    forbid(
        "src/web",
        &["crate::mcp", "crate::merge", "std::fs", "clap", "println!"],
        "the page calls verbs, and the door to the machine",
    );
}

/// Calls that change a file of an identity, a project, an agent or a repository. What is written
/// unsynced and for the user alone is derived state in `local/`.
const WRITERS: &[&str] = &[
    "files::write(",
    "files::write_new(",
    "files::remove(",
    "files::rename(",
    "Batch::",
    "guarded::",
    "links::make(",
    "links::remove",
    ".begin(",
];

#[test]
fn one_builder_starts_processes() {
    for (path, text) in sources("src") {
        let code = code(&text);
        // clap has a type of that name as well.
        let starts = code.contains("Command::new(") && !code.contains("use clap::");
        let is_builder = path.ends_with("src/machine/process/mod.rs");
        assert!(!starts || is_builder, "{}: use machine::process::Process", path.display());
    }
}

#[test]
fn one_module_writes() {
    let above = ["src/cli", "src/mcp", "src/display"];
    let mut seen = false;
    for (path, text) in VERBS.iter().chain(&above).flat_map(|room| sources(room)) {
        if path.to_string_lossy().contains("src/workspace/transaction/") {
            seen = true;
            continue;
        }
        for (at, line) in code(&text).lines().enumerate() {
            // Sync's own record is already in a commit; it writes no file.
            let is_log = path.ends_with("src/sync/operation.rs") && line.contains(".begin(");
            let found = WRITERS.iter().find(|writer| line.contains(*writer) && !is_log);
            assert!(
                found.is_none(),
                "{}: line {at} of its code writes past workspace::transaction: {line}",
                path.display()
            );
        }
    }
    assert!(seen, "src/workspace/transaction is where writing is");
}

/// Ways past the one type that is printed and answered.
const PAST_IT: &[&str] = &[
    "print!(",
    "println!(",
    "stdout().lock",
    "stderr().lock",
    "write_all(",
    "ContentBlock::text",
    "PromptMessage::new_text",
    "ResourceContents::text",
    "Display for Said",
    ".rewritten(",
];
/// Where each of them may be used, and why.
const AT_THE_DOOR: &[(&str, &[&str], &str)] = &[
    (
        "src/cli/output.rs",
        &["stdout().lock", "stderr().lock", "write_all(", ".rewritten("],
        "the door to a screen",
    ),
    ("src/cli/generate.rs", &["write_all("], "man pages, of words of co alone"),
    ("src/mcp/answer.rs", &["ContentBlock::text", ".rewritten("], "the door to a model"),
    (
        "src/mcp/resources.rs",
        &["PromptMessage::new_text", "ResourceContents::text"],
        "what answer::plain made",
    ),
    ("src/mcp/lines.rs", &["write_all("], "messages of the client on their way to the SDK"),
    ("src/context/render.rs", &[".rewritten("], "tags are written out within a wrap"),
    ("src/integrations/agent/session.rs", &[".rewritten("], "the JSON that an agent's hook takes"),
];

#[test]
fn nothing_passes_the_one_type_by() {
    let others = ["src/cli", "src/mcp", "src/display", "src/context", "src/knowledge"];
    for (path, text) in VERBS.iter().chain(&others).flat_map(|room| sources(room)) {
        let code = code(&text);
        for word in PAST_IT.iter().filter(|word| code.contains(**word)) {
            let mut doors = AT_THE_DOOR.iter();
            let is_door =
                doors.any(|(file, words, _)| path.ends_with(file) && words.contains(word));
            assert!(is_door, "{}: `{word}` goes past crate::foreign::Said", path.display());
        }
    }
    for (file, words, why) in AT_THE_DOOR {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
        let code = code(&text.expect("a file"));
        for word in *words {
            assert!(code.contains(word), "{file} needs no `{word}` any more ({why})");
        }
    }
}

/// An error says what happened. Which command or tool comes next depends on who reads it.
#[test]
fn errors_name_no_next_step() {
    for (path, text) in sources("src") {
        let attributes = text.split("#[error(").skip(1);
        let sentences = attributes.filter_map(|rest| rest.split_once(")]")).map(|(text, _)| text);
        for sentence in sentences {
            assert!(!sentence.contains("`co "), "{}: {sentence} names a command", path.display());
        }
    }
    for room in VERBS {
        forbid(
            room,
            &["Failure", "fn explain(", "hints:"],
            "says what happened, not what to do next",
        );
    }
    let explains = |(path, text): &(PathBuf, String)| {
        code(text).contains("fn explain(").then(|| path.display().to_string())
    };
    let explained: Vec<String> = sources("src").iter().filter_map(explains).collect();
    assert_eq!(explained.len(), 2, "a person and a model have one explanation each: {explained:?}");
}

/// The verb of an operation is an enum; nobody looks at its word.
#[test]
fn verbs_are_no_text() {
    let words = ["verb == \"", "verb.as_str() {", "verb.word() == "];
    for room in VERBS.iter().chain(&["src/machine", "src/git", "src/index"]) {
        forbid(room, &words, "match on oplog::Verb");
    }
}

#[test]
fn files_do_not_go_round() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, _) in ROOMS {
        let room = if *room == "unzip" { "unzip.rs" } else { room };
        let relative = |(path, text): (PathBuf, String)| {
            let path = path.strip_prefix(&src).expect("because it is below src").to_owned();
            (path, text)
        };
        let files: Vec<_> = sources(&format!("src/{room}")).into_iter().map(relative).collect();
        let circle = circles::circle(&circles::graph(&files));
        assert_eq!(circle, None, "{room}: these files use each other");
    }
}

/// A person who changes a verb finds its tests by its name.
#[test]
fn tests_of_a_verb_have_its_name() {
    // `unpin` is tested with `pin`; `man` and all pages by `generated`.
    const WITHOUT: [&str; 2] = ["man", "unpin"];
    let pages = co_cli::cli::man_pages();
    let commands: BTreeSet<&str> = pages
        .iter()
        .filter_map(|(page, _)| page.strip_prefix("co-")?.strip_suffix(".1"))
        .filter(|command| !command.contains('-') && !WITHOUT.contains(command))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verbs");
    let named = modules(&folder);
    let named: BTreeSet<&str> = named.iter().map(String::as_str).collect();
    assert_eq!(named, commands, "the files of tests/verbs, and the commands");
}

/// A file that no list names would never run.
#[test]
fn every_file_of_tests_is_in_a_list() {
    for (path, text) in sources("tests") {
        if !path.ends_with("mod.rs") {
            continue;
        }
        let module = |line: &str| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
        };
        let listed: BTreeSet<String> = text.lines().filter_map(module).collect();
        let folder = path.parent().expect("because it is a file");
        assert_eq!(listed, modules(folder), "{}", path.display());
    }
}

/// The names of the Rust files of a folder, and of those below it that have some.
fn modules(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let is_module = |path: &PathBuf| {
        path.join("mod.rs").exists()
            || (path.extension().is_some_and(|name| name == "rs") && !path.ends_with("mod.rs"))
    };
    let name = |path: PathBuf| Some(path.file_stem()?.to_string_lossy().into_owned());
    entries.map(|entry| entry.path()).filter(is_module).filter_map(name).collect()
}

#[test]
fn every_file_says_what_it_is_for() {
    for (path, text) in sources("src").into_iter().chain(sources("tests")) {
        assert!(text.starts_with("//!"), "{}: does not open with its purpose", path.display());
    }
}

/// rustfmt leaves comments as they are.
#[test]
fn comments_fit_their_columns() {
    const COLUMNS: usize = 100;
    for (path, text) in sources("src").into_iter().chain(sources("tests")) {
        for (at, line) in text.lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            let is_long = is_comment && line.chars().count() > COLUMNS;
            assert!(!is_long, "{}:{}: over {COLUMNS} columns", path.display(), at + 1);
        }
    }
}

#[test]
fn files_stay_readable_in_one_sitting() {
    for (path, text) in sources("src") {
        let lines = text.lines().count();
        assert!(lines <= 400, "{}: {lines} lines; a concept is missing", path.display());
    }
}
