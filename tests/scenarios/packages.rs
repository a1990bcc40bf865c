//! The installer downloads from a local server, checks the sums, and installs all or nothing; the
//! plugins and bundles for agents are valid and equal to what `co agent install` writes.

use crate::support::{Laptop, World, report_skipped, require_tool, tree};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

/// A server of releases.
struct Releases {
    child: Child,
    folder: PathBuf,
    address: String,
}

impl Releases {
    /// One release, packed as releases are, of a program that starts the one that is tested.
    fn publish(world: &World) -> Releases {
        let folder = world.path("releases");
        let latest = folder.join("latest/download");
        fs::create_dir_all(&latest).expect("a folder");
        let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
        release(world, &[target.as_str()], &latest);
        let mut server = Command::new("python3");
        server.args(["-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]).current_dir(&folder);
        let piped = server.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn().expect("a server");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("its first line");
        let port = line.split("port ").nth(1).and_then(|rest| rest.split(' ').next());
        let address = format!("http://127.0.0.1:{}", port.expect("a port"));
        Releases { child, folder, address }
    }

    fn file(&self, end: &str) -> PathBuf {
        let folder = self.folder.join("latest/download");
        let entries = fs::read_dir(folder).expect("a folder").map(|e| e.expect("a file").path());
        let mut found = entries.filter(|path| path.display().to_string().ends_with(end));
        found.next().expect("the file")
    }
}

impl Drop for Releases {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn packaging(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging").join(name)
}

fn run(program: &Path, arguments: &[&Path]) {
    let output = Command::new(program).args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A release of a program that starts the one that is tested.
fn release(world: &World, targets: &[&str], out: &Path) {
    let program = world.path("program");
    let co = assert_cmd::cargo::cargo_bin("co");
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", co.display());
    fs::write(&program, script).expect("a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can be run");
    for target in targets {
        run(&packaging("archive.sh"), &[&program, Path::new(target), out]);
    }
    run(&packaging("release.sh"), &[Path::new("9.9.9"), out]);
}

const TARGETS: [&str; 5] = [
    "aarch64-apple-darwin",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-musl",
];
const TOOLS: [&str; 4] = ["python3", "tar", "gzip", "sha256sum"];

/// What a release needs and this machine lacks.
fn lacks() -> Option<&'static str> {
    TOOLS.into_iter().find(|tool| !require_tool(tool))
}

fn json(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
}

fn install(world: &World, releases: &Releases) -> Output {
    let mut command = Command::new("sh");
    command.arg(packaging("install.sh")).env("HOME", world.path(""));
    command.env("CO_RELEASES", &releases.address).env("CO_PREFIX", world.path("prefix"));
    command.env_remove("CO_VERSION");
    command.output().expect("it runs")
}

/// `scripts/start.sh` on a laptop that could not build co.
#[test]
fn the_start_script_takes_a_release_before_it_builds() {
    if let Some(missing) = lacks().or_else(|| (!require_tool("curl")).then_some("curl")) {
        return report_skipped(missing);
    }
    if !cfg!(target_os = "linux") {
        eprintln!("skipped: the archives of this test are for Linux");
        return;
    }
    let world = World::new();
    let releases = Releases::publish(&world);
    let bin = world.path("bin");
    fs::create_dir_all(&bin).expect("a folder");
    let tools = "sh git uname sed id dirname grep awk curl tar gzip sha256sum shasum cut mktemp rm mkdir cp \
                 mv cat du env";
    for tool in tools.split_whitespace() {
        let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output();
        let found = String::from_utf8(found.expect("sh runs").stdout).expect("a path");
        // Of the two programs for sums, one is enough.
        if !found.trim().is_empty() {
            std::os::unix::fs::symlink(found.trim(), bin.join(tool)).expect("linked");
        }
    }
    let a = world.laptop("a").with_env("PATH", &bin.display().to_string());
    let a = a.with_env("CO_RELEASES", &releases.address);
    let a = a.with_env("TMPDIR", &world.dir.path().display().to_string());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/start.sh");
    let script = script.display().to_string();
    let start = |a: &Laptop| a.command_of("sh", &[script.as_str()]).output().expect("sh runs");

    // There is none of this version yet: a build is what is left, and this laptop lacks cargo.
    let said = start(&a);
    assert_eq!(said.status.code(), Some(4));
    let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert!(out.contains("It is built instead.") && err.contains("cargo is missing"), "{out}{err}");

    let downloads = releases.folder.join("download");
    fs::create_dir_all(&downloads).expect("a folder");
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    std::os::unix::fs::symlink("../latest/download", downloads.join(version)).expect("linked");
    let said = start(&a);
    let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert!(said.status.success(), "{out}{err}");
    assert!(out.contains("Installed co") && out.contains("That was a trial."), "{out}");
    assert!(!out.contains("Building co") && !out.contains("cargo clean"), "{out}");
    assert!(a.home.join(".local/bin/co").is_file());

    // Whoever wants to build is not held up.
    let said = start(&a.with_env("CO_BUILD", "1"));
    let out = String::from_utf8_lossy(&said.stdout);
    assert!(said.status.code() == Some(4) && !out.contains("Looking for"), "{out}");
}

#[test]
fn the_installer_takes_only_what_the_sums_list() {
    if let Some(missing) = lacks().or_else(|| (!require_tool("curl")).then_some("curl")) {
        return report_skipped(missing);
    }
    if !cfg!(target_os = "linux") {
        eprintln!("skipped: the archives of this test are for Linux");
        return;
    }
    let world = World::new();
    let releases = Releases::publish(&world);
    let prefix = world.path("prefix");
    let (archive, sums) = (releases.file("musl.tar.gz"), releases.file("SHA256SUMS"));
    let (good, listed) = (fs::read(&archive).expect("bytes"), fs::read(&sums).expect("sums"));

    // Changed, cut off, not listed, not there: refused, and nothing is installed.
    let refused = |why: &str| {
        let output = install(&world, &releases);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{why}: {said}");
        assert!(!prefix.exists(), "{why}");
    };
    let mut changed = good.clone();
    changed[100] ^= 1;
    for bad in [&changed[..], &good[..good.len() / 2], &[&good[..], b"x"].concat()] {
        fs::write(&archive, bad).expect("written");
        refused("does not have the SHA-256");
    }
    fs::write(&archive, &good).expect("written");
    fs::write(&sums, "0123  co-another.tar.gz\n").expect("written");
    refused("does not list");
    fs::remove_file(&sums).expect("removed");
    refused("could not be fetched");

    fs::write(&sums, &listed).expect("written");
    for again in ["the first time", "over itself"] {
        let output = install(&world, &releases);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("Next: co init"), "{again}: {said}");
        let version = Command::new(prefix.join("bin/co")).arg("--version").output();
        let version = version.expect("it runs").stdout;
        assert!(version.starts_with(b"co "), "{again}");
        for file in ["man/man1/co.1", "man/man1/co-web.1", "bash-completion/completions/co"] {
            assert!(prefix.join("share").join(file).is_file(), "{file}");
        }
    }
}

#[test]
fn the_formula_names_each_archive_and_its_sum() {
    if let Some(missing) = lacks() {
        return report_skipped(missing);
    }
    let world = World::new();
    let out = world.path("out");
    fs::create_dir_all(&out).expect("a folder");
    release(&world, &TARGETS, &out);
    let formula = fs::read_to_string(out.join("co.rb")).expect("a formula");
    let sums = fs::read_to_string(out.join("SHA256SUMS")).expect("sums");
    let archives =
        || sums.lines().filter(|line| line.contains("  co-") && line.ends_with(".tar.gz"));
    assert_eq!(archives().count(), 5, "{sums}");
    // Homebrew is for Macs and Linux.
    for line in archives().filter(|line| !line.contains("windows")) {
        let (sum, file) = line.split_once("  ").expect("two columns");
        assert!(formula.contains(sum) && formula.contains(file), "{line}: {formula}");
    }
    assert!(formula.contains("/v9.9.9/") && !formula.contains('@'), "{formula}");
    if require_tool("ruby") {
        let checked = Command::new("ruby").arg("-c").arg(out.join("co.rb")).output();
        assert!(checked.expect("ruby runs").status.success());
    }
}

/// The committed plugin of Claude Code and extension of Gemini CLI. `CO_BLESS=1` writes them.
#[test]
fn plugins_are_what_the_program_installs() {
    if !require_tool("python3") {
        return report_skipped("python3");
    }
    let world = World::new();
    let made = world.path("made");
    let co = assert_cmd::cargo::cargo_bin("co");
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("CO_BLESS").is_some() {
        run(&packaging("bundles.py"), &[Path::new("write"), &co, project]);
    }
    run(&packaging("bundles.py"), &[Path::new("write"), &co, &made]);
    let files = tree(&made);
    for (path, bytes) in &files {
        let committed = fs::read(project.join(path)).unwrap_or_default();
        assert!(committed == *bytes, "{path} is stale: CO_BLESS=1 cargo test plugins");
        assert!(!String::from_utf8_lossy(bytes).contains("co agent uninstall"), "{path}");
    }
    for folder in [".claude-plugin", "packaging/plugins"] {
        for (path, _) in tree(&project.join(folder)) {
            let path = format!("{folder}/{path}");
            assert!(files.iter().any(|(made, _)| *made == path), "{path} is made by nobody");
        }
    }

    // What the installer writes, with `co` for the path of the program.
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada"]);
    a.co(&["agent", "install", "claude-code", "gemini", "--hooks", "--yes"]);
    let program = fs::canonicalize(&co).expect("the program").display().to_string();
    let plugins = made.join("packaging/plugins");
    for (key, settings, plugin) in [
        ("mcpServers", ".claude.json", "claude-code/.mcp.json"),
        ("mcpServers", ".gemini/settings.json", "gemini/gemini-extension.json"),
        ("hooks", ".claude/settings.json", "claude-code/hooks/hooks.json"),
        ("hooks", ".gemini/settings.json", "gemini/hooks/hooks.json"),
    ] {
        let installed = json(&a.home.join(settings))[key].to_string().replace(&program, "co");
        let mut plugged = json(&plugins.join(plugin))[key].clone();
        for event in ["SessionStart", "SessionEnd"] {
            let Some(line) = plugged.pointer_mut(&format!("/{event}/0/hooks/0/command")) else {
                continue;
            };
            // Only if the settings do not have it; the end of Claude Code's in the background.
            let (unless, command) =
                line.as_str().and_then(|line| line.split_once(" || ")).expect("a condition");
            assert!(unless.starts_with("grep -qs 'hook session-"), "{unless}");
            let whole = command.strip_prefix("{ nohup ").unwrap_or(command);
            *line = whole.strip_suffix(" >/dev/null 2>&1 & }").unwrap_or(whole).into();
        }
        assert_eq!(plugged.to_string(), installed, "{plugin}");
    }
    let b = world.laptop("b");
    b.co(&["init", "--yes", "--name", "Ada"]);
    b.co(&["learn", "Rows on Tuesdays"]);
    let folder = co.parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").expect("a path"));
    for plugin in ["claude-code", "gemini"] {
        let hooks = json(&plugins.join(plugin).join("hooks/hooks.json"));
        let start = hooks["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str();
        let start = start.expect("a command");
        let said = |laptop: &Laptop| {
            let mut shell = laptop.command_of("sh", &["-c", start]);
            let output = shell.env("PATH", &path).output().expect("sh runs");
            assert!(output.status.success(), "{plugin}: {start}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        assert!(said(&b).contains("Rows on Tuesdays"), "{plugin}: {}", said(&b));
        assert_eq!(said(&a), "", "{plugin}: the hooks of the settings do it");
    }
    let list = json(&made.join(".claude-plugin/marketplace.json"));
    let source = list["plugins"][0]["source"].as_str().expect("a folder");
    let plugin = json(&made.join(source).join(".claude-plugin/plugin.json"));
    assert_eq!(plugin["name"], list["plugins"][0]["name"]);
    for version in [&plugin, &json(&plugins.join("gemini/gemini-extension.json"))] {
        assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn a_release_has_the_same_bundles_each_time() {
    if let Some(missing) = lacks() {
        return report_skipped(missing);
    }
    let world = World::new();
    let [out, again] = ["out", "again"].map(|name| {
        let out = world.path(name);
        fs::create_dir_all(&out).expect("a folder");
        release(&world, &TARGETS, &out);
        out
    });
    assert!(tree(&out) == tree(&again));
    let sums = fs::read_to_string(out.join("SHA256SUMS")).expect("sums");
    let server = json(&out.join("server.json"));
    let packages = server["packages"].as_array().expect("a list");
    assert_eq!(packages.len(), TARGETS.len());
    for (package, target) in packages.iter().zip(TARGETS) {
        let (address, sum) = (&package["identifier"], &package["fileSha256"]);
        let (address, sum) = (address.as_str().expect("a URL"), sum.as_str().expect("a sum"));
        assert!(address.ends_with(&format!("/releases/download/v9.9.9/co-{target}.mcpb")));
        assert!(sums.contains(&format!("{sum}  co-{target}.mcpb\n")), "{sums}");
    }
    for platform in ["linux", "darwin", "win32"] {
        let archive = out.join(format!("{platform}.co-gemini.tar.gz"));
        let listed = Command::new("tar").arg("-tzf").arg(&archive).output().expect("tar runs");
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert!(listed.lines().any(|line| line == "gemini-extension.json"), "{listed}");
        assert!(sums.contains(&format!("  {platform}.co-gemini.tar.gz\n")), "{sums}");
    }

    // Unpacked as a program does that reads the modes in a zip, and started as its manifest says.
    let unpack = "import os, sys, zipfile\nfor entry in (z := zipfile.ZipFile(sys.argv[1])).infolist():\n    \
                  os.chmod(z.extract(entry, sys.argv[2]), entry.external_attr >> 16)\n";
    let unpacked = world.path("unpacked");
    let bundle = out.join("co-x86_64-unknown-linux-musl.mcpb");
    run(Path::new("python3"), &[Path::new("-c"), Path::new(unpack), &bundle, &unpacked]);
    let manifest = json(&unpacked.join("manifest.json"));
    assert_eq!(manifest["version"], "9.9.9");
    assert_eq!(manifest["compatibility"]["platforms"], serde_json::json!(["linux"]));
    let start = &manifest["server"]["mcp_config"];
    let program = start["command"].as_str().expect("a program");
    let program = program.replace("${__dirname}", &unpacked.display().to_string());
    let words = start["args"].as_array().expect("a list").iter();
    let words: Vec<&str> = words.map(|word| word.as_str().expect("a word")).collect();
    let mut command = world.laptop("a").command_of(program, &words);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the bundle's program starts");
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":
        "2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{}", hello.replace('\n', " ")).expect("written");
    drop(input);
    let answered = child.wait_with_output().expect("it ends").stdout;
    let answered = String::from_utf8_lossy(&answered);
    assert!(answered.contains("serverInfo"), "{answered}");

    // Published schemas, and Anthropic's own program.
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    let check = "import json, sys, jsonschema\nread = lambda path: json.load(open(path))\n\
                 jsonschema.validate(read(sys.argv[1]), read(sys.argv[2]))";
    let python = Path::new("/usr/bin/python3");
    let has = Command::new(python).args(["-c", "import jsonschema"]).output();
    if has.is_ok_and(|output| output.status.success()) {
        let pairs = [
            (out.join("server.json"), "server.schema.json"),
            (unpacked.join("manifest.json"), "mcpb-manifest.schema.json"),
        ];
        for (file, schema) in pairs {
            run(python, &[Path::new("-c"), Path::new(check), &file, &schemas.join(schema)]);
        }
    } else {
        report_skipped("jsonschema of /usr/bin/python3");
    }
    let Some(modules) = std::env::var_os("CO_TEST_NODE_MODULES") else {
        return report_skipped("CO_TEST_NODE_MODULES, a folder with @anthropic-ai/mcpb,");
    };
    let mcpb = Path::new(&modules).join("node_modules/.bin/mcpb");
    run(&mcpb, &[Path::new("validate"), &unpacked.join("manifest.json")]);
    run(&mcpb, &[Path::new("unpack"), &bundle, &world.path("theirs")]);
    assert!(tree(&unpacked) == tree(&world.path("theirs")));
}

/// `dist` inherits what `release` says of a single library: a lower level there would be shipped.
#[test]
fn every_library_is_optimised_in_what_is_shipped() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = fs::read_to_string(manifest).expect("readable");
    let manifest: toml_edit::DocumentMut = text.parse().expect("TOML");
    let profiles = &manifest["profile"];
    let level_of = |profile: &str, library: &str| {
        let named = profiles[profile]["package"].get(library)?;
        named.get("opt-level")?.as_integer()
    };
    let named = profiles["release"]["package"].as_table().expect("libraries");
    let lesser: Vec<&str> = named
        .iter()
        .map(|(library, _)| library)
        .filter(|library| named[library].get("opt-level").is_some())
        .filter(|library| level_of("release", library) != Some(3))
        .filter(|library| *library != "*" && level_of("dist", library) != Some(3))
        .collect();
    assert_eq!(lesser, [""; 0], "[profile.dist.package] does not name them");
    assert_eq!(level_of("dist", "*"), Some(3));
}
