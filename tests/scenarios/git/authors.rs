//! Whose name and which time stand in a commit of co: those that git itself would write.

use crate::support::{Laptop, World};
use std::fs;

/// What it is about, the user's configuration of git, and the environment.
type Case = (&'static str, String, &'static [(&'static str, &'static str)]);

/// What git says of a laptop's identity, without the time or with its zone alone.
fn said_by_git(laptop: &Laptop, role: &str) -> (String, String) {
    let mut ident = laptop.command_of("git", &["var", &format!("GIT_{role}_IDENT")]);
    let output = ident.current_dir(laptop.identity()).output().expect("git runs");
    let said = String::from_utf8(output.stdout).expect("text");
    let (person, time) = said.trim_end().rsplit_once("> ").expect("a person and a time");
    let (_, zone) = time.split_once(' ').expect("a zone");
    (format!("{person}>"), zone.to_owned())
}

fn in_last_commit(laptop: &Laptop, format: &str) -> String {
    let mut log =
        laptop.command_of("git", &["log", "-1", "--date=raw", &format!("--format={format}")]);
    let output = log.current_dir(laptop.identity()).output().expect("git runs");
    String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
}

#[test]
fn a_commit_has_the_names_and_the_zone_that_git_would_write() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &world.remote()]);
    let user = "[user]\n\tname = Bin Chen\n\temail = bin@example.org\n";
    let own = "[author]\n\tname = Zoë\n[committer]\n\temail = laptop@example.org\n";
    let cases: [Case; 6] = [
        ("the user's", user.to_owned(), &[("TZ", "Asia/Kathmandu")]),
        ("of each role", format!("{user}{own}"), &[("TZ", "America/St_Johns")]),
        (
            "of the environment",
            user.to_owned(),
            &[
                ("GIT_AUTHOR_NAME", "Ann"),
                ("GIT_AUTHOR_EMAIL", "ann@example.org"),
                ("GIT_COMMITTER_NAME", "Ben"),
            ],
        ),
        ("of both", format!("{user}{own}"), &[("GIT_AUTHOR_NAME", "Ann"), ("TZ", "Europe/Berlin")]),
        ("an address alone", "[user]\n\tname = Bin\n".to_owned(), &[("EMAIL", "post@example.org")]),
        (
            "a date",
            user.to_owned(),
            &[
                ("GIT_AUTHOR_DATE", "2026-01-02T03:04:05+0530"),
                ("GIT_COMMITTER_DATE", "2026-01-02T03:04:06+0530"),
            ],
        ),
    ];
    for (case, config, env) in cases {
        fs::write(a.home.join(".gitconfig"), config).expect("written");
        let a = env.iter().fold(a.clone(), |a, (name, value)| a.with_env(name, value));
        a.co(&["learn", &format!("Has a name: {case}")]);
        a.co(&["sync"]);
        for (role, format) in [("AUTHOR", "%an <%ae>%ad"), ("COMMITTER", "%cn <%ce>%cd")] {
            let written = in_last_commit(&a, format);
            let (person, time) = written.split_once('>').expect("a person");
            let (_, zone) = time.split_once(' ').expect("a zone");
            let written = (format!("{person}>"), zone.to_owned());
            assert_eq!(written, said_by_git(&a, role), "{case}: {role}");
        }
    }
}
