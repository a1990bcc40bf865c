//! Two hundred marked texts in a person's own identity, looked for in all that leaves co where
//! another identity stands in for it; and the other way round.

use crate::support::{Laptop, World, client::Client, ready, web::Site};
use serde_json::{Value, json};
use std::{fs, path::Path};

const MARK: &str = "zinnober";

const FRONT: &str = "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n";

/// Facts as files, which is how many are there in no time.
fn facts(root: &Path, mark: &str, count: usize) {
    let folder = root.join("knowledge/memories");
    fs::create_dir_all(&folder).expect("a folder");
    for number in 1..=count {
        let text = format!(
            "---\nid: {number}\ncreated: 2026-01-01T00:00:00.{number:06}Z\nsource: user-told\n\
             tags: [{mark}tag{}]\n---\n\n{mark} fact {number} about the family\n",
            number % 20
        );
        fs::write(folder.join(format!("{number:03}-{mark}.md")), text).expect("written");
    }
}

/// Marked texts everywhere in an identity: 100 facts with tags, 60 documents, 20 fields, 10 traits,
/// and ten more of other kinds.
fn plant(a: &Laptop, mark: &str, root: &Path, place: &str) {
    let here = |words: &[&str]| a.co(&[["-C", place].as_slice(), words].concat());
    facts(root, mark, 100);
    for number in 0..60 {
        let file = root.join(format!("knowledge/people/{mark}{number}.md"));
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, format!("# {mark}{number}\n\n{mark} document to deploy\n"))
            .expect("written");
    }
    let fields: String = (0..20).map(|at| format!("- {mark}key{at}: {mark} value\n")).collect();
    fs::write(root.join("profile.md"), format!("{FRONT}# Profile\n\n{fields}")).expect("written");
    fs::create_dir_all(root.join("traits")).expect("a folder");
    for number in 0..10 {
        let trait_file = root.join(format!("traits/{mark}{number}.md"));
        fs::write(trait_file, format!("{FRONT}- {mark} trait\n")).expect("written");
    }
    let context = format!("{FRONT}{mark} context\n");
    fs::write(root.join("knowledge/context.md"), context).expect("written");
    let broken = root.join(format!("knowledge/people/{mark}-broken.md"));
    fs::write(broken, format!("---\nversion: [\n---\n{mark}\n")).expect("written");
    here(&["learn", &format!("The password is {{{{secret:{mark}-key}}}}")]);
    here(&["learn", &format!("{mark} of this laptop"), "--here"]);
    // The operation log and what an undo could bring back.
    here(&["learn", &format!("{mark} learned and forgotten")]);
    here(&["forget", "last", "--yes"]);
    here(&["knowledge", "delete", &format!("people/{mark}7"), "--yes"]);
    here(&["undo"]);
    // The review queue.
    let mut client = Client::start(a, Path::new(place), &["--tools", "all"]);
    client.initialize(json!({}));
    client.call_ok("save_memory", json!({ "content": format!("{mark} waits for an answer") }));
    here(&["list"]);
}

/// A laptop whose own identity is full of marks, and one for work in `~/work`.
fn apart(world: &World) -> (Laptop, String) {
    let a = ready::laptop(world, "a");
    fs::create_dir_all(a.home.join("work/app/src")).expect("a folder");
    a.co(&["config", "set", "agents.remember.ask", "*"]);
    let home = a.home.display().to_string();
    plant(&a, MARK, &a.identity(), &home);
    fs::write(a.config().join("system.md"), "zinnober system\n").expect("written");
    let folder = a.home.to_string_lossy().replace(['/', '.', '_'], "-");
    let notes = a.home.join(format!(".claude/projects/{folder}/memory"));
    fs::create_dir_all(&notes).expect("a folder");
    fs::write(notes.join("MEMORY.md"), "# Notes\n\n- zinnober note\n").expect("written");
    a.co(&["layer", "add", "work", "--for", "~/work", "--instead"]);
    let place = a.home.join("work/app/src").display().to_string();
    (a, place)
}

/// Whether a mark is in what was said.
fn leaks(said: &str, mark: &str) -> bool {
    said.to_lowercase().contains(mark)
}

const COMMANDS: &[&str] = &[
    "",
    "list",
    "list --all",
    "list --layer all",
    "list --layer me",
    "list --layer here",
    "list --at o1",
    "list --at yesterday",
    "list --on 2026-11-27",
    "recall family",
    "recall family --explain",
    "context",
    "context --explain",
    "context --format xml",
    "context --query family",
    "knowledge list",
    "knowledge tree",
    "knowledge search document",
    "knowledge search deploy --explain",
    "knowledge show people/x",
    "knowledge related family",
    "knowledge migrate --dry-run",
    "knowledge seed",
    "knowledge reindex",
    "profile",
    "profile get Name",
    "status",
    "log",
    "log 1",
    "log o1",
    "undo --dry-run",
    "undo o3 --dry-run",
    "redo",
    "check",
    "check --fix",
    "review",
    "review --stale",
    "doctor",
    "doctor agents",
    "memory similar",
    "memory similar 7",
    "secret status",
    "secret list",
    "secret scan",
    "show 1",
    "show 7",
    "show last",
    "show fact",
    "forget family",
    "forget 30",
    "edit 30 x",
    "pin 30",
    "confirm 30",
    "propose 30 --to work",
    "identity show",
    "identity show profile.md",
    "identity path",
    "identity remote",
    "export -",
    "identity restore profile.md",
    "identity restore --from o1 profile.md",
    "layer list",
    "layer show work",
    "layer show wor",
    "diff",
    "diff HEAD",
    "sync",
    "config list",
    "config list -v",
    "agent list",
    "agent notes",
    "agent import",
    "skill list",
    "seal status",
    "handoff",
    "lsit",
    "help",
    "learn another fact about the family",
    "agent install claude-code --dry-run",
    "diff OWN",
    "import OWN",
    "import OWN --merge",
    "agent import --from OWN",
    "agent import --from OWN/.. --yes",
    "agent import --from OWN/../local --yes",
    "knowledge add OWN/..",
    "skill add OWN/skills/zinnober-steps",
    "knowledge write deploy --file OWN/knowledge/people/zinnober1.md",
    "secret scan OWN/..",
    "secret scan OWN",
    "knowledge add OWN/knowledge/people/zinnober1.md",
    "knowledge add OWN/knowledge",
    "list --identity OWN",
];

#[test]
fn no_command_says_anything_of_me() {
    let world = World::new();
    let (a, place) = apart(&world);
    a.co(&["-C", &place, "learn", "The build uses bazel"]);
    let own = a.identity().display().to_string();
    let skill = a.identity().join("skills/zinnober-steps");
    fs::create_dir_all(&skill).expect("a folder");
    let text = "---\nname: zinnober-steps\ndescription: How zinnober is made\n---\n\nzinnober\n";
    fs::write(skill.join("SKILL.md"), text).expect("written");
    for (at, line) in COMMANDS.iter().enumerate() {
        let words: Vec<String> =
            line.split_whitespace().map(|word| word.replace("OWN", &own)).collect();
        let forms: &[&[&str]] = match at % 3 {
            0 => &[&[], &["--json"]],
            1 => &[&[], &["-v"]],
            _ => &[&[]],
        };
        for more in forms {
            let all = ["-C", place.as_str()].into_iter();
            let all = all.chain(words.iter().map(String::as_str)).chain(more.iter().copied());
            let all: Vec<&str> = all.collect();
            let said = a.piped("", &all);
            let text = format!("{}{}", said.out, said.err);
            // The path that was typed may come back, its content not.
            let text = text.replace("zinnober1.md", "");
            assert!(!leaks(&text, MARK), "{line} {more:?}: {text}");
        }
    }
    let work = crate::support::tree(&a.config().join("layers/work"));
    let marked = work.iter().find(|(_, bytes)| String::from_utf8_lossy(bytes).contains(MARK));
    assert!(marked.is_none(), "{:?}", marked.map(|(path, _)| path));
}

#[test]
fn no_hook_and_no_completion_says_anything_of_me() {
    let world = World::new();
    let (a, place) = apart(&world);
    let home = a.home.display().to_string();
    let told = json!({ "cwd": place, "workspacePaths": [place] }).to_string();
    for agent in ["claude-code", "codex", "gemini", "cursor", "antigravity", "nobody"] {
        for event in ["session-start", "session-end", "tool-called"] {
            for started_in in [place.as_str(), home.as_str()] {
                if agent == "nobody" && started_in == home {
                    continue;
                }
                let said = a.piped(&told, &["-C", started_in, "hook", event, "--agent", agent]);
                let text = format!("{}{}", said.out, said.err);
                assert!(!leaks(&text, MARK), "{agent} {event} {started_in}: {text}");
            }
        }
    }
    let verbs: &[&[&str]] = &[
        &["show", ""],
        &["list", "--tag", ""],
        &["profile", "get", ""],
        &["undo", ""],
        &["knowledge", "show", ""],
        &["knowledge", "list", "--tag", ""],
        &["forget", ""],
        &["edit", ""],
        &["secret", "get", ""],
        &["layer", "show", ""],
        &["propose", ""],
        &["review", "accept", ""],
    ];
    for verb in verbs {
        let index = (verb.len() + 2).to_string();
        let shell = a.with_env("CO_COMPLETE", "bash").with_env("_CLAP_COMPLETE_INDEX", &index);
        let words = [["--", "co", "-C", place.as_str()].as_slice(), verb].concat();
        let said = shell.try_co(&words);
        assert!(!leaks(&said.out, MARK), "{verb:?}: {}", said.out);
    }
}

#[test]
fn no_tool_and_no_resource_says_anything_of_me() {
    let world = World::new();
    let (a, place) = apart(&world);
    let before = a.tree();
    let mut client = Client::start(&a, Path::new(&place), &["--tools", "all"]);
    let said = client.initialize(json!({})).to_string();
    assert!(!leaks(&said, MARK), "{said}");
    for tool in client.tools() {
        assert!(!leaks(&tool.to_string(), MARK), "{tool}");
    }
    for (tool, arguments) in [
        ("recall_memory", json!({ "query": "the family" })),
        ("list_memories", json!({})),
        ("list_memories", json!({ "layer": "me" })),
        ("list_memories", json!({ "project": a.home })),
        ("get_context", json!({})),
        ("get_context", json!({ "query": "the family" })),
        ("get_context", json!({ "layer": "me" })),
        ("knowledge_search", json!({ "query": "document to deploy" })),
        ("knowledge_list", json!({})),
        ("knowledge_list", json!({ "related_to": "family" })),
        ("knowledge_write", json!({ "topic": "people/boss", "content": "# Boss" })),
        ("knowledge_delete", json!({ "topic": "people/x" })),
        ("save_memory", json!({ "content": "One more fact about the family" })),
        ("save_memory", json!({ "content": "x", "replaces": ["30"] })),
        ("forget_memory", json!({ "memory": "family" })),
        ("forget_memory", json!({ "memory": "30" })),
        ("confirm_memory", json!({ "memory": "30" })),
        ("save_handoff", json!({ "goal": "Ship" })),
        ("save_knowledge", json!({ "content": "# Page\n\nText", "title": "Page" })),
        ("nothing", json!({})),
    ] {
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments.clone();
        let answer = client.ask("tools/call", params).to_string();
        assert!(!leaks(&answer, MARK), "{tool} {arguments}: {answer}");
    }
    for (method, params) in [
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "co://context" })),
        ("resources/read", json!({ "uri": "co://documents/people/x" })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "who-am-i" })),
    ] {
        let answer = client.ask(method, params.clone()).to_string();
        assert!(!leaks(&answer, MARK), "{method} {params}: {answer}");
    }
    assert_eq!(a.tree(), before);
}

#[test]
fn no_call_of_the_page_says_anything_of_me() {
    let world = World::new();
    let (a, place) = apart(&world);
    let site = Site::entered(&a, &["-C", &place]);
    for (name, fields) in [
        ("watch", json!({})),
        ("status", json!({})),
        ("log", json!({})),
        ("list", json!({})),
        ("recall", json!({ "query": "family" })),
        ("show", json!({ "id": 7 })),
        ("life", json!({ "id": 7 })),
        ("laptops", json!({})),
        ("review", json!({})),
        ("stale", json!({})),
        ("documents", json!({})),
        ("document", json!({ "topic": "people/x" })),
        ("related", json!({ "what": "family" })),
        ("context", json!({})),
        ("profile", json!({})),
        ("diff", json!({ "source": a.identity() })),
    ] {
        let answer = site.call(name, &fields.to_string());
        assert!(!leaks(&answer.body, MARK), "{name}: {}", answer.body);
    }
    let page = site.get("/", &[]);
    assert!(!leaks(&page.body, MARK));
}

#[test]
fn what_is_in_the_other_identity_reaches_nobody_else() {
    let world = World::new();
    let a = ready::laptop(&world, "a");
    fs::create_dir_all(a.home.join("work/app")).expect("a folder");
    a.co(&["learn", "The garden needs water"]);
    a.co(&["config", "set", "agents.remember.ask", "*"]);
    a.co(&["layer", "add", "work", "--for", "~/work", "--instead"]);
    let work = a.config().join("layers/work");
    let before = a.tree();
    plant(&a, "karmesin", &work, &a.home.join("work/app").display().to_string());
    assert_eq!(a.tree(), before, "nothing came to me");
    for line in COMMANDS.iter().filter(|line| !line.contains("OWN") && !line.contains("work")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Everywhere else, the layer may be named.
        let said = a.piped("", &words);
        let text = format!("{}{}", said.out, said.err);
        assert!(!leaks(&text, "karmesin"), "{line}: {text}");
    }
    let mut client = Client::ready(&a, &["--tools", "all"]);
    for (tool, arguments) in [
        ("recall_memory", json!({ "query": "the family" })),
        ("list_memories", json!({})),
        ("get_context", json!({})),
        ("knowledge_list", json!({})),
        ("knowledge_search", json!({ "query": "document to deploy" })),
    ] {
        let mut params: Value = json!({ "name": tool });
        params["arguments"] = arguments;
        let answer = client.ask("tools/call", params).to_string();
        assert!(!leaks(&answer, "karmesin"), "{tool}: {answer}");
    }
}
