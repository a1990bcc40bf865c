//! The installer: fetches from a local server, checks sums, and installs all or nothing.

use crate::support::{World, has_tool, skipped};
use std::{
    fs,
    io::{BufRead, BufReader},
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
        let program = world.path("program");
        let co = assert_cmd::cargo::cargo_bin("co");
        let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", co.display());
        fs::write(&program, script).expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can be run");
        let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
        run(&packaging("archive.sh"), &[&program, Path::new(&target), &latest]);
        run(&packaging("release.sh"), &[Path::new("9.9.9"), &latest]);
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

fn install(world: &World, releases: &Releases) -> Output {
    let mut command = Command::new("sh");
    command.arg(packaging("install.sh")).env("HOME", world.path(""));
    command.env("CO_RELEASES", &releases.address).env("CO_PREFIX", world.path("prefix"));
    command.env_remove("CO_VERSION");
    command.output().expect("it runs")
}

#[test]
fn the_installer_takes_only_what_the_sums_list() {
    let needs = ["curl", "python3", "tar", "gzip", "sha256sum"];
    if let Some(missing) = needs.iter().find(|tool| !has_tool(tool)) {
        return skipped(missing);
    }
    if !cfg!(target_os = "linux") {
        eprintln!("skipped: the archives of this test are for Linux");
        return;
    }
    let world = World::new();
    let releases = Releases::publish(&world);
    let prefix = world.path("prefix");
    let (archive, sums) = (releases.file(".tar.gz"), releases.file("SHA256SUMS"));
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
    let world = World::new();
    let out = world.path("out");
    fs::create_dir_all(&out).expect("a folder");
    let targets = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];
    let targets = targets.iter().chain(&["x86_64-apple-darwin", "aarch64-apple-darwin"]);
    for target in targets {
        fs::write(out.join(format!("co-{target}.tar.gz")), target).expect("written");
    }
    run(&packaging("release.sh"), &[Path::new("9.9.9"), &out]);
    let formula = fs::read_to_string(out.join("co.rb")).expect("a formula");
    let sums = fs::read_to_string(out.join("SHA256SUMS")).expect("sums");
    assert_eq!(sums.lines().count(), 4);
    for line in sums.lines() {
        let (sum, file) = line.split_once("  ").expect("two columns");
        assert!(formula.contains(sum) && formula.contains(file), "{line}: {formula}");
    }
    assert!(formula.contains("/v9.9.9/") && !formula.contains('@'), "{formula}");
    if has_tool("ruby") {
        let checked = Command::new("ruby").arg("-c").arg(out.join("co.rb")).output();
        assert!(checked.expect("ruby runs").status.success());
    }
}
