//! The first connection to an ssh host whose key is not known yet, and one whose key has changed:
//! told apart, and ssh's question can be answered.

use crate::support::{Laptop, World, terminal::screen_and_bytes};
use std::{fs, os::unix::fs::PermissionsExt};

/// A laptop whose ssh is this script.
fn laptop(world: &World, script: &str) -> Laptop {
    let a = world.laptop("a");
    let ssh = a.home.join("ssh");
    fs::write(&ssh, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).expect("executable");
    a.with_env("GIT_SSH_COMMAND", &ssh.display().to_string())
}

const URL: &str = "git@example.org:me/identity.git";

#[test]
fn an_unknown_host_is_told_from_one_whose_key_has_changed() {
    let unknown = [
        "Host key verification failed.",
        "No ED25519 host key is known for example.org and you have requested strict checking.\n\
         Host key verification failed.",
        "The authenticity of host 'example.org (192.0.2.1)' can't be established.\n\
         Host key verification failed.",
        "The server's host key is not cached in the registry.",
        "Host 'example.org' is not in the trusted hosts file.",
    ];
    let changed = [
        "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.",
        "Host key for example.org has changed and you have requested strict checking.\n\
         Host key verification failed.",
        "@ WARNING: REVOKED HOST KEY DETECTED! @\nHost key verification failed.",
    ];
    let all = unknown.iter().map(|words| (words, true));
    for (words, is_unknown) in all.chain(changed.iter().map(|words| (words, false))) {
        let world = World::new();
        let a = laptop(&world, &format!("cat >&2 <<'END'\n{words}\nEND\nexit 255"));
        a.co(&["init", "--yes"]);
        a.git(&["remote", "add", "origin", URL]);
        a.co(&["learn", "Prefers tabs"]);
        let said = a.fails(8, &["sync"]);
        assert_eq!(said.contains("is not known on this laptop yet"), is_unknown, "{words}: {said}");
        assert_eq!(said.contains("`ssh -T git@example.org`"), is_unknown, "{words}: {said}");
        assert_eq!(said.contains("ssh-keygen -R"), !is_unknown, "{words}: {said}");
        let doctor = a.try_co(&["doctor"]).out;
        assert_eq!(doctor.contains("not known on this laptop yet"), is_unknown, "{doctor}");
    }
}

/// ssh asks at the terminal that co was started on, after a while.
const ASKING: &str = "\
p=$PPID
while :; do
    tty=$(readlink /proc/$p/fd/0)
    case \"$tty\" in /dev/pts/*) break;; esac
    p=$(awk '/^PPid:/ { print $2 }' /proc/$p/status)
    [ \"$p\" -gt 1 ] || exit 1
done
sleep 1
printf 'Are you sure you want to continue (yes/no)? ' > \"$tty\"
read answer < \"$tty\"
sleep 1
printf 'Enter passphrase: ' > \"$tty\"
read answer < \"$tty\"
echo 'git@example.org: Permission denied (publickey).' >&2
exit 255";

#[test]
fn what_ssh_asks_stands_on_a_line_of_its_own() {
    for arguments in [
        &["identity", "remote", URL][..],
        &["init", "--yes", URL],
        &["diff", "origin"],
        &["sync"],
        &["identity", "sync", "--require-remote"],
        &["sync", "--verbose"],
    ] {
        let world = World::new();
        let a = laptop(&world, ASKING);
        if arguments[0] != "init" {
            a.co(&["init", "--yes"]);
        }
        if arguments[0] == "diff" || arguments.contains(&"sync") {
            a.git(&["remote", "add", "origin", URL]);
            a.co(&["learn", "Learned before the first contact"]);
        }
        questions_stand_alone(&a, arguments);
    }
}

#[test]
fn a_question_of_the_signing_program_stands_alone() {
    for (format, program) in
        [("openpgp", "gpg.program"), ("ssh", "gpg.ssh.program"), ("x509", "gpg.x509.program")]
    {
        let world = World::new();
        let a = laptop(&world, ASKING);
        a.co(&["init", "--yes"]);
        let file = a.home.join("ssh").display().to_string();
        for (key, value) in [
            ("commit.gpgsign", "true"),
            ("gpg.format", format),
            ("user.signingkey", "/nowhere/key"),
            (program, file.as_str()),
        ] {
            a.git(&["config", key, value]);
        }
        a.co(&["learn", "Learned before it was signed"]);
        questions_stand_alone(&a, &["sync"]);
    }
}

/// Whatever co shows of its own, it is not on the line of a question.
fn questions_stand_alone(a: &Laptop, arguments: &[&str]) {
    let asked = [("(yes/no)?", "yes\n"), ("Enter passphrase:", "secret\n")];
    let (screen, _) = screen_and_bytes(a, 100, arguments, &asked);
    for question in ["Are you sure you want to continue", "Enter passphrase:"] {
        let line = screen.lines().find(|line| line.contains(question));
        let line = line.unwrap_or_else(|| panic!("{arguments:?} erased {question}: {screen}"));
        assert!(line.starts_with(question), "{arguments:?}: {line}");
    }
}
