//! Signed commits, with a key of ssh or of gpg: git verifies every commit that co makes.
//!
//! Invariant: whoever asked git to sign gets no unsigned commit from co, merges included.

use crate::support::{Laptop, World, git, report_skipped, require_tool};
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command};

/// The laptop of a person who signs, with these lines in their configuration of git.
fn signer(world: &World, lines: &str) -> Laptop {
    let laptop = world.laptop("a");
    let person = "[user]\n\tname = Bin\n\temail = bin@example.org\n[commit]\n\tgpgsign = true\n";
    fs::write(laptop.home.join(".gitconfig"), format!("{person}{lines}")).expect("written");
    laptop
}

/// Both laptops learn, and the first one merges; all its commits verify.
fn exchange(world: &World, a: &Laptop) {
    let (remote, b) = (world.remote(), world.laptop("b"));
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    b.co(&["init", "--yes", &remote]);
    for laptop in [&b, a] {
        laptop.co(&["learn", &format!("From {}", laptop.name)]);
        laptop.co(&["sync"]);
    }
    assert_eq!(a.facts(), ["From a", "From b"]);
    let by = |author: &str| {
        let list = git(&a.identity(), &["rev-list", &format!("--author={author}"), "HEAD"]);
        list.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let (all, signed) = (by("."), by("Bin <bin@example.org>"));
    assert!(signed.len() >= 3 && all.len() == signed.len() + 1, "{all:?} {signed:?}");
    let merges = git(&a.identity(), &["rev-list", "--merges", "HEAD"]);
    assert!(!merges.is_empty(), "both had something new");
    for commit in &signed {
        let mut verify = a.command_of("git", &["verify-commit", commit]);
        let output = verify.current_dir(a.identity()).output().expect("git runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("Good"), "{commit}: {said}");
    }
}

#[test]
fn commits_that_ssh_signs_verify() {
    if !require_tool("ssh-keygen") {
        report_skipped("ssh-keygen");
        return;
    }
    let world = World::new();
    let key = world.path("key");
    let mut make = Command::new("ssh-keygen");
    let made = make.args(["-q", "-t", "ed25519", "-N", "", "-C", "bin", "-f"]).arg(&key).status();
    assert!(made.is_ok_and(|status| status.success()));
    let public = fs::read_to_string(key.with_extension("pub")).expect("a key");
    let allowed = world.path("allowed");
    fs::write(&allowed, format!("bin@example.org {public}")).expect("written");
    let lines = format!(
        "[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tallowedSignersFile = {}\n[user]\n\tsigningkey = \
         {}.pub\n",
        allowed.display(),
        key.display()
    );
    exchange(&world, &signer(&world, &lines));
}

/// A keyring of gpg with one key in it; its agent ends with it.
struct Keyring {
    folder: PathBuf,
}

impl Keyring {
    fn make(folder: PathBuf) -> Keyring {
        fs::create_dir_all(&folder).expect("a folder");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("set");
        let keyring = Keyring { folder };
        let person = "Bin <bin@example.org>";
        let quick = ["--quick-gen-key", person, "ed25519", "sign", "never"];
        let key = [&["--batch", "--quiet", "--passphrase", ""], &quick[..]].concat();
        assert!(keyring.run("gpg", &key).is_some(), "gpg makes a key");
        keyring
    }

    /// The output of a program that succeeds.
    fn run(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let mut command = Command::new(program);
        let output = command.args(arguments).env("GNUPGHOME", &self.folder).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn fingerprint(&self) -> String {
        let list = self.run("gpg", &["--list-keys", "--with-colons"]).expect("a list of keys");
        let line = list.lines().find(|line| line.starts_with("fpr:")).expect("a fingerprint");
        line.trim_end_matches(':').rsplit(':').next().expect("a fingerprint").to_owned()
    }
}

impl Drop for Keyring {
    fn drop(&mut self) {
        self.run("gpgconf", &["--kill", "gpg-agent"]);
    }
}

#[test]
fn commits_that_gpg_signs_verify() {
    if !require_tool("gpg") {
        report_skipped("gpg");
        return;
    }
    let world = World::new();
    // The agent's socket lies in it, and the path of a socket is short.
    let keyring = Keyring::make(world.path("g"));
    let lines = format!("[user]\n\tsigningkey = {}\n", keyring.fingerprint());
    let folder = keyring.folder.display().to_string();
    exchange(&world, &signer(&world, &lines).with_env("GNUPGHOME", &folder));
}
